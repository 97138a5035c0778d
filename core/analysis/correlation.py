"""How far a metric agrees with people: Pearson, Spearman and Kendall with p-values and bootstrap intervals.

UNION (2020) section 4.3, OpenMEVA (2021) section 4.2. Stories of one prompt are not independent, so the intervals
and `p_cluster` resample whole prompts; `p` is SciPy's, which takes stories as independent, for parity with the papers.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from core.scores import ScoreTable

Floats = NDArray[np.float64]
FEWEST = 3
STAR = 0.01
"""The papers' level of significance."""
LARGEST_PAIR_MATRIX = 4_000
"""Above this many stories, Kendall's resamples go through SciPy one by one: the matrix of pairs would not fit."""
WEIGHTS_A_BLOCK = 2_000_000
"""Stories times resamples held at once: memory must not grow with either."""


@dataclass(frozen=True)
class Coefficient:
    """One correlation in -1..1, its two p-values, and its 95 % bootstrap interval by prompt; None if undefined."""

    value: float | None
    p: float | None = None
    p_cluster: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def starred(self) -> bool:
        """Whether the papers would print a star: p < 0.01."""
        return self.p is not None and self.p < STAR


NOTHING = Coefficient(None)


@dataclass(frozen=True)
class Correlation:
    """All three coefficients of one metric over `n` stories, or the reason why there are none."""

    n: int
    pearson: Coefficient
    spearman: Coefficient
    kendall: Coefficient
    undefined: str | None = None


def correlate(
    metric: ArrayLike, human: ArrayLike, prompts: ArrayLike | None = None, *, seed: int = 0, resamples: int = 1000
) -> Correlation:
    """Correlate a metric's raw scores with human judgments.

    `metric`, `human`: one number a story, NaN where there is none (pairs with a gap are left out, `n` counts the
    rest). `prompts`: the prompt of each story, the unit of the bootstrap; each story its own where None.
    `resamples` = 0 leaves out the intervals.
    """
    x, y = np.asarray(metric, dtype=np.float64), np.asarray(human, dtype=np.float64)
    keep = np.isfinite(x) & np.isfinite(y)
    clusters = np.arange(len(x)) if prompts is None else np.unique(np.asarray(prompts), return_inverse=True)[1]
    x, y, clusters = x[keep], y[keep], clusters[keep]
    reason = _why_undefined(x, y)
    if reason:
        return Correlation(len(x), NOTHING, NOTHING, NOTHING, reason)
    found = {
        "pearson": stats.pearsonr(x, y),
        "spearman": stats.spearmanr(x, y),
        "kendall": stats.kendalltau(x, y),
    }
    drawn = bootstrap(x, y, clusters, seed=seed, resamples=resamples) if resamples else {}
    coefficients = {
        name: _coefficient(float(result.statistic), float(result.pvalue), drawn.get(name))
        for name, result in found.items()
    }
    return Correlation(len(x), coefficients["pearson"], coefficients["spearman"], coefficients["kendall"])


@dataclass(frozen=True)
class MetricCorrelation:
    """A metric of a study with its correlation; `subset` is None for all stories."""

    metric: str
    signature: str
    subset: str | None
    correlation: Correlation


def correlate_table(table: ScoreTable, *, seed: int = 0, resamples: int = 1000) -> tuple[MetricCorrelation, ...]:
    """Correlate every column of a study's scores with its human judgments."""
    prompts = np.asarray(table.prompts)
    return tuple(
        MetricCorrelation(
            column.metric,
            column.signature,
            None,
            correlate(column.values, table.human, prompts, seed=seed, resamples=resamples),
        )
        for column in table.columns
    )


def _why_undefined(x: Floats, y: Floats) -> str | None:
    if len(x) < FEWEST:
        return f"only {len(x)} stories have both a score and a rating; {FEWEST} are needed"
    if np.ptp(x) == 0:
        return "the metric gives every story the same score"
    if np.ptp(y) == 0:
        return "every story has the same rating"
    return None


def _coefficient(value: float, p: float, drawn: Floats | None) -> Coefficient:
    drawn = drawn[np.isfinite(drawn)] if drawn is not None else np.empty(0)
    if len(drawn) == 0:
        return Coefficient(value, p)
    low, high = np.percentile(drawn, [2.5, 97.5])
    tail = min(np.count_nonzero(drawn <= 0), np.count_nonzero(drawn >= 0))
    p_cluster = min(1.0, 2 * float(tail + 1) / (len(drawn) + 1))
    return Coefficient(value, p, p_cluster, float(low), float(high))


def bootstrap(
    x: Floats, y: Floats, clusters: NDArray[np.intp], *, seed: int = 0, resamples: int = 1000
) -> dict[str, Floats]:
    """Draw whole clusters with replacement; return the three coefficients of each of the `resamples` draws.

    A draw is a vector of story weights, so that sums over a resample are matrix products: no draw is ever built.
    NaN where a draw holds a single value; nothing at all where there is a single cluster. Neither x nor y may be
    constant.
    """
    rng = np.random.default_rng(seed)
    _, clusters = np.unique(clusters, return_inverse=True)
    number = int(clusters.max()) + 1
    if number < 2:  # one prompt drawn over and over says nothing about others
        return {}
    x, y = (x - x.mean()) / np.ptp(x), (y - y.mean()) / np.ptp(y)  # tiny and huge scores alike
    kendall = _kendall_by_pairs(x, y) if len(x) <= LARGEST_PAIR_MATRIX else _kendall_by_draw(x, y)
    results: dict[str, list[Floats]] = {"pearson": [], "spearman": [], "kendall": []}
    block = max(1, WEIGHTS_A_BLOCK // len(x))
    for begin in range(0, resamples, block):
        draws = min(block, resamples - begin)
        counts = rng.multinomial(number, np.full(number, 1 / number), size=draws)
        weights = counts[:, clusters].astype(np.float64)
        results["pearson"].append(weighted_pearson(weights, x, y))
        results["spearman"].append(weighted_pearson(weights, weighted_ranks(weights, x), weighted_ranks(weights, y)))
        results["kendall"].append(kendall(weights))
    return {name: np.concatenate(blocks) for name, blocks in results.items()}


def weighted_pearson(weights: Floats, x: Floats, y: Floats) -> Floats:
    """Pearson's r for each row of weights (draws x stories); x and y one row for all, or a row a draw."""
    total = weights.sum(1, keepdims=True)
    x = x - (weights * x).sum(1, keepdims=True) / total
    y = y - (weights * y).sum(1, keepdims=True) / total
    wx, wy = weights * x, weights * y
    scale = np.sqrt((wx * x).sum(1) * (wy * y).sum(1))
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.where(scale > 1e-12 * total[:, 0], (wx * y).sum(1) / scale, np.nan)
    return np.clip(r, -1, 1)


def weighted_ranks(weights: Floats, values: Floats) -> Floats:
    """Mid-ranks of `values` in each resample (draws x stories), ties sharing their mean rank."""
    _, group = np.unique(values, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    size = np.add.reduceat(weights[:, order], starts, axis=1)
    middle = np.cumsum(size, axis=1) - size / 2
    return np.asarray(middle[:, group])


def _kendall_by_pairs(x: Floats, y: Floats) -> Callable[[Floats], Floats]:
    """Tau-b of weighted resamples as quadratic forms in the signs of all pairs (stories x stories)."""
    sign_x = np.sign(x[:, None] - x[None, :]).astype(np.float32)
    sign_y = np.sign(y[:, None] - y[None, :]).astype(np.float32)
    agreement, untied_x, untied_y = sign_x * sign_y, np.abs(sign_x), np.abs(sign_y)

    def tau(weights: Floats) -> Floats:
        single = weights.astype(np.float32)
        forms = [((single @ m) * single).sum(1, dtype=np.float64) for m in (agreement, untied_x, untied_y)]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(forms[1] * forms[2] > 0, forms[0] / np.sqrt(forms[1] * forms[2]), np.nan))

    return tau


def _kendall_by_draw(x: Floats, y: Floats) -> Callable[[Floats], Floats]:
    def tau(weights: Floats) -> Floats:
        drawn = [np.repeat(np.arange(len(x)), row.astype(int)) for row in weights]
        return np.array([stats.kendalltau(x[i], y[i]).statistic for i in drawn])

    return tau
