"""What is read first: on every page of analyses a sentence, and the figure or table that proves it right below."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Server, open_tab, sign_in, still, visit
from tests.db.judged import judged_study
from tests.db.pairs import compared_study

HIGHEST = 260
"""Pixels from the top of a window of 1280 x 800 at which the first figure begins, below three lines at most."""
SHOWN = ".js-plotly-plot:visible, [data-testid=stDataFrame]:visible"
JUDGED, COMPARED = 2, 3
"""The numbers of the study that has judges, and of the one of pairs."""
PAGES = {
    "correlation": (
        "Table",
        "Scatter",
        "By error type",
        "By system",
        "Within prompts",
        "Systems and length",
        "Significance",
        "How many more?",
    ),
    "drift": ("Quality", "System"),
    "difference": (),
    "systems": (),
    "judgments": (),
    "report": (),
    "published": (),
    "judges": ("Agreement",),
    "preferences": (),
}
"""With those tabs of theirs that are looked at."""
STUDIES = {"judges": JUDGED, "preferences": COMPARED}
"""Of the pages that the demonstration has nothing for."""


@pytest.mark.slow
def test_the_first_figure_stands_right_below_the_sentence_and_nothing_runs_out_of_the_window(
    scored: Server, browser: Browser
) -> None:
    assert (judged_study().id, compared_study().id) == (JUDGED, COMPARED)
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    sign_in(page, scored)
    low = {}
    for name, tabs in PAGES.items():
        visit(page, f"{scored.address}/{name}?study={STUDIES.get(name, 1)}")
        for tab in tabs or ("",):
            if tab:
                open_tab(page, tab)
            top = first_figure(page)
            if top > HIGHEST:
                low[name, tab] = top
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, tab)
    assert low == {}


def first_figure(page: Page) -> float:
    """Where it begins, below the sentence."""
    sentence, figure = page.locator(".st-key-finding:visible").first, page.locator(SHOWN).first
    expect(sentence).to_be_visible()
    still(figure)
    box, said = figure.bounding_box(), sentence.bounding_box()
    assert box is not None
    assert said is not None
    assert said["y"] < box["y"]
    return box["y"]
