"""A run that asks for a blend scores its parts, with the checkpoint that comes along, and the tables have it."""

from pathlib import Path

import numpy as np
import pytest

import worker
from core.annotation.studies import Study
from core.metrics.run import checked
from core.people import TERMINAL
from db.jobs import jobs
from db.scores import tables
from tests.db.conftest import make_study
from tests.terminal import bad


@pytest.fixture
def study(database: str) -> Study:
    return make_study()


def test_a_run_scores_the_parts_and_says_so(study: Study) -> None:
    run = checked({"metrics": ["ruber"], "options": {"ruber": {"how": "max"}}})
    job = worker.run_job(jobs.add(TERMINAL, "score", study.id, run, runner="test"))
    assert job.result is not None, job.message
    assert [row["metric"] for row in job.result["rows"]] == ["ruber-r", "ruber-u"]
    assert job.result["notices"] == [
        "ruber is made of ruber-r and ruber-u in every analysis of the study: these were scored."
    ]
    found = {
        one.signature.partition("|parts")[0]: one.values
        for one in tables.table(study.id).columns
        if one.metric == "ruber"
    }
    assert set(found) == {"ruber|how:mean", "ruber|how:max"}
    assert (found["ruber|how:max"] >= found["ruber|how:mean"]).all()
    assert np.nanmax(found["ruber|how:max"]) == 1


def test_there_is_no_blend_of_a_file(home: Path) -> None:
    said = bad("score", "--in", "a.csv", "--out", "b.csv", "--metric", "ruber-bert", home=home)
    assert "ruber-bert depends on a study's other stories: score ruber-r-bert and ruber-u-bert of a file." in said
