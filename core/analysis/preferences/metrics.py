"""Metrics against preferences: how often a metric orders two stories as people did, and systems as their strengths.

A metric's tie on a pair that people decided counts half; pairs that people called equal are left out, and counted. A
judge of pairs is a metric that scores no story: what it says of two is held against people's choice.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.sparse import csr_array

from core.analysis.preferences.pair_judges import as_preferences, on_judgments
from core.analysis.preferences.preferences import Preferences
from core.analysis.preferences.ranking import DECIMALS, Ranking, rank
from core.arrays import Bools, Floats, Ints
from core.scores import NOT_YET, PairColumn, ScoreColumn, ScoreTable
from core.statistics.correlation import NOTHING, Coefficient
from core.statistics.draws import CELLS_A_BLOCK, drawn_means, drawn_sums
from core.statistics.exact import MOST as MOST_ORDERED
from core.statistics.exact import kendall_p, spearman_p
from core.statistics.groups import too_few
from core.statistics.intervals import Estimate, column_ends, finite

FEWEST = 3
"""Systems of a rank correlation."""
ALIKE, ROUNDED = 1e-12, 12
"""Of the systems' means, a spread that is rounding; and the decimals of their range in which equal means agree."""
UNSCORED = "no judged pair has two scores"


@dataclass(frozen=True)
class StrengthAccuracy:
    """Accuracy on the `n` counted judgments whose choice has this `strength`, from 1."""

    strength: int
    n: int
    accuracy: Estimate


@dataclass(frozen=True)
class MetricPreference:
    """A metric on the `n` judgments that people decided and whose two stories it has scored; `missing`: the decided
    ones without two scores, and by `reasons` why, the commonest first: a judgment that a stored reason rules out is of
    that reason, of two of the one whose story was shown first. `tied`: of the `n`, those in which its two scores are
    equal.

    `accuracy`: the share ordered as people did, 0..1, ties half, with its interval by prompt. `kendall`, `spearman`: of
    the mean scores of `systems` systems, over their judged stories, with the systems' strengths; of a judge of pairs,
    of the strengths that its own verdicts give; p is exact up to eight systems. `undefined`: why there are no such
    coefficients.
    """

    metric: str
    signature: str
    n: int
    missing: int
    reasons: Mapping[str, int]
    tied: int
    accuracy: Estimate
    by_strength: tuple[StrengthAccuracy, ...]
    systems: int
    kendall: Coefficient
    spearman: Coefficient
    undefined: str | None = None


@dataclass(frozen=True)
class MetricPreferences:
    """Of all `judgments`, the `ties` that people called equal, which no accuracy counts; `rows`: the most accurate
    metric first, those without an accuracy last.
    """

    judgments: int
    ties: int
    rows: tuple[MetricPreference, ...]


@dataclass(frozen=True)
class _Counts:
    """By metric and strength of choice (metrics x strengths): counted judgments and accuracies; and those of all
    strengths in the last place. `tied`, by metric.
    """

    n: Ints
    accuracy: Floats
    low: Floats
    high: Floats
    tied: Ints


def judge_metrics(
    preferences: Preferences,
    table: ScoreTable,
    ranking: Ranking,
    judges: Sequence[PairColumn] = (),
    *,
    seed: int = 0,
    resamples: int = 1000,
) -> MetricPreferences:
    """Every column of the table, and every judge of pairs, on the judged pairs; `ranking`: of these preferences.

    Stories are found by their keys; those that the table lacks have no score.
    """
    ties = int(preferences.tied.sum())
    columns: list[ScoreColumn | PairColumn] = [*table.columns, *judges]
    if not columns:
        return MetricPreferences(preferences.judgments, ties, ())
    decided = preferences.take(np.flatnonzero(~preferences.tied))
    places = {key: number for number, key in enumerate(table.keys)}
    sides = _sides(decided, places)
    counts = _count(decided, columns, sides, seed=seed, resamples=resamples)
    members = _judged_stories(preferences, places)
    rows = []
    for number, column in enumerate(columns):
        n = int(counts.n[number, -1])
        estimates = [_estimate(counts, number, strength) for strength in range(counts.n.shape[1])]
        if isinstance(column, PairColumn):
            reasons, own = _reasons_of_judge(column, decided), rank(as_preferences(column, preferences), resamples=0)
            worth, lack = _strengths(own, preferences.systems), own.undefined
        else:
            reasons, worth, lack = _reasons(column, sides), _means(column, members, len(preferences.systems)), None
        systems, kendall, spearman, reason = _correlated(worth, preferences.systems, ranking)
        rows.append(
            MetricPreference(
                column.metric,
                column.signature,
                n,
                decided.judgments - n,
                reasons,
                int(counts.tied[number]),
                estimates[-1],
                tuple(
                    StrengthAccuracy(strength, int(counts.n[number, strength - 1]), estimate)
                    for strength, estimate in enumerate(estimates[:-1], start=1)
                ),
                systems,
                kendall,
                spearman,
                ranking.undefined or (lack and f"by its own verdicts, {lack}") or reason,
            )
        )
    rows.sort(key=lambda row: -1.0 if row.accuracy.value is None else row.accuracy.value, reverse=True)
    return MetricPreferences(preferences.judgments, ties, tuple(rows))


def _estimate(counts: _Counts, metric: int, place: int) -> Estimate:
    if not counts.n[metric, place]:
        return Estimate(None, undefined=UNSCORED)
    low, high = finite(counts.low[metric, place]), finite(counts.high[metric, place])
    return Estimate(float(counts.accuracy[metric, place]), low, high)


def _sides(decided: Preferences, places: Mapping[str, int]) -> tuple[Ints, Ints]:
    """The row of the table that each judgment's two stories have, -1 of one that it lacks."""
    first, second = (
        np.array([places.get(key, -1) for key in keys], dtype=np.intp)
        for keys in (decided.first_story, decided.second_story)
    )
    return first, second


def _reasons(column: ScoreColumn, sides: tuple[Ints, Ints]) -> dict[str, int]:
    """How many judgments lack a score for each reason, the commonest first."""
    names = list(dict.fromkeys([NOT_YET, *column.reasons.values()]))
    number = {name: place for place, name in enumerate(names)}
    # Of each row of the table, and in the last place of stories that it lacks: -1 where there is a score.
    why = np.append(np.where(np.isfinite(column.values), -1, 0), 0)
    for row, reason in column.reasons.items():
        if why[row] == 0:
            why[row] = number[reason]
    first, second = why[sides[0]], why[sides[1]]
    counts = np.bincount(np.where(first > 0, first, np.maximum(second, first)) + 1, minlength=len(names) + 1)[1:]
    return {names[place]: int(counts[place]) for place in np.argsort(-counts, kind="stable") if counts[place]}


def _reasons_of_judge(column: PairColumn, decided: Preferences) -> dict[str, int]:
    """How many judgments it has no verdict on for each reason, the commonest first."""
    at, verdicts = on_judgments(column, decided)
    lacking = at[np.isnan(verdicts)].tolist()
    return dict(Counter(column.reasons.get(place, NOT_YET) for place in lacking).most_common())


def _gaps(column: ScoreColumn | PairColumn, decided: Preferences, sides: tuple[Ints, Ints]) -> Floats:
    """By judgment how much more the metric gives the story shown first than the other; NaN where it says nothing."""
    if isinstance(column, PairColumn):
        return -on_judgments(column, decided)[1]
    first, second = sides
    known = (first >= 0) & (second >= 0)
    gaps = np.full(len(first), np.nan)
    gaps[known] = column.values[first[known]] - column.values[second[known]]
    return gaps


def _count(
    decided: Preferences,
    columns: Sequence[ScoreColumn | PairColumn],
    sides: tuple[Ints, Ints],
    *,
    seed: int,
    resamples: int,
) -> _Counts:
    prompt = np.asarray(np.unique(decided.prompt, return_inverse=True)[1], dtype=np.intp)
    prompts, strengths = int(prompt.max(initial=-1)) + 1, int(np.abs(decided.choice).max(initial=1))
    metrics = len(columns)
    group = prompt * strengths + np.abs(decided.choice) - 1
    where = (np.ones(len(group)), (group, np.arange(len(group))))
    by_group = csr_array(where, shape=(prompts * strengths, len(group)))
    right, count = np.empty((prompts * strengths, metrics)), np.empty((prompts * strengths, metrics))
    tied = np.empty(metrics, dtype=np.intp)
    block = max(1, CELLS_A_BLOCK // max(1, len(group)))
    for begin in range(0, metrics, block):
        own = slice(begin, begin + block)
        gaps = np.column_stack([_gaps(column, decided, sides) for column in columns[own]])
        right[:, own] = np.asarray(by_group @ _right(gaps, decided.choice))
        count[:, own] = np.asarray(by_group @ np.isfinite(gaps).astype(np.float64))
        tied[own] = (gaps == 0).sum(0)
    return _summed(right, count, tied, (prompts, strengths, metrics), seed=seed, resamples=resamples)


def _right(gaps: Floats, choice: Ints) -> Floats:
    """Judgments x metrics: 1 where the metric prefers the story that people prefer, a half where it ties, else 0."""
    with np.errstate(invalid="ignore"):
        right = ((gaps > 0) & (choice < 0)[:, None]) | ((gaps < 0) & (choice > 0)[:, None])
    return np.asarray(right + 0.5 * (gaps == 0))


def _summed(
    right: Floats, count: Floats, tied: Ints, shape: tuple[int, int, int], *, seed: int, resamples: int
) -> _Counts:
    """`right`, `count`: sums by prompt and strength, and by metric; `shape`: the number of each."""
    prompts, strengths, metrics = shape
    # Every strength of every metric, and all strengths together in the last place.
    right, count = (
        np.concatenate([sums, sums.sum(1, keepdims=True)], axis=1).reshape(prompts, (strengths + 1) * metrics)
        for sums in (right.reshape(shape), count.reshape(shape))
    )
    drawn_right, drawn_count = drawn_sums([right, count], seed=seed, resamples=resamples if prompts > 1 else 0)
    low, high = column_ends(drawn_means(drawn_right, drawn_count, count))
    with np.errstate(invalid="ignore", divide="ignore"):
        accuracy = right.sum(0) / count.sum(0)
    n, accuracy, low, high = (line.reshape(strengths + 1, metrics).T for line in (count.sum(0), accuracy, low, high))
    return _Counts(n.astype(np.intp), accuracy, low, high, tied)


def _judged_stories(preferences: Preferences, places: Mapping[str, int]) -> tuple[Ints, Ints]:
    """Rows of the table that somebody judged, each once, and the number of the system of each."""
    found: dict[int, int] = {}
    for keys, systems in (
        (preferences.first_story, preferences.first), (preferences.second_story, preferences.second)
    ):  # fmt: skip
        for key, system in zip(keys, systems.tolist(), strict=True):
            if key in places:
                found[places[key]] = system
    return np.array(list(found), dtype=np.intp), np.array(list(found.values()), dtype=np.intp)


def _strengths(ranking: Ranking, names: tuple[str, ...]) -> Floats:
    """Of each system its log strength, NaN where it has none."""
    strengths = {row.system: row.strength.value for row in ranking.rows}
    return np.array([np.nan if strengths[name] is None else strengths[name] for name in names], dtype=np.float64)


def _correlated(
    x: Floats, names: tuple[str, ...], ranking: Ranking
) -> tuple[int, Coefficient, Coefficient, str | None]:
    """How many systems have a strength and a worth by the metric (`x`), how these go together, and why that is
    undefined.
    """
    y = _strengths(ranking, names)
    both = np.isfinite(x) & np.isfinite(y)
    reason = ranking.undefined or _why_undefined(x[both], both)
    if reason:
        return int(both.sum()), NOTHING, NOTHING, reason
    x, y = np.round(x[both] / np.ptp(x[both]), ROUNDED), np.round(y[both], DECIMALS)
    if np.ptp(y) == 0:
        return len(x), NOTHING, NOTHING, "all systems are equally strong"
    tau, rho = stats.kendalltau(x, y), stats.spearmanr(x, y)
    few = len(x) <= MOST_ORDERED
    return (
        len(x),
        Coefficient(float(tau.statistic), kendall_p(x, y) if few else float(tau.pvalue)),
        Coefficient(float(rho.statistic), spearman_p(x, y) if few else float(rho.pvalue)),
        None,
    )


def _why_undefined(x: Floats, both: Bools) -> str | None:
    if both.sum() < FEWEST:
        return too_few(int(both.sum()), "system has", "systems have", "both scores and a strength", FEWEST)
    return "the metric gives every system the same mean" if np.ptp(x) <= ALIKE * np.abs(x).max() else None


def _means(column: ScoreColumn, members: tuple[Ints, Ints], systems: int) -> Floats:
    """The mean score of each system's judged stories, NaN where none has one."""
    rows, own = members
    scored = np.isfinite(column.values[rows])
    rows, own = rows[scored], own[scored]
    weights = np.ones(len(rows)) if column.weights is None else column.weights[rows]
    with np.errstate(invalid="ignore", divide="ignore"):
        sums = np.bincount(own, weights * column.values[rows], minlength=systems)
        return np.asarray(sums / np.bincount(own, weights, minlength=systems))
