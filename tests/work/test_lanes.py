"""A run in the light lane loads no model, whatever was said of it when it was asked for."""

import worker
from core.home import ROOT
from core.jobs import JobState
from core.people import TERMINAL
from db.jobs import jobs
from db.jobs.lanes import STORED, Lane
from db.transfer import imports
from tests.db.conftest import small_corpus

OWN = f"{ROOT}/docs/examples/openings.py:VariedOpenings"
"""Heavy work, as nothing says that it needs no model."""


def claimed(lane: Lane) -> int:
    job = jobs.claim("worker", lane=lane)
    assert job is not None
    return job.id


def test_what_was_stored_and_has_gone_is_computed_in_the_heavy_lane(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()]).id
    jobs.add(TERMINAL, "score", study, {"metrics": [OWN]})
    jobs.add(TERMINAL, "score", study, {"metrics": [OWN, "words"], STORED: [OWN]})
    before = claimed(Lane.HEAVY)
    later = claimed(Lane.LIGHT)  # when nothing is stored
    moved = worker.run_job(jobs.get(later))
    assert (moved.state, moved.settings, moved.result) == (JobState.QUEUED, {"metrics": [OWN, "words"]}, None)
    assert jobs.claim("worker", lane=Lane.LIGHT) is None
    assert worker.run_job(jobs.get(before)).state is JobState.DONE
    assert claimed(Lane.HEAVY) == later
    result = worker.run_job(jobs.get(later)).result
    assert result is not None
    assert [(row["reused"] > 0, row["scored"] > 0) for row in result["rows"]] == [(True, False), (False, True)]


def test_what_is_stored_is_done_in_the_light_lane(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()]).id
    jobs.add(TERMINAL, "score", study, {"metrics": [OWN]})
    worker.run_job(jobs.get(claimed(Lane.HEAVY)))
    jobs.add(TERMINAL, "score", study, {"metrics": [OWN], STORED: [OWN], "engine": {"workers": 2}})
    job = worker.run_job(jobs.get(claimed(Lane.LIGHT)))
    assert job.state is JobState.DONE
    assert job.result is not None
    assert (job.result["rows"][0]["scored"], job.result["rows"][0]["seconds"]) == (0, 0)
