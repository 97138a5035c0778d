"""Scoring in a real browser: what is typed in counts, an own metric runs, results come as they are ready."""

import re

from playwright.sync_api import Browser, Page, expect

from core.people import TERMINAL
from db.jobs import jobs
from db.transfer import imports
from tests.browser.conftest import Server, choose, open_tab, settle, sign_in, still, until, visit
from tests.db.conftest import small_corpus

WHOLE = """() => {
  const boxes = [...document.querySelectorAll(".st-key-pair-choice > *")];
  return boxes.length === 2 && boxes.every(box => box.offsetWidth > 320);
}"""
"""On a phone a metric's box is as wide as the page: half of that would cut `union[people-union]` off."""


def type_in(page: Page, label: str, text: str) -> None:
    box = page.get_by_role("combobox", name=re.compile(label))
    box.evaluate("box => box.scrollIntoView({block: 'center'})")  # its list goes when the page is scrolled
    still(box)
    box.click()
    box.fill(text)
    expect(page.get_by_role("option", name=text).first).to_be_visible()
    box.press("Enter")
    settle(page)


def test_a_value_typed_in_is_checked_and_a_metric_of_ones_own_runs(server: Server, browser: Browser) -> None:
    imports.import_corpora(TERMINAL, "s", [small_corpus()])
    page = browser.new_context(viewport={"width": 1280, "height": 1800}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/score")
    for name in ("bleu", "rouge-l", "bertscore-f1"):
        page.get_by_role("button", name=name, exact=True).click()
        settle(page)
    expect(page.get_by_text("Choose at least one metric")).to_be_visible()
    page.locator("summary", has_text="A metric of your own").click()
    own = page.get_by_label("A metric of your own", exact=True)
    own.fill("docs/examples/openings.py:VariedOpenings")
    own.press("Enter")
    expect(page.get_by_text("10 scores to compute, roughly")).to_be_visible()
    page.get_by_role("button", name="bleu", exact=True).click()
    expect(page.get_by_text("20 scores to compute, roughly")).to_be_visible()
    page.locator("summary", has_text="Models and options").click()
    type_in(page, "First words", "some")
    expect(page.get_by_text("cannot be 'some'; choose one of all, 200, 250 or a number of words")).to_be_visible()
    expect(page.get_by_role("button", name="Run the metrics")).to_be_disabled()
    type_in(page, "First words", "3")
    expect(page.get_by_role("button", name="Run the metrics")).to_be_enabled()
    page.get_by_role("button", name="Run the metrics").click()
    expect(page.get_by_text("20 scores computed in")).to_be_visible(timeout=60_000)
    (job,) = jobs.of_study(1)
    assert job.settings["options"]["bleu"]["first_words"] == "3"
    expect(page.get_by_text("All of this is stored already")).to_be_visible()
    visit(page, page.url)  # no run that tells of the end is still on its way
    open_tab(page, "One or two metrics")
    choose(page.get_by_role("combobox", name="Metric", exact=True).first, "varied-openings", exact=False)
    expect(page.get_by_text("Distribution of varied-openings")).to_be_visible()
    settle(page)
    visit(page, page.url)  # the tab and the metric are in the address
    expect(page.get_by_text("Distribution of varied-openings")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    until(page, WHOLE)
