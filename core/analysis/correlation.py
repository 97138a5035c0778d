"""How far a metric agrees with people: Pearson, Spearman, Kendall and pairwise accuracy, with bootstrap intervals.

UNION (2020) section 4.3, OpenMEVA (2021) section 4.2. Stories of one prompt are not independent, so the intervals
and `p_cluster` resample whole prompts; `p` is SciPy's, which takes stories as independent, for parity with the papers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from core.analysis.pairwise import NO_PAIRS, Concordance, Pairwise, concordance
from core.analysis.resamples import FEWEST_LINEAR, LARGEST_OF_FEW, Ranks, bootstrap_columns, ranks_resampled
from core.scores import ScoreTable

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
NAMES = ("pearson", "spearman", "kendall")
FEWEST = 3
STAR = 0.01
"""The papers' level of significance."""


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
    """All coefficients of one metric over `n` stories, or the reason why there are none.

    `linearised`: Spearman's and Kendall's intervals come from the linearised bootstrap, which many stories need.
    `no_interval`: why they have none, or why nothing has; None where there are intervals, or nobody asked for them.
    `prompts`: for a mean of coefficients within prompts, how many prompts it counts, and how many there are.
    """

    n: int
    pearson: Coefficient
    spearman: Coefficient
    kendall: Coefficient
    undefined: str | None = None
    pairwise: Pairwise = NO_PAIRS
    linearised: bool = False
    prompts: tuple[int, int] | None = None
    no_interval: str | None = None


def undefined(n: int, reason: str) -> Correlation:
    """No correlation over these `n` stories."""
    return Correlation(n, NOTHING, NOTHING, NOTHING, reason)


def correlate(
    metric: ArrayLike, human: ArrayLike, prompts: ArrayLike | None = None, *, seed: int = 0, resamples: int = 1000
) -> Correlation:
    """Correlate a metric's raw scores with human judgments.

    `metric`, `human`: one number a story, NaN where there is none (pairs with a gap are left out, `n` counts the
    rest). `prompts`: the prompt of each story, the unit of the bootstrap; each story its own where None.
    `resamples` = 0 leaves out the intervals.
    """
    return correlate_columns([metric], human, prompts, seed=seed, resamples=resamples)[0]


def correlate_columns(
    metrics: Sequence[ArrayLike],
    human: ArrayLike,
    prompts: ArrayLike | None = None,
    *,
    seed: int = 0,
    resamples: int = 1000,
    of: int = 0,
) -> tuple[Correlation, ...]:
    """`correlate` of several metrics: those that score the same stories share the work on the judgments.

    `of`: the stories of the whole study, where these are a part of it: the parts of a large study are linearised too.
    """
    y = np.asarray(human, dtype=np.float64)
    columns = [np.asarray(metric, dtype=np.float64) for metric in metrics]
    clusters = prompt_numbers(len(y), prompts)
    alike: dict[bytes, list[int]] = {}
    for number, x in enumerate(columns):
        alike.setdefault((np.isfinite(x) & np.isfinite(y)).tobytes(), []).append(number)
    found: dict[int, Correlation] = {}
    for mask, numbers in alike.items():
        keep = np.frombuffer(mask, dtype=bool)
        parts = [columns[number][keep] for number in numbers]
        found |= zip(numbers, _of_same_stories(parts, y[keep], clusters[keep], seed, resamples, of), strict=True)
    return tuple(found[number] for number in range(len(columns)))


def prompt_numbers(stories: int, prompts: ArrayLike | None) -> Ints:
    """The number of each story's prompt; a prompt each where None."""
    return np.arange(stories) if prompts is None else np.unique(np.asarray(prompts), return_inverse=True)[1]


def _of_same_stories(
    columns: Sequence[Floats], y: Floats, clusters: Ints, seed: int, resamples: int, of: int
) -> list[Correlation]:
    reasons = [why_undefined(x, y) for x in columns]
    defined = [x for x, reason in zip(columns, reasons, strict=True) if reason is None]
    compared = [concordance(x, y) for x in defined]
    drawn: list[dict[str, Floats]] = [{} for _ in defined]
    if resamples and defined:
        drawn = bootstrap_columns(defined, y, clusters, seed=seed, resamples=resamples, compared=compared, of=of)
    prompts = len(np.unique(clusters))
    how = ranks_resampled(len(y), prompts, of)
    none = _why_no_interval(prompts, how) if resamples else None
    found = (
        _one(x, y, pairs, draws, how is Ranks.LINEARISED, none)
        for x, pairs, draws in zip(defined, compared, drawn, strict=True)
    )
    return [next(found) if reason is None else undefined(len(y), reason) for reason in reasons]


def _why_no_interval(prompts: int, how: Ranks) -> str | None:
    if prompts == 1:
        return "all stories have the same prompt, which drawn over and over says nothing about others"
    if how is Ranks.NONE:
        return (
            f"Spearman's and Kendall's need {FEWEST_LINEAR} prompts where there are more than {LARGEST_OF_FEW:,} "
            f"stories; here are {prompts}"
        )
    return None


def _one(
    x: Floats, y: Floats, compared: Concordance, drawn: dict[str, Floats], linear: bool, no_interval: str | None
) -> Correlation:
    results = (stats.pearsonr(x, y), stats.spearmanr(x, y), stats.kendalltau(x, y))
    pearson, spearman, kendall = (
        coefficient(float(result.statistic), float(result.pvalue), drawn.get(name))
        for name, result in zip(NAMES, results, strict=True)
    )
    pairs, linearised = compared.pairwise(), bool(drawn) and linear
    return Correlation(len(x), pearson, spearman, kendall, None, pairs, linearised, no_interval=no_interval)


@dataclass(frozen=True)
class MetricCorrelation:
    """A metric of a study with its correlation; `subset` is None for all stories, else a string of `subsets`."""

    metric: str
    signature: str
    subset: str | None
    correlation: Correlation


def correlate_table(
    table: ScoreTable, *, seed: int = 0, resamples: int = 1000, subset: str | None = None, of: int = 0
) -> tuple[MetricCorrelation, ...]:
    """Correlate every column of a study's scores with its human judgments.

    `subset`: what the stories are called, and `of`: how many the whole study has, where they are a part of it.
    """
    columns = [column.values for column in table.columns]
    found = correlate_columns(columns, table.human, np.asarray(table.prompts), seed=seed, resamples=resamples, of=of)
    return named(table, found, subset)


def named(table: ScoreTable, found: Sequence[Correlation], subset: str | None) -> tuple[MetricCorrelation, ...]:
    """Correlations, one a column, with the names of the columns."""
    return tuple(
        MetricCorrelation(column.metric, column.signature, subset, one)
        for column, one in zip(table.columns, found, strict=True)
    )


def why_undefined(x: Floats, y: Floats, fewest: int = FEWEST) -> str | None:
    """Why these stories' scores and ratings have no correlation, None where they have one; gaps (NaN) are left out.

    `fewest`: stories that are needed.
    """
    paired = np.isfinite(x) & np.isfinite(y)
    n = int(np.count_nonzero(paired))
    if n < fewest:
        return f"only {n} {'story has' if n == 1 else 'stories have'} both a score and a rating; {fewest} are needed"
    if np.ptp(x[paired]) == 0:
        return "the metric gives every story the same score"
    if np.ptp(y[paired]) == 0:
        return "every story has the same rating"
    return None


def coefficient(value: float, p: float | None, drawn: Floats | None) -> Coefficient:
    """`value` with the interval of its draws, and with the p that they give; undefined draws are left out."""
    drawn = drawn[np.isfinite(drawn)] if drawn is not None else np.empty(0)
    if len(drawn) == 0:
        return Coefficient(value, p)
    low, high = np.percentile(drawn, [2.5, 97.5])
    tail = min(np.count_nonzero(drawn <= 0), np.count_nonzero(drawn >= 0))
    p_cluster = min(1.0, 2 * float(tail + 1) / (len(drawn) + 1))
    return Coefficient(value, p, p_cluster, float(low), float(high))
