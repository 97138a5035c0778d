"""Perception Scores from what critics say: equations 15 and 16 against slow versions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.systems.ranking import compare_systems
from core.scores import ScoreTable
from core.training.perception.scores import (
    UNTESTED,
    CriticScores,
    Trained,
    Weights,
    Without,
    perception_column,
    perception_scores,
    reliability,
    weights_of,
)

SHARES = st.floats(0.01, 0.99)
PAIRS = st.lists(st.tuples(SHARES, SHARES, SHARES, st.integers(0, 3)), min_size=1, max_size=12)


def judged(pairs: list[tuple[float, float, float, int]], group: str = "a") -> CriticScores:
    generated, confidence, certainty, contexts = zip(*pairs, strict=True)
    keys = tuple(map(str, range(len(pairs))))
    return CriticScores(group, keys, tuple(map(str, contexts)), generated, confidence, certainty)


def of(*some: CriticScores, system: str = "a", seed: int = 0) -> Trained:
    return Trained(system, seed, 10, 2, {}, 1.0, some)


@given(PAIRS)
def test_weights_are_the_papers(pairs: list[tuple[float, float, float, int]]) -> None:
    raw = [1 / (c + m) for _, c, m, _ in pairs]
    slow = sum(w / sum(raw) * p for w, (p, *_) in zip(raw, pairs, strict=True))
    (perception_score,) = perception_scores([of(judged(pairs))], resamples=0)
    assert perception_score.score.value == pytest.approx(slow)
    for how in Weights:
        for without in Without:
            assert weights_of(judged(pairs), how, without).sum() == pytest.approx(1)


def test_each_uncertainty_can_be_left_out() -> None:
    scores = judged([(0.1, 0.9, 0.5, 0), (0.9, 0.3, 1.0, 1)])
    assert weights_of(scores, Weights.PAPER, Without.M) == pytest.approx([0.25, 0.75])
    assert weights_of(scores, Weights.PAPER, Without.C) == pytest.approx([2 / 3, 1 / 3])
    assert weights_of(scores, Weights.CONFIDENCE, Without.M) == pytest.approx([0.75, 0.25])
    assert weights_of(scores, Weights.CONFIDENCE) == pytest.approx([1.4 / 2.7, 1.3 / 2.7])
    assert weights_of(scores, Weights.NONE) == pytest.approx([0.5, 0.5])
    sure = weights_of(scores, Weights.PAPER)
    assert sure[0] < sure[1]  # as printed, what is surer counts less


def test_seeds_are_averaged_and_their_spread_is_told() -> None:
    pairs = [(0.2, 0.5, 1.0, 0), (0.4, 0.5, 1.0, 1)]
    more = [(p + 0.2, c, m, k) for p, c, m, k in pairs]
    (perception_score,) = perception_scores([of(judged(pairs)), of(judged(more), seed=1)])
    assert perception_score.seeds == pytest.approx((0.3, 0.5))
    assert perception_score.score.value == pytest.approx(0.4)
    assert perception_score.spread == pytest.approx(np.std([0.3, 0.5], ddof=1))
    assert perception_scores([of(judged(pairs))])[0].spread is None


def test_the_interval_draws_whole_contexts() -> None:
    rng = np.random.default_rng(1)
    values = rng.uniform(0.1, 0.9, 40)
    pairs = [(float(p), 0.5, 1.0, i // 4) for i, p in enumerate(values)]
    (perception_score,) = perception_scores([of(judged(pairs))], resamples=4000)
    groups = values.reshape(10, 4).mean(1)
    slow = [rng.choice(groups, 10).mean() for _ in range(4000)]
    assert perception_score.score.low == pytest.approx(np.percentile(slow, 2.5), abs=0.01)
    assert perception_score.score.high == pytest.approx(np.percentile(slow, 97.5), abs=0.01)
    assert perception_scores([of(judged(pairs[:4]))])[0].score.low is None  # one context has no spread


def test_other_groups_are_judged_by_a_systems_critics() -> None:
    own, other = judged([(0.2, 0.5, 1.0, 0)]), judged([(0.6, 0.5, 1.0, 0)], "b")
    trained = [of(own, other), of(judged([(0.3, 0.5, 1.0, 0)], "b"), system="b")]
    assert [
        (perception_score.system, perception_score.group, perception_score.score.value)
        for perception_score in perception_scores(trained, group="b")
    ] == [
        ("a", "b", 0.6),
        ("b", "b", 0.3),
    ]
    assert [perception_score.score.value for perception_score in perception_scores(trained)] == [0.2, 0.3]


def test_a_critic_that_is_as_right_as_it_is_sure() -> None:
    rng = np.random.default_rng(0)
    sure = rng.uniform(0.2, 1.0, 4000)
    below = np.where(rng.random(4000) < sure, 0.3, 0.7)
    pairs = [(float(p), float(c), 1.0, i) for i, (p, c) in enumerate(zip(below, sure, strict=True))]
    bins = reliability([of(judged(pairs), judged(pairs, "other"))])
    assert [reliability_bin.n for reliability_bin in bins] == [800] * 5
    assert all(reliability_bin.low <= reliability_bin.confidence <= reliability_bin.high for reliability_bin in bins)
    assert [reliability_bin.confidence for reliability_bin in bins] == sorted(
        reliability_bin.confidence for reliability_bin in bins
    )
    twice = reliability([of(judged(pairs)), of(judged(pairs), seed=1)])
    assert twice == bins  # a pair is one, however many have judged it
    tie = reliability([of(judged([(0.5, 0.5, 1.0, 0)]))])
    assert [(reliability_bin.right, reliability_bin.n) for reliability_bin in tie] == [(0.5, 1)]
    assert reliability([]) == ()


@given(PAIRS, PAIRS, st.sampled_from(list(Weights)))
def test_a_systems_weighted_mean_of_the_column_is_its_score(
    first: list[tuple[float, float, float, int]], second: list[tuple[float, float, float, int]], how: Weights
) -> None:
    short = min(len(first), len(second))
    seeds = [of(judged(pairs[:short]), seed=seed) for seed, pairs in enumerate((first, second))]
    (score,) = perception_scores(seeds, how, resamples=0)
    keys = (*map(str, range(short)), "trained on")
    column = perception_column(seeds, keys, "perception|v:1", how)
    assert column.reasons == {short: UNTESTED}
    table = ScoreTable(keys, keys, ("a",) * len(keys), keys, np.full(len(keys), np.nan), (column,))
    (row,) = compare_systems(table, resamples=0).rows
    assert row.metrics[0].mean.value == pytest.approx(score.score.value)
    assert row.metrics[0].n == short


def test_all_groups_may_stand_in_the_column_by_one_systems_critics() -> None:
    other = CriticScores("b", ("y",), ("0",), (0.7,), (0.5,), (1.0,))
    trained = [of(judged([(0.2, 0.5, 1.0, 0)]), other), of(other, system="b")]
    assert perception_column(trained, ["0", "y"], "s").values.tolist() == [0.2, 0.7]
    assert perception_column(trained[:1], ["0", "y"], "s", critics_of="a").values.tolist() == [0.2, 0.7]
    assert np.isnan(perception_column(trained, ["0", "y"], "s", critics_of="b").values[0])
