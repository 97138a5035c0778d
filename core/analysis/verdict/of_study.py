"""The finding of a study, from its scores and ratings: with tests of the best metric against each other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.analysis.correlation.metric_order import places_by
from core.analysis.significance.tests import SignificanceSettings, compare_with_others, permutations_for_pairs
from core.analysis.systems.ranking import over_systems
from core.analysis.verdict.finding import RANKED_BY, Finding, finding
from core.analysis.verdict.parts import prompts_behind
from core.analysis.verdict.sentences import claimed, settled
from core.metrics import registered
from core.metrics.naming import negated_number
from core.scores import IMPORTED, ScoreColumn, ScoreTable
from core.statistics.correlation import MetricCorrelation


def finding_of_study(
    table: ScoreTable,
    names: Sequence[str],
    correlated: Sequence[MetricCorrelation],
    *,
    one_rater: float | None,
    disagree: bool,
    trained_on: Mapping[str, int],
    seed: int = 0,
) -> Finding | None:
    """The finding; None where no metric has a correlation. `table`: the best metric first, called by `names`;
    `correlated`: its columns with people, over all stories. `trained_on`: by signature, on how many of the study's
    stories a metric was trained; such a metric is the best one only where there is no other.
    """
    table, names, correlated, few = _of_most_stories(table, names, correlated)
    defined = [place for place, metric in enumerate(correlated) if metric.correlation.pearson.value is not None]
    if not defined:
        return None
    best = defined[0]
    ahead: tuple[str, ...] = ()
    not_compared: tuple[str, ...] = ()
    fair = [place for place, column in enumerate(table.columns) if column.signature not in trained_on]
    untrained = [place for place in fair if place in defined]
    if untrained and len(fair) < len(names):
        ahead = tuple(names[place] for place in defined if place < untrained[0])
        not_compared = tuple(names[place] for place in defined if place not in fair)
        best = fair.index(untrained[0])
        table = replace(table, columns=tuple(table.columns[place] for place in fair))
        names, correlated = [names[place] for place in fair], [correlated[place] for place in fair]
    settings = SignificanceSettings(permutations=permutations_for_pairs(len(names) - 1), resamples=0, seed=seed)
    return finding(
        names,
        [metric.correlation.pearson for metric in correlated],
        [metric.correlation.n for metric in correlated],
        compare_with_others(table, best, names, settings),
        prompts=prompts_behind(table, table.columns[best].values),
        one_rater=one_rater,
        disagree=disagree,
        seen=trained_on.get(table.columns[best].signature, 0),
        ahead=ahead,
        sentinels={name for name, column in zip(names, table.columns, strict=True) if _is_sentinel(column)},
        falling=_falling(table, names, correlated),
        first_by=_first_by(names, correlated, names[best]),
        not_compared=not_compared,
        negated=_negated(names, table.columns),
        few=few,
        systems=over_systems(table, best),
    )


def _of_most_stories(
    table: ScoreTable, names: Sequence[str], correlated: Sequence[MetricCorrelation]
) -> tuple[ScoreTable, Sequence[str], Sequence[MetricCorrelation], tuple[str, ...]]:
    """Without the metrics that have an r over fewer than half as many stories as another, and these metrics' names: a
    judge that was tried on a few, or a run under way, would come first by luck, or be told apart from nothing.
    """
    most = max((metric.correlation.n for metric in correlated), default=0)
    kept = [place for place, metric in enumerate(correlated) if 2 * metric.correlation.n >= most]
    few = tuple(
        name
        for name, metric in zip(names, correlated, strict=True)
        if 2 * metric.correlation.n < most and metric.correlation.pearson.value is not None
    )
    if not few:
        return table, names, correlated, ()
    columns = tuple(table.columns[place] for place in kept)
    return replace(table, columns=columns), [names[i] for i in kept], [correlated[i] for i in kept], few


def _first_by(names: Sequence[str], correlated: Sequence[MetricCorrelation], best: str) -> dict[str, tuple[str, float]]:
    """By each coefficient of ranks the metric that comes first, where that is another than the best by Pearson's r."""
    first = {}
    for coefficient in RANKED_BY:
        values = [getattr(metric.correlation, coefficient).value for metric in correlated]
        place = places_by(values)[0]
        highest, own = values[place], values[names.index(best)]
        if highest is not None and (own is None or highest > own):
            first[coefficient] = (names[place], highest)
    return first


def _falling(table: ScoreTable, names: Sequence[str], correlated: Sequence[MetricCorrelation]) -> tuple[str, ...]:
    """Metrics that are shown to fall where people's ratings rise, the lowest first."""
    below = [place for place, metric in enumerate(correlated) if settled(metric.correlation.pearson) < 0]
    claimable = [
        place
        for place in below
        if claimed(correlated[place].correlation.n, prompts_behind(table, table.columns[place].values))
    ]
    return tuple(
        names[place] for place in sorted(claimable, key=lambda it: correlated[it].correlation.pearson.value or 0)
    )


def _negated(names: Sequence[str], columns: Sequence[ScoreColumn]) -> dict[str, str]:
    numbers = {
        name: negated_number(column.metric, column.signature) for name, column in zip(names, columns, strict=True)
    }
    return {name: number for name, number in numbers.items() if number}


def _is_sentinel(column: ScoreColumn) -> bool:
    metric = registered(column.metric)
    return metric is not None and metric.sentinel and not column.signature.startswith(IMPORTED)
