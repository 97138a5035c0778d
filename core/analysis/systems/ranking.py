"""Whole systems: means and ranks with intervals, and whether a metric ranks systems as people do.

The correlation of systems' mean scores with their mean judgment is what Perception Score (2020), Table 1, reports of a
metric, with the Turing score M1 as the judgment; pairwise accuracy is after Kocmi et al. (2021). Intervals draw whole
prompts and keep the systems: they say nothing about other systems than these.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.sparse import csr_array

from core.analysis.systems.pairs import ALL_TIED, PairAccuracy, kendall, pair_accuracy
from core.analysis.systems.soft import soft_pairs
from core.arrays import Floats, Ints
from core.scores import ScoreColumn, ScoreTable
from core.statistics.correlation import (
    NOTHING,
    Coefficient,
    Correlation,
    MetricCorrelation,
    coefficient,
    named,
    undefined,
)
from core.statistics.draws import cells, drawn_in_blocks, drawn_means, drawn_sums
from core.statistics.exact import MOST as MOST_ORDERED
from core.statistics.exact import kendall_p, pearson_p, spearman_p
from core.statistics.groups import members, numbered, too_few
from core.statistics.intervals import Estimate, column_ends, finite
from core.statistics.moments import weighted_pearson
from core.statistics.ranks import rank_ends, ranks

Series = tuple[Floats, Floats | None]
"""Values, one a story, and what each weighs in a mean; None: all alike."""
OF_SYSTEMS = "systems"
"""The subset whose members are systems, each with its mean."""
FEWEST, MOST = 3, 100
ALIKE, DECIMALS = 1e-12, 12
"""Of the systems' means, a spread that is rounding; and the decimals of their range in which equal means agree."""


@dataclass(frozen=True)
class SystemMean:
    """A system by people or by one metric: its `n` stories' mean, and its rank by it, 1 the highest mean.

    Ranks have whole or half numbers: equal means share theirs. Intervals are those of the draws of whole prompts.
    """

    n: int
    mean: Estimate
    rank: Estimate


@dataclass(frozen=True)
class SystemRow:
    """A system with its `stories`; `metrics` in the order of the table's columns."""

    system: str
    stories: int
    human: SystemMean
    metrics: tuple[SystemMean, ...]


@dataclass(frozen=True)
class SystemCorrelation:
    """How a metric's means of `systems` systems go with people's, over the `n` stories that both judge, or that
    people do. `people_ranks`: of each of these systems its rank by people over these stories, which may be another than
    over all that people have judged.

    `undefined`: why there are no coefficients. `p` takes systems as independent draws of possible ones, and is exact up
    to eight of them; `p_cluster` and the intervals draw prompts and keep the systems. `soft`: soft pairwise
    accuracy.
    """

    metric: str
    signature: str
    n: int
    systems: int
    pearson: Coefficient
    spearman: Coefficient
    kendall: Coefficient
    accuracy: PairAccuracy
    undefined: str | None = None
    soft: float | None = None
    people_ranks: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Systems:
    """Systems by name, and a correlation a metric; `undefined`: why there is neither."""

    rows: tuple[SystemRow, ...]
    correlations: tuple[SystemCorrelation, ...]
    undefined: str | None = None


@dataclass(frozen=True)
class _Measured:
    """One measure: each system's number of stories and mean, and its means in each draw (draws x systems)."""

    n: NDArray[np.int64]
    means: Floats
    drawn: Floats


def share_of_ratings(ratings: Floats, counted: Sequence[int]) -> Floats:
    """The share of each story's ratings (stories x ratings, padded with NaN) that are among `counted`, such as M1."""
    given = np.isfinite(ratings).sum(1)
    return np.asarray(np.isin(ratings, counted).sum(1) / np.where(given > 0, given, np.nan))


def compare_systems(
    table: ScoreTable,
    *,
    human: Floats | None = None,
    every: bool = False,
    seed: int = 0,
    resamples: int = 1000,
) -> Systems:
    """Means, ranks and correlations of a study's systems.

    `human`: the judgment of each story in place of its mean rating, such as the share of its ratings that M1 counts.
    `every`: correlations are of means over all stories that the metric has scored, and over all that people have
    judged; else of both over the same stories.
    """
    judged = table.human if human is None else human
    names, systems = numbered(table.systems)
    if reason := _why_no_systems(names):
        return Systems((), (), reason)
    prompts = numbered(table.prompts)[1]
    # Of each measure the stories that it judges; for each correlation those that both judge.
    wanted: list[Series] = [(judged, None), *((column.values, column.weights) for column in table.columns)]
    wanted += _paired(table, judged, every=every)
    measured = _measure(wanted, prompts, systems, len(names), seed=seed, resamples=resamples)
    own, paired = measured[: len(table.columns) + 1], measured[len(table.columns) + 1 :]
    own[0] = replace(own[0], drawn=_drawn_as_judgments(table, judged, systems, len(names), seed, resamples))
    by_measure = [_system_means(item) for item in own]
    stories = np.bincount(systems, minlength=len(names)).tolist()
    rows = tuple(
        SystemRow(name, stories[i], by_measure[0][i], tuple(means[i] for means in by_measure[1:]))
        for i, name in enumerate(names)
    )
    soft = soft_pairs(table, judged, seed=seed)
    correlations = tuple(
        replace(_correlation(column, names, paired[2 * i], paired[2 * i + 1]), soft=soft[i])
        for i, column in enumerate(table.columns)
    )
    return Systems(rows, correlations)


def over_systems(table: ScoreTable, place: int) -> SystemCorrelation | None:
    """`of_column`, for a column of the table; None where it and people have fewer than two systems in common."""
    over = of_column(table, table.columns[place])
    return over if over.systems > 1 else None


def of_column(table: ScoreTable, column: ScoreColumn) -> SystemCorrelation:
    """How a metric's means of systems go with people's, as in `compare_systems` but without intervals and soft pairs.
    `column`: of the table's stories, whether it is among the table's columns or not.
    """
    names, systems = numbered(table.systems)
    if reason := _why_no_systems(names):
        none = Estimate(None, undefined=reason)
        accuracy = PairAccuracy(none, 0, none, 0)
        return SystemCorrelation(column.metric, column.signature, 0, 0, NOTHING, NOTHING, NOTHING, accuracy, reason)
    series = _paired(replace(table, columns=(column,)), table.human, every=False)
    human, scores = _measure(series, numbered(table.prompts)[1], systems, len(names), seed=0, resamples=0)
    return _correlation(column, names, human, scores)


def _why_no_systems(names: Sequence[str]) -> str | None:
    if len(names) > MOST:
        return f"there are {len(names):,} systems; up to {MOST} can be compared"
    return None if len(names) else "there are no stories"


def _paired(table: ScoreTable, judged: Floats, *, every: bool) -> list[Series]:
    """People's and the metric's numbers for each column: of the stories that both judge, or of `every` one."""
    series: list[Series] = []
    for column in table.columns:
        ours = np.isfinite(judged) & (np.isfinite(column.values) | every)
        theirs = np.isfinite(column.values) & (np.isfinite(judged) | every)
        series += [(np.where(ours, judged, np.nan), None), (np.where(theirs, column.values, np.nan), column.weights)]
    return series


def correlate_means(
    table: ScoreTable, *, seed: int = 0, resamples: int = 1000, soft: bool = True
) -> tuple[MetricCorrelation, ...]:
    """Every metric's correlation with people over the systems' means; `n` of each counts systems. `soft`: with the soft
    pairwise accuracy.

    The coefficients are those of the means as NumPy has them, as published figures are (HANNA's among them): two means
    that differ by rounding alone are no tie here, and are one in `compare_systems`.
    """
    names, numbers = numbered(table.systems)
    if reason := _why_no_systems(names):
        return named(table, [undefined(0, reason)] * len(table.columns), OF_SYSTEMS)
    prompts = numbered(table.prompts)[1]
    wanted = _paired(table, table.human, every=False)
    measured = _measure(wanted, prompts, numbers, len(names), seed=seed, resamples=resamples)
    systems = members(table.systems)
    shares = soft_pairs(table, table.human, seed=seed) if soft else [None] * len(table.columns)
    results = []
    for number, column in enumerate(table.columns):
        of = _correlation(column, names, measured[2 * number], measured[2 * number + 1])
        pearson, spearman, kendall_tau = of.pearson, of.spearman, of.kendall
        if of.undefined is None and column.weights is None:
            both = np.isfinite(column.values) & np.isfinite(table.human)
            own = [rows[both[rows]] for rows in systems.values() if both[rows].any()]
            x, y = ([float(values[rows].mean()) for rows in own] for values in (column.values, table.human))
            pearson = replace(pearson, value=float(stats.pearsonr(x, y).statistic))
            spearman = replace(spearman, value=float(stats.spearmanr(x, y).statistic))
            kendall_tau = replace(kendall_tau, value=float(stats.kendalltau(x, y).statistic))
        results.append(Correlation(of.systems, pearson, spearman, kendall_tau, of.undefined, soft=shares[number]))
    return named(table, results, OF_SYSTEMS)


def _measure(
    wanted: Sequence[Series],
    prompts: Ints,
    systems: Ints,
    number: int,
    *,
    seed: int,
    resamples: int,
) -> list[_Measured]:
    """Means of each series (NaN where a story has no value), in all and in each draw."""
    shape = (int(prompts.max()) + 1, number)
    places: dict[bytes, int] = {}  # where every story has every number, most series are the same
    matrices: list[Floats | csr_array] = []

    def place(values: Floats) -> int:
        key = values.tobytes()
        if key not in places:
            places[key] = len(matrices)
            matrices.append(cells(values, prompts, systems, shape))
        return places[key]

    series = []
    for values, weights in wanted:
        given = np.isfinite(values)
        centre = float(values[given].mean()) if given.any() else 0.0
        weight = given.astype(np.float64) if weights is None else np.where(given, weights, 0.0)
        total = place(np.where(given, (values - centre) * weight, 0))
        count = place(given.astype(np.float64))
        series.append((total, count, count if weights is None else place(weight), centre))
    drawn = drawn_sums(matrices, seed=seed, resamples=resamples if shape[0] > 1 else 0)
    result = []
    for total, count, weighed, centre in series:
        n = np.asarray(matrices[count].sum(0))
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.asarray(matrices[total].sum(0)) / np.asarray(matrices[weighed].sum(0)) + centre
        again = drawn_means(drawn[total], drawn[weighed], matrices[weighed]) + centre
        result.append(_Measured(n.astype(np.int64), means, again))
    return result


def _drawn_as_judgments(
    table: ScoreTable, judged: Floats, systems: Ints, number: int, seed: int, resamples: int
) -> Floats:
    """People's means of systems (draws x systems) in the draws of the judged stories' prompts that Judgments takes, so
    that both pages give a mean the same interval.
    """
    rated = np.flatnonzero(np.isfinite(judged))
    names, prompts = numbered([table.prompts[place] for place in rated.tolist()])
    if len(names) < 2:
        return np.empty((0, number))
    shape = (len(names), number)
    total, count = (cells(values, prompts, systems[rated], shape) for values in (judged[rated], np.ones(len(rated))))
    means = [
        drawn_means(np.asarray(copies @ total), np.asarray(copies @ count), count)
        for copies in drawn_in_blocks(len(names), seed=seed, resamples=resamples)
    ]
    return np.concatenate([np.empty((0, number)), *means])


def _system_means(measured: _Measured) -> list[SystemMean]:
    low, high = column_ends(measured.drawn)
    means, again = _scaled(measured.means, measured.drawn)
    rank_low, rank_high = rank_ends(ranks(again))
    return [
        SystemMean(int(n), _estimate(*mean), _estimate(*rank))
        for n, mean, rank in zip(
            measured.n,
            zip(measured.means, low, high, strict=True),
            zip(ranks(means[None])[0], rank_low, rank_high, strict=True),
            strict=True,
        )
    ]


def _estimate(value: float, low: float, high: float) -> Estimate:
    if not np.isfinite(value):
        return Estimate(None, undefined="no story of the system has a number")
    return Estimate(float(value), finite(low), finite(high))


def _correlation(column: ScoreColumn, names: Sequence[str], human: _Measured, scores: _Measured) -> SystemCorrelation:
    metric, signature = column.metric, column.signature
    scored = (human.n > 0) & (scores.n > 0)
    x, x_drawn = _scaled(scores.means[scored], scores.drawn[:, scored])
    y, y_drawn = _scaled(human.means[scored], human.drawn[:, scored])
    n, accuracy = int(human.n.sum()), pair_accuracy(x, y, x_drawn, y_drawn)
    people = dict(zip((names[i] for i in np.flatnonzero(scored).tolist()), ranks(y[None])[0].tolist(), strict=True))
    reason = _why_undefined(x, y)
    if reason:
        return SystemCorrelation(
            metric, signature, n, len(x), NOTHING, NOTHING, NOTHING, accuracy, reason, people_ranks=people
        )
    complete = np.isfinite(x_drawn).all(1) & np.isfinite(y_drawn).all(1)
    x_drawn, y_drawn = x_drawn[complete], y_drawn[complete]
    few = len(x) <= MOST_ORDERED
    r, rho, tau_b = stats.pearsonr(x, y), stats.spearmanr(x, y), stats.kendalltau(x, y)
    pearson = coefficient(float(r.statistic), pearson_p(x, y) if few else float(r.pvalue), _pearson(x_drawn, y_drawn))
    spearman = coefficient(
        float(rho.statistic),
        spearman_p(x, y) if few else float(rho.pvalue),
        _pearson(ranks(x_drawn), ranks(y_drawn)),
    )
    tau = coefficient(
        float(tau_b.statistic), kendall_p(x, y) if few else float(tau_b.pvalue), kendall(x_drawn, y_drawn)
    )
    return SystemCorrelation(metric, signature, n, len(x), pearson, spearman, tau, accuracy, people_ranks=people)


def _scaled(means: Floats, drawn: Floats) -> tuple[Floats, Floats]:
    """Both in units of the range of the means, which are then exactly equal where they differ by rounding alone."""
    if not np.isfinite(means).any():
        return means, drawn
    size = float(np.nanmax(np.abs(means)))
    spread = float(np.nanmax(means) - np.nanmin(means))
    if spread <= ALIKE * size:
        return means * 0, drawn / (size or 1)
    return np.round(means / spread, DECIMALS), np.round(drawn / spread, DECIMALS)


def _why_undefined(x: Floats, y: Floats) -> str | None:
    if len(x) < FEWEST:
        return too_few(len(x), "system has", "systems have", "both scores and ratings", FEWEST)
    if np.ptp(x) == 0:
        return ALL_TIED
    if np.ptp(y) == 0:
        return "every system has the same mean judgment"
    return None


def _pearson(x: Floats, y: Floats) -> Floats:
    """Pearson's r of each row (draws x systems); NaN where either is constant."""
    if not len(x):
        return np.empty(0)
    return weighted_pearson(np.ones_like(x), x, y)
