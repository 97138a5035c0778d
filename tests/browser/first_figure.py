"""What is read first on a page of analyses: a sentence, and the figure or table that proves it right below."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import still

HIGHEST = 260
"""Pixels from the top of a window of 1280 x 800 at which the first figure begins, below three lines at most."""
SHOWN = ".js-plotly-plot:visible, [data-testid=stDataFrame]:visible"


def too_low(page: Page) -> float | None:
    """Where the first figure begins, below the sentence; None where that is high enough. Nothing runs out of the
    window to the right.
    """
    sentence, figure = page.locator(".st-key-finding:visible").first, page.locator(SHOWN).first
    expect(sentence).to_be_visible()
    still(figure)
    box, said = figure.bounding_box(), sentence.bounding_box()
    assert box is not None
    assert said is not None
    assert said["y"] < box["y"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return box["y"] if box["y"] > HIGHEST else None
