"""Quality drift: UNION's sizes and curves, the plain loop, and samples that have no curve."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis.drift import quality
from core.analysis.drift.quality import Level, draws_in_time, keep_chances, keep_masks, quality_drift, stories_at
from core.errors import InputError
from core.statistics.intervals import Estimate
from tests.core.analysis.drift.quality import SIZES, random_table, table_of, union_table
from tests.core.statistics.moments import slow

UNION_CURVE = [0.33, 0.30, 0.30, 0.33, 0.33, 0.35, 0.36, 0.36]


def test_sizes_and_curves_of_the_paper(shared: Path) -> None:
    drift = quality_drift(union_table(shared / "union-roc"), (0, 1), draws=2000, seed=1)
    assert [round(biased_set.expected_size, 2) for biased_set in drift.sets] == SIZES
    assert [level.low for level in drift.levels] == pytest.approx([votes / 7 for votes in range(8)])
    curves = {row.metric: [value.value for value in row.values] for row in drift.rows}
    assert curves["union"] == pytest.approx(UNION_CURVE, abs=0.01)
    assert curves["ppl"][0] == pytest.approx(0.21, abs=0.01)
    assert min(value for value in curves["ppl"] if value is not None) == pytest.approx(0.19, abs=0.01)
    assert curves["ppl"][7] == pytest.approx(0.25, abs=0.01)
    for row in drift.rows:
        assert all(v.low < v.value < v.high for v in row.values if v.low and v.value and v.high)
        assert row.undefined_draws == (0,) * 8


def test_chances_by_hand() -> None:
    chances = keep_chances(np.array([0.0, 7.0, 3.5]))
    assert chances[0].tolist() == pytest.approx([1 / 2, 1 / 3, 1 / 4, 1 / 5, 1 / 6, 1 / 7, 1 / 8, 1 / 9])
    assert chances[1].tolist() == pytest.approx([1 / 7, 1 / 6, 1 / 5, 1 / 4, 1 / 3, 1 / 2, 1, 1 / 2])
    assert chances[2, 2:4].tolist() == pytest.approx([2 / 3, 2 / 3])


def test_sizes_hold_in_a_simulation() -> None:
    table = random_table(50)
    expected = [biased_set.expected_size for biased_set in quality_drift(table, (1, 5), draws=1).sets]
    rng = np.random.default_rng(0)
    k = 7 * (table.human - 1) / 4
    for number, size in enumerate(expected, start=1):
        drawn = [(rng.random(50) < 1 / (np.abs(number - k) + 1)).sum() for _ in range(3000)]
        assert np.mean(drawn) == pytest.approx(size, abs=0.3)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 25), st.integers(1, 12), st.integers(0, 2**31), st.sampled_from([2, 5, 10_000]))
def test_equals_the_plain_loop_on_the_same_masks(stories: int, draws: int, seed: int, block: int) -> None:
    rng = np.random.default_rng(seed)
    human = rng.integers(1, 4, stories).astype(float)
    scores = rng.integers(0, 3, (stories, 3)).astype(float)
    scores[rng.random((stories, 3)) < 0.2] = np.nan
    table = table_of(human, {name: scores[:, place] for place, name in enumerate("abc")})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quality, "STORIES_A_BLOCK", block)
        patch.setattr(quality, "CELLS_A_BLOCK", 8 * block)
        drift = quality_drift(table, (1, 3), draws=draws, seed=seed)
        masks = np.zeros((draws, 8, stories))
        for these, some, kept in keep_masks(keep_chances(7 * (human - 1) / 2), draws, seed):
            masks[these, :, some] = kept
    expected = slow(scores, human, masks.reshape(draws * 8, stories)).reshape(draws, 8, 3)
    for metric, row in enumerate(drift.rows):
        assert row.undefined_draws == tuple(np.isnan(expected[:, :, metric]).sum(0).tolist())
        for place, value in enumerate(row.values):
            r = expected[:, place, metric][np.isfinite(expected[:, place, metric])]
            if not len(r) or 2 * len(r) < draws:
                assert value.value is None
                assert value.undefined
            else:
                low, high = np.percentile(r, [2.5, 97.5])
                assert (value.value, value.low, value.high) == pytest.approx((r.mean(), low, high), abs=1e-9)


def test_the_seed_decides_and_metrics_share_their_luck() -> None:
    table = random_table()
    once, again = (quality_drift(table, (1, 5), draws=20, seed=5) for _ in range(2))
    assert once == again
    assert once != quality_drift(table, (1, 5), draws=20, seed=6)
    alone = quality_drift(table_of(table.human, {"good": table.columns[0].values}), (1, 5), draws=20, seed=5)
    for value, other in zip(alone.rows[0].values, once.rows[0].values, strict=True):
        assert value.value == pytest.approx(other.value)


def test_gaps_are_left_out_and_counted() -> None:
    table = random_table()
    human = table.human.copy()
    human[:10] = np.nan
    drift = quality_drift(table_of(human, {c.metric: c.values for c in table.columns}), (1, 5), draws=50)
    assert (drift.n, drift.unrated) == (50, 10)
    assert [row.n for row in drift.rows] == [50, 25]
    spread = drift.rows[0].spread
    assert spread is not None
    assert 0 < spread < 1


def test_levels_are_scores_or_classes_and_hold_everybody() -> None:
    few = quality_drift(table_of(np.array([0, 1 / 3, 2 / 3, 1, 1]), {}), (0, 1), draws=1)
    assert [level.low for level in few.levels] == pytest.approx([0, 1 / 3, 2 / 3, 1])
    many = quality_drift(random_table(), (1, 5), draws=1)
    chances = keep_chances(np.array([0, 7 / 3, 14 / 3, 7, 7]))[:, 0]
    assert many.levels[0] == Level(1, 1.5)
    assert many.levels[-1] == Level(4.5, 5)
    for drift in (few, many):
        for biased_set in drift.sets:
            assert sum(biased_set.by_level) == pytest.approx(biased_set.expected_size)
    assert few.sets[0].rating_sd == pytest.approx(np.sqrt(np.cov([0, 1 / 3, 2 / 3, 1, 1], aweights=chances, ddof=0)))


@pytest.mark.parametrize(
    ("human", "scale"),
    [
        (np.array([0, 1 / 3, np.nan, 2 / 3, 1, 1]), (0, 1)),
        (np.append(random_table().human, [np.nan, 5.0, 1.5]), (1, 5)),
    ],
)
def test_every_rated_story_is_at_one_level_as_often_as_the_sets_count(
    human: np.ndarray, scale: tuple[int, int]
) -> None:
    drift = quality_drift(table_of(human, {}), scale, draws=1)
    places = [stories_at(human, level, scale) for level in drift.levels]
    assert sorted(np.concatenate(places).tolist()) == np.flatnonzero(np.isfinite(human)).tolist()
    chances = keep_chances(7 * (human - scale[0]) / (scale[1] - scale[0]))
    for place, biased_set in enumerate(drift.sets):
        assert [chances[at, place].sum() for at in places] == pytest.approx(list(biased_set.by_level))


@pytest.mark.parametrize(
    ("human", "scores", "reason"),
    [
        ([], [], "no story has both"),
        ([np.nan] * 4, [1, 2, 3, 4], "no story has both"),
        ([1, 2], [1, 2], "only 2 stories"),
        ([1, 2, 3, 4], [5, 5, 5, 5], "the metric gives"),
        ([3, 3, 3, 3], [1, 2, 3, 4], "every story has the same rating"),
    ],
)
def test_no_curve_and_why(human: list[float], scores: list[float], reason: str) -> None:
    drift = quality_drift(table_of(np.array(human), {"m": np.array(scores, dtype=float)}), (1, 5), draws=5)
    (row,) = drift.rows
    assert row.spread is None
    assert row.undefined_draws == (5,) * 8
    for value in row.values:
        assert value.value is None
        assert value.undefined is not None
        assert value.undefined.startswith(reason)


def test_three_stories_are_rarely_all_kept() -> None:
    drift = quality_drift(table_of(np.array([1, 3, 5]), {"m": np.array([1.0, 2.0, 4.0])}), (1, 5), draws=400)
    (row,) = drift.rows
    assert all(0 < count <= 400 for count in row.undefined_draws)
    for count, value in zip(row.undefined_draws, row.values, strict=True):
        if count > 200:
            few = "fewer than half of the 400 draws have three stories that differ"
            assert value == Estimate(None, undefined=few if count < 400 else "no draw has three stories that differ")
        else:
            assert value.low is not None
    assert {count > 200 for count in row.undefined_draws} == {True}
    assert row.spread is None
    assert drift.undefined == (sum(row.undefined_draws), 3200)
    few = quality_drift(table_of(np.array([1, 1, 5]), {"m": np.array([1.0, 2.0, 4.0])}), (1, 5), draws=1, seed=0)
    assert "no draw has three stories that differ" in {value.undefined for value in few.rows[0].values}


def test_refusals_and_time() -> None:
    with pytest.raises(InputError, match="from a lower to a higher"):
        quality_drift(random_table(), (1, 1))
    with pytest.raises(InputError, match="at least once"):
        quality_drift(random_table(), (1, 5), draws=0)
    assert draws_in_time(0, 1000) == draws_in_time(20_000, 1000) == 1000
    assert draws_in_time(40_000, 1000) == 500
    assert draws_in_time(10**7, 1000) == 100
    assert draws_in_time(10**7, 20) == 20
