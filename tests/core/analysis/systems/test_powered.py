"""Systems by people and a metric together: each system by itself, what is said where there is nothing to gain."""

import numpy as np
import pytest

from core.analysis.systems.powered import gain_sentence, nothing_to_gain, powered_systems
from core.arrays import Floats
from core.scores import ScoreTable
from core.statistics.prediction_powered import powered_mean
from tests.core.analysis.systems.ranking import table


def made(rated: int = 30, prompts: int = 100) -> ScoreTable:
    """Two systems with a story a prompt; the metric follows the ratings of the first one alone."""
    rng = np.random.default_rng(0)
    asked = [f"prompt {p}" for p in range(prompts) for _ in range(2)]
    quality = rng.normal(size=2 * prompts)
    scores = np.where(np.arange(2 * prompts) % 2, -quality, quality) + 0.3 * rng.normal(size=2 * prompts)
    human = np.where(np.arange(2 * prompts) < 2 * rated, 3 + quality, np.nan)
    return table(asked, ["good", "bad"] * prompts, human, scores)


def test_each_system_has_the_mean_of_its_own_stories() -> None:
    whole = made()
    bad, good = powered_systems(whole, 0)
    assert (bad.system, good.system) == ("bad", "good")
    own = np.array(whole.systems) == "good"
    prompts = np.array(whole.prompts)
    assert good.mean == powered_mean(whole.human[own], whole.columns[0].values[own], prompts[own])
    assert (good.mean.n_rated, good.mean.n_unrated) == (30, 70)
    assert good.mean.effective is not None
    assert good.mean.effective > 60
    assert bad.mean.weight == 0  # it orders this one's stories backwards
    assert gain_sentence([bad, good]).startswith("The metric narrows the interval of 1 of 2 systems, to ")
    assert gain_sentence([good]).startswith("The metric narrows the system's interval, to ")
    assert gain_sentence([bad]) == "The metric narrows no system's interval: people alone say as much."
    assert nothing_to_gain([bad, good]) is None


def test_another_judgment_than_the_mean_rating() -> None:
    whole = made()
    high = np.where(np.isfinite(whole.human), whole.human > 3, np.nan)
    _, good = powered_systems(whole, 0, human=high)
    assert good.mean.alone.value == pytest.approx(np.nanmean(high[np.array(whole.systems) == "good"]))


def scores_of(whole: ScoreTable, values: Floats) -> ScoreTable:
    return table(whole.prompts, whole.systems, whole.human, values)


def test_where_a_metric_has_nothing_to_add_it_says_why_and_what_to_do() -> None:
    every = nothing_to_gain(powered_systems(made(100), 0))
    assert every is not None
    assert every.startswith("Every story with a score is rated")
    assert "No story here is rated" in (nothing_to_gain(powered_systems(made(0), 0)) or "")
    few = nothing_to_gain(powered_systems(made(3), 0)) or ""
    assert "only 3 prompts have a story of it with rating and score; 15 are needed" in few
    whole = made()
    rated, good = np.isfinite(whole.human), np.array(whole.systems) == "good"
    scored = np.where(rated | ~good, whole.columns[0].values, np.nan)
    part = table(whole.prompts, whole.systems, np.where(good, whole.human, np.nan), scored)
    assert "no further story with a score" in (nothing_to_gain(powered_systems(part, 0)) or "")
    assert nothing_to_gain(powered_systems(scores_of(whole, np.full(200, np.nan)), 0)) is not None
