"""The tab Ask people of the Test sets page: a human check is made, refused, and read."""

from core.annotation.panel import Panel
from core.people import TERMINAL, Person, Role
from core.perturb.test_sets.human_check import CHANGED, FORM
from db.annotation import assignments, panel_submission
from db.people import people
from db.ratings import ratings
from db.studies import studies
from db.test_sets import human_checks, test_sets
from pages.ui.shared.stories.human_stories import BOX, OURS_NAME
from tests.core.perturb.test_sets.human_check import CASES, TEXT
from tests.pages.conftest import Open
from tests.pages.metrics.sets import button, imported, on_tab
from tests.pages.pages import words

PEOPLE = "Ask people"


def rate(study_id: int, number: int) -> None:
    """An annotator who sees every fault rates so many stories."""
    person = people.by_token(people.invite(TERMINAL, Role.ANNOTATOR, study_id=study_id))
    assert isinstance(person, Person)
    for _ in range(number):
        panel = assignments.turn(person, claim=True).panel
        assert isinstance(panel, Panel)
        ratings.save_value(person, panel.token, int(panel.stories[0].text == TEXT))
        panel_submission.submit(person, panel.token)


def test_a_check_is_made_and_read(open_page: Open, owner: str) -> None:
    number = test_sets.add(TERMINAL, "mine", CASES, {})
    struck = test_sets.cases(TERMINAL, number)[0]
    test_sets.strike(TERMINAL, number, struck.id, True)
    page = on_tab(open_page("test_sets", owner), PEOPLE)
    assert not page.exception
    assert "No human check has been made yet" in words(page)
    page.number_input(key="tests-people-cases").set_value(12)
    button(page, "Make the study").click().run()
    assert "The study 'Check of mine' is there" in words(page)
    study = studies.find("Check of mine")
    assert study.scheme == FORM
    assert "has no ratings of a test set's cases" in words(page)
    button(page, "Make the study").click().run()
    assert "There is a study named 'Check of mine' already" in words(page)
    studies.open_study(TERMINAL, study.id)
    rate(study.id, 12)
    page.run()
    assert "100% of the changed cases are valid" in words(page)
    changed = [
        judged_story for judged_story in ratings.judged_stories(study.id) if judged_story.group.endswith(CHANGED)
    ]
    assert human_checks.aspect_results(TERMINAL, study.id)[-1].cases == 12
    assert changed
    assert not page.exception


def test_a_check_is_the_last_to_make_a_set_of(open_page: Open, owner: str) -> None:
    mine = imported()
    human_checks.create(TERMINAL, "check", CASES, 12, 0)
    box = open_page("test_sets", owner).selectbox(key=BOX)
    assert list(box.options) == ["mine", OURS_NAME, "check"]
    assert box.value == mine


def test_nothing_to_ask_about(open_page: Open, owner: str) -> None:
    page = on_tab(open_page("test_sets", owner), PEOPLE)
    assert "There is no test set yet" in words(page)
