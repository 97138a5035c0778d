"""The Difference and Systems pages in a browser: a link brings back a view, the pairs as a file, on a phone."""

import csv
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Server, downloaded, sign_in, visit
from tests.rated import rated_study


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth <= 390"))


def test_a_link_brings_back_the_view_on_a_phone(server: Server, browser: Browser, tmp_path: Path) -> None:
    study = rated_study(metrics=("all", "half", "other"))
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/difference?study={study.id}&metric=other&seed=5")
    expect(page.get_by_text("Tied stories stand in an order that is drawn (seed 5)")).to_be_visible()
    expect(page.get_by_text("Differences of other and of people")).to_be_visible()
    assert fits(page)
    waiting = downloaded(page.get_by_role("button", name="Pairs of sets, as CSV"))
    waiting.save_as(tmp_path / "pairs.csv")
    with (tmp_path / "pairs.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 48 * 47 // 2
    assert all(float(row["difference of ratings"]) >= -1e-9 for row in rows)
    assert {row["metric p < 0.01"] for row in rows} <= {"True", "False"}
    visit(page, f"{server.address}/systems?study={study.id}&metric=other&first=middle")
    expect(page.get_by_text("other: difference to middle")).to_be_visible()
    expect(page.get_by_text("other against people, by system")).to_be_visible()
    assert fits(page)
