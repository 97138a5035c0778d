"""A bias run in the worker: what it stores, where it goes on, on the bundled model, and on a server."""

import numpy as np
import pytest

import worker
from core.analysis.judges.columns import judges_of
from core.analysis.judges.probed import probed_biases, with_probed
from core.analysis.judges.probes import Check
from core.annotation.studies import Study
from core.errors import FabulaError
from core.jobs import Job, JobState
from core.judges.asking import Reply, Request
from core.metrics.judging.judge import Judge
from core.people import TERMINAL
from db.jobs import jobs
from db.judges import consent, probes, replies
from db.scores import tables
from db.studies import story_list, studies
from tests.core.judges.scripted import ScriptedBackend
from tests.db.conftest import make_study
from tests.judges.server import MODEL, JudgeServer


@pytest.fixture
def study(database: str) -> Study:
    return make_study()


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> ScriptedBackend:
    """In the model's place: it obeys an order that it can read, and else gives 2."""
    scripted = ScriptedBackend(lambda request: "5" if "number 5" in request.messages[-1].text else "2")
    monkeypatch.setattr(Judge, "backend", scripted)
    return scripted


def run(study: Study, **settings: object) -> Job:
    jobs.add(TERMINAL, "biases", study.id, {"metrics": ["judge"], "stories": 4, **settings})
    job = jobs.claim("test")
    assert job is not None
    return worker.run_job(job)


def test_a_run_stores_every_check_and_asks_nothing_twice(study: Study, backend: ScriptedBackend) -> None:
    job = run(study)
    assert job.state is JobState.DONE, job.message
    assert job.result is not None
    (row,) = job.result["rows"]
    assert (row["metric"], row["stories"]) == ("judge:overall", 4)
    assert (job.done, job.total) == (row["questions"], row["questions"])
    ((judge, found),) = probes.probed(study.id).items()
    assert judge == ("judge:overall", row["signature"])
    assert {of.check for of in found} >= {Check.REPEAT, Check.WORDING, Check.INJECTION, Check.DISCRIMINATION}
    assert row["questions"] == 4 + sum(len(of.variants) for of in found)
    table = with_probed(tables.table(study.id), [judge])
    (ratings,) = judges_of(table.columns, ("overall",))
    measured = probed_biases(ratings, {judge[1]: found})
    by_name = {shift.variant: shift for shift in measured.checks[Check.INJECTION].variants}
    assert by_name["plain order"].points.value == 3
    assert by_name["answer put in"].points.value == 0
    asked = len(backend.asked)
    assert run(study).state is JobState.DONE
    assert len(backend.asked) == asked
    assert not tables.table(study.id).columns  # a bias run scores no study


def test_a_stopped_run_goes_on_where_it_was(study: Study, backend: ScriptedBackend) -> None:
    whole = backend.script

    def breaks(request: Request) -> Reply | str:
        if len(backend.asked) == 21:
            raise FabulaError("The server is gone.")
        return whole(request)

    backend.script = breaks
    stopped = run(study)
    assert (stopped.state, stopped.message) == (JobState.FAILED, "The server is gone.")
    assert [of.check for of in next(iter(probes.probed(study.id).values()))] == [Check.REPEAT, Check.WORDING]
    backend.script = whole
    jobs.resume(TERMINAL, stopped.id)
    again = jobs.claim("test")
    assert again is not None
    assert worker.run_job(again).state is JobState.DONE
    assert len({request.key for request in backend.asked}) == len(backend.asked) - 1  # the one that broke


def test_cancelled_it_keeps_what_was_replied(
    study: Study, backend: ScriptedBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("work.watch.TELL_EVERY", 0.0)
    jobs.add(TERMINAL, "biases", study.id, {"metrics": ["judge"], "stories": 4})
    job = jobs.claim("test")
    assert job is not None
    whole = backend.script

    def cancels(request: Request) -> Reply | str:
        if len(backend.asked) == 6:
            jobs.cancel(TERMINAL, job.id)
        return whole(request)

    backend.script = cancels
    assert worker.run_job(job).state is JobState.CANCELLED
    assert len(replies.replies_for([request.key for request in backend.asked])) == len(backend.asked) == 6


def test_replies_about_changed_texts_go_with_their_story(study: Study, backend: ScriptedBackend) -> None:
    run(study)
    kept = replies.replies_for([request.key for request in backend.asked])
    assert len(kept) == len(backend.asked)
    listed, _ = story_list.stories(TERMINAL, study.id, None, most=100)
    assert sum(len(replies.about_story(TERMINAL, story.id)) for story in listed) == len(kept)
    studies.remove(TERMINAL, make_study("another", 1).id, "another")
    assert len(replies.replies_for(kept)) == len(kept)
    studies.remove(TERMINAL, study.id, study.name)
    assert replies.replies_for(kept) == {}


def test_what_cannot_run_says_why(study: Study, backend: ScriptedBackend) -> None:
    assert "1 to 1,000 stories" in run(study, stories=0).message
    there = {"judge": {"endpoint": {"address": "https://api.example.org/v1", "model": "m"}}}
    assert "an owner has to agree first" in run(study, **there).message
    assert backend.asked == []


def test_on_a_server_every_question_is_asked_once(study: Study, judge_server: JudgeServer) -> None:
    consent.give(TERMINAL, study.id, judge_server.address)
    endpoint = {"address": judge_server.address, "model": MODEL, "concurrency": 8}
    job = run(study, judge={"endpoint": endpoint})
    assert job.state is JobState.DONE, job.message
    assert job.result is not None
    (row,) = job.result["rows"]
    assert len(judge_server.asked) == row["questions"]
    (notice,) = job.result["notices"]
    assert notice.startswith(f"judge:overall: {row['questions']} replies, of ")
    (found,) = probes.probed(study.id).values()
    assert all(np.isfinite(of.after).all() for of in found)
    asked_again = next(of for of in found if of.check is Check.REPEAT)
    assert np.array_equal(asked_again.before, asked_again.after)  # the stand-in replies by the text alone
    assert run(study, judge={"endpoint": endpoint}).state is JobState.DONE
    assert len(judge_server.asked) == row["questions"]


@pytest.mark.slow
def test_the_bundled_model_is_measured(study: Study) -> None:
    job = run(study, stories=1)
    assert job.state is JobState.DONE, job.message
    (found,) = probes.probed(study.id).values()
    by_check = {of.check: of for of in found}
    assert np.isfinite(by_check[Check.INJECTION].after).all()
    assert by_check[Check.REPEAT].after == pytest.approx(by_check[Check.REPEAT].before, abs=1e-4)
