"""The tray: what is under way for whom, and what has ended since they last looked."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from core.errors import NotAllowed
from core.jobs import SCORES_LEFT, JobState
from core.people import TERMINAL, Person, Role
from db.audit import now
from db.engine import writing
from db.jobs import jobs
from db.jobs.tray import LOOKED_BACK, looked, saw, tray
from db.people import people
from db.schema import job
from db.transfer import imports
from tests.db.conftest import small_corpus

BLEU = {"metrics": ["bleu"]}


def invited(role: Role, *runs: int) -> Person:
    person = people.by_token(people.invite(TERMINAL, role, name=role, runs=runs))
    assert person is not None
    return person


def run(by: Person, kind: str, study: int | None, settings: dict[str, object], state: JobState) -> int:
    added = jobs.add(by, kind, study, settings, runner="worker")
    jobs.finish(added.id, state, "why")
    return added.id


@pytest.mark.both_databases
def test_who_sees_what(database: str) -> None:
    mine, other = (imports.import_corpora(TERMINAL, name, [small_corpus()]).id for name in ("Tales", "Others"))
    owner, person = invited(Role.OWNER), invited(Role.RESEARCHER, mine)
    here = jobs.add(owner, "score", mine, BLEU).id
    there = jobs.add(owner, "score", other, {"metrics": ["/home/ada/own.py:Own", "bleu", "fp"]}).id
    training = jobs.add(person, "train", None, {"name": "tales"}).id
    jobs.add(person, "tokens", None, {"text": "A secret story."})
    jobs.claim("worker", there)
    assert [(item.job.id, item.name, item.study) for item in tray(owner)] == [
        (there, "Own and 2 more", "Others"),
        (here, "bleu", "Tales"),
    ]
    assert [(item.job.id, item.name, item.study) for item in tray(person)] == [
        (here, "bleu", "Tales"),
        (training, "tales", ""),
    ]
    for item in tray(person):
        jobs.cancel(person, item.job.id)  # all that is shown may be cancelled
    assert tray(person) == []


@pytest.mark.both_databases
def test_a_run_is_called_by_what_has_something_to_score(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "Tales", [small_corpus()]).id
    asked = {"metrics": ["bleu", "fp", "judge", "words"]}
    scoring = jobs.add(TERMINAL, "score", study, asked, runner="worker").id
    owner = invited(Role.OWNER)
    assert [item.name for item in tray(owner)] == ["bleu and 3 more"]
    jobs.beat(scoring, so_far={SCORES_LEFT: ["judge"]})
    assert [item.name for item in tray(owner)] == ["judge and 3 more"]
    jobs.beat(scoring, so_far={SCORES_LEFT: []})
    assert [item.name for item in tray(owner)] == ["bleu and 3 more"]


@pytest.mark.both_databases
def test_what_has_ended_is_told_until_it_is_looked_at(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "Tales", [small_corpus()]).id
    owner, person = invited(Role.OWNER), invited(Role.RESEARCHER, study)
    done = run(person, "score", study, BLEU, JobState.DONE)
    failed = run(person, "train", None, {"name": "tales"}, JobState.FAILED)
    run(person, "score", study, BLEU, JobState.CANCELLED)
    assert [item.job.id for item in tray(person)] == [done, failed]
    assert tray(owner) == []  # not theirs
    looked(person)
    assert tray(person) == []
    again = run(person, "score", study, BLEU, JobState.INTERRUPTED)
    assert [item.job.id for item in tray(person)] == [again]


@pytest.mark.both_databases
def test_each_ending_is_seen_by_itself_and_again_where_it_is_another(database: str) -> None:
    owner, person = invited(Role.OWNER), invited(Role.RESEARCHER)
    done, failed = (run(person, "train", None, {"name": "tales"}, end) for end in (JobState.DONE, JobState.FAILED))
    saw(owner, [done])  # not theirs
    assert [item.job.id for item in tray(person)] == [done, failed]
    saw(person, [failed])
    assert [item.job.id for item in tray(person)] == [done]
    jobs.resume(person, failed)
    jobs.finish(failed, JobState.DONE, "finished")
    assert {item.job.id for item in tray(person)} == {done, failed}


def test_old_endings_are_no_news(database: str) -> None:
    person = invited(Role.OWNER)
    old = run(person, "train", None, {"name": "tales"}, JobState.DONE)
    assert [item.job.id for item in tray(person)] == [old]
    with writing() as connection:
        connection.execute(update(job).values(ended_at=now() - LOOKED_BACK - timedelta(minutes=1)))
    assert tray(person) == []


def test_a_study_taken_away_takes_its_jobs_along(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "Tales", [small_corpus()]).id
    person = invited(Role.RESEARCHER)
    with pytest.raises(NotAllowed):
        jobs.add(person, "score", study, BLEU)
    run(TERMINAL, "score", study, BLEU, JobState.DONE)
    with writing() as connection:
        connection.execute(update(job).values(person_id=person.id))
    assert tray(person) == []


def test_annotators_have_none(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "Tales", [small_corpus()]).id
    person = people.by_token(people.invite(TERMINAL, Role.ANNOTATOR, study_id=study))
    assert person is not None
    with pytest.raises(NotAllowed, match="role researcher"):
        tray(person)
