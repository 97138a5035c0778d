"""The queue: what runs and waits, in its order, and what of it whom is told."""

from collections.abc import Sequence

import pytest

from core.errors import NotAllowed
from core.people import TERMINAL, Person, Role
from db.jobs import jobs
from db.jobs.lanes import Lane
from db.jobs.queue import OTHERS, queue
from db.people import people
from db.transfer import imports
from tests.db.conftest import small_corpus

BLEU = {"metrics": ["bleu"]}


def invited(role: Role, name: str, study: int | None = None, runs: Sequence[int] = ()) -> Person:
    person = people.by_token(people.invite(TERMINAL, role, name=name, study_id=study, runs=runs))
    assert person is not None
    return person


def test_turns_lane_by_lane(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()]).id
    ids = [jobs.add(TERMINAL, "score", study, BLEU).id for _ in range(3)]
    text = jobs.add(TERMINAL, "tokens", None, {"text": "A secret story."}).id
    models = [jobs.add(TERMINAL, "score", study, {"metrics": ["bleu", "perplexity"]}).id for _ in range(2)]
    assert jobs.claim("worker", lane=Lane.LIGHT) is not None
    own = jobs.add(TERMINAL, "train", None, {"name": "mine"}, runner="terminal 7").id
    assert [(job.id, job.running, job.here, job.before) for job in queue(TERMINAL)] == [
        (ids[0], True, True, 0),
        (own, True, False, 0),  # nobody waits for a command in a terminal
        (ids[1], False, True, 1),
        (ids[2], False, True, 2),
        (text, False, True, 0),  # a lane of its own
        (models[0], False, True, 0),  # of what needs a model it is the next
        (models[1], False, True, 1),
    ]
    for number in ids[1:] + models:
        jobs.cancel(TERMINAL, number)
    assert [job.id for job in queue(TERMINAL)] == [ids[0], own, text]


@pytest.mark.both_databases
def test_who_sees_what(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "Tales", [small_corpus()]).id
    owner, person = invited(Role.OWNER, "Ada"), invited(Role.RESEARCHER, "Ben", runs=[study])
    other = invited(Role.RESEARCHER, "Cleo")
    jobs.add(person, "score", study, BLEU)
    jobs.add(person, "tokens", None, {"text": "A secret story."})
    jobs.add(owner, "score", study, {"metrics": ["bleu", "/home/ada/own.py:Own"]})
    assert [(job.about, job.by, job.mine) for job in queue(owner)] == [
        ("Tales: bleu", "Ben", False),
        ("", "Ben", False),
        ("Tales: bleu, Own", "Ada", True),
    ]
    assert queue(person)[-1].about == "Tales: bleu, Own"
    assert queue(person)[-1].metrics == ("bleu", "Own")
    assert queue(other)[-1].metrics == ("bleu", "a metric of one's own")
    assert [(job.by, job.mine) for job in queue(person)] == [("", True), ("", True), ("", False)]
    assert [(job.by, job.mine) for job in queue(other)] == [("", False)] * 3
    assert [job.about for job in queue(other)] == [f"{OTHERS}: bleu", "", f"{OTHERS}: bleu, a metric of one's own"]
    assert "secret" not in repr(queue(owner)) + repr(queue(other))
    assert "/home/ada" not in repr(queue(owner)) + repr(queue(other))


def test_annotators_see_no_queue(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()]).id
    with pytest.raises(NotAllowed, match="role researcher"):
        queue(invited(Role.ANNOTATOR, "Dan", study))
