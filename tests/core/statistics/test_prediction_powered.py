"""Prediction-powered means: against the published formulas written out, leaving prompts out by hand, and coverage."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from core.arrays import Floats, Ints
from core.statistics.prediction_powered import ALL_RATED, FEWEST_PROMPTS, NO_RATING, PoweredMean, powered_mean


def made(n: int, unrated: int, r: float = 0.8, seed: int = 0) -> tuple[Floats, Floats]:
    """Ratings (NaN where a story has none) and scores of one story a prompt."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=n + unrated)
    scores = r * quality + np.sqrt(1 - r * r) * rng.normal(size=n + unrated)
    return np.where(np.arange(n + unrated) < n, 3 + quality, np.nan), scores


def of(ratings: Floats, scores: Floats) -> PoweredMean:
    return powered_mean(ratings, scores, np.arange(len(ratings)))


def published(y: Floats, f: Floats, unrated: Floats, slope: float) -> tuple[float, float]:
    """The mean for a given lambda and the square of its standard error: PPI++, section 3, as `ppi_py` has them."""
    mean = (slope * unrated).mean() + (y - slope * f).mean()
    return float(mean), float((slope * unrated).var() / len(unrated) + (y - slope * f).var() / len(y))


def standardised(ratings: Floats, scores: Floats) -> tuple[Floats, Floats, Floats]:
    """Ratings, their stories' scores and those of the others, the scores brought to the ratings' spread."""
    rated = np.isfinite(ratings)
    y, f, unrated = ratings[rated], scores[rated], scores[~rated]
    unit = y.std() / f.std()
    return y, (f - f.mean()) * unit, (unrated - f.mean()) * unit


@pytest.mark.parametrize(("n", "unrated"), [(20, 100), (60, 40), (200, 2000)])
def test_the_mean_is_the_published_one_at_the_lambda_that_makes_it_surest(n: int, unrated: int) -> None:
    ratings, scores = made(n, unrated)
    result = of(ratings, scores)
    y, f, others = standardised(ratings, scores)
    best = optimize.minimize_scalar(lambda slope: published(y, f, others, slope)[1], bounds=(0, 1), method="bounded")
    assert result.weight == pytest.approx(best.x, abs=1e-4)
    assert result.powered is not None
    assert result.weight is not None
    assert result.powered.value == pytest.approx(published(y, f, others, result.weight)[0])


def test_of_many_stories_it_is_what_the_paper_s_program_gives() -> None:
    ratings, scores = made(2000, 8000)
    result = of(ratings, scores)
    y, f, others = standardised(ratings, scores)
    both = np.concatenate([f, others])
    # `_calc_lam_glm`: the covariance over rated stories, the variance over all of them.
    slope = np.cov(y, f, ddof=0)[0, 1] / ((1 + len(y) / len(others)) * both.var(ddof=1))
    mean, square = published(y, f, others, slope)
    half = stats.norm.ppf(0.975) * np.sqrt(square)
    assert result.powered is not None
    assert result.weight == pytest.approx(slope, abs=0.01)
    assert result.powered.value == pytest.approx(mean, abs=half / 20)
    assert result.powered.high is not None
    assert result.powered.high - (result.powered.value or 0) == pytest.approx(half, rel=0.01)
    assert result.alone.high is not None
    worth = len(y) * y.var() / len(y) / square
    assert result.effective == pytest.approx(worth, rel=0.02)


def slow(ratings: Floats, scores: Floats, prompts: Ints) -> tuple[float, float, float]:
    """Mean, lambda and standard error, prompt by prompt in plain loops."""
    rated = np.isfinite(ratings)
    unit = ratings[rated].std() / scores[rated & np.isfinite(scores)].std()

    def fit(left_out: int | None) -> tuple[float, float]:
        keep = [i for i in range(len(ratings)) if prompts[i] != left_out]
        y = [i for i in keep if rated[i]]
        f = [i for i in keep if rated[i] and np.isfinite(scores[i])]
        u = [i for i in keep if not rated[i] and np.isfinite(scores[i])]
        mean, on_rated, on_others = np.mean(ratings[y]), np.mean(scores[f]) * unit, np.mean(scores[u]) * unit
        both = variance = 0.0
        for prompt in set(prompts.tolist()):
            own = sum(ratings[i] - mean for i in y if prompts[i] == prompt) / len(y)
            gap = sum(scores[i] * unit - on_rated for i in f if prompts[i] == prompt) / len(f)
            gap -= sum(scores[i] * unit - on_others for i in u if prompts[i] == prompt) / len(u)
            both, variance = both + own * gap, variance + gap * gap
        weight = min(1.0, max(0.0, both / variance))
        return float(mean - weight * (on_rated - on_others)), weight

    value, weight = fit(None)
    with_rating = set(prompts[rated].tolist())
    square = 0.0
    for stratum in (with_rating, set(prompts.tolist()) - with_rating):
        left = np.array([fit(prompt)[0] for prompt in sorted(stratum)])
        square += (len(left) - 1) / len(left) * ((left - left.mean()) ** 2).sum() if len(left) else 0
    return value, weight, float(np.sqrt(square))


def test_several_stories_a_prompt_and_prompts_rated_in_part_leave_out_whole_prompts() -> None:
    rng = np.random.default_rng(3)
    prompts = np.sort(rng.integers(0, 60, 200))
    quality = rng.normal(size=60)[prompts] + rng.normal(size=200)
    ratings = np.where(prompts < 30, np.rint(3 + quality), np.nan)
    ratings[rng.random(200) < 0.2] = np.nan
    scores = 1e6 + quality + rng.normal(size=200)
    scores[rng.random(200) < 0.1] = np.nan
    kept = np.isfinite(ratings) | np.isfinite(scores)
    ratings, scores, prompts = ratings[kept], scores[kept], prompts[kept]
    result = powered_mean(ratings, scores, prompts)
    value, weight, error = slow(ratings, scores, prompts)
    assert result.powered is not None
    assert result.powered.value == pytest.approx(value)
    assert result.weight == pytest.approx(weight)
    quantile = stats.t.ppf(0.975, len(set(prompts[np.isfinite(ratings)].tolist())) - 2)
    assert result.powered.low == pytest.approx(value - quantile * error)
    assert result.powered.high == pytest.approx(value + quantile * error)


def test_people_alone_have_the_interval_of_t() -> None:
    ratings, scores = made(25, 50)
    y = ratings[np.isfinite(ratings)]
    low, high = stats.t.interval(0.95, len(y) - 1, y.mean(), stats.sem(y))
    alone = of(ratings, scores).alone
    assert (alone.value, alone.low, alone.high) == pytest.approx((y.mean(), low, high))


@settings(deadline=None, max_examples=30)
@given(st.integers(FEWEST_PROMPTS, 60), st.integers(2, 60), st.floats(-1, 1), st.integers(0, 999))
def test_it_is_never_wider_and_knows_no_scale(n: int, unrated: int, r: float, seed: int) -> None:
    ratings, scores = made(n, unrated, r, seed)
    result = of(ratings, scores)
    assert result.width_ratio is not None
    assert result.width_ratio <= 1
    assert result.weight is not None
    assert 0 <= result.weight <= 1
    assert result.effective is not None
    assert result.effective >= n
    elsewhere = of(ratings, scores * 1e-6 - 7)
    assert elsewhere.powered is not None
    assert result.powered is not None
    assert (elsewhere.weight, elsewhere.powered.value, elsewhere.powered.low) == pytest.approx(
        (result.weight, result.powered.value, result.powered.low), rel=1e-5, abs=1e-5
    )
    order = np.random.default_rng(seed).permutation(len(ratings))
    again = powered_mean(ratings[order], scores[order], np.arange(len(ratings))[order])
    assert again.powered is not None
    assert again.powered.low == pytest.approx(result.powered.low)


@pytest.mark.parametrize(
    ("n", "unrated", "r", "whole"),
    [
        (20, 100, 0.0, False),
        (20, 100, 0.3, True),
        (20, 100, 0.8, True),
        (20, 100, -0.5, False),
        (50, 500, 0.8, False),
        (200, 100, 0.3, True),
    ],
)
@pytest.mark.slow
def test_the_interval_covers_the_truth_and_is_no_wider(n: int, unrated: int, r: float, whole: bool) -> None:
    """2,000 studies each; the whole grid is in docs/results/prediction-powered.md."""
    from benchmarks.coverage import Design, simulated

    result = simulated(Design(n, unrated, r, whole=whole))
    assert 0.93 <= result.alone <= 0.97
    assert 0.93 <= result.powered <= 0.97
    assert result.width <= 1
    assert result.width < 0.8 or r < 0.8


def test_a_metric_that_orders_stories_backwards_is_left_out() -> None:
    ratings, scores = made(50, 500)
    result = of(ratings, -scores)
    assert result.weight == 0
    assert result.powered == result.alone
    assert result.effective == 50


@pytest.mark.parametrize("scores", [np.ones(80), np.where(np.arange(80) < 30, 0.0, 1.0)])
def test_a_metric_that_does_not_vary_is_left_out(scores: Floats) -> None:
    ratings, _ = made(30, 50)
    result = of(ratings, scores)
    assert result.weight == 0
    assert result.powered == result.alone


def test_equal_ratings_have_an_interval_without_width() -> None:
    ratings = np.where(np.arange(60) < 30, 4.0, np.nan)
    result = of(ratings, np.arange(60.0))
    assert result.alone.low == result.alone.high == 4
    assert result.powered == result.alone
    assert result.width_ratio is None
    assert result.effective == 30


def test_where_there_is_nothing_to_gain() -> None:
    ratings, scores = made(30, 0)
    result = of(ratings, scores)
    assert (result.powered, result.weight, result.undefined) == (None, None, ALL_RATED)
    assert result.width_ratio is None
    ratings, scores = made(0, 30)
    assert of(ratings, scores).undefined == NO_RATING
    ratings, scores = made(FEWEST_PROMPTS - 1, 30)
    assert "only 14 prompts have" in (of(ratings, scores).undefined or "")
    ratings, scores = made(30, 1)
    assert "one prompt" in (of(ratings, scores).undefined or "")
    assert of(np.array([2.0, np.nan]), np.ones(2)).alone.low is None
    nothing = of(np.full(30, 3.0), np.full(30, np.nan))
    assert (nothing.n_unrated, nothing.undefined) == (0, ALL_RATED)
