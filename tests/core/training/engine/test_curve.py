"""How a training went, kept short: bins of steps, every evaluation, and back from JSON."""

import json
import math

import pytest

from core.training.engine.curve import MOST, curve_from, curve_of
from core.training.engine.history import Evaluation, StepRecord


def steps(number: int) -> list[StepRecord]:
    return [
        StepRecord(i, float(i), {"classification": i / 2, "reconstruction": 5.0 * i}, 0.1, i)
        for i in range(1, number + 1)
    ]


def test_few_steps_stay_as_they_are_and_many_are_means() -> None:
    few = curve_of(9, steps(5), [Evaluation(5, {"auc": 0.75})], 5)
    assert few.steps == (1, 2, 3, 4, 5)
    assert few.losses["classification"] == (0.5, 1.0, 1.5, 2.0, 2.5)
    many = curve_of(1000, steps(1000), [])
    assert len(many.steps) <= MOST
    assert many.steps[:2] == (7, 14)
    assert many.losses["loss"][:2] == (4.0, 11.0)
    assert many.steps[-1] == 1000
    assert sum(many.losses["loss"][:-1]) * 7 + many.losses["loss"][-1] * (1000 % 7) == pytest.approx(500_500)


def test_there_and_back_and_nothing_yet() -> None:
    curve = curve_of(9, steps(3), [Evaluation(2, {"auc": 0.5, "loss": math.nan})], 2)
    assert curve_from(json.loads(json.dumps(curve.as_json(), allow_nan=False))) == curve
    assert curve.evaluations == ((2, {"auc": 0.5, "loss": None}),)
    assert (curve.measured("auc"), curve.measured("loss"), curve.measured("nll")) == (((2, 0.5),), (), ())
    assert curve_of(9, [], []).steps == ()
