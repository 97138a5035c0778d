"""How many more: against made data of known reliability, the bootstrap, and a slow obvious version."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis.correlation import sample_size as more_module
from core.analysis.correlation.cost import advice_sentence
from core.analysis.correlation.sample_size import Advice, extrapolation, spearman_brown, spread
from tests.core.analysis.correlation.sample_size import noisy_study
from tests.core.statistics.drawn import bootstrap


def test_attenuation_follows_spearman_and_brown() -> None:
    metric, table, prompts = noisy_study(6000, 6, noise=1.5)
    single = 1 / (1 + 1.5**2)
    result = extrapolation(metric, table, prompts)
    assert result.reliability == pytest.approx(spearman_brown(single, 1, 6), abs=0.01)
    clean = result.now.r / result.reliability**0.5
    assert clean == pytest.approx(0.6, abs=0.03)
    for step in result.by_ratings:
        assert step.r == pytest.approx(clean * spearman_brown(single, 1, step.size) ** 0.5, abs=0.012), step
    assert [step.size for step in result.by_ratings] == [1, 2, 3, 4, 5, 6, 12, 24]
    assert [step.extrapolated for step in result.by_ratings] == [False] * 6 + [True, True]


def test_extrapolations_hold_where_more_is_collected() -> None:
    """What four ratings and half the stories foretell is what eight ratings, or all the stories, give."""
    metric, table, prompts = noisy_study(4000, 8, noise=2.0)
    whole, fewer = extrapolation(metric, table, prompts), extrapolation(metric, table[:, :4], prompts)
    foretold = fewer.at(8, fewer.by_ratings)
    assert foretold is not None
    assert foretold.extrapolated
    assert foretold.r == pytest.approx(whole.now.r, abs=0.02)
    assert foretold.width == pytest.approx(whole.now.width, rel=0.06)
    half = extrapolation(metric[:2000], table[:2000], prompts[:2000])
    foretold = half.at(4000, half.by_stories)
    assert foretold is not None
    assert foretold.width == pytest.approx(whole.now.width, rel=0.06)
    assert whole.exponent == pytest.approx(-0.5, abs=0.03)


def test_stories_are_worth_more_than_ratings_of_reliable_judgments() -> None:
    result = extrapolation(*noisy_study(500, 5, noise=0.5))
    assert result.advice is Advice.STORIES
    assert "pay for stories" in advice_sentence(result)
    noisy = extrapolation(*noisy_study(4000, 3, noise=5.0))
    assert noisy.advice is Advice.EITHER
    assert "needs no new stories" in advice_sentence(noisy)
    near = extrapolation(*noisy_study(4000, 2, noise=1.4, truth=0.99))
    assert near.advice is Advice.RATINGS
    assert "pay for ratings" in advice_sentence(near)


def test_the_width_is_that_of_the_bootstrap() -> None:
    metric, table, prompts = noisy_study(1000, 5, noise=1.0)
    drawn = bootstrap(metric, table.mean(1), prompts, resamples=2000)["pearson"]
    low, high = np.percentile(drawn, [2.5, 97.5])
    assert extrapolation(metric, table, prompts).now.width == pytest.approx(high - low, rel=0.05)


def test_the_last_observed_steps_are_what_is_collected() -> None:
    metric, table, prompts = noisy_study(300, 4, noise=1.0)
    result = extrapolation(metric, table, prompts)
    collected = result.at(4, result.by_ratings)
    assert collected is not None
    assert result.now.size == 300
    assert collected.r == pytest.approx(result.now.r)
    assert result.now.r == pytest.approx(np.corrcoef(metric, table.mean(1))[0, 1])
    assert collected.width == pytest.approx(result.now.width)
    assert result == extrapolation(metric, table, prompts)
    assert result != extrapolation(metric, table, prompts, seed=1)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(4, 30), st.integers(2, 8))
def test_spread_is_the_slow_obvious_version(seed: int, stories: int, prompts: int) -> None:
    rng = np.random.default_rng(seed)
    clusters = np.sort(np.concatenate([np.arange(prompts), rng.integers(0, prompts, stories)]))
    x, y = rng.normal(size=len(clusters)), rng.integers(0, 3, (2, len(clusters))).astype(float)
    weights = (rng.random((2, prompts)) < 0.8)[:, clusters].astype(float)
    weights[:, :2] = 1.0
    r, width = spread(weights, x, y, np.flatnonzero(np.diff(clusters, prepend=-1)))
    for row in range(2):
        kept = weights[row] > 0
        a, b, of = x[kept], y[row][kept], clusters[kept]
        if np.ptp(b) == 0:
            assert not np.isfinite(r[row])
            continue
        a, b = (a - a.mean()) / a.std(), (b - b.mean()) / b.std()
        slow = float(np.mean(a * b))
        sums = [
            sum(a[i] * b[i] - slow / 2 * (a[i] ** 2 + b[i] ** 2) for i in np.flatnonzero(of == c)) / len(a)
            for c in sorted(set(of))
        ]
        error = np.sqrt(np.sum(np.square(sums)) * len(sums) / max(len(sums) - 1, 1))
        assert r[row] == pytest.approx(slow, abs=1e-9)
        assert width[row] == pytest.approx(2 * 1.959963984540054 * error, abs=1e-9)


def test_gaps_are_left_out() -> None:
    metric, table, prompts = noisy_study(200, 4, noise=1.0)
    metric[:10] = np.nan
    table[10:15] = np.nan
    table[20:60, 2:] = np.nan
    result = extrapolation(metric, table, prompts)
    assert result.stories == 185
    assert result.ratings == 4
    assert result.undefined is None


@pytest.mark.parametrize(
    ("metric", "table", "prompts", "reason"),
    [
        ([], np.empty((0, 0)), [], "no story has both"),
        ([1.0, 2.0], [[1.0], [2.0]], ["a", "b"], "only 2 stories"),
        (np.ones(40), np.arange(80.0).reshape(40, 2), np.arange(40), "the metric gives every story the same score"),
        (np.arange(40.0), np.ones((40, 3)), np.arange(40), "every story has the same rating"),
        (np.arange(40.0), np.arange(40.0)[:, None], np.zeros(40), "only 1 prompt has"),
        (np.arange(40.0), np.empty((0, 0)), np.arange(40), "no story has both"),
    ],
)
def test_undefined(metric: object, table: object, prompts: object, reason: str) -> None:
    result = extrapolation(metric, table, prompts)  # type: ignore[arg-type]
    assert result.undefined is not None
    assert reason in result.undefined
    assert advice_sentence(result).startswith("Undefined: ")


def test_one_rating_a_story_says_nothing_of_more_ratings() -> None:
    metric, table, prompts = noisy_study(200, 1, noise=1.0)
    result = extrapolation(metric, table, prompts)
    assert result.advice is Advice.UNKNOWN
    assert [step.size for step in result.by_ratings] == [1]
    assert "cannot be told: most stories have one rating" in advice_sentence(result)


def test_ratings_of_pure_noise_say_nothing_of_more_ratings() -> None:
    rng = np.random.default_rng(0)
    table = rng.normal(size=(300, 4))
    table -= table.mean(1, keepdims=True) * 0.99
    result = extrapolation(rng.normal(size=300), table, np.arange(300))
    assert result.reliability is None
    assert "differ as much as those of different stories" in advice_sentence(result)


SCALES = [1e-300, 1e-200, 1e-20, 1e20, 1e160, 1e200]


@pytest.mark.parametrize("scale", SCALES)
def test_tiny_and_huge_scores_give_what_others_do(scale: float) -> None:
    metric, table, prompts = noisy_study(100, 3, noise=1.0)
    plain = extrapolation(metric, table, prompts)
    for result in (extrapolation(metric * scale, table, prompts), extrapolation(metric, table * scale, prompts)):
        assert result.advice is plain.advice
        for steps, expected in ((result.by_stories, plain.by_stories), (result.by_ratings, plain.by_ratings)):
            assert [step.size for step in steps] == [step.size for step in expected]
            np.testing.assert_allclose([step.r for step in steps], [step.r for step in expected], rtol=1e-7)
            np.testing.assert_allclose([step.width for step in steps], [step.width for step in expected], rtol=1e-7)


def test_no_thinned_sample_with_a_correlation_is_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(more_module, "_step", lambda *_: None)
    result = extrapolation(*noisy_study(100, 3, noise=1.0))
    assert result.undefined == "no thinned sample has a correlation"
    assert result.by_stories == ()
