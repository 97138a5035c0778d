"""The states a job can be in."""

from core.jobs import JobState


def test_active_states() -> None:
    assert [state for state in JobState if state.active] == [JobState.QUEUED, JobState.RUNNING]
