"""A form of several criteria: by keyboard, on a phone, with reasons in words, story by story and as a panel."""

from dataclasses import replace

from playwright.sync_api import Browser, Page, expect
from sqlalchemy import select

from core.annotation.builtin import HANNA
from core.annotation.studies import Study
from core.annotation.unit import Unit
from core.people import TERMINAL
from core.stories import Source
from db.annotation import settings
from db.engine import reading
from db.schema import person, rating, rating_value
from db.studies import studies
from db.transfer import imports
from tests.browser.conftest import Server, settle
from tests.browser.form import PHONE, all_saved, begun, corpus, desk, link, ready

QUESTION = "Was anything unclear?"
PANELS = replace(HANNA, unit=Unit.PANEL, controls=True, sources=(Source.SYSTEM,))


def asking(form: object = replace(HANNA, comments=True, closing_question=QUESTION), prompts: int = 2) -> Study:
    """An open study of HANNA's six."""
    study = studies.create(TERMINAL, "six", "hanna")
    settings.set_form(TERMINAL, study.id, form)  # type: ignore[arg-type]
    imports.import_corpora(TERMINAL, study.name, [corpus(prompts, systems=2)])
    settings.set_rules(TERMINAL, study.id, replace(studies.get(study.id).rules, ratings_wanted=1))
    studies.open_study(TERMINAL, study.id)
    return studies.get(study.id)


def stored() -> list[dict[str, float]]:
    """What each rating says, by criterion, the oldest first."""
    with reading() as connection:
        result: dict[int, dict[str, float]] = {}
        for row in connection.execute(select(rating_value).order_by(rating_value.c.rating_id)):
            result.setdefault(row.rating_id, {})[row.criterion] = row.value
    return list(result.values())


def comments() -> list[str]:
    """The reasons that are stored, the oldest first."""
    with reading() as connection:
        return list(connection.scalars(select(rating.c.comment).order_by(rating.c.id)))


def answered(page: Page, words: str) -> None:
    expect(page.locator(".navigator-count")).to_have_text(words)


def test_six_keys_a_story(server: Server, browser: Browser) -> None:
    study = asking()
    page = begun(desk(browser), link(server, study))
    page.keyboard.type("345")
    answered(page, "3 of 6 answered")
    page.keyboard.press(",")
    page.keyboard.type("2")  # the third once more, one question back
    page.keyboard.type("14")
    all_saved(page, 1)
    assert stored() == [{"relevance": 3, "coherence": 4, "empathy": 2, "surprise": 1, "engagement": 4}]
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Please rate complexity first.")).to_be_visible()
    page.keyboard.type("5")
    answered(page, "6 of 6 answered")
    page.get_by_role("textbox", name="Why? (optional)").press_sequentially("It holds together ")
    expect(page.get_by_text("Saving…")).to_have_count(0)  # it is drawn by a style sheet
    all_saved(page, 1)
    until_stored("It holds together", page)
    page.get_by_role("textbox", name="Why? (optional)").press_sequentially("and ends well.")
    page.get_by_role("button", name="Hand in and go to the next story").click()  # straight from the field
    expect(page.get_by_role("heading", name="Story 2 of 2")).to_be_visible()
    assert comments() == ["It holds together and ends well."]
    page.reload()
    settle(page)
    answered(page, "0 of 6 answered")
    expect(page.get_by_role("textbox", name="Why? (optional)")).to_have_value("")


def until_stored(words: str, page: Page) -> None:
    for _ in range(100):
        if words in comments():
            return
        page.wait_for_timeout(100)
    raise AssertionError(comments())


def test_on_a_phone_with_a_word_at_the_end(server: Server, browser: Browser) -> None:
    study = asking(prompts=1)
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = begun(context, link(server, study, "Phone"))
    height = page.locator("[class*=st-key-story-]").evaluate("card => card.getBoundingClientRect().height")
    assert height < 2 * PHONE["height"]
    for name in HANNA.names:
        question = page.get_by_role("radiogroup", name=name.capitalize())
        question.get_by_role("radio", name="4", exact=True).tap()
    all_saved(page, 1)
    page.get_by_role("button", name="Hand in and finish").tap()
    page.get_by_role("textbox", name=QUESTION).fill("The fourth question.")
    page.get_by_role("button", name="Send").tap()
    expect(page.get_by_text("Thank you. It is saved.")).to_be_visible()
    assert stored() == [dict.fromkeys(HANNA.names, 4)]
    with reading() as connection:
        said = connection.scalar(select(person.c.closing_comment).where(person.c.name == "Phone"))
    assert said == "The fourth question."


def test_what_was_missing_is_no_longer_said_once_it_is_there(server: Server, browser: Browser) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = begun(context, link(server, asking(prompts=1), "Late"))
    for name in HANNA.names[:-1]:
        question = page.get_by_role("radiogroup", name=name.capitalize())
        question.get_by_role("radio", name="4", exact=True).tap()
    answered(page, "5 of 6 answered")
    page.get_by_role("button", name="Hand in and finish").tap()
    missing, way = page.get_by_text("Please rate complexity first."), "Go to the first missing answer"
    expect(missing).to_be_visible()
    question = page.get_by_role("radiogroup", name=HANNA.names[-1].capitalize())
    question.get_by_role("radio", name="4", exact=True).tap()
    answered(page, "6 of 6 answered")
    expect(page.get_by_role("button", name=way)).to_have_count(0)
    expect(missing).to_have_count(0)
    page.get_by_role("button", name="Hand in and finish").tap()
    expect(page.get_by_role("textbox", name=QUESTION)).to_be_visible()


def test_a_press_leads_to_the_first_missing_answer(server: Server, browser: Browser) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = begun(context, link(server, asking(PANELS), "Hasty"))
    for name in HANNA.names[:2]:
        question = page.get_by_role("radiogroup", name=name.capitalize()).first
        question.get_by_role("radio", name="4", exact=True).tap()
    answered(page, "2 of 24 answered")
    all_saved(page, 1)
    page.get_by_role("button", name="Hand in this panel").tap()
    said = "22 answers are still missing. The first are: empathy, surprise and engagement of story A."
    expect(page.get_by_text(said)).to_be_in_viewport()
    for name in HANNA.names[2:4]:
        page.get_by_role("button", name="Go to the first missing answer").tap()
        question = page.get_by_role("radiogroup", name=name.capitalize()).first
        expect(question).to_be_in_viewport()
        question.get_by_role("radio", name="4", exact=True).tap()
        all_saved(page, 1)


def test_a_panel_of_criteria_by_keyboard(server: Server, browser: Browser) -> None:
    study = asking(PANELS)
    page = begun(desk(browser), link(server, study))
    ready(page, 4 * 6)
    answered(page, "0 of 24 answered")
    for place in range(4):
        page.keyboard.type(("j" if place else "") + "123454"[: 6 if place < 3 else 4])
    answered(page, "22 of 24 answered")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Please rate first: engagement and complexity of story D.")).to_be_visible()
    page.keyboard.type("54")
    answered(page, "24 of 24 answered")
    all_saved(page, 4)
    assert stored() == [dict(zip(HANNA.names, (1, 2, 3, 4, 5, 4), strict=True))] * 4
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("could not be accepted")).to_be_visible()  # the human story's coherence is 2
