"""The states a job can be in."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.jobs import Job, JobState, Queued, TrayJob, scoring_note


def test_active_states() -> None:
    assert [state for state in JobState if state.active] == [JobState.QUEUED, JobState.RUNNING]


def test_how_far_it_is_that_says_it_of_all_phases() -> None:
    """40 of 40 of one phase is not all of it; and nothing that runs is at 100 %."""
    time = datetime(2026, 1, 1, tzinfo=UTC)
    job = Job(1, "train", 1, {}, JobState.RUNNING, 40, 40, "", False, {"share": 0.2}, time, None, None, None)
    assert (job.share, TrayJob(job, "mine", "").far) == (0.2, "20%")
    loading = replace(job, done=0, total=0)
    assert TrayJob(loading, "mine", "").far == "20%"
    assert TrayJob(replace(job, result={"share": 0.998}), "mine", "").far == "99%"


@pytest.mark.parametrize(
    ("state", "done", "total", "message", "far"),
    [
        (JobState.QUEUED, 0, 0, "waiting for its turn", "waiting"),
        (JobState.RUNNING, 0, 0, "starting", "preparing"),
        (JobState.RUNNING, 43, 100, "bleu", "43%"),
        (JobState.RUNNING, 43, 100, "bleu: 2.0 stories a second, about 3 min left", "43%, 3 min left"),
        (JobState.RUNNING, 43, 100, "epoch 2, about 1.5 h left", "43%, 1.5 h left"),
        # until others have their turn, which is not the end
        (JobState.RUNNING, 43, 100, "bleu: 2.0 stories a second, about 3 min left, then ppl", "43%"),
        (JobState.RUNNING, 101, 100, "bleu", "100%"),
    ],
)
def test_how_far_a_job_is(state: JobState, done: int, total: int, message: str, far: str) -> None:
    time = datetime(2026, 1, 1, tzinfo=UTC)
    job = Job(1, "score", 1, {}, state, done, total, message, False, None, time, None, None, None)
    assert TrayJob(job, "bleu", "Tales").far == far


@pytest.mark.parametrize(("share", "far"), [(0.001, "750 of 1,500 scores"), (0.03, "3% of the time"), (0.5, "50%")])
def test_a_share_of_the_time_does_not_contradict_the_count_of_scores(share: float, far: str) -> None:
    time = datetime(2026, 1, 1, tzinfo=UTC)
    job = Job(1, "score", 1, {}, JobState.RUNNING, 750, 1500, "", False, {"share": share}, time, None, None, None)
    assert TrayJob(job, "bleu", "Tales").far == far
    assert Queued(1, "score", 1, "", (), "", True, True, True, 0, 750, 1500, share).far == far


def test_what_scoring_will_change_is_said_and_what_will_come() -> None:
    running = Queued(1, "score", 1, "s: bleu, union", ("bleu", "union"), "", True, True, True, 0, 4, 10, 0.4)
    waiting = replace(running, about="s: judge", metrics=("judge",), running=False)
    assert scoring_note([], {"bleu"}) == ""
    assert scoring_note([waiting], {"bleu"}) == (
        "Scoring is still under way: s: judge (waiting). No coefficient that is shown changes by it; which metrics are "
        "told apart may, as tests are corrected for how many metrics there are. Still to come: judge."
    )
    assert scoring_note([running, waiting], {"bleu"}) == (
        "Scoring is still under way: s: bleu, union (40%); s: judge (waiting). Of the coefficients shown only those of "
        "bleu change by it; which metric comes first, and which are told apart, may change too. Still to come: union, "
        "judge."
    )
    assert "only those of judge change by it" in scoring_note([waiting], {"bleu", "judge:coherence"})
    assert "Still to come" not in scoring_note([running], {"bleu", "union"})
