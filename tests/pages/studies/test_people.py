"""The page People, the tabs Invite and Recruit: who sees them, and what they do."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study, StudyState
from core.people import TERMINAL, Role
from core.recruitment import Recruitment
from core.stories import Corpus, StoryRecord
from db.annotation import recruitment
from db.people import people
from db.studies import studies
from db.transfer import imports
from tests.pages.conftest import Open
from tests.pages.pages import words

HOSTILE = "<b>x</b> **bold** $a$ :red[y] [z](http://x)"


def press(page: object, label: str) -> None:
    (result,) = [item for item in page.button if item.label == label]  # type: ignore[attr-defined]
    result.click().run()


def select(page: object, label: str) -> None:
    """Choose somebody in the box below the table."""
    (box,) = [item for item in page.selectbox if item.label == "Choose somebody"]  # type: ignore[attr-defined]
    (number,) = [person.id for person in people.listed(TERMINAL) if person.label == label]
    box.set_value(number).run()


def test_nobody_but_an_owner_sees_who_there_is(open_cold: Open, study: Study, annotator: str) -> None:
    people.invite(TERMINAL, Role.OWNER, name="the very owner")
    researcher = people.invite(TERMINAL, Role.RESEARCHER)
    for token, says in ((None, "Open the personal link"), (annotator, "rating stories"), (researcher, "for owners")):
        page = open_cold("people", token)
        assert says in words(page)
        assert "the very owner" not in str(page)
        assert not page.button


def test_an_owner_invites_a_researcher_and_revokes_them(open_page: Open, owner: str) -> None:
    page = open_page("people", owner)
    page.text_input(key="staff-name").set_value(HOSTILE)
    press(page, "Invite")
    assert f"The link of {HOSTILE}:" in words(page)
    (link,) = [code.value for code in page.code]
    person = people.by_token(link.rpartition("/")[2])
    assert person is not None
    assert (person.role, person.name) == (Role.RESEARCHER, HOSTILE)
    assert not [item for item in page.text_input if "E-mail" in item.label]  # no provider is set up
    page = open_page("people", owner)
    select(page, f"{HOSTILE} (researcher {person.id})")
    assert "This cannot be undone: only a new invitation lets them in again." in words(page)
    assert until(page)[HOSTILE]
    press(page, "Yes, revoke it")
    assert "The link is revoked. To let them in again, send them a new invitation." in words(page)
    assert not until(page)[HOSTILE]
    assert people.by_token(link.rpartition("/")[2]) is None


def until(page: AppTest) -> dict[str, str]:
    """By name, the last day of each link."""
    table = page.dataframe[0].value
    return dict(zip(table["Name"], table["Until (UTC)"], strict=True))


def test_erasing_needs_a_yes(open_page: Open, owner: str, study: Study, annotator: str) -> None:
    (person,) = people.listed(TERMINAL, study.id)
    page = open_page("people", owner)
    select(page, person.label)
    (button,) = [result for result in page.button if result.label == "Erase this person"]
    assert button.disabled
    page.checkbox(key=f"sure-{person.id}").check().run()
    press(page, "Erase this person")
    assert "The person is erased." in words(page)
    assert people.listed(TERMINAL, study.id)[0].state == "erased"
    assert not [box for box in page.selectbox if box.label == "Choose somebody" and person.id in box.options]


def test_an_owner_does_not_erase_themselves(open_page: Open, owner: str) -> None:
    page = open_page("people", owner)
    (person,) = people.listed(TERMINAL)
    select(page, person.label)
    assert not [result for result in page.button if result.label == "Erase this person"]


def test_many_links_at_once(open_page: Open, owner: str, study: Study) -> None:
    page = open_page("annotators", owner)
    page.text_area(key=f"invite-names-{study.id}").set_value("Ann\n\n=1+1\n")
    press(page, "Make the links")
    (table,) = [code.value for code in page.code if code.value.startswith("name,link")]
    lines = table.strip().splitlines()
    assert [line.partition(",")[0] for line in lines] == ["name", "Ann", "'=1+1"]
    assert people.by_token(lines[1].rpartition("/")[2]) is not None
    page.text_area(key=f"invite-names-{study.id}").set_value("\n".join("x" * 201 for _ in range(2)))
    press(page, "Make the links")
    assert "at most 200 characters" in words(page)
    assert len(people.listed(TERMINAL, study.id)) == 2
    assert [code.value for code in page.code if code.value.startswith("name,link")] == [table]  # still there
    press(page, "Hide the links")
    assert not page.code


def test_a_link_stays_until_it_is_hidden_and_needs_a_name(open_page: Open, owner: str, study: Study) -> None:
    page = open_page("annotators", owner)
    press(page, "Make a personal link")
    assert "Give a name or a code first" in words(page)
    assert people.listed(TERMINAL, study.id) == []
    page.text_input(key=f"invite-name-{study.id}").set_value("Bob")
    press(page, "Make a personal link")
    (link,) = [code.value for code in page.code]
    page.run()
    assert [code.value for code in page.code] == [link]
    press(page, "Hide the link")
    assert not page.code
    page.text_input(key=f"invite-name-{study.id}").set_value("Cora")
    press(page, "Make a personal link")
    assert len(page.code) == 1
    (cora,) = [listed for listed in people.listed(TERMINAL, study.id) if listed.name == "Cora"]
    people.revoke(TERMINAL, cora.id)
    assert not page.run().code  # it works no longer


def test_a_second_press_leaves_the_links_that_nobody_could_copy_yet(open_page: Open, owner: str, study: Study) -> None:
    page = open_page("annotators", owner)
    page.text_input(key=f"invite-name-{study.id}").set_value("Ann")
    press(page, "Make a personal link")
    (ann,) = [code.value for code in page.code]
    press(page, "Make a personal link")  # the form is empty again
    assert "Give a name or a code first" in words(page)
    assert [code.value for code in page.code] == [ann]
    page.text_input(key=f"invite-name-{study.id}").set_value("Bob")
    press(page, "Make a personal link")
    bob, older = [code.value for code in page.code]
    assert older == ann != bob
    assert words(page).index("The link of Bob:") < words(page).index("The link of Ann:")
    (number,) = [listed.id for listed in people.listed(TERMINAL, study.id) if listed.name == "Bob"]
    people.revoke(TERMINAL, number)
    assert [code.value for code in page.run().code] == [ann]


def test_a_press_while_a_link_is_made_does_not_take_it_away(
    open_page: Open, owner: str, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, many = people.invite, people.invite_many

    def interrupted(make: Callable[..., Any]) -> Callable[..., Any]:
        def invite(*given: Any, **named: Any) -> Any:
            result = make(*given, **named)
            context = get_script_run_ctx()
            assert context is not None
            assert context.script_requests is not None
            context.script_requests.request_rerun(RerunData())
            return result

        return invite

    page = open_page("annotators", owner)
    monkeypatch.setattr(people, "invite", interrupted(made))
    monkeypatch.setattr(people, "invite_many", interrupted(many))
    page.text_input(key=f"invite-name-{study.id}").set_value("Ann")
    press(page, "Make a personal link")
    page.run()
    page.text_area(key=f"invite-names-{study.id}").set_value("Bob")
    press(page, "Make the links")
    page.run()
    assert len(people.listed(TERMINAL, study.id)) == 2
    assert "The link of Ann:" in words(page)
    assert [code.value for code in page.code if code.value.startswith("name,link\nBob,")]


def test_the_link_of_a_researcher_stays_until_it_is_hidden(open_page: Open, owner: str) -> None:
    page = open_page("people", owner)
    page.text_input(key="staff-name").set_value("Ann")
    press(page, "Invite")
    (ann,) = [code.value for code in page.code]
    press(page, "Invite")  # a name is not asked for
    assert [code.value for code in page.code][1:] == [ann]
    press(page, "Hide these links")
    assert not page.code


def test_a_researcher_invites_and_revokes_annotators_only(open_page: Open, study: Study, annotator: str) -> None:
    researcher = people.invite(TERMINAL, Role.RESEARCHER, runs=[study.id])
    page = open_page("annotators", researcher)
    page.text_input(key=f"invite-name-{study.id}").set_value("Bob")
    press(page, "Make a personal link")
    assert "The link of Bob:" in words(page)
    (person,) = [listed for listed in people.listed(TERMINAL, study.id) if listed.name == "Bob"]
    page = open_page("annotators", researcher)
    select(page, person.label)
    assert not [result for result in page.button if result.label == "Erase this person"]
    page.toggle(key=f"qualified-{person.id}").set_value(False).run()
    assert [listed.qualified for listed in people.listed(TERMINAL, study.id) if listed.id == person.id] == [False]
    press(page, "Yes, revoke it")
    assert [listed.state for listed in people.listed(TERMINAL, study.id) if listed.id == person.id] == ["revoked"]


def test_a_study_is_put_on_prolific(open_page: Open, owner: str, study: Study) -> None:
    page = open_page("annotators", owner)
    page.segmented_control(key=f"platform-{study.id}").set_value("prolific").run()
    page.toggle(key=f"secured-{study.id}").set_value(True)
    page.text_input(key=f"audience-{study.id}").set_value("")
    press(page, "Save")
    assert "need the domain" in words(page)
    assert studies.get(study.id).recruitment == Recruitment()
    page.text_input(key=f"audience-{study.id}").set_value("rate.example.org")
    press(page, "Save")
    assert studies.get(study.id).recruitment == Recruitment("prolific", True, "rate.example.org")
    address = next(code.value for code in page.code if "/join/" in code.value)
    assert re.search(r"/join/[\w-]{16}\?PROLIFIC_PID=\{\{%PROLIFIC_PID%\}\}&STUDY_ID=", address)
    assert "0 to approve, 0 to reject" in words(page)


@pytest.mark.parametrize("platform", ["prolific", "mturk"])
def test_back_to_personal_links_only(open_page: Open, owner: str, study: Study, platform: str) -> None:
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment(platform, secured=False))
    page = open_page("annotators", owner)
    page.segmented_control(key=f"platform-{study.id}").set_value("").run()
    press(page, "Save")
    assert studies.get(study.id).recruitment == Recruitment()
    assert not [code for code in page.code if "/join/" in code.value]


def test_who_is_invited_to_a_study_that_is_not_open_can_be_let_in_there(open_page: Open, owner: str) -> None:
    study = studies.create(TERMINAL, "later", "likeliness")
    page = open_page("annotators", owner)
    assert "This study is not open yet" in words(page)
    assert "It cannot be opened before it has stories to rate." in words(page)
    assert not [button for button in page.button if button.label == "Open for annotation"]
    imports.import_corpora(TERMINAL, "later", [Corpus("", (StoryRecord("a", "p", "An opening.", "A story."),))])
    page = open_page("annotators", owner)
    press(page, "Open for annotation")
    assert studies.get(study.id).state is StudyState.OPEN
    assert "not open yet" not in words(page)
    studies.close_study(TERMINAL, study.id)
    assert "This study is closed" in words(page.run())


def test_why_numbers_skip_is_said_where_a_study_lists_its_annotators(
    open_page: Open, owner: str, annotator: str
) -> None:
    for name in ("annotators", "monitor"):
        page = open_page(name, owner)
        if name == "monitor":
            page.session_state["monitor-tab"] = "People"
            page.run()
        assert "Annotators are numbered across all studies of this server, so some" in words(page)


def test_the_rules_say_how_many_stories_one_person_gets(open_page: Open, served: None, owner: str) -> None:
    stories = tuple(StoryRecord(str(n), str(n // 3), f"Opening {n // 3}.", f"Story {n}.") for n in range(6))
    imports.import_corpora(TERMINAL, "hers", [Corpus("likeliness", stories)])
    page = open_page("form", owner)
    said = "A person is offered one story of every prompt, and never two of the same: by these rules up to"
    assert f"{said} 2 stories, as they are told." in words(page)
    studies.create(TERMINAL, "empty", "likeliness")
    page = open_page("form", people.invite(TERMINAL, Role.OWNER))
    assert said not in words(page)
