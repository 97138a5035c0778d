"""Agreement against the krippendorff package, statsmodels and the textbook's analysis of variance."""

from collections.abc import Callable, Iterable
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_kappa

from core.arrays import Floats, Ints
from core.statistics.agreement import (
    ALL_EQUAL,
    LEVELS,
    NO_PAIR,
    AlphaReading,
    alphas,
    ceiling,
    fleiss_kappa,
    icc,
    in_words,
    krippendorff_alpha,
    reading,
    single_rater,
    value_counts,
)
from core.statistics.draws import Draws, draw_prompts
from core.statistics.intervals import Estimate

CELLS = st.one_of(st.integers(1, 5).map(float), st.just(float("nan")))
TABLES = st.integers(2, 5).flatmap(
    lambda raters: st.lists(st.lists(CELLS, min_size=raters, max_size=raters), min_size=2, max_size=12)
)


def made(stories: int = 30, raters: int = 5, seed: int = 0, noise: float = 0.7) -> Floats:
    """Ratings 1 to 5 by raters who agree somewhat, without gaps."""
    rng = np.random.default_rng(seed)
    return np.clip(np.round(rng.normal(3, 1, (stories, 1)) + rng.normal(0, noise, (stories, raters))), 1, 5)


def drawn_from(prompts: Iterable[Any], seed: int = 0, resamples: int = 1000) -> tuple[Ints, Draws]:
    """Each unit's number, and draws of these prompts."""
    names = [f"{prompt:09}" for prompt in prompts]
    draws = draw_prompts(names, seed=seed, resamples=resamples)
    return draws.of(names), draws


def alpha_interval(
    table: Any, prompts: Iterable[Any], level: str, *, seed: int = 0, resamples: int = 1000
) -> tuple[float | None, float | None]:
    """The interval alone."""
    estimate = alphas(table, *drawn_from(prompts, seed, resamples))[level]
    return estimate.low, estimate.high


def oracle(table: Floats, level: str) -> float | None:
    """The package wants raters x units, and at least two values among units with two ratings."""
    paired = table[np.isfinite(table).sum(1) >= 2]
    if len(np.unique(paired[np.isfinite(paired)])) < 2:
        return None
    scale: Any = level
    return float(krippendorff.alpha(reliability_data=table.T, level_of_measurement=scale))


@pytest.mark.parametrize("level", LEVELS)
@given(rows=TABLES)
def test_alpha_equals_the_package(level: str, rows: list[list[float]]) -> None:
    table = np.array(rows)
    expected = oracle(table, level)
    result = krippendorff_alpha(table, level)
    if expected is None:
        assert result is None
    else:
        assert result == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_of_a_large_table_equals_the_package(level: str) -> None:
    table = made(200)
    table[np.random.default_rng(1).random(table.shape) < 0.3] = np.nan
    assert krippendorff_alpha(table, level) == pytest.approx(oracle(table, level), abs=1e-9)


def test_alpha_of_krippendorff_own_example() -> None:
    """Krippendorff (2011), section C: four observers, twelve units, with gaps."""
    gap = np.nan
    raters = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, gap, gap, gap],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, gap, 3],
        [gap, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, gap],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, gap],
    ]
    table = np.array(raters).T
    assert krippendorff_alpha(table, "nominal") == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(table, "ordinal") == pytest.approx(0.815, abs=5e-4)
    assert krippendorff_alpha(table, "interval") == pytest.approx(0.849, abs=5e-4)
    assert krippendorff_alpha(table) == krippendorff_alpha(table, "interval")


@pytest.mark.parametrize("level", LEVELS)
def test_perfect_agreement_is_one(level: str) -> None:
    table = np.repeat(np.arange(5.0)[:, None], 4, axis=1)
    table[0, 0] = np.nan
    assert krippendorff_alpha(table, level) == pytest.approx(1)
    assert alpha_interval(table, range(5), level, resamples=50) == pytest.approx((1, 1))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "table",
    [
        np.full((4, 3), 2.0),
        np.full((4, 3), np.nan),
        np.zeros((0, 0)),
        [[1.0], [2.0], [3.0]],
        [[1.0, np.nan], [np.nan, 2.0]],
        [[1.0, 1.0], [2.0, np.nan]],
    ],
)
def test_alpha_is_none_where_nothing_can_differ(table: Any, level: str) -> None:
    assert krippendorff_alpha(table, level) is None
    estimate = alphas(table, *drawn_from(range(len(table)), resamples=20))[level]
    assert (estimate.value, estimate.low, estimate.high) == (None, None, None)
    assert estimate.undefined in (NO_PAIR, ALL_EQUAL)


def test_alpha_of_nothing() -> None:
    assert krippendorff_alpha([]) is None


def test_an_unknown_level_names_those_there_are() -> None:
    with pytest.raises(ValueError, match="unknown level 'ratio'; there are nominal, ordinal, interval"):
        krippendorff_alpha(made(), "ratio")


def test_value_counts() -> None:
    values, counts = value_counts([[1, 5, 1], [5, np.nan, np.nan]])
    np.testing.assert_array_equal(values, [1, 5])
    np.testing.assert_array_equal(counts, [[2, 1], [0, 1]])


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(4))
def test_the_interval_holds_alpha(level: str, seed: int) -> None:
    table = made(60, seed=seed)
    estimate = alphas(table, *drawn_from(np.arange(60) // 3, seed, 300))[level]
    alpha, low, high = estimate.value, estimate.low, estimate.high
    assert alpha is not None
    assert low is not None
    assert high is not None
    assert alpha == krippendorff_alpha(table, level)
    assert low < alpha < high
    assert high - low < 0.4


def test_the_interval_is_that_of_tables_really_drawn() -> None:
    table, prompts, draws = made(20), np.arange(20) // 4, 40
    table[3, 1:] = np.nan  # a single rating pairs with nothing
    rng = np.random.default_rng(9)
    for level in LEVELS:
        rng = np.random.default_rng(9)
        alphas = []
        for _ in range(draws):
            copies = rng.multinomial(5, [0.2] * 5)
            rows = np.concatenate([np.tile(table[prompts == p], (n, 1)) for p, n in enumerate(copies)])
            alphas.append(krippendorff_alpha(rows, level))
        expected = np.percentile(np.array(alphas, dtype=float), [2.5, 97.5])
        assert alpha_interval(table, prompts, level, seed=9, resamples=draws) == pytest.approx(tuple(expected))


def test_the_interval_leaves_out_draws_of_a_single_value() -> None:
    assert alpha_interval([[0.1, 0.1], [0.2, 0.2]], [0, 1], "interval", resamples=50) == pytest.approx((1, 1))


def test_the_interval_depends_on_seed_and_prompts() -> None:
    table = made(40)
    by_story = alpha_interval(table, np.arange(40), "interval", seed=1, resamples=100)
    assert by_story == alpha_interval(table, range(40), "interval", seed=1, resamples=100)
    assert by_story != alpha_interval(table, np.arange(40), "interval", seed=2, resamples=100)
    assert by_story != alpha_interval(table, np.arange(40) // 8, "interval", seed=1, resamples=100)
    whole = alpha_interval(table, np.arange(40), "interval", seed=0, resamples=1000)
    assert alpha_interval(table, np.arange(40), "interval") == whole
    assert alpha_interval(table, np.arange(40), "interval", resamples=0) == (None, None)
    assert alpha_interval(table, np.zeros(40, dtype=int), "interval") == (None, None)


def anova_icc(table: Floats) -> float:
    """Shrout and Fleiss (1979): ICC(1,k) = (BMS - WMS) / BMS, in loops; a negative one counts as none."""
    stories, raters = table.shape
    grand = sum(map(sum, table)) / (stories * raters)
    between = sum(raters * (sum(row) / raters - grand) ** 2 for row in table) / (stories - 1)
    within = sum((rating - sum(row) / raters) ** 2 for row in table for rating in row) / (stories * (raters - 1))
    return float(max(0.0, (between - within) / between))


@given(st.integers(0, 10**6), st.integers(2, 20), st.integers(2, 6))
def test_ceiling_equals_the_textbook(seed: int, stories: int, raters: int) -> None:
    table = np.random.default_rng(seed).integers(1, 6, (stories, raters)).astype(float)
    result = ceiling(table)
    if np.ptp(table.mean(1)) < 1e-9:
        assert result in (None, 0)
    else:
        assert result is not None
        assert result**2 == pytest.approx(anova_icc(table), abs=1e-9)


def test_ceiling_of_shrout_and_fleiss() -> None:
    """Their Table 2 and 4: four judges, six targets, ICC(1,4) = 0.44."""
    ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    assert (ceiling(ratings) or 0) ** 2 == pytest.approx(0.44, abs=0.005)


def test_ceiling_with_gaps_weighs_by_the_number_of_ratings() -> None:
    # means 1, 4, 5 of 2, 3, 1 ratings, grand mean 19 / 6; within: 2 on 3 degrees of freedom
    grand = 19 / 6
    between = (2 * (1 - grand) ** 2 + 3 * (4 - grand) ** 2 + (5 - grand) ** 2) / 2
    table = [[1, 1, np.nan], [3, 4, 5], [np.nan, 5, np.nan], [np.nan] * 3]
    assert ceiling(table) == pytest.approx(((between - 2 / 3) / between) ** 0.5)


def test_ceiling_at_its_ends() -> None:
    assert ceiling([[1, 1], [5, 5]]) == 1.0
    assert ceiling([[1, 5], [5, 2]]) == 0.0
    assert ceiling([[1, 5], [5, 1]]) is None
    assert ceiling([[1], [2], [3]]) is None
    assert ceiling([[1, 2, 3]]) is None
    assert ceiling([]) is None


def test_one_rater_with_perfect_agreement_is_one() -> None:
    table = np.repeat(np.arange(1.0, 6)[:, None], 3, axis=1)
    assert single_rater(table) == pytest.approx(1)
    table[0, 0] = np.nan
    assert single_rater(table) == pytest.approx(1)
    assert single_rater(table[:3] / 10) == pytest.approx(1)


def test_one_rater_is_a_mean_over_random_choices() -> None:
    table = np.column_stack([np.arange(5.0), [1, 0, 4, 2, 3]])
    choices = np.array(np.meshgrid(*[[0, 1]] * 5)).reshape(5, -1).T
    stories = np.arange(5)
    every = [np.corrcoef(table[stories, choice], table[stories, 1 - choice])[0, 1] for choice in choices]
    assert single_rater(table, draws=3000) == pytest.approx(np.mean(every), abs=0.02)


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
def test_one_rater_by_each_coefficient_is_scipy_s_of_every_draw(name: str) -> None:
    table = np.clip(np.round(made(40, noise=1.0)), 1, 5)
    table[np.arange(0, 40, 3), 1] = np.nan
    correlate = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[name]
    every = []
    for luck in np.where(np.isfinite(table), np.random.default_rng(3).random((20, *table.shape)), -1):
        chosen = luck.argmax(1)
        single = table[np.arange(len(table)), chosen]
        rest = [np.nanmean(np.delete(row, place)) for row, place in zip(table, chosen, strict=True)]
        every.append(correlate(single, np.round(rest, 9)).statistic)
    assert single_rater(table, seed=3, draws=20, coefficient=name) == pytest.approx(np.mean(every), abs=1e-9)


def test_one_rater_lies_below_one_and_depends_on_the_seed() -> None:
    table = made(80, noise=1.0)
    result = single_rater(table, seed=1)
    assert result is not None
    assert 0.4 < result < 0.85
    assert result == single_rater(table, seed=1) != single_rater(table, seed=2)
    assert single_rater(table) == single_rater(table, seed=0, draws=200)


def test_one_rater_leaves_out_stories_with_one_rating() -> None:
    table = made(30)
    single = np.full((3, 5), np.nan)
    single[:, 2] = [1, 5, 3]
    assert single_rater(np.vstack([table, single])) == single_rater(table)


@pytest.mark.parametrize(
    "table", [[], [[1, 2], [2, 3]], [[1], [2], [3]], [[4, 4], [4, 4], [4, 4]], [[1, 1], [1, 1], [1, 2]]]
)
def test_one_rater_is_none_where_nothing_can_be_said(table: list[list[float]]) -> None:
    assert single_rater(table) is None


@pytest.mark.parametrize(
    ("alpha", "word"),
    [
        (-0.5, AlphaReading.CHANCE),
        (0.0, AlphaReading.CHANCE),
        (0.001, AlphaReading.NOT_GOOD),
        (0.6699, AlphaReading.NOT_GOOD),
        (0.67, AlphaReading.TENTATIVE),
        (0.8, AlphaReading.TENTATIVE),
        (0.8001, AlphaReading.GOOD),
        (1.0, AlphaReading.GOOD),
    ],
)
def test_the_paper_reading(alpha: float, word: AlphaReading) -> None:
    assert reading(alpha) is word


@pytest.mark.parametrize(
    ("alpha", "words"),
    [
        (Estimate(None, undefined="no pair"), ""),
        (Estimate(-0.1, -0.2, 0.1), "no better than chance (0 or below)"),
        (Estimate(0.3, -0.1, 0.6), "not surely better than chance: its interval holds 0"),
        (
            Estimate(0.13, 0.08, 0.2),
            "hardly better than chance (below 0.2)",
        ),
        (Estimate(0.2), "not good (below 0.67 on Krippendorff's scale)"),
        (Estimate(0.59, 0.5, 0.7), "not good (below 0.67 on Krippendorff's scale)"),
        (Estimate(0.7), "tentative (0.67 to 0.8 on Krippendorff's scale)"),
    ],
)
def test_an_alpha_near_chance_reads_unlike_one_that_is_merely_not_good(alpha: Estimate, words: str) -> None:
    assert in_words(alpha) == words


@given(st.integers(0, 10**6), st.integers(2, 25), st.integers(2, 7), st.integers(2, 5))
def test_kappa_equals_statsmodels(seed: int, stories: int, raters: int, steps: int) -> None:
    table = np.random.default_rng(seed).integers(1, steps + 1, (stories, raters)).astype(float)
    estimate = fleiss_kappa(table, *drawn_from(range(stories), resamples=0))
    _, counts = value_counts(table)
    if counts.shape[1] < 2:
        assert estimate == Estimate(None, undefined=ALL_EQUAL)
    else:
        assert estimate.value == pytest.approx(statsmodels_kappa(counts), abs=1e-9)


def slow_kappa(table: Floats) -> float:
    """Gwet's formula in loops: agreement over stories with pairs, chance over all rated ones."""
    rows = [[value for value in row if np.isfinite(value)] for row in table]
    rows = [row for row in rows if row]
    agreed = []
    for row in rows:
        pairs = [(i, j) for i in range(len(row)) for j in range(len(row)) if i != j]
        if pairs:
            agreed.append(sum(row[i] == row[j] for i, j in pairs) / len(pairs))
    values = {value for row in rows for value in row}
    chance = sum((sum(row.count(value) / len(row) for row in rows) / len(rows)) ** 2 for value in values)
    return float((np.mean(agreed) - chance) / (1 - chance))


def slow_icc(table: Floats) -> float:
    """One-way analysis of variance in loops, stories of unequal numbers of ratings and all."""
    rows = [[value for value in row if np.isfinite(value)] for row in table]
    rows = [row for row in rows if row]
    number = sum(map(len, rows))
    grand = sum(map(sum, rows)) / number
    between = sum(len(row) * (sum(row) / len(row) - grand) ** 2 for row in rows) / (len(rows) - 1)
    within = sum((rating - sum(row) / len(row)) ** 2 for row in rows for rating in row) / (number - len(rows))
    return (between - within) / between


@pytest.mark.parametrize(("ours", "slow"), [(fleiss_kappa, slow_kappa), (icc, slow_icc)])
def test_gaps_and_the_bootstrap_equal_the_slow_loop(
    ours: Callable[[Floats, Ints, Draws], Estimate], slow: Callable[[Floats], float]
) -> None:
    table, prompts = made(24), np.arange(24) // 3
    table[np.random.default_rng(5).random(table.shape) < 0.35] = np.nan
    table[7] = np.nan  # nobody rated it
    table[8, 1:] = [np.nan] * 4
    table[8, 0] = 2
    estimate = ours(table, *drawn_from(prompts, seed=3, resamples=50))
    assert estimate.value == pytest.approx(slow(table), abs=1e-9)
    rng = np.random.default_rng(3)
    drawn = []
    for copies in rng.multinomial(8, np.full(8, 1 / 8), size=50):
        rows = np.concatenate([np.tile(table[prompts == p], (n, 1)) for p, n in enumerate(copies)])
        drawn.append(slow(rows))
    assert (estimate.low, estimate.high) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])), abs=1e-9)


@pytest.mark.parametrize(
    ("table", "kappa_reason", "icc_reason"),
    [
        ([[1.0], [2.0], [3.0]], NO_PAIR, NO_PAIR),
        ([[2.0, 2.0], [2.0, 2.0]], ALL_EQUAL, "all stories have the same mean rating"),
        ([[np.nan, np.nan]] * 3, NO_PAIR, "fewer than two stories are rated"),
        ([[1.0, 2.0]], None, "fewer than two stories are rated"),
        ([[1.0, 2.0], [2.0, 1.0]], None, "all stories have the same mean rating"),
    ],
)
def test_kappa_and_icc_say_why_there_is_none(
    table: list[list[float]], kappa_reason: str | None, icc_reason: str
) -> None:
    prompts, draws = drawn_from(range(len(table)), resamples=20)
    kappa = fleiss_kappa(table, prompts, draws)
    assert kappa.undefined == kappa_reason
    assert (kappa.value is None) == (kappa_reason is not None)
    assert icc(table, prompts, draws) == Estimate(None, undefined=icc_reason)


def test_icc_may_be_negative_where_the_ceiling_is_zero() -> None:
    table = [[1, 5], [5, 2]]
    result = icc(table, *drawn_from(range(2), resamples=0)).value
    assert result is not None
    assert result < 0
    assert ceiling(table) == 0


@given(st.integers(0, 10**6))
def test_the_ceiling_is_the_root_of_icc(seed: int) -> None:
    table = made(12, seed=seed)
    table[np.random.default_rng(seed).random(table.shape) < 0.3] = np.nan
    result, top = icc(table, *drawn_from(range(12), resamples=0)).value, ceiling(table)
    assert (result is None) == (top is None)
    if result is not None and top is not None:
        assert top**2 == pytest.approx(max(0.0, result))
