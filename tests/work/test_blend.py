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
    result = {
        column.signature.partition("|parts")[0]: column.values
        for column in tables.table(study.id).columns
        if column.metric == "ruber"
    }
    assert set(result) == {"ruber|how:mean", "ruber|how:max"}
    assert (result["ruber|how:max"] >= result["ruber|how:mean"]).all()
    assert np.nanmax(result["ruber|how:max"]) == 1


def test_there_is_no_blend_of_a_file(home: Path) -> None:
    sentence = bad("score", "--in", "a.csv", "--out", "b.csv", "--metric", "ruber-bert", home=home)
    assert "ruber-bert depends on a study's other stories: score ruber-r-bert and ruber-u-bert of a file." in sentence
