"""An annotator's whole way for everybody: looked at by axe, gone by keyboard alone, zoomed, with less motion."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from core.annotation.onboarding import Practice
from core.annotation.onboarding_items import built_in_items
from core.annotation.studies import Study
from core.languages.words import languages
from core.people import TERMINAL
from db.annotation import onboarding, settings
from db.studies import studies
from db.transfer import imports
from tests.browser.access import STANDS_STILL, in_both_themes
from tests.browser.annotating.onboarding import press
from tests.browser.conftest import Server, settle, until, visit
from tests.browser.form import corpus, link, open_study, ready, stored

CONSENT = "You will read **stories**.\n\n- You can stop at any time."
DESK: ViewportSize = {"width": 1280, "height": 1000}
ZOOMED: ViewportSize = {"width": 640, "height": 500}
"""What a desk's window shows at 200 %."""


def open_way(scheme: str, language: str = "") -> Study:
    """An open study of one panel a person, with a consent text, and an item of practice where there are any."""
    study = studies.create(TERMINAL, f"{scheme} {language}", scheme)
    imports.import_corpora(TERMINAL, study.name, [corpus(2, systems=2)])
    settings.set_ends(TERMINAL, study.id, CONSENT, studies.get(study.id).codes)
    onboarding.set_practice(TERMINAL, study.id, Practice(built_in_items(study.scheme)[:1]))
    rules = replace(studies.get(study.id).rules, language=language, assignments_a_person=1, ratings_wanted=1)
    settings.set_rules(TERMINAL, study.id, rules)
    studies.open_study(TERMINAL, study.id)
    return studies.get(study.id)


def main_button(page: Page) -> Locator:
    """The button that leads on."""
    return page.locator("[data-testid=stMain] button[kind=primary]").first


def focused_visibly(page: Page) -> None:
    """What has the focus shows it: by an outline, a shadow or a border of its own."""
    assert page.evaluate(
        """() => {
          const focused = document.activeElement;
          const style = getComputedStyle(focused);
          return focused.matches(":focus-visible") && (style.outlineStyle !== "none" || style.boxShadow !== "none");
        }"""
    ), page.evaluate("() => document.activeElement.outerHTML")


def answer_by_keyboard(page: Page, scheme: str) -> None:
    """Every story or pair of the panel, by the form's keys."""
    if scheme == "mans":
        for place in range(4):
            page.keyboard.type(("j" if place else "") + "4")
        expect(page.locator(".navigator-done")).to_have_count(4)
        expect(page.locator("[data-fabula-saving]")).to_have_count(0)
        return
    pairs = page.locator(".navigator-letters button").count()
    for place in range(1, pairs + 1):
        page.keyboard.press("1")
        expect(page.locator(".navigator-count")).to_contain_text(re.compile(rf"^\D*{place}\b"))
        if place < pairs:
            page.keyboard.press("Enter")


def go(page: Page, look: Callable[[Page], None], scheme: str) -> None:
    """The whole way without a pointer; `look` sees each screen."""
    look(page)  # consent
    press(page, main_button(page))
    page.locator(".st-key-consent").wait_for(state="detached")
    look(page)  # introduction
    page.keyboard.press("b")
    expect(page.locator("[role=radio]").first).to_be_visible()
    settle(page)
    look(page)  # an item
    press(page, page.locator("[role=radio]").first)
    focused_visibly(page)
    settle(page)
    page.keyboard.press("n")
    expect(page.locator("[class*=st-key-practice-next]")).to_be_visible()
    look(page)  # what was right
    page.keyboard.press("n")
    expect(page.locator("[class*=st-key-practice-next]")).to_have_count(0)
    settle(page)
    look(page)  # the result
    page.keyboard.press("b")
    ready(page)
    look(page)
    answer_by_keyboard(page, scheme)
    look(page)  # answered
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-testid=stCode]")).to_be_visible()
    look(page)  # the end


CLIPPED = """() => {
  const texts = ":is(p, h1, h2, button, label, .stText, .reader-text)";
  const cut = (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible";
  return [...document.querySelectorAll(`[data-testid=stMain] ${texts}`)]
    .filter((one) => one.offsetParent && cut(one))
    .map((one) => one.outerHTML.slice(0, 200));
}"""
OVERLAPPING = """() => {
  const controls = [...document.querySelectorAll("[data-testid=stMain] :is(button, textarea, summary)")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".st-key-panel-bar"))
    .map((one) => [one.getBoundingClientRect(), one.outerHTML.slice(0, 120)])
    .filter(([box]) => box.width > 0);
  const shared = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
  const over = (a, b) => shared(a, b, "left", "right") > 2 && shared(a, b, "top", "bottom") > 2;
  return controls.flatMap(([a, one], place) =>
    controls.slice(place + 1).filter(([b]) => over(a, b)).map(([, other]) => `${one} and ${other}`));
}"""
"""Controls that lie over each other; but the bar, which stays in sight over what is scrolled below it."""


def fits(page: Page) -> None:
    """Nothing is wider than the window, no words are cut off, and no two controls lie over each other."""
    until(page, STANDS_STILL)
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate(OVERLAPPING) == []


def clean_and_fits(page: Page) -> None:
    """Axe finds nothing weighty, in either theme, and all fits at twice its size."""
    assert in_both_themes(page) == {}
    page.set_viewport_size(ZOOMED)
    fits(page)
    page.set_viewport_size(DESK)


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "language"), [("mans", "de"), ("preferences", "ar")])
def test_the_whole_way_by_keyboard_is_clean_and_fits_when_zoomed(
    scheme: str, language: str, server: Server, browser: Browser
) -> None:
    page = browser.new_context(viewport=DESK, reduced_motion="reduce").new_page()
    visit(page, link(server, open_way(scheme, language)))
    expect(page.locator("html")).to_have_attribute("lang", language)
    go(page, clean_and_fits, scheme)


@pytest.mark.parametrize("code", ["zh", "ar"])
def test_the_browser_s_language_is_spoken_and_codes_are_stored(code: str, server: Server, browser: Browser) -> None:
    words = languages()[code]
    study = open_study("mans", prompts=1)
    page = browser.new_context(viewport={"width": 1280, "height": 1000}, locale=code).new_page()
    visit(page, link(server, study))
    main_button(page).click()
    ready(page, 7)
    title = words.text("panel.heading", unit=words.ours("panel"), number=1, most=1)
    expect(page.get_by_role("heading", level=1)).to_have_text(title[:1].upper() + title[1:])
    expect(page.locator("html")).to_have_attribute("lang", code)
    direction = page.locator(".st-key-annotators-screen").evaluate("screen => getComputedStyle(screen).direction")
    assert direction == words.direction
    story = page.locator(".reader-text").first
    assert story.evaluate("story => getComputedStyle(story).direction") == "ltr"  # it is in English
    page.keyboard.type("2q")
    page.keyboard.press("m")
    page.keyboard.press("t")
    page.keyboard.press("Escape")
    expect(page.locator("[data-fabula-saving]")).to_have_count(0)
    expect(page.locator("mark")).to_have_count(1)
    expect(page.locator("mark")).to_have_attribute(
        "title", words.text("evidence.of_types", types=words.ours("conflicting logic"))
    )
    (answer,) = stored().values()
    assert answer[:2] == (2.0, {"repetitive plots": 1, "conflicting logic": 1})
    page.keyboard.press("Control+Enter")
    missing = words.text("errors.overall_several", letters=words.listed(list("BCDEFG")))
    expect(page.get_by_text(missing)).to_be_visible()


def test_the_study_s_language_goes_before_the_browser_s_and_less_motion_is_none(
    server: Server, browser: Browser
) -> None:
    page = browser.new_context(locale="de", reduced_motion="reduce").new_page()
    visit(page, link(server, open_way("union", "es")))
    expect(page.get_by_role("heading", level=1)).to_have_text("Antes de empezar")
    expect(page.get_by_text("You will read stories.")).to_be_visible()  # the owner's words
    slowest = """() => Math.max(...[...document.querySelectorAll("*")].flatMap((one) => {
      const { transitionDuration, animationDuration } = getComputedStyle(one);
      return `${transitionDuration},${animationDuration}`.split(",").map(parseFloat);
    }))"""
    assert page.evaluate(slowest) < 0.001
