"""Panels of pairs in a browser: by keyboard and by touch, saved at once, told apart from a reload on another device."""

import re
from dataclasses import replace

from playwright.sync_api import Browser, Page, expect
from sqlalchemy import select

from core.annotation.builtin import PREFERENCES
from core.annotation.pair_design import PairRules
from core.annotation.studies import Study
from core.people import TERMINAL
from db.annotation import settings
from db.engine import reading
from db.ratings.preferences import preferences_of
from db.schema import assignment, rating, rating_value
from db.studies import studies
from db.transfer import imports
from pages.ui.studies.pair_fields import ANSWERS
from tests.browser.conftest import Server, settle
from tests.browser.form import PHONE, all_saved, begun, corpus, desk, link

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


def test_a_panel_by_keyboard(server: Server, browser: Browser) -> None:
    study = asking(PairRules(a_panel=3, controls=1))
    page = begun(desk(browser), link(server, study))
    expect(page.get_by_text(re.compile(r"^Pair \d of 5$"))).to_have_count(5)
    count(page, "0 of 5 rated")
    for key in "13223":
        page.keyboard.press(key)
        page.keyboard.press("j")
    count(page, "5 of 5 rated")
    all_saved(page, 5)
    assert stored() == [1, -1, 0, 0, -1]
    page.get_by_role("textbox", name="Why? (optional)").first.press_sequentially("It ends well.")
    until_kept("It ends well.", page)
    page.reload()
    settle(page)
    count(page, "5 of 5 rated")
    expect(page.get_by_role("textbox", name="Why? (optional)").first).to_have_value("It ends well.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("You are done")).to_be_visible()
    with reading() as connection:
        assert connection.scalar(select(assignment.c.valid)) is True
    given = preferences_of(study.id)
    assert (given.judgments, given.systems) == (3, ("system 0", "system 1"))


def test_what_is_missing_is_said_and_degrees_are_words_on_a_phone(server: Server, browser: Browser) -> None:
    study = asking(PairRules(a_panel=1, controls=1, repeat=False), DEGREES)
    page = begun(browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True), link(server, study))
    first = page.locator("[class*=st-key-preference-]").first
    first.get_by_text("A is much better", exact=True).tap()
    all_saved(page, 1)
    assert stored() == [2]
    page.get_by_role("button", name="Hand in this panel").tap()
    expect(page.get_by_text("Please say which story is better in pair 2 first.")).to_be_visible()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
    for answer in page.locator("[class*=st-key-preference-]").first.get_by_role("radio").all():
        box = answer.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
