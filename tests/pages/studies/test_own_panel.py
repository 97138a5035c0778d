"""What somebody who runs studies reads of the panel that they have rated themself."""

from dataclasses import replace

from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study
from core.people import Person
from db.annotation import panel_submission, slots
from db.monitor import panels
from db.people import people
from pages.ui.annotating.desk import BETWEEN
from tests.db.annotation.assignments import begin, rate
from tests.pages.conftest import Open
from tests.pages.pages import words


def rated_by(owner: str, study: Study, human: int) -> Person:
    viewer = people.by_token(owner)
    assert viewer is not None
    rater = replace(viewer, study_id=study.id)
    panel = begin(rater)
    rate(rater, panel, human=human)
    panel_submission.submit(rater, panel.token)
    return rater


def press(page: AppTest, label: str) -> None:
    next(button for button in page.button if button.label == label).click().run()


def valid(study: Study) -> int:
    return slots.progress(study.id).valid


def test_a_panel_that_counts_may_be_left_out(open_page: Open, study: Study, owner: str) -> None:
    rater = rated_by(owner, study, human=5)
    page = open_page("annotate", owner)
    assert "No trial: a panel that you begin takes a place" in words(page)
    page.session_state[BETWEEN] = True
    page.run()
    assert "**Your last panel counts**" in words(page)
    assert valid(study) == 1
    next(button for button in page.button if button.label.endswith("leave it out")).click().run()
    assert "**Your last panel does not count**, as was decided by hand: a try by" in words(page)
    assert "was not accepted" not in words(page)
    assert valid(study) == 0
    newest = panels.newest_by(rater, study.id)
    assert newest is not None
    assert (newest.valid, newest.overridden) == (False, True)
    assert "Your ratings are saved" not in words(page)
    assert "1 of " not in words(page)
    assert "**Your last panel does not count**" in words(open_page("annotate", owner))  # on another day, too
    press(page, "Count it after all")
    assert "**Your last panel counts**, as was decided by hand" in words(page)
    assert "Your ratings are saved" in words(page)
    assert valid(study) == 1
    press(page, "It was only a try: leave it out")
    assert valid(study) == 0
    next(button for button in page.button if button.label.startswith("Begin the next")).click().run()
    assert "Your last panel" not in words(page)


def test_the_rule_that_rejected_a_panel_is_named(open_page: Open, study: Study, owner: str) -> None:
    rated_by(owner, study, human=1)
    page = open_page("annotate", owner)
    page.session_state[BETWEEN] = True
    page.run()
    assert "**Your last panel was rejected**, because the human story was rated 1, below 4." in words(page)
    assert [button for button in page.button if button.label.endswith("leave it out")] == []


def test_an_annotator_reads_no_reason(open_page: Open, study: Study, annotator: str) -> None:
    who = people.by_token(annotator)
    assert who is not None
    panel = begin(who)
    rate(who, panel, human=1)
    panel_submission.submit(who, panel.token)
    page = open_page("", annotator)
    assert "was not accepted" in words(page)
    assert "the human story was rated" not in words(page)
