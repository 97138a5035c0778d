"""From page to page: the study, the filters and the metric go along, and an address brings a view back."""

import re

import numpy as np
from playwright.sync_api import Browser, Page, expect

from core.people import TERMINAL
from core.stories import ScoreRecord
from db import imports, scores
from tests.browser.conftest import Server, settle, visit
from tests.db.conftest import small_corpus

PATIENCE = 15_000


def made() -> None:
    """Three studies; each has metrics of its own."""
    rng = np.random.default_rng(0)
    for name in ("first", "second", "third"):
        study = imports.import_corpora(TERMINAL, name, [small_corpus(8)])
        for metric in (f"{name}-a", f"{name}-b"):
            values = {key: float(rng.normal()) for key in scores.story_keys(study.id)}
            scores.import_scores(TERMINAL, study.id, ScoreRecord(metric, f"file:{metric}", values))


def go(page: Page, name: str) -> None:
    """Click a page in the menu."""
    page.get_by_test_id("stSidebarNav").get_by_text(name, exact=True).click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible(timeout=PATIENCE)
    settle(page)


def shows(page: Page, label: str, value: str | re.Pattern[str]) -> None:
    """Wait until a select box shows this."""
    expect(page.get_by_role("combobox", name=label, exact=True)).to_have_value(value, timeout=PATIENCE)


def choose(page: Page, label: str, value: str) -> None:
    page.get_by_role("combobox", name=label, exact=True).click()
    page.get_by_role("option", name=value, exact=True).click()
    settle(page)


def test_what_was_chosen_goes_from_page_to_page_and_into_the_address(server: Server, browser: Browser) -> None:
    made()
    page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    visit(page, server.owner_link())
    visit(page, f"{server.address}/correlation?study=1&systems=one&systems=two&systems=three&seed=5&tab=Scatter")
    expect(page.get_by_text("24 of 40 stories")).to_be_visible(timeout=PATIENCE)
    choose(page, "Metric", "first-b")
    expect(page).to_have_url(re.compile("metric=first-b"), timeout=PATIENCE)
    for name in ("Difference", "Systems", "Monitor", "Metric report", "Correlation"):
        go(page, name)
        shows(page, "Study", "first")
        expect(page).to_have_url(re.compile(r"[?&]study=1\b"), timeout=PATIENCE)
        if name != "Monitor":
            expect(page.get_by_text("24 of 40 stories")).to_be_visible(timeout=PATIENCE)
            expect(page.get_by_text("· 2 changed")).to_be_visible()
    page.get_by_role("tab", name="Scatter").click()
    shows(page, "Metric", "first-b")
    expect(page).to_have_url(re.compile("metric=first-b"), timeout=PATIENCE)

    again = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    visit(again, server.owner_link())
    visit(again, page.url)
    expect(again.get_by_text("24 of 40 stories")).to_be_visible(timeout=PATIENCE)
    shows(again, "Metric", "first-b")

    choose(page, "Study", "second")
    shows(page, "Metric", re.compile("^second-"))
    expect(page.get_by_text(re.compile("^Signature: file:second-"))).to_be_visible(timeout=PATIENCE)

    page.get_by_text("· 2 changed").click()
    page.get_by_role("button", name="Reset filters and seed").click()
    expect(page.get_by_text("What this rests on")).to_be_visible(timeout=PATIENCE)
    visit(page, f"{server.address}/difference?study=1&shortest=5000")
    expect(page.get_by_text("None of the 40 stories meets these conditions")).to_be_visible(timeout=PATIENCE)
    assert "Traceback" not in server.log()
