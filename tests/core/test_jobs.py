"""How fast a job runs and how long it still takes."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from core.jobs import Job, JobState

START = datetime(2026, 1, 1, tzinfo=UTC)
RUNNING = Job(
    id=1,
    kind="score",
    study_id=1,
    settings={},
    state=JobState.RUNNING,
    done=30,
    total=90,
    message="",
    cancel_requested=False,
    result=None,
    created_at=START,
    started_at=START,
    heartbeat_at=START + timedelta(seconds=10),
    ended_at=None,
)


def test_a_running_job_knows_its_rate_and_rest() -> None:
    assert RUNNING.rate() == 3.0
    assert RUNNING.seconds_left() == 20.0
    assert replace(RUNNING, heartbeat_at=START + timedelta(seconds=0.5)).rate() == 60.0


def test_an_ended_job_is_measured_to_its_end() -> None:
    ended = replace(RUNNING, state=JobState.DONE, done=90, ended_at=START + timedelta(seconds=15))
    assert ended.rate() == 6.0
    assert ended.seconds_left() is None


@pytest.mark.parametrize("change", [{"done": 0}, {"started_at": None}, {"heartbeat_at": None}, {"heartbeat_at": START}])
def test_there_is_no_rate_before_the_first_story(change: dict[str, object]) -> None:
    job = replace(RUNNING, **change)
    assert job.rate() is None
    assert job.seconds_left() is None


def test_active_states() -> None:
    assert [state for state in JobState if state.active] == [JobState.QUEUED, JobState.RUNNING]
