"""Every page of those who run studies, looked at by axe, in light and dark, with what opens on it, and zoomed, and
where its first figure stands; and a way through them by keyboard alone."""

import re

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.access import STANDS_STILL, in_both_themes, violations
from tests.browser.annotating.onboarding import press
from tests.browser.conftest import ROOT, Server, close_popover, go_on, open_tab, settle, sign_in, until, visit
from tests.browser.first_figure import too_low
from tests.rated import rated_study

PAGES = sorted({path.stem for path in (ROOT / "pages").glob("*.py")} - {"__init__", "table"})
ANALYSES = ("correlation", "drift", "judges", "judgments")
"""Those with tabs."""
FIGURES = ("correlation", "drift", "difference", "systems", "judgments", "report", "published")
"""Those that open with a sentence and its figure, of the demonstration."""
FIGURES_IN_TABS = ("correlation", "drift")
"""Those whose other tabs do, too, but for `CORPORA`, which begins with the choice of these."""
CORPORA = "Dataset"
POPOVERS = {
    "correlation": ("What this rests on", "Filters and seed", "Export figure"),
    "judgments": ("Sample and seed",),
    "report": ("Share",),
}
"""What opens on a page and on no page before it: most are made in one place for all."""
DESK: ViewportSize = {"width": 1280, "height": 800}
ZOOMED: ViewportSize = {"width": 640, "height": 500}
"""What a desk's window shows at 200 %."""
NOT_WIDER = """() => [document.documentElement, document.querySelector("[data-testid=stMain]")]
  .every((one) => one.scrollWidth <= one.clientWidth)"""
SCROLLED = "() => document.querySelector('[data-testid=stPopoverBody]').scrollTop > 0"
GO = """path => {
  history.pushState({}, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}"""


def go(page: Page, path: str) -> None:
    """To another page as by the browser's history, which loads no program anew."""
    before = page.title()
    page.evaluate(GO, path)
    until(page, "before => document.title !== before", before)
    settle(page)


def opened(page: Page, name: str) -> dict[str, object]:
    """What is wrong with a page's other tabs and with its popovers, which scroll in a zoomed window."""
    found: dict[str, object] = {}
    for label in POPOVERS.get(name, ()):
        page.get_by_role("button", name=label).first.click()
        expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
        settle(page)
        until(page, STANDS_STILL)
        found[label] = violations(page, within="[data-testid=stPopoverBody]")
        close_popover(page)
    page.set_viewport_size(DESK)
    if name in ANALYSES:
        for tab in page.get_by_role("tab").all_inner_texts()[1:]:
            open_tab(page, tab)
            until(page, STANDS_STILL)
            found[tab] = violations(page, within="[data-testid=stTabs]")
            if name in FIGURES_IN_TABS and tab != CORPORA:
                found[f"{tab}, first figure"] = too_low(page)
    return found


@pytest.mark.slow
def test_every_page_of_who_runs_studies(scored: Server, browser: Browser) -> None:
    """A page follows what the system prefers, and so is opened once for both themes."""
    page = browser.new_context(viewport=DESK).new_page()
    sign_in(page, scored)
    visit(page, f"{scored.address}/{PAGES[0]}?study=1")
    found: dict[str, object] = {}
    for name in PAGES:
        if name != PAGES[0]:
            go(page, f"/{name}?study=1")
        if name in FIGURES:
            found[f"{name}, first figure"] = too_low(page)
        found[name] = in_both_themes(page)
        page.set_viewport_size(ZOOMED)
        until(page, NOT_WIDER)
        found |= {f"{name}: {what}": broken for what, broken in opened(page, name).items()}
    assert {name: broken for name, broken in found.items() if broken} == {}


@pytest.mark.slow
def test_from_the_overview_to_a_story_and_back_by_keyboard_alone(server: Server, browser: Browser) -> None:
    study = rated_study(prompts=6, metrics=[f"metric-{number}" for number in range(12)])
    page = browser.new_context(viewport={"width": 1280, "height": 400}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/?study={study.id}")
    press(page, page.get_by_test_id("stTopNavSection").filter(has_text="Findings"))
    press(page, page.get_by_role("menuitem", name="Correlation"))
    expect(page.get_by_role("heading", level=1, name="Correlation")).to_be_visible()
    tab = page.get_by_role("tab", name="Scatter", exact=True)
    press(page, tab)
    expect(tab).to_have_attribute("aria-selected", "true")
    settle(page)
    press(page, page.get_by_role("button", name="What this rests on"))
    press(page, page.get_by_text("Signatures of the metrics").locator("xpath=ancestor::summary"))
    expect(page.get_by_text("Seed 0; 1,000 draws")).to_be_visible()
    until(page, STANDS_STILL)
    page.keyboard.press("ArrowDown")
    until(page, SCROLLED)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    press(page, page.get_by_test_id("stTopNavSection").filter(has_text="Study"))
    expect(page.get_by_role("menuitem", name="Overview")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="Stories")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Stories")).to_be_visible()
    grid = page.get_by_test_id("data-grid-canvas")
    expect(grid).to_have_attribute("tabindex", "-1")  # a grid presses its first cell where the keyboard reaches it
    settle(page)
    rows = page.get_by_role("combobox", name="Stories: choose a row")
    listed = page.locator(".st-key-choose-stories-listed")
    expect(listed).to_have_css("clip-path", "inset(50%)")  # the keyboard's alone
    press(page, rows)
    expect(listed).to_have_css("clip-path", "none")
    go_on(page, "ArrowDown", page.get_by_role("option").first)
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog")
    expect(drawer).to_be_visible()
    settle(page)
    assert in_both_themes(page) == {}
    go_on(page, "ArrowRight", drawer.get_by_text(re.compile("^2 of ")))
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(page).not_to_have_url(re.compile("story="))
