"""Whether a person may take part, said on the Monitor and below Invite; and what is said to who does not agree."""

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study
from core.people import TERMINAL, Person, Role
from db.annotation import onboarding
from db.engine import reading
from db.monitor import panels, personal_data
from db.people import people
from db.schema import person as person_table
from db.studies import studies
from tests.db.annotation.ends import ask_consent
from tests.db.annotation.onboarding import PRACTICE, WRONG, give
from tests.db.annotation.pauses import hand_in, is_paused
from tests.db.conftest import make_annotator, make_study
from tests.db.slow import whole_panels
from tests.pages.conftest import Open
from tests.pages.pages import words


def opened(open_page: Open, owner: str, study: Study, where: str, who: Person) -> tuple[AppTest, str]:
    """The page with this person chosen, and the toggle's key."""
    if where == "monitor":
        page = open_page("monitor", owner)
        page.session_state["monitor-tab"] = "People"
        page.session_state[f"person-{study.id}"] = who.id
        return page.run(), f"monitor-part-{who.id}"
    page = open_page("people", owner)
    page.selectbox(key="person-all").set_value(who.id).run()
    return page, f"qualified-{who.id}"


def stored(who: Person) -> bool | None:
    with reading() as connection:
        return connection.scalar(select(person_table.c.qualified).where(person_table.c.id == who.id))


@pytest.mark.parametrize("where", ["monitor", "people"])
def test_off_and_on_again_is_as_before(open_page: Open, study: Study, owner: str, where: str) -> None:
    onboarding.set_practice(TERMINAL, study.id, PRACTICE)
    who = make_annotator(study)
    page, key = opened(open_page, owner, study, where, who)
    page.toggle(key=key).set_value(False).run()
    assert stored(who) is False
    assert "Saved" in words(page)
    assert page.toggle(key=key).value is False
    page.toggle(key=key).set_value(True).run()
    assert stored(who) is None
    assert page.toggle(key=key).value is True


@pytest.mark.parametrize("where", ["monitor", "people"])
def test_who_failed_the_practice_is_let_in_by_a_button_of_its_own(
    open_page: Open, study: Study, owner: str, where: str
) -> None:
    onboarding.set_practice(TERMINAL, study.id, PRACTICE)
    who = make_annotator(study)
    give(who, WRONG)
    give(who, WRONG)
    page, key = opened(open_page, owner, study, where, who)
    assert "did not pass the practice" in words(page)
    assert not [toggle for toggle in page.toggle if toggle.key == key]
    page.button(key=f"{key}-in").click().run()
    assert stored(who) is True
    page.toggle(key=key).set_value(False).run()
    assert stored(who) is False
    assert page.button(key=f"{key}-in").label == "Let them in all the same"


def test_why_it_is_not_saved_is_said(open_page: Open, study: Study, owner: str) -> None:
    who = make_annotator(study)
    page, key = opened(open_page, owner, study, "people", who)
    toggle = page.toggle(key=key).set_value(False)
    personal_data.erase(TERMINAL, who.id or 0, keep_ratings=True)
    toggle.run()
    assert "has been erased" in words(page)
    assert "Saved" not in words(page)


def test_who_does_not_agree_is_told_what_is_kept(open_page: Open, study: Study, annotator: str) -> None:
    ask_consent(studies.get(study.id))
    page = open_page("", annotator)
    next(button for button in page.button if button.label == "I do not agree").click().run()
    assert "nothing is kept" not in words(page)
    assert "What is kept is that answer, and how you came" in words(page)


@pytest.mark.parametrize("where", ["monitor", "people"])
def test_who_is_paused_is_let_go_on_by_a_button_of_its_own(open_page: Open, owner: str, where: str) -> None:
    study = make_study("paused", prompts=4)
    who = make_annotator(study)
    hand_in(who, False, False, False)
    if where == "monitor":
        page = open_page("monitor", owner)
        assert "One person is paused" in words(page)
        assert "1" in [metric.value for metric in page.metric if metric.label == "Paused"]
    page, key = opened(open_page, owner, study, where, who)
    assert "Paused: their last panels were all rejected" in words(page)
    page.button(key=f"{key}-on").click().run()
    assert "Saved" in words(page)
    assert not is_paused(who)
    assert not [button for button in page.button if button.key == f"{key}-on"]


def test_who_is_paused_is_told_and_can_answer(open_page: Open, served: None) -> None:
    study = make_study("paused", prompts=4)
    token = people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id)
    who = people.by_token(token)
    assert who is not None
    hand_in(who, False, False, False)
    page = open_page("", token)
    assert "Let us stop here" in words(page)
    assert "Your last 3 panels could not be accepted" in words(page)
    assert study.codes["not qualified"] in [code.value for code in page.code]
    assert not [button for button in page.button if button.label.startswith("Begin")]
    page.text_area[0].set_value("I read every one.")
    next(b for b in page.button if b.label == "Send the note").click().run()
    assert "Your note to the study's owner is kept" in words(page)
    newest = whole_panels(study.id)[-1]
    panels.override(TERMINAL, newest.id, valid=False, reason="the human story was rated 1")
    told = words(open_page("", token))
    assert "Your note was read. The decision stands: Panel 3 was not accepted." in told
    assert told.count("I read every one.") == 1
    assert "is kept" not in told.replace("handed in is kept", "")
    assert "human" not in told  # why is for the study's owner alone
    panels.override(TERMINAL, newest.id, valid=True, reason="the human story is poor")
    told = words(open_page("", token))
    assert "Panel 3 was accepted after all." in told
    assert "I read every one." in told
    assert "Let us stop here" not in told  # whose last panel counts is not paused
    assert "human" not in told


def test_the_rule_is_set_with_the_others(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("form", owner)
    page.number_input(key=f"pause-{study.id}").set_value(0)
    next(b for b in page.button if b.label == "Save the rules").click().run()
    assert studies.get(study.id).rules.pause_after == 0


def test_what_each_threshold_rejects_is_told(open_page: Open, study: Study, owner: str) -> None:
    text = words(open_page("form", owner))
    assert "rated too low or its negative story too high: one of the two is enough" in text
    assert "A higher number rejects more panels; 1 rejects none for the human reference." in text
    assert "A lower number rejects more panels; 5 rejects none for the negative story." in text
    assert "judges panels that are handed in from then on" in text


def test_what_the_threshold_of_pairs_rejects_is_told(open_page: Open, served: None, owner: str) -> None:
    studies.create(TERMINAL, "pairs", "preferences")
    text = words(open_page("form", owner))
    assert "Where one control pair is found better by less, or worse, the whole panel is rejected." in text
    assert "found worse than the undamaged one beside it, by as much as you say" in text
