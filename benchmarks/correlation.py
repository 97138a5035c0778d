"""Correlations of 20 metrics with people and their intervals, against SciPy in a loop; and of 100,000 stories."""

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.timing import Row, compare
from core.arrays import Floats
from core.statistics.correlation import correlate_columns
from core.statistics.pairwise import concordance

METRICS, STORIES, MANY, RESAMPLES, PROMPT = 20, 1_000, 100_000, 1_000, 5
LOOPED = 20
"""Of the peer's resamples, so many are timed; the others would take as long each."""


def made(stories: int) -> tuple[list[Floats], Floats, NDArray[np.intp]]:
    """Scores, mean ratings of five, and prompts of five stories."""
    rng = np.random.default_rng(0)
    y = rng.integers(1, 6, (stories, 5)).mean(1)
    return [y + rng.normal(size=stories) for _ in range(METRICS)], y, np.arange(stories) // PROMPT


def looped(columns: list[Floats], y: Floats, resamples: int) -> None:
    """Draw prompts and ask SciPy, a metric and a resample at a time."""
    rng = np.random.default_rng(0)
    prompts = len(y) // PROMPT
    for x in columns:
        for _ in range(resamples):
            drawn = rng.integers(0, prompts, prompts)
            rows = (drawn[:, None] * PROMPT + np.arange(PROMPT)).ravel()
            stats.pearsonr(x[rows], y[rows])
            stats.spearmanr(x[rows], y[rows])
            stats.kendalltau(x[rows], y[rows])


def accuracy(x: Floats, y: Floats) -> float:
    """Pairwise accuracy with ties from the matrix of all pairs."""
    upper = np.triu_indices(len(x), 1)
    return float((np.sign(x[:, None] - x)[upper] == np.sign(y[:, None] - y)[upper]).mean())


def run() -> list[Row]:
    """Ratios to SciPy."""
    columns, y, prompts = made(STORIES)
    many, many_y, many_prompts = made(MANY)
    whole = compare(
        f"correlation of {METRICS} metrics, {RESAMPLES:,} x 3 coefficients, {STORIES:,} stories",
        f"SciPy in a loop, {LOOPED} resamples times {RESAMPLES // LOOPED}",
        lambda: correlate_columns(columns, y, prompts, resamples=RESAMPLES),
        lambda: looped(columns, y, LOOPED),
        rounds=3,
    )
    scaled = Row(whole.work, whole.peer, whole.ours, whole.theirs * RESAMPLES / LOOPED, whole.memory)
    large = compare(
        f"correlation of {METRICS} metrics, {RESAMPLES:,} x 3 coefficients, {MANY:,} stories",
        "SciPy's coefficients once, no resample",
        lambda: correlate_columns(many, many_y, many_prompts, resamples=RESAMPLES),
        lambda: [(stats.pearsonr(x, many_y), stats.spearmanr(x, many_y), stats.kendalltau(x, many_y)) for x in many],
        rounds=3,
        remark="ρ and τ linearised",
    )
    pairs = compare(
        f"pairwise accuracy with ties, {4 * STORIES:,} stories",
        "NumPy, all pairs",
        lambda: concordance(many[0][: 4 * STORIES], many_y[: 4 * STORIES]).pairwise(),
        lambda: accuracy(many[0][: 4 * STORIES], many_y[: 4 * STORIES]),
        rounds=3,
    )
    return [scaled, large, pairs]
