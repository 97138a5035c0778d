"""Each annotator against the rest, beside a slow loop."""

import numpy as np
import pytest
from scipy import stats

from core.annotation.raters import against_the_rest, at_a_glance
from core.arrays import Floats, Ints
from core.statistics.draws import draw_prompts


def made(seed: int = 0) -> tuple[Floats, Ints, Ints, Ints]:
    """Forty stories of ten prompts, four annotators with gaps; the last is two points lenient."""
    rng = np.random.default_rng(seed)
    table = np.clip(np.round(rng.normal(3, 1, (40, 1)) + rng.normal(0, 0.7, (40, 4))), 1, 5)
    table[:, 3] += 2
    table[rng.random(table.shape) < 0.3] = np.nan
    units, annotators = np.nonzero(np.isfinite(table))
    return table[units, annotators], units, annotators, np.arange(40) // 4


def slow(values: Floats, units: Ints, annotators: Ints, who: int) -> tuple[Floats, Floats]:
    """An annotator's ratings and the others' mean ratings of the same stories."""
    own, others = [], []
    for value, unit, annotator in zip(values, units, annotators, strict=True):
        rest = values[(units == unit) & (annotators != who)]
        if annotator == who and len(rest):
            own.append(value)
            others.append(rest.mean())
    return np.array(own), np.array(others)


def test_each_against_the_rest_equals_the_slow_loop() -> None:
    values, units, annotators, prompts = made()
    draws = draw_prompts([str(p) for p in prompts], seed=5, resamples=40)
    result = against_the_rest(values, units, annotators, prompts, draws)
    assert list(result.annotators) == [0, 1, 2, 3]
    assert result.undefined is None
    for who, annotator in result.annotators.items():
        own, others = slow(values, units, annotators, who)
        assert annotator.n == len(own)
        assert annotator.pearson.value == pytest.approx(stats.pearsonr(own, others).statistic)
        assert annotator.spearman.value == pytest.approx(stats.spearmanr(own, others).statistic)
        assert annotator.leniency.value == pytest.approx((own - others).mean())
    assert result.annotators[3].leniency.value == pytest.approx(2, abs=0.5)


def test_intervals_are_those_of_prompts_really_drawn() -> None:
    values, units, annotators, prompts = made(1)
    draws = draw_prompts([str(p) for p in prompts], seed=5, resamples=40)
    annotator_agreement = against_the_rest(values, units, annotators, prompts, draws).annotators[1]
    own, others = slow(values, units, annotators, 1)
    shared = [unit for unit, who in zip(units, annotators, strict=True) if who == 1 and (units == unit).sum() > 1]
    drawn = []
    for copies in draws.copies.astype(int):
        times = copies[prompts[shared]]
        x, y = np.repeat(own, times), np.repeat(others, times)
        drawn.append([stats.pearsonr(x, y).statistic, stats.spearmanr(x, y).statistic, (x - y).mean()])
    for estimate, column in zip(
        (annotator_agreement.pearson, annotator_agreement.spearman, annotator_agreement.leniency),
        np.transpose(drawn),
        strict=True,
    ):
        assert (estimate.low, estimate.high) == pytest.approx(tuple(np.percentile(column, [2.5, 97.5])))


def test_what_is_undefined_says_why() -> None:
    units, annotators = np.repeat(np.arange(4), 2), np.tile([7, 9], 4)
    prompts, draws = np.arange(4), draw_prompts("abcd", resamples=20)
    constant = against_the_rest(np.array([3.0, 1, 3, 2, 3, 5, 3, 4]), units, annotators, prompts, draws).annotators
    assert constant[7].pearson.undefined == "they rated every story the same"
    assert constant[9].spearman.undefined == "the others' mean ratings are all the same"
    assert constant[7].leniency.value == 0
    few = against_the_rest(np.array([1.0, 2, 2, 3]), units[:4], annotators[:4], prompts, draws).annotators
    assert few[7].pearson.undefined == "only 2 stories were rated by others too; 3 are needed"
    alone = against_the_rest(np.array([1.0, 2]), np.array([0, 1]), np.array([7, 7]), prompts, draws)
    assert alone.undefined == "no story was rated by two annotators"
    assert against_the_rest(np.empty(0), units[:0], annotators[:0], units[:0], draw_prompts([])).annotators == {}


def test_unknown_annotators_are_among_the_others_only() -> None:
    values, units, annotators, prompts = made()
    draws = draw_prompts([str(p) for p in prompts], resamples=0)
    known = against_the_rest(values, units, annotators, prompts, draws).annotators
    hidden = against_the_rest(values, units, np.where(annotators == 2, -1, annotators), prompts, draws).annotators
    assert list(hidden) == [0, 1, 3]
    assert hidden[0] == known[0]


def flat(seed: int) -> tuple[Floats, Ints, Ints, Ints]:
    """Ratings as `made`, with an annotator of equal ratings, one of few stories, and some of nobody known."""
    values, units, annotators, prompts = made(seed)
    rng = np.random.default_rng(seed)
    more = [(np.full(12, 3.0), np.arange(12), np.full(12, 7)), (np.array([2.0, 4.0]), np.array([3, 5]), np.full(2, 9))]
    more.append((rng.integers(1, 6, 20).astype(float), rng.permutation(40)[:20], np.full(20, -1)))
    columns = [np.concatenate(parts) for parts in zip((values, units, annotators), *more, strict=True)]
    return columns[0], columns[1], columns[2], prompts


@pytest.mark.parametrize("seed", range(20))
def test_at_a_glance_is_what_the_slow_way_finds(seed: int) -> None:
    values, units, annotators, prompts = flat(seed)
    draws = draw_prompts([str(p) for p in prompts], seed=0, resamples=0)
    glances = at_a_glance(values, units, annotators)
    slowly = against_the_rest(values, units, annotators, prompts, draws).annotators
    assert set(glances) == set(slowly)
    for who, annotator_agreement in slowly.items():
        assert glances[who].n == annotator_agreement.n
        assert glances[who].pearson == (
            None if annotator_agreement.pearson.value is None else pytest.approx(annotator_agreement.pearson.value)
        )
        assert glances[who].leniency == pytest.approx(annotator_agreement.leniency.value)
    assert (glances[7].pearson, glances[9].pearson) == (None, None)


def test_at_a_glance_of_nothing() -> None:
    nothing = np.array([]), np.array([], dtype=np.intp), np.array([], dtype=np.intp)
    assert at_a_glance(*nothing) == {}
    alone = np.array([3.0, 4.0]), np.array([0, 1]), np.array([1, 1])
    assert at_a_glance(*alone) == {}
