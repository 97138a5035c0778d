"""Systems as wholes: against a slow obvious version, Turing's M1, bad input."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.analysis.systems.ranking import Systems, compare_systems, share_of_ratings
from core.arrays import Floats
from core.scores import ScoreColumn
from core.statistics import draws
from core.statistics.groups import group_summaries
from tests.core.analysis.systems.ranking import random_table, table


def slow_draws(prompts: Sequence[str], seed: int, resamples: int) -> list[list[int]]:
    """Rows of each draw of whole prompts, repeated as often as they are drawn."""
    names = sorted(set(prompts))
    rng = np.random.default_rng(seed)
    chosen = rng.integers(0, len(names), (resamples, len(names)))
    rows = {name: [i for i, prompt in enumerate(prompts) if prompt == name] for name in names}
    return [[i for number in draw for i in rows[names[number]]] for draw in chosen.tolist()]


def slow_draws_of_judgments(prompts: Sequence[str], human: Floats, seed: int, resamples: int) -> list[list[int]]:
    """Rows in each of the draws that Judgments takes, of the prompts that have a rating."""
    rated = [prompt for prompt, value in zip(prompts, human, strict=True) if np.isfinite(value)]
    drawn = draws.draw_prompts(rated, seed=seed, resamples=resamples)
    of = [drawn.numbers.get(prompt) for prompt in prompts]
    return [
        [row for row, number in enumerate(of) if number is not None for _ in range(int(copies[number]))]
        for copies in drawn.copies
    ]


def slow_means(names: Sequence[str], systems: Sequence[str], values: Floats, rows: Sequence[int]) -> Floats:
    result = []
    for name in names:
        mine = [values[i] for i in rows if systems[i] == name and np.isfinite(values[i])]
        result.append(np.mean(mine) if mine else np.nan)
    return np.array(result)


def ends(values: Sequence[float]) -> tuple[float, float]:
    low, high = np.nanpercentile(values, [2.5, 97.5])
    return float(low), float(high)


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(st.integers(6, 14), st.integers(3, 6), st.integers(0, 99), st.booleans())
def test_equals_rows_really_repeated(prompts: int, systems: int, seed: int, gaps: bool) -> None:
    asked, names, human, x = random_table(prompts, systems, seed)
    if gaps:
        x[np.random.default_rng(seed).random(len(x)) < 0.1] = np.nan
        human[::7] = np.nan
    both = np.isfinite(x) & np.isfinite(human)
    order = sorted(set(names))
    draws = slow_draws(asked, seed, 60)
    y = [slow_means(order, names, human, rows) for rows in slow_draws_of_judgments(asked, human, seed, 60)]
    result = compare_systems(table(asked, names, human, x), seed=seed, resamples=60)
    whole = slow_means(order, names, human, range(len(names))).round(12)
    for i, row in enumerate(result.rows):
        assert row.system == order[i]
        assert row.human.n == sum(np.isfinite(human[j]) for j in range(len(names)) if names[j] == order[i])
        assert row.human.mean.value == pytest.approx(whole[i])
        assert (row.human.mean.low, row.human.mean.high) == pytest.approx(ends([draw[i] for draw in y]))
        assert row.human.rank.value == stats.rankdata(-whole)[i]
        ranks = [stats.rankdata(-np.round(draw, 12))[i] for draw in y if np.isfinite(draw).all()]
        assert row.human.rank.low == np.percentile(ranks, 2.5, method="lower")
        assert row.human.rank.high == np.percentile(ranks, 97.5, method="higher")
    a, b = (slow_means(order, names, np.where(both, side, np.nan), range(len(names))).round(12) for side in (x, human))
    (correlation,) = result.correlations
    assert (correlation.n, correlation.systems) == (np.count_nonzero(both), systems)
    for call, coefficient in (
        (stats.pearsonr, correlation.pearson),
        (stats.spearmanr, correlation.spearman),
        (stats.kendalltau, correlation.kendall),
    ):
        assert coefficient.value == pytest.approx(call(a, b).statistic)
        drawn = []
        for rows in draws:
            c, d = (slow_means(order, names, np.where(both, side, np.nan), rows).round(12) for side in (x, human))
            drawn.append(call(c, d).statistic if np.isfinite(c).all() and np.ptp(c) > 0 and np.ptp(d) > 0 else np.nan)
        assert (coefficient.low, coefficient.high) == pytest.approx(ends(drawn), abs=1e-7)
    pairs = [(i, j) for i in range(systems) for j in range(i)]
    right = [(a[i] - a[j]) * (b[i] - b[j]) > 0 for i, j in pairs if abs(b[i] - b[j]) > 1e-12]
    assert correlation.accuracy.every.value == pytest.approx(np.mean(right))
    assert correlation.accuracy.pairs == len(right)


def test_peoples_means_have_the_intervals_of_judgments() -> None:
    asked, names, human, x = random_table()
    human[:4] = np.nan  # a prompt that nobody rated
    rated = np.flatnonzero(np.isfinite(human)).tolist()
    prompts, groups = [asked[row] for row in rated], [names[row] for row in rated]
    drawn = draws.draw_prompts(prompts, seed=3, resamples=200)
    summaries = group_summaries(groups, human[rated], drawn.of(prompts), drawn)
    for row in compare_systems(table(asked, names, human, x), seed=3, resamples=200).rows:
        shown, mean = summaries[row.system], row.human.mean
        assert (mean.value, mean.low, mean.high) == pytest.approx((shown.mean, shown.low, shown.high), abs=1e-12)


def test_what_people_set_apart() -> None:
    asked, names, human, _ = random_table(40, 3, steps=0.0)
    human[2::3] += 2  # the last system is far better, the first two are alike
    whole = compare_systems(table(asked, names, human, human, -human))
    same, turned = whole.correlations
    assert same.pearson.value == pytest.approx(1)
    assert (same.accuracy.pairs, same.accuracy.pairs_apart, same.accuracy.apart.value) == (3, 2, 1.0)
    assert (turned.accuracy.every.value, turned.accuracy.apart.value) == (0.0, 0.0)
    last = whole.rows[2].human.rank
    assert (last.value, last.low, last.high) == (1, 1, 1)
    assert (whole.rows[0].human.rank.low, whole.rows[0].human.rank.high) == (2, 3)


def test_a_tie_of_the_metric_is_wrong_and_one_of_people_is_not_asked() -> None:
    asked = [f"{p}" for p in range(4) for _ in range(3)]
    systems, human = ["a", "b", "c"] * 4, np.array([1.0, 1.0, 2.0] * 4)
    (correlation,) = compare_systems(table(asked, systems, human, np.array([1.0, 2.0, 2.0] * 4))).correlations
    assert (correlation.accuracy.every.value, correlation.accuracy.pairs) == (0.5, 2)


def test_equal_means_share_their_rank() -> None:
    asked = [f"{p}" for p in range(4) for _ in range(3)]
    systems = compare_systems(table(asked, ["a", "b", "c"] * 4, np.array([1.1, 1.1, 2.3] * 4)))
    assert [row.human.rank.value for row in systems.rows] == [2.5, 2.5, 1.0]


def assert_alike(one: Systems, other: Systems) -> None:
    """Equal but for the last digits of sums."""
    for a, b in zip(one.rows, other.rows, strict=True):
        assert a.human.mean.low == pytest.approx(b.human.mean.low)
        assert a.metrics[0].rank == b.metrics[0].rank
    assert one.correlations[0].pearson.low == pytest.approx(other.correlations[0].pearson.low)


def test_many_prompts_are_drawn_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, names, human, x = random_table()
    whole = compare_systems(table(asked, names, human, x), seed=3)
    monkeypatch.setattr(draws, "CELLS_A_BLOCK", 20)
    assert_alike(compare_systems(table(asked, names, human, x), seed=3), whole)


def test_empty_cells_are_not_stored_and_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, names, human, x = random_table()
    whole = compare_systems(table(asked, names, human, x), seed=3)
    monkeypatch.setattr(draws, "SPARSE", 0)
    other = compare_systems(table(asked, names, human, x), seed=3)
    assert_alike(other, whole)


def test_the_turing_score() -> None:
    """M1 of Perception Score (2020): the share of ratings that are better than or as good as the human story."""
    ratings = np.array([[-1.0, 0, 1], [-1, -1, np.nan], [np.nan, np.nan, np.nan]])
    shares = share_of_ratings(ratings, (0, 1))
    assert shares[:2].tolist() == pytest.approx([2 / 3, 0])
    assert np.isnan(shares[2])
    asked, names, human, x = random_table()
    systems = compare_systems(table(asked, names, human, x), human=(human > 3).astype(float))
    assert systems.rows[0].human.mean.value == pytest.approx(np.mean(human[::4] > 3))


@pytest.mark.parametrize(
    ("systems", "reason"),
    [
        (1, "only 1 system has both scores and ratings; 3 are needed"),
        (2, "only 2 systems have both scores and ratings; 3 are needed"),
    ],
)
def test_too_few_systems(systems: int, reason: str) -> None:
    asked, names, human, x = random_table(6, systems)
    (correlation,) = compare_systems(table(asked, names, human, x)).correlations
    assert (correlation.undefined, correlation.pearson.value, correlation.systems) == (reason, None, systems)
    assert correlation.accuracy.pairs == systems - 1
    assert correlation.accuracy.every.undefined == (
        None if systems > 1 else "no two systems have different mean judgments"
    )


def test_alike_in_everything() -> None:
    asked, names, human, x = random_table(6, 3)
    flat = np.full(len(x), 0.1)
    first, second = compare_systems(table(asked, names, human, flat, x)).correlations
    assert (first.undefined, second.undefined) == ("the metric gives every system the same mean", None)
    assert (first.accuracy.every.value, first.pearson.value) == (None, None)
    assert first.accuracy.every.undefined == first.undefined
    (correlation,) = compare_systems(table(asked, names, flat, x)).correlations
    assert correlation.undefined == "every system has the same mean judgment"
    assert correlation.accuracy.every.undefined == "no two systems have different mean judgments"
    assert correlation.accuracy.apart.undefined == "people set no two systems apart"


def test_no_ratings_and_no_scores() -> None:
    asked, names, human, x = random_table(6, 3)
    nothing = np.full(len(x), np.nan)
    systems = compare_systems(table(asked, names, nothing, x))
    assert {row.human.mean.undefined for row in systems.rows} == {"no story of the system has a number"}
    assert {row.human.n for row in systems.rows} == {0}
    assert systems.rows[0].metrics[0].mean.value == pytest.approx(x[::3].mean())
    assert systems.correlations[0].undefined == "no system has both scores and ratings; 3 are needed"
    assert compare_systems(table(asked, names, human)).correlations == ()


def test_one_prompt_has_no_interval() -> None:
    _, names, human, x = random_table(6, 3)
    systems = compare_systems(table(["only"] * len(names), names, human, x))
    assert systems.rows[0].human.mean.value is not None
    assert (systems.rows[0].human.mean.low, systems.rows[0].human.rank.low) == (None, None)
    assert systems.correlations[0].pearson.value is not None
    assert systems.correlations[0].pearson.low is None
    assert systems.correlations[0].accuracy.pairs_apart == 0


def test_a_system_of_one_prompt_has_no_interval_and_the_others_have() -> None:
    asked, names, human, x = random_table(6, 3)
    keep = [i for i, name in enumerate(names) if name != "system 2" or asked[i] == "prompt 0"]
    systems = compare_systems(table([asked[i] for i in keep], [names[i] for i in keep], human[keep], x[keep]))
    assert systems.rows[2].human.mean.low is None
    assert systems.rows[0].human.mean.low is not None


def test_no_story_and_too_many_systems() -> None:
    none = np.empty(0)
    assert compare_systems(table([], [], none, none)) == Systems((), (), "there are no stories")
    many = [f"s{i}" for i in range(101)]
    systems = compare_systems(table(many, many, np.arange(101.0)))
    assert systems == Systems((), (), "there are 101 systems; up to 100 can be compared")


def test_the_scale_of_a_metric_does_not_matter() -> None:
    asked, names, human, x = random_table()
    plain, tiny = compare_systems(table(asked, names, human, x, x * 1e-12 + 1e-9), seed=2).correlations
    assert tiny.pearson.value == pytest.approx(plain.pearson.value)
    assert tiny.pearson.low == pytest.approx(plain.pearson.low)
    assert tiny.accuracy.every == plain.accuracy.every


def test_perfect_ranks_of_three_systems_are_no_proof() -> None:
    """SciPy's p of rho is 0 there; of six orders one agrees fully, and one is its reverse."""
    prompts, systems, human, score = random_table(systems=3, steps=1.5)
    (correlation,) = compare_systems(table(prompts, systems, human, score)).correlations
    assert correlation.spearman.value == correlation.kendall.value == 1
    assert correlation.spearman.p == correlation.kendall.p == pytest.approx(1 / 3)


@pytest.mark.parametrize("number", [4, 5, 9])
def test_p_of_ranks_against_every_order(number: int) -> None:
    """Up to eight systems p is exact, ties and all, as SciPy's permutation test gives it; of more it is SciPy's own."""
    prompts, systems, human, score = random_table(systems=number, seed=number, steps=0.1)
    names = sorted(set(systems))
    rows = list(range(len(systems)))
    (correlation,) = compare_systems(table(prompts, systems, human, np.round(score))).correlations
    x, y = (slow_means(names, systems, side, rows).round(12) for side in (np.round(score), human))
    for coefficient, test in ((correlation.spearman, stats.spearmanr), (correlation.kendall, stats.kendalltau)):
        expected = test(x, y).pvalue
        if number < 9:
            expected = stats.permutation_test(
                (x,), lambda a, test=test: test(a, y).statistic, permutation_type="pairings", n_resamples=np.inf
            ).pvalue
        assert coefficient.p == pytest.approx(expected)


def test_p_by_prompt_is_that_of_the_draws() -> None:
    """Small where the interval leaves out 0, large where it is wide."""
    for steps, low in ((1.0, True), (0.0, False)):
        prompts, systems, human, score = random_table(systems=5, steps=steps, seed=3)
        (correlation,) = compare_systems(table(prompts, systems, human, score)).correlations
        p = correlation.pearson.p_cluster
        assert p is not None
        assert (p < 0.05) is low


def test_few_systems_have_an_exact_p_of_r() -> None:
    asked, names, human, x = random_table(10, 5, 3)
    (correlation,) = compare_systems(table(asked, names, human, x), resamples=0).correlations
    order = sorted(set(names))
    ours, theirs = (slow_means(order, names, values, range(len(names))) for values in (x, human))
    every = [abs(np.corrcoef(ours, np.array(permutation))[0, 1]) for permutation in permutations(theirs)]
    assert correlation.pearson.p == pytest.approx(
        np.mean(np.array(every) >= abs(correlation.pearson.value or 0) - 1e-9)
    )


def test_means_may_be_of_all_that_each_side_has_judged() -> None:
    asked, names, human, x = random_table(12, 4, 1)
    human[16:] = np.nan  # four prompts are rated, all are scored
    score_table = table(asked, names, human, x)
    rated, every = (compare_systems(score_table, every=every, resamples=50).correlations[0] for every in (False, True))
    order = sorted(set(names))
    mine = slow_means(order, names, human, range(16))
    assert rated.pearson.value == pytest.approx(np.corrcoef(slow_means(order, names, x, range(16)), mine)[0, 1])
    assert every.pearson.value == pytest.approx(np.corrcoef(slow_means(order, names, x, range(48)), mine)[0, 1])
    assert rated.n == every.n == 16


@given(st.integers(0, 50))
def test_a_metrics_stories_may_weigh_unlike(seed: int) -> None:
    asked, names, human, x = random_table(8, 3, seed)
    weights = np.random.default_rng(seed).uniform(0.1, 2, len(x))
    x[3] = np.nan
    column = ScoreColumn("m", "m|v:1", x, {}, weights)
    whole = table(asked, names, human)
    systems = compare_systems(replace(whole, columns=(column,)), seed=seed, resamples=40)
    draws = slow_draws(asked, seed, 40)

    def mean(system: str, rows: Sequence[int]) -> float:
        mine = [i for i in rows if names[i] == system and np.isfinite(x[i])]
        return float(np.average(x[mine], weights=weights[mine])) if mine else np.nan

    for row in systems.rows:
        system_mean = row.metrics[0]
        assert system_mean.mean.value == pytest.approx(mean(row.system, range(len(x))))
        assert (system_mean.mean.low, system_mean.mean.high) == pytest.approx(
            ends([mean(row.system, rows) for rows in draws])
        )
    taken = column.take(np.array([2, 3, 5]))
    assert taken.weights is not None
    assert taken.weights.tolist() == weights[[2, 3, 5]].tolist()
