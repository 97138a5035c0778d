"""What of a metric's verdict needs a second look at its study: other metrics, degenerate stories."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.correlation.limits import limits
from core.analysis.verdict.of_study import first_within_systems
from core.analysis.verdict.sentences import VerdictSentence
from core.checks import FindingKind
from core.figures.correlation import metric_names
from core.scores import ScoreTable
from core.statistics.correlation import MetricCorrelation


@dataclass(frozen=True)
class Doubts:
    """`overturn`: what degenerate stories alone make of the metric; `one_rater`: a person's r without them, where they
    decide the metric's; `within`: where the metric comes first, which one does within systems.
    """

    overturn: tuple[VerdictSentence, ...]
    one_rater: float | None
    within: tuple[str, float, float] | None


def one_rater_without(table: ScoreTable, kinds: Sequence[FindingKind | None], seed: int) -> float | None:
    """A person's r with the others, without degenerate stories."""
    others = np.array([place for place, kind in enumerate(kinds) if kind is None], dtype=np.intp)
    return limits(table.take(others), seed=seed).one_rater


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
