"""Probabilities and logits: each follows from the other, to the last digit where one can tell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics import METRICS, build
from core.metrics.base import Settings
from core.metrics.trained.odds import LOGIT, PROBABILITY, OddsMetric, logit, probability
from core.stories import Story


def test_probabilities_at_both_ends() -> None:
    assert [probability(value) for value in (-1e4, 0.0, 1e4)] == [0.0, 0.5, 1.0]
    assert probability(1.3) + probability(-1.3) == pytest.approx(1)


@given(st.floats(-600, 23, width=32))
def test_the_logit_is_the_one_that_the_probability_was_made_of(one: float) -> None:
    result = logit(probability(one))
    assert result == one if abs(one) > 1e-8 else result == pytest.approx(one, abs=1e-15)


@pytest.mark.parametrize("one", [0.0, 1.0, 1 - 1e-12, 5e-324])
def test_a_probability_that_is_too_near_an_end_tells_no_logit(one: float) -> None:
    assert logit(one) is None


@pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if issubclass(metric, OddsMetric)])
def test_each_derives_from_the_other(name: str) -> None:
    metric, other = (build(name, Settings(options={"of": of})) for of in (LOGIT, PROBABILITY))
    of_other, of_one = metric.derivations()[0], other.derivations()[0]
    assert (of_other.signature, of_one.signature) == (other.signature, metric.signature)
    assert of_one.of(Story("A."), 2.5) == probability(2.5)
    assert of_other.of(Story("A."), probability(2.5)) == 2.5
    assert of_other.of(Story("A."), 1.0) is None


def test_other_metrics_derive_from_nothing() -> None:
    assert build("bleu").derivations() == ()
