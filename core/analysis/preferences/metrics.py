"""Metrics against preferences: how often a metric orders two stories as people did, and how it orders systems.

A metric's tie on a pair that people decided counts half; pairs that people called equal are left out, and counted. A
judge of pairs is a metric that scores no story: what it says of two is held against people's choice.

Over systems a metric is held against the same means, of the same stories, as in `core.analysis.systems`: a study has
one answer to which metric ranks its systems best.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from core.analysis.preferences.pair_judges import on_judgments, shares_won
from core.analysis.preferences.preferences import Preferences
from core.analysis.systems.ranking import SystemCorrelation, of_column
from core.arrays import Floats, Ints
from core.scores import NOT_YET, PairColumn, ScoreColumn, ScoreTable
from core.statistics.draws import CELLS_A_BLOCK, drawn_means, drawn_sums
from core.statistics.intervals import Estimate, column_ends, finite
from core.stories import Source

UNSCORED = "no judged pair has two scores"


@dataclass(frozen=True)
class StrengthAccuracy:
    """Accuracy on the `n` counted judgments whose choice has this `strength`, from 1."""

    strength: int
    n: int
    accuracy: Estimate


@dataclass(frozen=True)
class MetricPreference:
    """A metric on the `n` judgments, of `prompts` prompts, that people decided and whose two stories it has scored;
    `missing`: the decided ones without two scores, and by `reasons` why, the commonest first: a judgment that a stored
    reason rules out is of that reason, of two of the one whose story was shown first. `tied`: of the `n`, those in
    which its two scores are equal.

    `accuracy`: the share ordered as people did, 0..1, ties half, with its interval by prompt. `over`: how the mean
    scores of systems go with the mean shares of comparisons that the same stories have won, people's stories left out;
    of a judge of pairs, the mean shares of its own verdicts.
    """

    metric: str
    signature: str
    n: int
    missing: int
    reasons: Mapping[str, int]
    tied: int
    accuracy: Estimate
    by_strength: tuple[StrengthAccuracy, ...]
    over: SystemCorrelation
    prompts: int


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
    strengths in the last place. `tied`, `prompts`: by metric.
    """

    n: Ints
    accuracy: Floats
    low: Floats
    high: Floats
    tied: Ints
    prompts: Ints


def judge_metrics(
    preferences: Preferences,
    table: ScoreTable,
    judges: Sequence[PairColumn] = (),
    *,
    seed: int = 0,
    resamples: int = 1000,
) -> MetricPreferences:
    """Every column of the table, and every judge of pairs, on the judged pairs.

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
    # People's stories are their metrics' references: no other analysis has people among the systems.
    of_systems = np.flatnonzero([system != Source.HUMAN for system in table.systems])
    systems = table.take(of_systems)
    rows = []
    for number, column in enumerate(columns):
        n = int(counts.n[number, -1])
        estimates = [_estimate(counts, number, strength) for strength in range(counts.n.shape[1])]
        if isinstance(column, PairColumn):
            reasons, own = _reasons_of_judge(column, decided), _as_scores(column, preferences, systems)
        else:
            reasons, own = _reasons(column, sides), systems.columns[number]
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
                of_column(systems, own),
                int(counts.prompts[number]),
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
    of_prompts = np.asarray((count[:, -metrics:] > 0).sum(0), dtype=np.intp)
    drawn_right, drawn_count = drawn_sums([right, count], seed=seed, resamples=resamples if prompts > 1 else 0)
    low, high = column_ends(drawn_means(drawn_right, drawn_count, count))
    with np.errstate(invalid="ignore", divide="ignore"):
        accuracy = right.sum(0) / count.sum(0)
    n, accuracy, low, high = (line.reshape(strengths + 1, metrics).T for line in (count.sum(0), accuracy, low, high))
    return _Counts(n.astype(np.intp), accuracy, low, high, tied, of_prompts)


def _as_scores(judge: PairColumn, preferences: Preferences, table: ScoreTable) -> ScoreColumn:
    """The table's stories by the share of the judge's verdicts that each has won."""
    shares = shares_won(judge, preferences)
    values = np.array([shares.get(key, np.nan) for key in table.keys], dtype=np.float64)
    return ScoreColumn(judge.metric, judge.signature, values, {})
