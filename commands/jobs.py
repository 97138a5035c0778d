"""A job that a command runs itself, with a row like any other and its progress on stderr."""

import os
from typing import Any

from rich.console import Console
from rich.progress import Progress

from core.errors import FabulaError
from core.jobs import TERMINAL_RUNNER, JobState
from core.people import TERMINAL
from db.jobs import jobs


def run_here(kind: str, study_id: int | None, settings: dict[str, Any]) -> dict[str, Any]:
    """What the job found. Raises FabulaError where it did not end well."""
    import worker

    own = jobs.add(TERMINAL, kind, study_id, settings, runner=f"{TERMINAL_RUNNER}{os.getpid()}")
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("preparing", total=None)
        ended = worker.run_job(
            own, lambda done, total, what: bar.update(task, description=what, completed=done, total=total)
        )
    if ended.state is not JobState.DONE or ended.result is None:
        raise FabulaError(f"The run is {ended.state}: {ended.message}")
    return ended.result
