"""A judge of pairs on a study: both orders are asked, verdicts are kept as they come, and nothing is asked twice."""

import random
from collections import Counter

import numpy as np
import pytest

import worker
from core.annotation.pair_design import PairRules
from core.annotation.studies import Study
from core.errors import FabulaError
from core.jobs import Job, JobState
from core.judges.asking import Reply, Request
from core.metrics.judging.pairs import PairJudge
from core.people import TERMINAL
from core.scores import PairColumn
from db.jobs import jobs
from db.judges.replies import replies_for
from db.scores import pair_verdicts
from tests.core.judges.scripted import ScriptedBackend
from tests.db.conftest import make_annotator, make_study
from tests.db.pairs import WORTH, compared_study, corpus, opened, work

PAIRS = 3 * 6
"""Of three prompts: every two of four systems."""


def worths(request: Request) -> tuple[float, float]:
    """Of the stories that a prompt shows as A and as B: their first words say whose they are."""
    asked = request.messages[1].text
    first, second = (asked.partition(f"<story_{side}>\n")[2].split()[0] for side in "ab")
    return WORTH[first], WORTH[second]


def knows(request: Request) -> str:
    """Which of them is of the better system."""
    first, second = worths(request)
    return "A" if first > second else "B"


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> ScriptedBackend:
    """In the model's place."""
    scripted = ScriptedBackend(knows)
    monkeypatch.setattr(PairJudge, "backend", scripted)
    return scripted


def run(study: Study, metric: str = "judge", **options: str) -> Job:
    jobs.add(TERMINAL, "score", study.id, {"metrics": [metric], "options": {metric: options} if options else {}})
    job = jobs.claim("test")
    assert job is not None
    return worker.run_job(job)


def verdicts(study: Study) -> PairColumn:
    (column,) = pair_verdicts.columns(study.id)
    return column


@pytest.mark.both_databases
def test_what_people_compared_is_judged_in_both_orders(database: str, backend: ScriptedBackend) -> None:
    study = compared_study(prompts=3, scored=False)
    job = run(study)
    assert job.state is JobState.DONE, job.message
    assert job.result is not None
    (row,) = job.result["rows"]
    assert (row["metric"], row["unit"], row["scored"], row["reused"], row["undefined"]) == (
        "judge:preference", "pairs", PAIRS, 0, 0,
    )  # fmt: skip
    assert f"of all {PAIRS} pairs that people compared, in both orders" in job.result["notices"][0]
    assert len(backend.asked) == 2 * PAIRS
    sides = Counter((request.content_hash, request.against_hash) for request in backend.asked)
    assert set(sides.values()) == {1}
    assert {(against, content) for content, against in sides} == set(sides)
    assert len(replies_for([request.key for request in backend.asked])) == 2 * PAIRS
    column = verdicts(study)
    assert (len(column.first), column.reasons) == (PAIRS, {})
    better = [WORTH[key.partition("-")[2]] for key in column.first]
    other = [WORTH[key.partition("-")[2]] for key in column.second]
    assert np.array_equal(column.verdicts, np.where(np.array(better) > np.array(other), -1, 1))
    again = run(study)
    assert again.result is not None
    assert (again.result["rows"][0]["scored"], again.result["rows"][0]["reused"]) == (0, PAIRS)
    assert len(backend.asked) == 2 * PAIRS


def test_what_a_trial_asked_about_is_counted(database: str, backend: ScriptedBackend) -> None:
    study = compared_study(prompts=3, scored=False)
    jobs.add(TERMINAL, "score", study.id, {"metrics": ["judge"], "options": {}, "most": 4})
    job = jobs.claim("test")
    assert job is not None
    result = worker.run_job(job).result
    assert result is not None
    first, second = result["notices"]
    assert f"of 4 of the {PAIRS} pairs that people compared, in both orders; the page Preferences" in first
    assert second == f"judge: {PAIRS - 4} pairs left for another run."


def test_one_that_always_says_the_first_calls_all_equal(database: str, backend: ScriptedBackend) -> None:
    study = compared_study(prompts=3, scored=False)
    backend.script = lambda _: "A"
    run(study)
    column = verdicts(study)
    assert np.array_equal(column.forward, -column.backward)
    assert not column.verdicts.any()


def test_a_stopped_run_goes_on_where_it_was(
    database: str, backend: ScriptedBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = compared_study(prompts=3, scored=False)
    monkeypatch.setattr("core.metrics.batches.STORIES_A_CPU_BATCH", 4)

    def breaks(request: Request) -> str:
        if len(backend.asked) == 12:
            raise FabulaError("The server is gone.")
        return knows(request)

    backend.script = breaks
    assert run(study).state is JobState.FAILED
    assert np.isfinite(verdicts(study).verdicts).sum() == 4
    backend.script = knows
    assert run(study).state is JobState.DONE
    assert len(backend.asked) == 2 * PAIRS + 1  # the one that broke was asked anew
    assert verdicts(study).answered.all()


def test_what_cannot_be_read_has_a_reason_and_is_tried_once(database: str, backend: ScriptedBackend) -> None:
    study = compared_study(prompts=3, scored=False)
    backend.script = lambda request: "Hm." if "poor" in request.messages[1].text else knows(request)
    job = run(study)
    assert job.result is not None
    assert job.result["rows"][0]["reasons"] == {"the reply is none of the answers A, B, C: 'Hm.'": PAIRS // 2}
    column = verdicts(study)
    assert len(column.reasons) == PAIRS // 2
    assert np.isnan(column.verdicts[list(column.reasons)]).all()
    asked = len(backend.asked)
    run(study)
    assert len(backend.asked) == asked


def test_people_s_stories_are_one_side_of_a_turing_study(database: str, backend: ScriptedBackend) -> None:
    study = opened(PairRules(a_panel=3, against_human=True), wanted=1, given=corpus(3))
    work(make_annotator(study), random.Random(1))
    backend.script = lambda request: Reply("", "", {"A": 0.2, "B": 0.1, "C": 0.05})
    run(study)
    column = verdicts(study)
    assert len(column.first) == 12
    assert all("human" in keys[0] + keys[1] for keys in zip(column.first, column.second, strict=True))
    assert not any("negative" in "".join(keys) for keys in zip(column.first, column.second, strict=True))


def test_the_same_pairs_in_another_study_are_not_asked_again(database: str, backend: ScriptedBackend) -> None:
    compared = [compared_study(prompts=3, scored=False, name=name) for name in ("one", "two")]
    assert run(compared[0]).state is JobState.DONE
    job = run(compared[1])
    assert job.result is not None
    assert job.result["rows"][0]["reused"] == PAIRS
    assert len(backend.asked) == 2 * PAIRS
    assert np.array_equal(verdicts(compared[0]).verdicts, verdicts(compared[1]).verdicts)


def test_without_comparisons_there_is_nothing_to_judge(database: str, backend: ScriptedBackend) -> None:
    job = run(opened(given=corpus(2)))
    assert job.result is not None
    assert "people have compared no stories of this study yet" in job.result["notices"][0]
    assert backend.asked == []


def test_single_stories_cannot_be_judged_as_pairs(database: str, backend: ScriptedBackend) -> None:
    job = run(make_study(), way="pairs")
    assert job.state is JobState.FAILED
    assert "`export --format preferences`" in job.message


def test_a_study_of_pairs_can_have_its_stories_judged_alone(database: str) -> None:
    study = compared_study(prompts=1, scored=False)
    job = run(study, way="points")
    assert job.result is not None
    assert (job.result["rows"][0]["metric"], job.result["rows"][0]["unit"]) == ("judge:overall", "stories")
    assert pair_verdicts.columns(study.id) == []


@pytest.mark.slow
def test_the_bundled_model_judges_pairs(database: str) -> None:
    study = compared_study(prompts=1, scored=False)
    job = run(study)
    assert job.state is JobState.DONE, job.message
    assert verdicts(study).answered.all()
