"""What is read first: on every page of analyses a sentence, and the figure or table that proves it right below."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Server, sign_in, still, visit

HIGHEST = 260
"""Pixels from the top of a window of 1280 x 800 at which the first figure has begun."""
SHOWN = ".js-plotly-plot, [data-testid=stDataFrame]"
TABS = (
    "Table",
    "Scatter",
    "By+error+type",
    "By+system",
    "Within+prompts",
    "Systems+and+length",
    "Significance",
    "How+many+more%3F",
)
PAGES = (
    *(f"correlation?tab={tab}" for tab in TABS),
    "drift?drift=Quality",
    "drift?drift=System",
    "difference?",
    "systems?",
    "judgments?",
    "report?",
)


@pytest.mark.slow
def test_the_first_figure_stands_right_below_the_sentence(scored: Server, browser: Browser) -> None:
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    sign_in(page, scored)
    found = {}
    for name in PAGES:
        visit(page, f"{scored.address}/{name}&study=1")
        expect(page.locator(".st-key-finding")).to_be_visible()
        figure = page.locator(SHOWN).first
        still(figure)
        box, said = figure.bounding_box(), page.locator(".st-key-finding").first.bounding_box()
        assert box is not None
        assert said is not None
        assert said["y"] < box["y"], name
        found[name] = box["y"]
    assert {name: top for name, top in found.items() if top > HIGHEST} == {}
