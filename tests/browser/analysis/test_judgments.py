"""The Judgments page in a browser: every tab on a phone in the dark, evidence as text, live, and as CSV."""

import csv
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.analysis.judgments import HOSTILE, VIEWS, fits, hand_in, marked_study
from tests.browser.conftest import Server, downloaded, open_tab, sign_in, visit
from tests.db.conftest import make_annotator

TABS = ("Ratings", "Agreement", "Error types", "Texts", "Order", "Evidence")
"""All but that of annotators, where the way begins."""


def test_every_tab_on_a_phone_while_ratings_come_in(server: Server, browser: Browser, tmp_path: Path) -> None:
    study = marked_study()
    hand_in(ada := make_annotator(study, "=Ada **x**"), 3)
    page = browser.new_page(**VIEWS["phone"])  # type: ignore[arg-type]
    sign_in(page, server)
    visit(page, f"{server.address}/judgments?study={study.id}")
    open_tab(page, "Annotators")
    expect(page.get_by_text("no story was rated by two annotators")).to_be_visible()
    hand_in(bob := make_annotator(study, "Bob"), 2)
    expect(page.get_by_text("Only 10 stories of 2 prompts have two ratings or more")).to_be_visible()
    expect(page.get_by_role("tab", name="Annotators", exact=True)).to_have_attribute("aria-selected", "true")
    fits(page)
    caught = downloaded(page.get_by_role("button", name="Annotators against the rest, as CSV"))
    path = tmp_path / "annotators.csv"
    caught.save_as(path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert caught.suggested_filename == "annotators-against-the-rest.csv"
    page.locator(".st-key-of-people-annotators-against-the-rest").hover()
    expect(page.get_by_role("button", name="Search: Annotators against the rest")).to_be_visible()
    expect(page.get_by_role("button", name="Download as CSV: Annotators against the rest")).to_be_hidden()
    assert {row["Annotator"] for row in rows} == {f"annotator {ada.id}", f"annotator {bob.id}"}  # no names
    assert {"Spearman's ρ", "Spearman's ρ, low", "Leniency, high"} <= set(rows[0])
    hand_in(bob, 1)
    for tab in TABS:
        open_tab(page, tab)
        fits(page)
    visit(page, page.url)  # the tab is in the address
    mark = page.locator("mark").first
    expect(mark).to_have_text(HOSTILE)
    expect(page.locator("sup").first).to_have_text("2")
    assert page.locator("#evil").count() == 0
    assert mark.evaluate("one => getComputedStyle(one).borderBottomStyle") == "solid"
    page.close()
