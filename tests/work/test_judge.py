"""A judge on a study: replies are kept as they come, and what was asked is not asked again."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import worker
from core.annotation.studies import Study
from core.errors import FabulaError
from core.jobs import JobState
from core.judges.asking import AGAIN, Reply, Request
from core.metrics.judging.judge import Judge
from core.people import TERMINAL
from core.stories import RatingRecord, Source
from db.jobs import jobs
from db.judges.judged import rated
from db.judges.replies import replies_for
from db.scores import tables
from db.transfer import imports
from pages.ui.score.run_estimate import Work, so_far
from tests.core.judges.scripted import ScriptedBackend
from tests.db.conftest import SYSTEMS, make_study, small_corpus


@pytest.fixture
def study(database: str) -> Study:
    return make_study()


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> ScriptedBackend:
    """In the model's place: it rates a story by its system."""
    scripted = ScriptedBackend(
        lambda request: Reply("", "", {str(1 + n): 1.0 for n, s in enumerate(SYSTEMS) if f"The {s} " in asked(request)})
    )
    monkeypatch.setattr(Judge, "backend", scripted)
    return scripted


def asked(request: Request) -> str:
    return request.messages[-1].text


def run(study: Study, **options: str) -> JobState:
    jobs.add(TERMINAL, "score", study.id, {"metrics": ["judge"], "options": {"judge": options}})
    job = jobs.claim("test")
    assert job is not None
    worker.run_job(job)
    return jobs.get(job.id).state


def test_replies_are_kept_and_scores_follow(study: Study, backend: ScriptedBackend) -> None:
    assert run(study) is JobState.DONE
    assert len(backend.asked) == 10
    kept = replies_for([request.key for request in backend.asked])
    assert len(kept) == 10
    assert all(request.content_hash for request in backend.asked)
    (column,) = tables.table(study.id).columns
    assert sorted(column.values.tolist()) == sorted([1.0, 2.0, 3.0, 4.0, 5.0] * 2)
    assert run(study) is JobState.DONE
    assert len(backend.asked) == 10


def test_a_stopped_run_goes_on_where_it_was(study: Study, backend: ScriptedBackend) -> None:
    whole = backend.script

    def breaks(request: Request) -> Reply | str:
        if len(backend.asked) == 4:
            raise FabulaError("The server is gone.")
        return whole(request)

    backend.script = breaks
    assert run(study) is JobState.FAILED
    backend.script = whole
    assert run(study) is JobState.DONE
    assert len(backend.asked) == 11  # the one that broke was asked anew
    (column,) = tables.table(study.id).columns
    assert np.isfinite(column.values).all()


def test_only_what_may_have_passed_is_asked_in_the_next_run(study: Study, backend: ScriptedBackend) -> None:
    """A reason for good stays, and costs nothing more; nobody knows whether a server is still busy."""
    whole = backend.script
    refused, busy, unread = "The model refused: no", f"The server is busy. {AGAIN}", "the reply holds no number"

    def fails(request: Request) -> Reply | str:
        said = {"The one ": Reply("", problem=refused), "The two ": Reply("", problem=busy), "The three ": "Well."}
        return next((reply for sign, reply in said.items() if sign in request.messages[1].text), whole(request))

    backend.script = fails
    assert run(study) is JobState.DONE
    assert len(backend.asked) == 12  # what cannot be read is asked for once more
    assert reasons(study) == {refused: 2, busy: 2, unread: 2}
    assert run(study) is JobState.DONE
    assert all("The two " in request.messages[1].text for request in backend.asked[12:])
    assert (len(backend.asked), reasons(study)) == (14, {refused: 2, busy: 2, unread: 2})
    backend.script = whole
    assert run(study) is JobState.DONE
    assert (len(backend.asked), reasons(study)) == (16, {refused: 2, unread: 2})
    assert run(study) is JobState.DONE
    assert len(backend.asked) == 16


def reasons(study: Study) -> Counter[str]:
    (column,) = tables.table(study.id).columns
    return Counter(column.reasons.values())


def test_what_is_left_of_each_judge_is_said_by_the_name_that_was_chosen(study: Study, backend: ScriptedBackend) -> None:
    stories = len(tables.table(study.id).keys)
    for metrics, names in ((["judge"], ["judge"]), (["judge:overall", "words"], ["words", "judge:overall"])):
        jobs.add(TERMINAL, "score", study.id, {"metrics": metrics, "most": 4, "options": {"judge": {"samples": "5"}}})
        job = jobs.claim("test")
        assert job is not None
        worker.run_job(job)
        result = jobs.get(job.id).result
        assert result is not None
        assert result["notices"] == [f"{name}: {stories - 4} stories left for another run." for name in names]


def test_what_a_judge_has_scored_here_is_not_said_to_come_from_elsewhere(
    study: Study, backend: ScriptedBackend
) -> None:
    """Its scores are called `judge:overall`, while the run asks for `judge`."""
    asked = {"metrics": ["judge"], "models": {}, "options": {}}
    jobs.add(TERMINAL, "score", study.id, {**asked, "most": 4})
    job = jobs.claim("test")
    assert job is not None
    worker.run_job(job)
    copy = imports.import_corpora(TERMINAL, "copy", [small_corpus()])
    assert so_far(Work(lacking=6, whole=10), asked, study.id) == "4 of 10 stories are scored."
    elsewhere = "4 of 10 stories have scores already that a study with the same texts has computed."
    assert so_far(Work(lacking=6, whole=10), asked, copy.id) == elsewhere


def test_another_study_with_the_same_stories_asks_nothing(study: Study, backend: ScriptedBackend) -> None:
    assert run(study) is JobState.DONE
    copy = imports.import_corpora(TERMINAL, "copy", [small_corpus()])
    assert run(copy) is JobState.DONE
    assert len(backend.asked) == 10


def test_rated_stories_are_examples_with_their_means(database: str, backend: ScriptedBackend) -> None:
    corpus = small_corpus(3)
    ratings = tuple(
        RatingRecord(story.key, rater, value)
        for story in corpus.stories
        for rater, value in (("a", 2.0), ("b", 5.0 if "one" in story.key else 3.0))
        if story.source is Source.SYSTEM
    )
    study = imports.import_corpora(TERMINAL, "rated", [replace(corpus, scheme="mans", ratings=ratings)])
    shots = rated(study.id)
    assert [shot.ratings["overall"] for shot in shots[:2]] == [3.5, 2.5]
    assert run(study, few_shot="2") is JobState.DONE
    for request in backend.asked:
        (prompt,) = (n for n in range(3) if f"Opening {n}." in asked(request))
        assert f"Opening {prompt}." not in request.messages[0].text
        assert request.messages[0].text.count("</story>\n") == 2
