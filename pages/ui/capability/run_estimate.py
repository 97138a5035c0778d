"""How much a run on test sets has to do and how long that takes, before it runs."""

from typing import Any

from core.durations import Expected
from core.metrics import build, find
from core.metrics.run import seconds, settings_of, steps
from core.models.catalogue import answers_at_once
from db.jobs import jobs
from db.test_sets.case_table import CaseTable


def estimate(run: dict[str, Any], tests: CaseTable) -> str:
    """A sentence on it; raises FabulaError for wrong settings."""
    measured, takes, to_do = jobs.speeds(), Expected(), 0
    for step in steps(run):
        built = [build(name, settings_of(run, name)) for name in step.metrics]
        role = find(step.metrics[0]).role
        at_once = not role or answers_at_once(run["models"].get(role), role)  # else it would be fetched first
        left, characters = tests.left([metric.signature if at_once else metric.name for metric in built])
        to_do += left
        takes += seconds(step, characters, measured)
    if not to_do:
        return "All of this is stored already: running it again costs nothing."
    return f"{to_do:,} scores to compute, {takes.words}."
