"""An annotator's way through a study: consent, training, three panels of which one is rejected, the end's code."""

import re

from playwright.sync_api import Browser, Page, expect
from sqlalchemy import func, select

from core.annotation.onboarding import Practice
from core.annotation.onboarding_items import built_in_items
from core.annotation.panel import End
from core.annotation.studies import Study
from core.people import TERMINAL
from db.annotation import onboarding, settings
from db.engine import reading
from db.ratings import ratings
from db.schema import event
from tests.browser.annotating.onboarding import PATIENCE, answer, button, choice, press
from tests.browser.conftest import Server, go_on, still, visit
from tests.browser.form import PHONE, all_saved, desk, link, open_study, ready, shown_order, stored, tokens
from tests.db.slow import whole_panels


def prepared(scheme: str, prompts: int) -> Study:
    """An open study that asks for consent, and for one right answer before the first panel."""
    study = open_study(scheme, prompts)
    settings.set_ends(TERMINAL, study.id, "I read whole stories.", study.codes)
    onboarding.set_practice(TERMINAL, study.id, Practice(built_in_items(study.scheme)[:1], 1))
    return study


def ratings_of(order: list[str], *, careless: bool) -> list[int]:
    """A rating a story, by where it is from; the careless find the human one poor."""
    sources = tokens()
    worth = {"human": 2 if careless else 5, "negative": 1, "system": 4}
    return [worth[sources[token]] for token in order]


def by_keys(page: Page, *, careless: bool = False) -> None:
    """Rate a panel and hand it in with the keyboard alone."""
    chaos = {5: "yy", 1: "y"}  # of the human story taken back again
    for place, overall in enumerate(ratings_of(shown_order(page), careless=careless)):
        page.keyboard.type(("j" if place else "") + str(overall) + chaos.get(overall, ""))
    all_saved(page, 7)
    page.keyboard.press("Control+Enter")
    if careless:  # a 2 with nothing deducted; a 1 with two points off is as the training says
        expect(page.get_by_text("Is this what you mean?")).to_be_visible(timeout=PATIENCE)
        page.keyboard.press("Control+Enter")


def by_touch(page: Page, *, careless: bool = False) -> None:
    """Rate a panel and hand it in on a phone."""
    for letter, overall in zip("ABCDEFG", ratings_of(shown_order(page), careless=careless), strict=True):
        question = page.get_by_role("radiogroup", name=f"Story {letter} overall: 1 very poor to 5 very good")
        question.get_by_role("radio", name=str(overall), exact=True).tap()
    all_saved(page, 7)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Hand in this panel").tap()
    expect(page.get_by_text("Is this what you mean?")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Hand in as it is").tap()


def test_mans_on_a_phone(server: Server, browser: Browser) -> None:
    study = prepared("mans", 2)
    page = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    visit(page, link(server, study))
    page.get_by_role("button", name="I agree", exact=True).tap()
    button(page, "Begin the practice").tap()
    choice(page, "overall", "5").tap()
    button(page, "Check my answer").tap()
    expect(page.get_by_text("Right.", exact=True)).to_be_visible(timeout=PATIENCE)
    button(page, "See the result").tap()
    expect(page.get_by_role("heading", name="You passed")).to_be_visible(timeout=PATIENCE)
    for number in (1, 2):
        button(page, "Begin").tap()
        expect(page.get_by_role("heading", name=f"Panel {number} of 2")).to_be_visible(timeout=PATIENCE)
        ready(page, 7)
        if number == 1:
            the_bar_is_low_and_hides_no_story_that_is_gone_to(page)
        by_touch(page, careless=number == 2)
        if number == 2:
            expect(page.get_by_text("could not be accepted")).to_be_visible(timeout=PATIENCE)
    ended(page, study, 2, rejected=1)


def the_bar_is_low_and_hides_no_story_that_is_gone_to(page: Page) -> None:
    """On a phone, where it takes the room of the stories."""
    bar = page.locator(".st-key-panel-bar")
    for letter in "CFB":
        bar.get_by_text(letter, exact=True).tap()
        name = page.get_by_text(f"Story {letter}", exact=True)
        expect(name).to_be_in_viewport()
        still(name)
        place, above = name.bounding_box(), bar.bounding_box()
        assert place is not None
        assert above is not None
        assert above["height"] < PHONE["height"] / 8
        assert above["y"] + above["height"] <= place["y"]


def test_mans_by_keyboard_alone(server: Server, browser: Browser) -> None:
    study = prepared("mans", 3)
    page = desk(browser).new_page()
    visit(page, link(server, study))
    trained(page, "5")
    for number in (1, 2, 3):
        expect(page.get_by_role("heading", name=f"Panel {number} of 3")).to_be_visible(timeout=PATIENCE)
        ready(page, 7)
        by_keys(page, careless=number == 2)
        if number == 2:
            expect(page.get_by_text("could not be accepted")).to_be_visible(timeout=PATIENCE)
        elif number == 1:
            expect(page.get_by_text("Panel 1 is handed in")).to_be_visible(timeout=PATIENCE)
        if number < 3:
            go_on(page, "b", page.get_by_role("heading", name=f"Panel {number + 1} of 3"))
    ended(page, study, 3, rejected=1)


def test_the_other_schemes_by_keyboard_alone(server: Server, browser: Browser) -> None:
    others = (
        ("union", "Reasonable", "0w", (0.0, {"poor coherence": 0})),
        ("likeliness", "A machine", "2", (0.0, {})),
    )
    for scheme, right, keys, kept in others:
        study = prepared(scheme, 2)
        page = desk(browser).new_page()
        visit(page, link(server, study))
        trained(page, right)
        for number in (1, 2):
            expect(page.get_by_role("heading", name=f"Story {number} of 2")).to_be_visible(timeout=PATIENCE)
            ready(page)
            page.keyboard.press(keys[0])
            all_saved(page, 1)
            for reason in keys[1:]:
                expect(page.get_by_text("Choose at least one")).to_be_visible()
                page.keyboard.press(reason)
                page.keyboard.press("m")
                page.keyboard.press(reason)
                expect(page.locator("mark")).to_have_count(1)
                all_saved(page, 1)
            assert stored()[shown_order(page)[0]][:2] == kept
            page.keyboard.press("Control+Enter")
        ended(page, study, 2)


def trained(page: Page, right: str) -> None:
    """Agree, pass the practice and begin, by keyboard."""
    press(page, button(page, "I agree"))
    press(page, button(page, "Begin the practice"))
    answer(page, 1, right)
    expect(page.get_by_text("Right.", exact=True)).to_be_visible(timeout=PATIENCE)
    go_on(page, "n", page.get_by_role("heading", name="You passed"))
    go_on(page, "b", page.get_by_role("heading", name=re.compile(r" 1 of \d$")))


def ended(page: Page, study: Study, units: int, *, rejected: int = 0) -> None:
    """The end's screen with its code, and so many units handed in."""
    expect(page.get_by_role("heading", name="You are done")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("[data-testid=stCode]").first).to_have_text(re.compile(study.codes[End.COMPLETE]))
    handed_in = whole_panels(study.id)
    assert len(handed_in) == units
    assert sum(not panel.valid for panel in handed_in) == rejected
    rated = sum(bool(judged_story.ratings) for judged_story in ratings.judged_stories(study.id))
    assert rated == (units - rejected) * (7 if study.scheme_key == "mans" else 1)


def test_a_second_press_does_not_hand_in_twice(server: Server, browser: Browser) -> None:
    study = open_study(prompts=2)
    page = desk(browser).new_page()
    visit(page, link(server, study))
    for number, presses in ((1, 2), (2, 3)):
        button(page, "Begin").click()
        ready(page, 7)
        for place, overall in enumerate(ratings_of(shown_order(page), careless=False)):
            page.keyboard.type(("j" if place else "") + str(overall) + {1: "y"}.get(overall, ""))
        all_saved(page, 7)
        page.get_by_role("button", name="Hand in this panel").click(click_count=presses)
        ending = page.get_by_text("is handed in").or_(page.get_by_role("heading", name="You are done"))
        expect(ending).to_be_visible(timeout=PATIENCE)
        assert len(whole_panels(study.id)) == number
    with reading() as connection:
        handed_in = select(func.count()).select_from(event).where(event.c.kind == "panel submitted")
        assert connection.scalar(handed_in) == 2


def test_a_double_click_hands_in_one_story_and_asks_nothing_of_the_next(server: Server, browser: Browser) -> None:
    study = open_study("union")
    page = desk(browser).new_page()
    visit(page, link(server, study))
    button(page, "Begin").click()
    for number in (1, 2):
        expect(page.get_by_role("heading", name=f"Story {number} of 3")).to_be_visible(timeout=PATIENCE)
        ready(page)
        page.keyboard.type("1")
        all_saved(page, 1)
        page.get_by_role("button", name="Hand in and go to the next story").dblclick()
        expect(page.get_by_role("heading", name=f"Story {number + 1} of 3")).to_be_visible(timeout=PATIENCE)
        ready(page)
        assert page.get_by_text("Please answer first").count() == 0
        assert len(whole_panels(study.id)) == number
