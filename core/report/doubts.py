"""What of a metric's verdict needs a second look at its study: other metrics, degenerate stories, length."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.correlation.limits import limits
from core.analysis.significance.tests import PairTest
from core.analysis.verdict.graded import is_length
from core.analysis.verdict.of_study import first_within_systems
from core.analysis.verdict.sentences import VerdictSentence
from core.checks import FindingKind
from core.figures.correlation import metric_names
from core.scores import ScoreTable
from core.statistics.correlation import MetricCorrelation


@dataclass(frozen=True)
class Doubts:
    """`overturn`: what degenerate stories alone make of the metric; `one_rater`: a person's r without them, where they
    decide the metric's; `length_test`: of `tests`, that with the number of words, corrected for the others;
    `within`: where the metric comes first, which one does within systems.
    """

    overturn: tuple[VerdictSentence, ...]
    one_rater: float | None
    length_test: PairTest | None
    within: tuple[str, float, float] | None


def one_rater_without(table: ScoreTable, kinds: Sequence[FindingKind | None], seed: int) -> float | None:
    """A person's r with the others, without degenerate stories."""
    others = np.array([place for place, kind in enumerate(kinds) if kind is None], dtype=np.intp)
    return limits(table.take(others), seed=seed).one_rater


def test_with_length(table: ScoreTable, names: Sequence[str], tests: Sequence[PairTest]) -> PairTest | None:
    """Of the `tests` of one metric that with the number of words; None where that is not among several."""
    if len(tests) < 2:
        return None
    lengths = {name for name, column in zip(names, table.columns, strict=True) if is_length(table, column.values)}
    return next((test for test in tests if test.b in lengths), None)


def within_of_first(
    table: ScoreTable, place: int, among: Sequence[MetricCorrelation], beside: Sequence[int]
) -> tuple[str, float, float] | None:
    """As `first_within_systems` has it, where the metric in this `place` comes first over all stories of those in the
    places `beside`, its own among them. `among`: every metric with people.
    """
    if place != max(beside, key=lambda other: among[other].correlation.pearson.value or -1.0):
        return None
    names = metric_names(table.columns)
    compared = replace(table, columns=tuple(table.columns[other] for other in beside))
    return first_within_systems(compared, [names[other] for other in beside], names[place])
