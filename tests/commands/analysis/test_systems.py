"""`systems`: people's means with each metric's help, in JSON and in the terminal."""

from pathlib import Path

import numpy as np
import pytest

from core.analysis.systems.powered import powered_systems
from db.scores import tables
from tests.rated import rated_study
from tests.terminal import as_json, good


def test_every_metric_has_its_powered_mean_under_each_system(home: Path, database: str) -> None:
    study = rated_study(90, metrics=("all", "flat"), unrated=60)
    report = as_json("systems", "--study", study.name, "--resamples", "20", home=home)
    table = tables.table(study.id)
    places = {column.metric: place for place, column in enumerate(table.columns)}
    for metric, place in places.items():
        for row in powered_systems(table, place):
            own = report["systems"][row.system]["metrics"][metric]["powered"]
            assert row.mean.powered is not None
            assert own["mean"] == pytest.approx(row.mean.powered.value)
            assert (own["low"], own["high"]) == pytest.approx((row.mean.powered.low, row.mean.powered.high))
            assert own["lambda"] == pytest.approx(row.mean.weight)
            assert (own["n_rated"], own["n_unrated"], own["undefined"]) == (30, 60, None)
            assert own["effective"] == pytest.approx(row.mean.effective)
            assert own["alone"]["mean"] == pytest.approx(report["systems"][row.system]["human"]["mean"])
    out = good("systems", "--study", study.name, "--resamples", "20", home=home)
    assert "People and a metric together" in out
    assert "Alone: the metric would not narrow people's own interval." in out
    assert " as 3" in out.replace("\n", " ")


def test_another_target_has_other_means(home: Path, database: str) -> None:
    study = rated_study(60, unrated=30)
    overall = as_json("systems", "--study", study.name, "--target", "overall", "--resamples", "0", home=home)
    every = as_json("systems", "--study", study.name, "--all-stories", "--resamples", "0", home=home)
    assert overall["systems"] == every["systems"]
    for system in overall["systems"].values():
        powered = system["metrics"]["all"]["powered"]
        assert np.isclose(powered["alone"]["mean"], system["human"]["mean"])


def test_where_every_story_is_rated_a_sentence_says_so(home: Path, database: str) -> None:
    study = rated_study(20)
    report = as_json("systems", "--study", study.name, "--resamples", "0", home=home)
    own = report["systems"]["high"]["metrics"]["all"]["powered"]
    assert (own["mean"], own["lambda"], own["effective"]) == (None, None, None)
    assert own["undefined"] == "it has no story with a score and without a rating"
    out = good("systems", "--study", study.name, "--resamples", "0", home=home)
    assert "People and a metric together: Every story with a score is rated" in out
    assert "mean rating" not in out
