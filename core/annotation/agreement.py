"""How far annotators agree: Krippendorff's alpha, one rater against the rest, and the ceiling of a noisy mean.

Krippendorff (2011), "Computing Krippendorff's alpha-reliability"; Shrout and Fleiss (1979) for ICC(1,k).
Ratings come as a table, units (stories) x raters, NaN where a rater did not rate.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
LEVELS = ("nominal", "ordinal", "interval")


@dataclass(frozen=True)
class Alpha:
    """Alpha at each level of measurement, and the 95 % bootstrap interval (by prompt) of the scheme's own level."""

    nominal: float | None
    ordinal: float | None
    interval: float | None
    low: float | None
    high: float | None


def value_counts(ratings: ArrayLike) -> tuple[Floats, Floats]:
    """Distinct values, and how often each unit got each (units x values)."""
    table = np.atleast_2d(np.asarray(ratings, dtype=np.float64))
    values = np.unique(table[np.isfinite(table)])
    counts = (table[:, :, None] == values).sum(1).astype(np.float64)
    return values, counts


def krippendorff_alpha(ratings: ArrayLike, level: str = "interval") -> float | None:
    """Alpha of a units x raters table with gaps, at most 1; None where fewer than two values were ever given."""
    values, counts = value_counts(ratings)
    return _alpha(values, counts, level)


def _paired(counts: Floats) -> Floats:
    return np.asarray(counts[counts.sum(1) >= 2])


def _distances(values: Floats, totals: Floats, level: str) -> Floats:
    """Squared differences between values (values x values) at a level; the ordinal ones depend on the totals."""
    if level == "nominal":
        return 1.0 - np.eye(len(values))
    if level == "interval":
        return np.asarray((values[:, None] - values[None, :]) ** 2)
    if level == "ordinal":
        middle = np.cumsum(totals) - totals / 2
        return np.asarray((middle[:, None] - middle[None, :]) ** 2)
    raise ValueError(f"unknown level {level!r}; there are {', '.join(LEVELS)}")


def _alpha(values: Floats, counts: Floats, level: str) -> float | None:
    counts = _paired(counts)
    totals = counts.sum(0)
    number = totals.sum()
    if np.count_nonzero(totals) < 2:
        return None
    distances = _distances(values, totals, level)
    observed = (((counts @ distances) * counts).sum(1) / (counts.sum(1) - 1)).sum() / number
    expected = totals @ distances @ totals / (number * (number - 1))
    return float(1 - observed / expected)


def alpha_interval(
    ratings: ArrayLike, prompts: ArrayLike, level: str, *, seed: int = 0, resamples: int = 1000
) -> tuple[float, float] | None:
    """95 % bootstrap interval of alpha, whole prompts drawn with replacement.

    None where alpha is undefined or there is a single prompt.
    """
    values, counts = value_counts(ratings)
    kept = counts.sum(1) >= 2
    if not kept.any():
        return None
    counts, clusters = counts[kept], np.unique(np.asarray(prompts)[kept], return_inverse=True)[1]
    number = int(clusters.max()) + 1
    if number < 2 or np.count_nonzero(counts.sum(0)) < 2:
        return None
    by_prompt = np.zeros((number, len(values)))
    np.add.at(by_prompt, clusters, counts)
    draws = np.random.default_rng(seed).multinomial(number, np.full(number, 1 / number), size=resamples)
    totals = draws @ by_prompt
    pairs = counts.sum(1) - 1
    alphas = []
    for drawn, total in zip(draws, totals, strict=True):
        distances = _distances(values, total, level)
        observed = (drawn[clusters] * ((counts @ distances) * counts).sum(1) / pairs).sum()
        expected = total @ distances @ total / (total.sum() - 1)
        if expected > 0:
            alphas.append(1 - observed / expected)
    if not alphas:
        return None
    low, high = np.percentile(alphas, [2.5, 97.5])
    return float(low), float(high)


def one_rater(ratings: ArrayLike, *, seed: int = 0, draws: int = 200) -> float | None:
    """Pearson's r of one rating, drawn at random a story, with the mean of the story's others; the mean of `draws`.

    Not a ceiling: a metric can pass it. None where no story has two ratings or nothing varies.
    """
    table = np.atleast_2d(np.asarray(ratings, dtype=np.float64))
    given = np.isfinite(table)
    table, given = table[given.sum(1) >= 2], given[given.sum(1) >= 2]
    if len(table) < 3:
        return None
    rng = np.random.default_rng(seed)
    sums, counts = np.where(given, table, 0).sum(1), given.sum(1)
    found = []
    for _ in range(draws):
        chosen = np.argmax(np.where(given, rng.random(table.shape), -1.0), axis=1)
        one = table[np.arange(len(table)), chosen]
        rest = (sums - one) / (counts - 1)
        if np.ptp(one) > 0 and np.ptp(rest) > 0:
            found.append(np.corrcoef(one, rest)[0, 1])
    return float(np.mean(found)) if found else None


def ceiling(ratings: ArrayLike) -> float | None:
    """sqrt(ICC(1,k)): the correlation a perfect metric could reach with a mean of k noisy ratings; None if undefined.

    One-way random effects, (between - within) / between: no k enters, so unequal numbers of ratings will do. 0 where
    the stories do not differ more than chance.
    """
    table = np.atleast_2d(np.asarray(ratings, dtype=np.float64))
    given = np.isfinite(table)
    table, given = table[given.any(1)], given[given.any(1)]
    counts = given.sum(1)
    if len(table) < 2 or counts.sum() <= len(table):
        return None
    filled = np.where(given, table, 0)
    means = filled.sum(1) / counts
    grand = filled.sum() / counts.sum()
    between = (counts * (means - grand) ** 2).sum() / (len(table) - 1)
    within = (np.where(given, table - means[:, None], 0) ** 2).sum() / (counts.sum() - len(table))
    if between == 0:
        return None
    return float(np.sqrt(max(0.0, (between - within) / between)))
