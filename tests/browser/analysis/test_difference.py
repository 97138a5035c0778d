"""The Difference and Systems pages in a browser: a link brings back a view, the pairs as a file, a phone."""

import csv
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.conftest import Server, downloaded, sign_in, visit
from tests.rated import rated_study


def test_a_link_brings_back_the_view(server: Server, browser: Browser, tmp_path: Path) -> None:
    study = rated_study(metrics=("all", "half", "other"))
    context = browser.new_context(viewport={"width": 1280, "height": 1400})
    page = context.new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/difference?study={study.id}&metric=other&seed=5")
    expect(page.get_by_text("Ties in the order of seed 5")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("Differences of other and of people")).to_be_visible(timeout=30_000)
    waiting = downloaded(page.get_by_role("button", name="Pairs of sets, as CSV"))
    waiting.save_as(tmp_path / "pairs.csv")
    with (tmp_path / "pairs.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 48 * 47 // 2
    assert all(float(row["difference of ratings"]) >= -1e-9 for row in rows)
    assert {row["metric p < 0.01"] for row in rows} <= {"True", "False"}
    visit(page, f"{server.address}/difference?study={study.id}&convention=paper")
    expect(page.get_by_text("R² of the pairs right of zero, with an intercept, as in the paper")).to_be_visible()
    visit(page, f"{server.address}/systems?study={study.id}&metric=other&first=middle")
    expect(page.get_by_text("other: difference to middle")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("other against people, by system")).to_be_visible(timeout=30_000)
    context.close()


def test_on_a_phone_nothing_runs_out_of_the_screen(server: Server, browser: Browser) -> None:
    study = rated_study()
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    sign_in(page, server)
    for name, shown in (("difference", "Differences of all and of people"), ("systems", "all: difference to high")):
        visit(page, f"{server.address}/{name}?study={study.id}")
        expect(page.get_by_text(shown)).to_be_visible(timeout=30_000)
        wide = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
        assert wide <= 390, name
    context.close()
