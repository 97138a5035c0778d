"""Pearson's r from sums: equal to SciPy's on every sample, gaps and all."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from core.statistics.moments import RunningPearson, moments, score_matrix
from tests.core.statistics.moments import slow

NUMBER = st.one_of(st.integers(-20, 20).map(float), st.just(float("nan")))


@given(st.data())
def test_equals_scipy_on_every_sample(data: st.DataObject) -> None:
    stories, metrics, samples = (data.draw(st.integers(low, high)) for low, high in ((1, 12), (1, 4), (1, 6)))
    scores = data.draw(arrays(np.float64, (stories, metrics), elements=NUMBER))
    human = data.draw(arrays(np.float64, stories, elements=NUMBER))
    weights = data.draw(arrays(np.float64, (samples, stories), elements=st.integers(0, 3).map(float)))
    prepared = moments(scores, human)
    fast = prepared.pearson(weights @ prepared.columns)
    np.testing.assert_allclose(fast, slow(scores, human, weights), atol=1e-9)


def test_scores_far_from_nought_and_an_outlier() -> None:
    rng = np.random.default_rng(0)
    human = rng.integers(1, 6, 40).astype(float)
    far = 1e9 + rng.normal(size=40)
    outlier = human.copy()
    outlier[0] = 1e6
    scores = np.column_stack([far, outlier, np.full(40, 0.1)])
    weights = np.ones((2, 40))
    weights[1, 0] = 0
    prepared = moments(scores, human)
    np.testing.assert_allclose(
        prepared.pearson(weights @ prepared.columns), slow(scores, human, weights), rtol=1e-7, atol=1e-9
    )


def test_no_stories_and_no_metrics() -> None:
    empty = moments(np.empty((0, 2)), np.empty(0))
    assert np.isnan(empty.pearson(np.zeros((3, 0)) @ empty.columns)).all()
    bare = moments(score_matrix((), 4), np.arange(4.0))
    assert bare.pearson(np.ones((3, 4)) @ bare.columns).shape == (3, 0)


@given(st.data())
def test_blocks_give_the_r_and_p_of_all_at_once(data: st.DataObject) -> None:
    stories = data.draw(st.integers(0, 12))
    x, y = (data.draw(arrays(np.float64, stories, elements=NUMBER)) for _ in range(2))
    ends = data.draw(st.lists(st.integers(0, stories), max_size=3).map(sorted))
    running = RunningPearson()
    for block in np.split(np.arange(stories), ends):
        running.add(x[block], y[block])
    paired = np.isfinite(x) & np.isfinite(y)
    x, y = x[paired], y[paired]
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        assert running.test() is None
    else:
        test, found = stats.pearsonr(x, y), running.test()
        assert found is not None
        np.testing.assert_allclose(found[0], test.statistic, rtol=1e-9, atol=1e-12)
        # Of three pairs on a line the last digit of r, 1 or just below, makes the p 0 or 1.3e-8.
        np.testing.assert_allclose(found[1], test.pvalue, rtol=1e-9, atol=1e-7)


def test_blocks_far_from_nought_and_too_large_to_be_squared() -> None:
    human = np.random.default_rng(0).normal(size=90)
    scores = human + np.random.default_rng(1).normal(size=90)
    for moved in (1e9 + scores, 1e200 * scores):
        running = RunningPearson()
        for block in np.split(np.arange(90), [20, 21]):
            running.add(moved[block], human[block])
        found = running.test()
        assert found is not None
        np.testing.assert_allclose(found[0], np.corrcoef(scores, human)[0, 1], rtol=1e-6)
