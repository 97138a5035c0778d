"""The queue, on the pages that queue work: what runs, what waits, how much is before one's own."""

import pytest
from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study
from core.people import TERMINAL, Person, Role
from core.stories import ScoreRecord
from db.jobs import jobs
from db.jobs.lanes import Lane
from db.people import people
from db.scores import scores, tables
from pages.ui.shared.jobs.queue import DOES
from tests.pages.conftest import Open
from tests.pages.pages import words
from tests.rated import rated_study
from worker import KINDS


def person(token: str) -> Person:
    result = people.by_token(token)
    assert result is not None
    return result


def queue(page: AppTest) -> list[list[str]]:
    (table,) = page.table
    return [list(map(str, row)) for row in table.value.itertuples(index=False)]


def test_a_queue_of_three(open_page: Open, study: Study, owner: str) -> None:
    other = people.invite(TERMINAL, Role.RESEARCHER, name="Ben", runs=[study.id])
    jobs.add(person(other), "train", None, {"name": "tales", "kind": "union"})
    jobs.claim("worker", lane=Lane.HEAVY)
    jobs.add(person(other), "score", study.id, {"metrics": ["bleu"]})
    jobs.add(person(other), "tokens", None, {"text": "A secret story."})
    jobs.add(person(owner), "score", study.id, {"metrics": ["fp"]})
    page = open_page("score", owner)
    assert [item.label for item in page.expander if item.label.startswith("Queue")] == [
        "Queue: 1 running, 2 waiting; yours: 1 waiting"
    ]
    assert queue(page) == [
        ["now", "a training", "tales", "Ben", "preparing"],
        ["next", "scores", f"{study.name}: bleu", "Ben", "waiting"],
        ["after 1", "scores", f"{study.name}: fp", "you", "waiting"],
    ]
    assert "secret" not in words(page)
    page = open_page("score", other)
    assert [item.label for item in page.expander if item.label.startswith("Queue")] == [
        "Queue: 1 running, 2 waiting; yours: 1 running, 1 waiting"
    ]
    assert [row[3] for row in queue(page)] == ["you", "you", "somebody else"]


@pytest.mark.parametrize("name", ["score", "train", "test_sets", "naturalness"])
def test_every_page_that_queues_work_shows_it(open_page: Open, study: Study, owner: str, name: str) -> None:
    assert not open_page(name, owner).table
    jobs.add(TERMINAL, "score", study.id, {"metrics": ["bleu"]})
    page = open_page(name, owner)
    assert not page.exception
    assert queue(page) == [["next", "scores", f"{study.name}: bleu", "somebody else", "waiting"]]


def test_every_kind_of_work_has_a_name() -> None:
    assert set(DOES) == set(KINDS)


def test_what_is_being_scored_does_not_come_first(open_page: Open, owner: str) -> None:
    """On the stories that it has so far it may be the best by luck."""
    study = rated_study(metrics=("one", "two"))
    table = tables.table(study.id)
    some = dict(zip(table.keys, map(float, table.human), strict=True))
    for key in list(some)[::4]:
        del some[key]
    scores.import_scores(TERMINAL, study.id, ScoreRecord("bleu", "file:a", some))
    assert "**bleu** agrees best" in words(open_page("correlation", owner))
    jobs.add(person(owner), "score", study.id, {"metrics": ["bleu"]})
    said = words(open_page("correlation", owner))
    assert "**bleu** agrees best" not in said
    assert "agrees best with people" in said


def test_that_a_study_is_scored_stands_below_the_buttons_of_the_overview(
    open_page: Open, study: Study, owner: str
) -> None:
    """It comes and goes by itself, and would move them under somebody's press."""
    jobs.add(person(owner), "score", study.id, {"metrics": ["bleu"]})
    page = open_page("", owner)
    (said,) = page.info
    assert "Scoring is still under way" in said.value
    drawn = [item.key if item.type == "button" else item.type for item in page.main]
    assert drawn.index("next") < drawn.index("info")
