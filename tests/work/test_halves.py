"""A judge in a study's own words is asked on one half of the prompts, later on the other, and nothing twice."""

from dataclasses import replace

import numpy as np
import pytest

import worker
from core.analysis.judges.runs import JudgeSettings, settings_before, settings_of_signature
from core.annotation.studies import Study
from core.errors import FabulaError, InputError
from core.jobs import Job, JobState
from core.judges.asking import Reply, Request
from core.judges.halves import Half
from core.judges.template import Template, Way
from core.metrics.judging.judge import Judge
from core.metrics.run import checked
from core.people import TERMINAL
from core.stories import RatingRecord, Source
from db.jobs import jobs
from db.judges import templates
from db.judges.judged import judged_study
from db.scores import tables
from db.studies import halves
from db.transfer import imports
from tests.core.judges.scripted import ScriptedBackend
from tests.db.conftest import SYSTEMS, make_study, small_corpus

PROMPTS = 6
HALF = PROMPTS // 2 * len(SYSTEMS)
MINE = Template("mine", Way.POINTS, "You judge.\n{rated}", "{opening} {story} How good?")


@pytest.fixture
def study(database: str) -> Study:
    made = make_study(prompts=PROMPTS)
    templates.save(TERMINAL, made.id, MINE)
    return made


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> ScriptedBackend:
    """In the model's place: it rates every story alike."""
    scripted = ScriptedBackend(lambda _: Reply("", "", {"3": 1.0}))
    monkeypatch.setattr(Judge, "backend", scripted)
    return scripted


def run(study: Study, half: str | None, *metrics: str, template: str = "mine.1", **options: str) -> Job:
    settings = {"metrics": ["judge", *metrics], "options": {"judge": {"template": template, **options}}}
    chosen = {**settings, "half": half} if half else settings
    jobs.add(TERMINAL, "score", study.id, checked(chosen, judged_study(study.id)))
    job = jobs.claim("test")
    assert job is not None
    worker.run_job(job)
    return jobs.get(job.id)


def openings(requests: list[Request]) -> set[str]:
    return {f"{n}" for n in range(PROMPTS) for request in requests if f"Opening {n}." in request.messages[-1].text}


def test_one_half_then_the_other(study: Study, backend: ScriptedBackend) -> None:
    first = run(study, "development")
    assert first.state is JobState.DONE
    assert first.result is not None
    assert [(row["scored"], row["reused"]) for row in first.result["rows"]] == [(HALF, 0)]
    assert openings(backend.asked) == halves.prompts(study.id, Half.DEVELOPMENT)
    run(study, "development")
    assert len(backend.asked) == HALF
    run(study, "held-out")
    assert len(backend.asked) == 2 * HALF
    assert openings(backend.asked[HALF:]) == halves.prompts(study.id, Half.HELD_OUT)
    (column,) = tables.table(study.id).columns
    assert np.isfinite(column.values).all()
    run(study, None)
    assert len(backend.asked) == 2 * HALF


def test_a_stopped_run_goes_on_where_it_was(study: Study, backend: ScriptedBackend) -> None:
    whole = backend.script

    def breaks(request: Request) -> Reply | str:
        if len(backend.asked) == 4:
            raise FabulaError("The server is gone.")
        return whole(request)

    backend.script = breaks
    assert run(study, "development").state is JobState.FAILED
    backend.script = whole
    assert run(study, "development").state is JobState.DONE
    assert len(backend.asked) == HALF + 1


def test_other_metrics_and_the_standard_wording_score_all_stories(study: Study, backend: ScriptedBackend) -> None:
    job = run(study, "development", "words")
    assert job.result is not None
    assert {row["metric"]: row["scored"] for row in job.result["rows"]} == {"words": 2 * HALF, "judge:overall": HALF}
    with pytest.raises(InputError, match="none is among the metrics"):
        run(study, "development", template="standard")
    with pytest.raises(InputError, match="no half 'third'"):
        run(study, "third")


def test_a_tuned_judge_is_shown_stories_of_the_development_half_alone(database: str, backend: ScriptedBackend) -> None:
    corpus = small_corpus(10)
    ratings = tuple(RatingRecord(one.key, "a", 2.0) for one in corpus.stories if one.source is Source.SYSTEM)
    made = imports.import_corpora(TERMINAL, "rated", [replace(corpus, scheme="mans", ratings=ratings)])
    templates.save(TERMINAL, made.id, MINE)
    run(made, "held-out", few_shot="2")
    own = {f"Opening {key}." for key in halves.prompts(made.id, Half.DEVELOPMENT)}
    shown = {f"Opening {n}." for n in range(10) if f"Opening {n}." in backend.asked[0].messages[0].text}
    assert len(shown) == 2
    assert shown <= own
    run(made, None, template="standard", few_shot="8")
    assert sum(f"Opening {n}." in backend.asked[-1].messages[0].text for n in range(10)) == 8  # of both halves


def test_another_wording_is_run_as_one_before(study: Study, backend: ScriptedBackend) -> None:
    assert [item.title for item in settings_before([])] == ["smollm2-135m-instruct, float32"]
    first = run(study, "development", "words", few_shot="0", samples="5")
    (before, usual) = settings_before([first])
    assert before.title == "smollm2-135m-instruct, float32, samples=5"
    assert usual == JudgeSettings()
    (column,) = (column for column in tables.table(study.id).columns if column.metric != "words")
    same = settings_of_signature([first], [column.signature])
    assert same == before
    assert settings_of_signature([first], ["other"]) is None
    wanted = before.wording(replace(MINE, version=2), ["overall"], Half.HELD_OUT)
    assert wanted["half"] == "held-out"
    assert wanted["options"] == {"judge:overall": {"samples": "5", "template": "mine.2", "way": "points"}}
    jobs.add(TERMINAL, "score", study.id, before.wording(replace(MINE, version=1), ["overall"], Half.HELD_OUT))
    asked = len(backend.asked)
    job = jobs.claim("test")
    assert job is not None
    worker.run_job(job)
    assert len(backend.asked) == asked + 5 * HALF
    (column,) = (column for column in tables.table(study.id).columns if column.metric != "words")  # the same judge's
    assert np.isfinite(column.values).all()


@pytest.mark.slow
def test_the_bundled_model_is_run_on_one_half(study: Study) -> None:
    job = run(study, "development")
    assert job.state is JobState.DONE
    (column,) = tables.table(study.id).columns
    assert np.isfinite(column.values).sum() == HALF
