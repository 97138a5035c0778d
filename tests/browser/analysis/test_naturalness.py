"""The Naturalness page in a browser: a link brings back a view, a table as a file, a phone."""

import csv
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.conftest import Server, downloaded, open_tab, sign_in, visit
from tests.natural import natural_study


def test_tables_thresholds_hypotheses_and_a_phone(server: Server, browser: Browser, tmp_path: Path) -> None:
    study = natural_study()
    address = f"{server.address}/naturalness?study={study.id}&tokens=all"
    context = browser.new_context(viewport={"width": 1280, "height": 1400})
    page = context.new_page()
    sign_in(page, server)
    visit(page, f"{address}&naturalness=Tables")
    expect(page.get_by_text("Difference from human text", exact=True)).to_be_visible(timeout=30_000)
    waiting = downloaded(page.get_by_role("button", name="Differences from human text, as CSV"))
    waiting.save_as(tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["Pairs"] for row in rows] == ["20"] * 4
    assert all(float(row["Difference"]) > 0 for row in rows)
    open_tab(page, "Thresholds")
    expect(page.get_by_text("Texts taken for human", exact=True)).to_be_visible(timeout=30_000)
    page.get_by_text("2", exact=True).first.click()
    expect(page.get_by_text("accuracy on the decided:")).to_be_visible(timeout=30_000)
    assert "cuts=2" in page.url
    visit(page, f"{address}&naturalness=Hypotheses&bigger-generator=big&smaller-generator=little")
    expect(page.get_by_text("H1 holds here: big differs more from human text than little").first).to_be_visible(
        timeout=30_000
    )
    page.set_viewport_size({"width": 390, "height": 844})
    open_tab(page, "Thresholds")
    expect(page.get_by_text("Texts taken for human", exact=True)).to_be_visible(timeout=30_000)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
    context.close()
