"""Panels of pairs in a browser: by keyboard and by touch, saved at once, told apart from a reload on another device."""

from dataclasses import replace

from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy import select

from core.annotation.builtin import PREFERENCES
from core.annotation.pair_design import PairRules
from core.annotation.studies import Study
from core.annotation.submission import LONGEST_COMMENT
from core.people import TERMINAL
from db.annotation import settings
from db.engine import reading
from db.ratings.preferences import preferences_of
from db.schema import assignment, rating, rating_value
from db.studies import studies
from db.transfer import imports
from pages.ui.form.pair_fields import ANSWERS
from tests.browser.conftest import Server, settle, visit
from tests.browser.form import PHONE, all_saved, begun, corpus, desk, link, ready

DEGREES = tuple(ANSWERS.values())[2]


def asking(rules: PairRules, scale: tuple[tuple[int, str], ...] = PREFERENCES.scale) -> Study:
    """An open study of pairs that wants one judgment of each."""
    study = studies.create(TERMINAL, "pairs", "preferences")
    asked = replace(PREFERENCES.main, scale=scale)
    settings.set_form(TERMINAL, study.id, replace(PREFERENCES, criteria=(asked,), pairs=rules, comments=True))
    imports.import_corpora(TERMINAL, study.name, [corpus(3, systems=2)])
    settings.set_rules(
        TERMINAL, study.id, replace(studies.get(study.id).rules, ratings_wanted=1, human_least=scale[0][0])
    )
    studies.open_study(TERMINAL, study.id)
    return studies.get(study.id)


def stored() -> list[float]:
    """What is said of each pair, the first ones first: above 0 where the one on the left is better."""
    query = select(rating_value.c.value).join(rating).order_by(rating.c.assignment_id, rating.c.place)
    with reading() as connection:
        return list(connection.scalars(query))


def until_kept(words: str, page: Page) -> None:
    """Wait until these words, which are saved when typing pauses, are in the database."""
    for _ in range(100):
        with reading() as connection:
            if words in connection.scalars(select(rating.c.comment)).all():
                return
        page.wait_for_timeout(100)
    raise AssertionError(f"{words!r} is not kept")


def count(page: Page, words: str) -> None:
    expect(page.locator(".navigator-count")).to_have_text(words)


def shown(page: Page, pair: int, of: int = 5) -> None:
    """Wait until this pair is to be seen, and no other: its stories, and one form."""
    expect(page.locator(".pair:visible")).to_have_attribute("aria-label", f"Pair {pair} of {of}")
    expect(page.locator(".pair:visible .reader-text")).to_have_count(2)
    expect(page.get_by_role("radiogroup")).to_have_count(1)


def words(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Why? (optional)")


def test_a_panel_by_keyboard_pair_by_pair(server: Server, browser: Browser) -> None:
    study = asking(PairRules(a_panel=3, controls=1))
    page = begun(desk(browser), link(server, study))
    count(page, "0 of 5 compared")
    for number, key in enumerate("13223", 1):
        shown(page, number)
        page.keyboard.press(key)
        page.keyboard.press("Enter")
    count(page, "5 of 5 compared")
    shown(page, 5)  # nothing is left to go to
    expect(page.get_by_role("button", name="Next pair")).to_have_count(0)
    all_saved(page, 5)
    assert stored() == [1, -1, 0, 0, -1]
    page.keyboard.press("ArrowLeft")
    shown(page, 4)
    page.keyboard.press("k")
    shown(page, 3)
    page.keyboard.press("ArrowRight")
    shown(page, 4)
    words(page).press_sequentially("It ends well.")
    until_kept("It ends well.", page)
    page.reload()
    settle(page)
    count(page, "5 of 5 compared")
    shown(page, 1)
    page.get_by_role("button", name="Pair 4, compared").click()
    expect(words(page)).to_have_value("It ends well.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("You are done")).to_be_visible()
    with reading() as connection:
        assert connection.scalar(select(assignment.c.valid)) is True
    given = preferences_of(study.id)
    assert (given.judgments, given.systems) == (3, ("system 0", "system 1"))


def test_one_comes_back_to_the_first_pair_that_is_left(server: Server, browser: Browser) -> None:
    address = link(server, asking(PairRules(a_panel=3, controls=1)))
    page = begun(desk(browser), address)
    for key in ("1", "Enter", "3", "Enter", "Enter", "2"):  # the third is left out
        page.keyboard.press(key)
    shown(page, 4)
    count(page, "3 of 5 compared")
    all_saved(page, 3)
    page.reload()
    settle(page)
    shown(page, 3)
    other = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    visit(other, address)
    ready(other)
    shown(other, 3)
    other.get_by_role("button", name="Next pair").tap()
    shown(other, 5)
    other.get_by_role("button", name="Next pair").tap()
    shown(other, 3)


def test_words_typed_last_are_saved_though_one_goes_on_at_once(server: Server, browser: Browser) -> None:
    page = begun(desk(browser), link(server, asking(PairRules(a_panel=3, controls=1))))
    words(page).press_sequentially("Nobody can follow this.")
    page.get_by_role("button", name="Pair 2, not compared yet").click()
    shown(page, 2)
    expect(words(page)).to_have_value("")
    until_kept("Nobody can follow this.", page)
    page.get_by_role("button", name="Pair 1, not compared yet").click()
    expect(words(page)).to_have_value("Nobody can follow this.")

    # What cannot be saved is said of a pair out of sight, too.
    words(page).fill("w" * (LONGEST_COMMENT + 1))
    page.get_by_role("button", name="Pair 2, not compared yet").click()
    count(page, "0 of 5 compared; not saved: 1")
    page.get_by_role("button", name="Pair 1, not saved").click()
    expect(page.get_by_text("Your last change was not saved")).to_be_visible()
    words(page).fill("Shorter.")
    until_kept("Shorter.", page)
    count(page, "0 of 5 compared")


def test_what_is_missing_is_said_and_shown_and_degrees_are_words_on_a_phone(server: Server, browser: Browser) -> None:
    study = asking(PairRules(a_panel=1, controls=1, repeat=False), DEGREES)
    page = begun(browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True), link(server, study))
    answers = page.get_by_role("radiogroup")
    answers.get_by_text("A is much better", exact=True).tap()
    all_saved(page, 1)
    assert stored() == [2]
    page.get_by_role("button", name="Hand in this panel").tap()
    expect(page.get_by_text("Please say which story is better in pair 2 first.")).to_be_visible()
    shown(page, 2, of=2)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
    for answer in answers.get_by_role("radio").all():
        box = answer.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
