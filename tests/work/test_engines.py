"""A study's run on another engine: stored scores are those of this process, to the last bit."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select

import work.scoring
import worker
from core.annotation.studies import Study
from core.engines.settings import EngineKind, EngineSettings
from core.engines.work import DIED
from core.errors import InputError, NotAllowed
from core.jobs import Job, JobState
from core.metrics.run import checked
from core.people import TERMINAL, Role
from db.engine import reading, writing
from db.jobs import jobs
from db.people import people
from db.schema import score, signature
from tests.db.conftest import make_study

STORIES = 10
METRICS = ["bleu", "words", "bertscore-f1", "bertscore-p"]
OWN = '''
"""Lengths, of stories that do not end their process."""
import os
import time
from pathlib import Path

from core.metrics.base import Card, Kind, Metric, Scores


class Own(Metric):
    name = "my-own"
    kind = Kind.UNREFERENCED
    needs = frozenset()
    card = Card("length", "none", "all else")

    def score(self, stories, on_progress=None):
        {what}
        return Scores.collect(float(len(story.text)) for story in stories)
'''


@pytest.fixture
def study(database: str, monkeypatch: pytest.MonkeyPatch) -> Study:
    """Its stories are read four at a time."""
    monkeypatch.setattr(work.scoring, "STORIES_A_PAGE", 4)
    return make_study()


def run(study: Study, metrics: list[str], engine: EngineSettings, **more: Any) -> Job:
    settings = checked({"metrics": metrics, "device": "cpu"}) | engine.kept
    return worker.run_job(jobs.add(TERMINAL, "score", study.id, settings, runner="test"), **more)


def stored() -> dict[tuple[str, str], tuple[float | None, str]]:
    """Every stored score with its reason, by signature and text; they are gone then."""
    with reading() as connection:
        columns = (signature.c.text, score.c.content_hash, score.c.value, score.c.reason)
        rows = connection.execute(select(*columns).join(signature, signature.c.id == score.c.signature_id)).all()
    with writing() as connection:
        connection.execute(delete(score))
    return {(row.text, row.content_hash): (row.value, row.reason) for row in rows}


@pytest.mark.slow
@pytest.mark.parametrize("engine", [EngineSettings(workers=2), EngineSettings(EngineKind.RAY, workers=1)])
def test_scores_are_those_of_this_process(study: Study, engine: EngineSettings) -> None:
    if engine.kind is EngineKind.RAY:
        pytest.importorskip("ray", reason="requirements-ray.txt is not installed")
    metrics = METRICS if engine.kind is EngineKind.LOCAL else METRICS[:1]  # a model's: tests/core/engines
    assert run(study, metrics, EngineSettings()).state is JobState.DONE
    here = stored()
    job = run(study, metrics, engine)
    assert job.result is not None, job.message
    assert stored() == here
    assert [(row["metric"], row["scored"]) for row in job.result["rows"]] == [(name, STORIES) for name in metrics]
    assert job.done == job.total == STORIES * len(metrics)


@pytest.mark.slow
def test_a_story_that_ends_its_process_alone_has_no_score(study: Study, tmp_path: Path) -> None:
    poisoned = tmp_path / "own.py"
    what = "any('The three' in story.text and 'prompt 0' in story.text and os._exit(7) for story in stories)"
    poisoned.write_text(OWN.format(what=what), encoding="utf-8")
    job = run(study, [f"{poisoned}:Own"], EngineSettings(workers=2))
    assert job.result is not None, job.message
    assert job.result["rows"][0]["reasons"] == {DIED: 1}
    values = [value for value, _ in stored().values()]
    assert len(values) == STORIES
    assert values.count(None) == 1


def test_a_run_that_is_cancelled_ends_what_works_elsewhere(study: Study, tmp_path: Path) -> None:
    sleeping = tmp_path / "own.py"
    sleeping.write_text(OWN.format(what="Path(__file__).with_name('begun').touch(); time.sleep(600)"), encoding="utf-8")
    settings = checked({"metrics": [f"{sleeping}:Own"], "device": "cpu"}) | EngineSettings(workers=2).kept
    job = jobs.add(TERMINAL, "score", study.id, settings, runner="test")

    def cancel(_done: int, _total: int, _what: str) -> None:
        if (tmp_path / "begun").exists():
            jobs.cancel(TERMINAL, job.id)

    begun = time.monotonic()
    assert worker.run_job(job, cancel).state is JobState.CANCELLED
    assert time.monotonic() - begun < 120


def test_only_an_owner_says_where_others_work(study: Study) -> None:
    token = people.invite(TERMINAL, Role.RESEARCHER, runs=[study.id])
    researcher = people.by_token(token)
    assert researcher is not None
    with pytest.raises(NotAllowed):
        jobs.add(researcher, "score", study.id, {"metrics": ["bleu"], **EngineSettings(workers=2).kept})


def test_what_a_run_keeps_of_an_engine() -> None:
    assert EngineSettings().kept == {}
    ours = EngineSettings(EngineKind.RAY, "10.0.0.1:6379", 4, 0.25)
    assert EngineSettings.of(json.loads(json.dumps(ours.kept))) == ours
    assert EngineSettings.of({}) == EngineSettings()
    with pytest.raises(InputError, match="An engine has no setting 'colour'"):
        EngineSettings.of({"engine": {"colour": "red"}})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"workers": -1}, "no fewer than 0 workers"),
        ({"gpus": 0.5}, "are for Ray"),
        ({"address": "a:1"}, "are for Ray"),
        ({"kind": "ray", "gpus": 1.5}, "a share of one GPU or several whole ones, not 1.5"),
    ],
)
def test_what_does_not_go_together(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        EngineSettings.of({"engine": given})
