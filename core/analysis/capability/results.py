"""What a metric sees and what it should ignore: its scores against a test set's labels.

OpenMEVA (2021), sections 4.4 and 4.5. Discrimination: Pearson's r with 1 for a coherent story and 0 for a changed one;
the higher, the better. Invariance: with 1 for an original and 0 for the same story in other words; the nearer to 0,
the more robust. `p` takes examples as independent, as the paper does. They are not, as several come from one human
story, the source: intervals and `p_cluster` are by source. `best_first` is the order in which a page shows metrics.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TypeVar

import numpy as np
from scipy import stats

from core.analysis.capability.draws import Sources, drawn_changes, drawn_pearson
from core.analysis.capability.examples import (
    ONE_SOURCE,
    Cases,
    Examples,
    Scored,
    examples_of,
    pairs_of,
    why_one_sided,
    why_unfit,
)
from core.analysis.significance.tests import FEWEST as FEWEST_COMPARED
from core.analysis.significance.tests import PairTest, SignificanceSettings, compare_metrics
from core.arrays import Floats, Ints
from core.metrics.naming import unique_names
from core.perturb.test_sets.aspects import Test, test_of
from core.statistics.correlation import NOTHING, Coefficient, coefficient
from core.statistics.groups import too_few
from core.statistics.intervals import Estimate, estimate, share_by_document
from core.statistics.paired import holm
from core.statistics.resamples import scaled
from core.statistics.roc import auc

ALL = "all"
"""Originals of every kind together."""
NONE = Estimate(None)
SAME_ORIGINALS = "the metric gives every original the same score, so that its changes have no unit"


@dataclass(frozen=True)
class Seen:
    """One metric in one aspect, over scored `positives` (label 1) and `negatives`.

    `undefined_scores`: examples left out for want of one. `pearson`: with the labels, -1..1. `auc`: that a coherent
    story scores above a changed one, ties half, 0..1. `ordered`: share of the changed stories that score below their
    own original, ties half, 0..1, whether or not there are coherent examples. `undefined`: why figures are None.
    """

    aspect: str
    metric: str
    signature: str
    positives: int
    negatives: int
    undefined_scores: int
    pearson: Coefficient = NOTHING
    auc: Estimate = NONE
    ordered: Estimate = NONE
    undefined: str | None = None


@dataclass(frozen=True)
class Robustness:
    """One metric under one change of wording, over `pairs` of an original and its changed story that both have a score.

    `of`: human, incoherent, or all originals. `pearson`: with 1 for originals, 0 for changed stories, -1..1. `change`:
    mean of the changed story's score less its original's, `mean_absolute_change`: of its size, both in units of the
    metric's own spread: the standard deviation of its scores over these originals, each as often as it has a pair.
    `undefined_scores`: pairs left out for want of a score. `undefined`: why figures are None.
    """

    aspect: str
    of: str
    metric: str
    signature: str
    pairs: int
    undefined_scores: int
    pearson: Coefficient = NOTHING
    change: Estimate = NONE
    mean_absolute_change: float | None = None
    undefined: str | None = None

    @property
    def absolute(self) -> float | None:
        """|r|, 0..1: smaller is more robust."""
        return None if self.pearson.value is None else abs(self.pearson.value)


@dataclass(frozen=True)
class Capability:
    """All metrics in all aspects of `n` cases. `rows`, `invariance`: of those that pass the filter; `unfiltered`,
    `invariance_unfiltered`: of all. `rows` have the aspects of invariance too, each over all its pairs.
    """

    n: int
    seed: int
    resamples: int
    rows: tuple[Seen, ...]
    unfiltered: tuple[Seen, ...]
    invariance: tuple[Robustness, ...]
    invariance_unfiltered: tuple[Robustness, ...]


def capability(cases: Cases, columns: Sequence[Scored], *, seed: int = 0, resamples: int = 1000) -> Capability:
    """Every metric in every aspect: aspects in order of appearance, metrics in their own order.

    Positives of an aspect of invariance are the originals of its changed stories, each as often as it was changed, as
    OpenMEVA counts them; its cases with label 1 are not looked at. `resamples`: draws of sources; 0 for no intervals
    of r and of changes.
    """
    if not columns:
        return Capability(len(cases.labels), seed, resamples, (), (), (), ())
    sources = Sources(list(cases.sources), seed, resamples)
    everything = _results(cases, columns, sources, filtered=False)
    kept = everything if cases.accepted.all() else _results(cases, columns, sources, filtered=True)
    return Capability(len(cases.labels), seed, resamples, kept[0], everything[0], kept[1], everything[1])


def _results(
    cases: Cases, columns: Sequence[Scored], sources: Sources, filtered: bool
) -> tuple[tuple[Seen, ...], tuple[Robustness, ...]]:
    seen: list[Seen] = []
    robust: list[Robustness] = []
    of = np.asarray(cases.of, dtype=np.str_)
    for aspect in dict.fromkeys(cases.aspects):
        examples = examples_of(cases, columns, aspect, filtered)
        seen += _seen(aspect, columns, examples, sources)
        if test_of(aspect) is Test.INVARIANCE:
            kinds = of[examples.changed]
            for kind in (*sorted(set(kinds.tolist())), ALL):
                rows = examples.changed if kind == ALL else examples.changed[kinds == kind]
                robust += _robust(aspect, kind, columns, rows, sources)
    return tuple(seen), tuple(robust)


def _seen(aspect: str, columns: Sequence[Scored], of: Examples, sources: Sources) -> list[Seen]:
    mine = sources.numbers[of.numbers]
    unfit = [why_unfit(x, mine) for x in of.x.T]
    reasons = [unfit[j] or why_one_sided(x, of.labels) for j, x in enumerate(of.x.T)]
    defined = [j for j, reason in enumerate(reasons) if not reason]
    drawn = drawn_pearson(of.x[:, defined], of.labels, mine, sources) if defined else of.x[:0]
    rows = []
    for j, column in enumerate(columns):
        scored = np.isfinite(of.x[:, j])
        ones, zeros = scored & (of.labels == 1), scored & (of.labels == 0)
        counts = (int(ones.sum()), int(zeros.sum()), int((~scored).sum()))
        row = Seen(aspect, column.metric, column.signature, *counts, undefined=reasons[j])
        row = replace(row, ordered=_ordered(column, of.changed, sources))
        if not reasons[j]:
            r = _pearson(of.x[scored, j], of.labels[scored], drawn[:, defined.index(j)])
            above = auc(of.x[zeros, j], of.x[ones, j], mine[zeros], mine[ones])
            row = replace(row, pearson=r, auc=above)
        rows.append(row)
    return rows


def _ordered(column: Scored, changed: Ints, sources: Sources) -> Estimate:
    less = column.originals[changed] - column.texts[changed]
    scored = np.isfinite(less)
    both = np.concatenate([column.originals[changed[scored]], column.texts[changed[scored]]])
    if why_unfit(both, np.tile(sources.numbers[changed[scored]], 2)):
        return NONE
    hits = (less[scored] > 0) + (less[scored] == 0) / 2
    return share_by_document(hits, sources.numbers[changed[scored]])


def _robust(aspect: str, of: str, columns: Sequence[Scored], rows: Ints, sources: Sources) -> list[Robustness]:
    originals, texts = pairs_of(columns, rows)
    mine = sources.numbers[rows]
    reasons = [why_unfit(np.concatenate(pair), np.tile(mine, 2)) for pair in zip(originals.T, texts.T, strict=True)]
    defined = [j for j, reason in enumerate(reasons) if not reason]
    drawn = (originals[:0], originals[:0])
    if defined:
        drawn = drawn_changes(originals[:, defined], texts[:, defined], mine, sources)
    robust = []
    for j, column in enumerate(columns):
        scored = np.isfinite(texts[:, j])
        before, after = originals[scored, j], texts[scored, j]
        counts = (len(before), len(scored) - len(before))
        row = Robustness(aspect, of, column.metric, column.signature, *counts, undefined=reasons[j])
        if not reasons[j]:
            r, change = (draws[:, defined.index(j)] for draws in drawn)
            labels = np.repeat([1, 0], len(before))
            row = replace(row, pearson=_pearson(np.concatenate([before, after]), labels, r))
            row = _with_change(row, before, after, change, mine[scored])
        robust.append(row)
    return robust


def _with_change(row: Robustness, before: Floats, after: Floats, drawn: Floats, numbers: Ints) -> Robustness:
    if np.ptp(before) == 0:
        return replace(row, undefined=SAME_ORIGINALS)
    change = _changes(before, after)
    mean = estimate(float(change.mean()), drawn, numbers)
    return replace(row, change=mean, mean_absolute_change=float(np.abs(change).mean()))


def _changes(before: Floats, after: Floats) -> Floats:
    """Changes in units of the scores' standard deviation, for tiny and huge scores alike; the scores must vary."""
    return np.asarray((after - before) / np.ptp(before) / scaled(before).std(ddof=1))


def _pearson(x: Floats, labels: Ints, drawn: Floats) -> Coefficient:
    test = stats.pearsonr(scaled(x), labels)
    return coefficient(float(test.statistic), float(test.pvalue), drawn)


@dataclass(frozen=True)
class Wrong:
    """A changed story that a metric gets wrong. `case`: its number among the cases; `change`: `score` less `original`
    in units of the metric's spread, the standard deviation over the originals of the aspect's changed stories.
    """

    case: int
    score: float
    original: float
    change: float


def worst(cases: Cases, column: Scored, aspect: str, n: int = 10, *, filtered: bool = True) -> tuple[Wrong, ...]:
    """The `n` changed stories of an aspect that a metric gets most wrong, or as many as have scores.

    Of discrimination those that gained most by what makes them worse (a negative `change` is right after all), of
    invariance those that changed most. Of equal ones the first comes first; none where all originals score the same.
    """
    rows = cases.rows(aspect, 0, filtered)
    rows = rows[np.isfinite(column.originals[rows]) & np.isfinite(column.texts[rows])]
    before, after = column.originals[rows], column.texts[rows]
    if len(rows) < 2 or np.ptp(before) == 0:
        return ()
    change = _changes(before, after)
    wrong = np.abs(change) if test_of(aspect) is Test.INVARIANCE else change
    return tuple(
        Wrong(int(rows[place]), float(after[place]), float(before[place]), float(change[place]))
        for place in np.argsort(-wrong, kind="stable")[:n]
    )


def compare(
    cases: Cases, a: Scored, b: Scored, *, seed: int = 0, resamples: int = 1000, filtered: bool = True
) -> dict[str, PairTest]:
    """Aspect -> Pearson's r of `a` minus that of `b`, signed, over the examples that both score.

    Interval and permutation test are by source, both metrics in the same draws; Holm's correction is over the aspects.
    """
    settings = SignificanceSettings(resamples=resamples, seed=seed, near=True)
    first, second = unique_names([(metric.metric, metric.signature) for metric in (a, b)])
    differences = {}
    for aspect in dict.fromkeys(cases.aspects):
        of = examples_of(cases, [a, b], aspect, filtered)
        scored = np.isfinite(of.x).all(1)
        x, labels, sources = of.x[scored], of.labels[scored], [cases.sources[i] for i in of.numbers[scored].tolist()]
        reason = why_one_sided(x[:, 0], labels) or (ONE_SOURCE if len(set(sources)) == 1 else None)
        if len(x) < FEWEST_COMPARED:
            reason = too_few(len(x), "example has", "examples have", "both scores", FEWEST_COMPARED)
        if reason:
            differences[aspect] = PairTest(first, second, len(x), undefined=reason)
            continue
        (difference,) = compare_metrics(x, labels, sources, (first, second), settings).rows
        differences[aspect] = difference if difference.a == first else difference.turned
    permuted = [row.permutation_p for row in differences.values()]
    corrected = holm(np.array([np.nan if p is None else p for p in permuted]))
    return {
        aspect: replace(difference, p_holm=None if np.isnan(p) else float(p), tests=int(np.isfinite(corrected).sum()))
        for (aspect, difference), p in zip(differences.items(), corrected.tolist(), strict=True)
    }


Row = TypeVar("Row", Seen, Robustness)


def best_first(result: Capability) -> Capability:
    """The same results, with metrics ordered by their mean Pearson's r over the aspects of coherence, on all cases.

    Undefined ones come last; metrics alike in this stand by name and signature.
    """
    values: dict[tuple[str, str], list[float]] = {}
    for row in result.unfiltered:
        own = values.setdefault((row.metric, row.signature), [])
        if row.pearson.value is not None and test_of(row.aspect) is Test.DISCRIMINATION:
            own.append(row.pearson.value)
    order = sorted(values, key=lambda part: (-fmean(values[part]) if values[part] else 2.0, part))
    place = {part: number for number, part in enumerate(order)}

    def sort(rows: Sequence[Row]) -> tuple[Row, ...]:
        """Sort by metric; aspects keep their order."""
        return tuple(sorted(rows, key=lambda row: place[row.metric, row.signature]))

    return replace(
        result,
        rows=sort(result.rows),
        unfiltered=sort(result.unfiltered),
        invariance=sort(result.invariance),
        invariance_unfiltered=sort(result.invariance_unfiltered),
    )
