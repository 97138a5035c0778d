"""The page of all studies: rename, copy, archive, delete, and each undone."""

from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study, StudyState
from core.people import TERMINAL, Role
from db.monitor import retention
from db.people import people
from db.studies import lifecycle, studies
from tests.db.conftest import make_annotator, make_study
from tests.pages.conftest import Open
from tests.pages.pages import words


def press(page: AppTest, label: str) -> AppTest:
    return next(button for button in page.button if button.label == label).click().run()


def listed() -> list[str]:
    return [summary.study.name for summary in studies.summaries(TERMINAL)]


def test_archived_and_undone(open_page: Open, served: None, owner: str) -> None:
    study = make_study("mine")
    page = press(open_page("studies", owner), "Archive this study")
    assert not page.exception
    assert "mine is archived." in words(page)
    assert listed() == []
    page = press(page, "Undo")
    assert "Undone." in words(page)
    assert studies.get(study.id).state is StudyState.OPEN  # as it was
    page = press(page, "Archive this study")
    page = open_page("studies", owner)
    assert "mine: archived" in words(page)
    assert "mine is back." in words(press(page, "Bring back"))
    assert listed() == ["mine"]


def test_deleted_and_undone_and_gone_for_good(open_page: Open, served: None, owner: str) -> None:
    make_study("**mine** $x$")
    page = press(open_page("studies", owner), "Delete this study")
    assert not page.exception
    assert "is deleted, with its stories, ratings and scores." in words(page)
    assert listed() == []
    page = press(page, "Undo")
    assert listed() == ["**mine** $x$"]
    page = press(press(page, "Delete this study"), "Delete it now")
    assert "is deleted for good." in words(page)
    assert lifecycle.deleted(TERMINAL) == []


def test_renamed_copied_and_undone(open_page: Open, served: None, owner: str) -> None:
    study = make_study("mine")
    page = open_page("studies", owner)
    assert "Rename, copy, archive or delete “mine”" in [expander.label for expander in page.expander]
    page.text_input(key=f"name-{study.id}-mine").set_value("yours")
    page = press(page, "Rename")
    assert "mine is now called yours." in words(page)
    assert listed() == ["yours"]
    page = press(page, "Undo")
    assert listed() == ["mine"]
    page = press(page, "Make a copy")
    assert "This is the copy, mine 2" in words(page)
    assert listed() == ["mine 2", "mine"]
    page = press(page, "Rename")
    assert not page.exception


def test_a_researcher_may_do_all_but_delete(open_page: Open, study: Study) -> None:
    token = people.invite(TERMINAL, Role.RESEARCHER, runs=[study.id])
    page = open_page("studies", token)
    labels = {button.label for button in page.button}
    assert {"Rename", "Make a copy", "Archive this study"} <= labels
    assert "Delete this study" not in labels
    assert "Only an owner can delete a study, or erase its annotators." in words(page)


def test_annotators_go_after_a_period_or_at_once(open_page: Open, served: None, owner: str) -> None:
    study = make_study("mine")
    make_annotator(study, "Ann")
    page = open_page("studies", owner)
    assert "The personal data of 1 annotator are kept." in words(page)
    assert "Erase all annotators" not in {button.label for button in page.button}  # it is open
    page.toggle(key=f"retention-{study.id}").set_value(True).run()
    page.number_input(key=f"retention-days-{study.id}").set_value(30).run()
    page = press(page, "Save the period")
    assert "the days count from when the study is closed" in words(page)
    assert studies.get(study.id).retention_days == 30
    studies.close_study(TERMINAL, study.id)
    page.run()
    ends_at = retention.standing(TERMINAL, study.id).ends_at
    assert ends_at is not None
    assert f"are kept until {ends_at:%d %B %Y}" in words(page)
    page.toggle(key=f"retention-{study.id}").set_value(False).run()
    page = press(page, "Save the period")
    assert studies.get(study.id).retention_days is None
    page = press(page, "Erase all annotators")
    assert not page.exception
    assert "The annotators are erased." in words(page)
    assert "personal data of" not in words(page)
