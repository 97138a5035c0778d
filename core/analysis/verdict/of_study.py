"""The finding of a study, from its scores and ratings: with tests of the best metric against each other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.analysis.correlation.metric_order import places_by
from core.analysis.correlation.partial import partial_table
from core.analysis.judgments.strictness import Strictness
from core.analysis.systems.ranking import over_systems
from core.analysis.verdict.family import family_of, one_with_others, usual_tests
from core.analysis.verdict.finding import LEAST_LEAD, RANKED_BY, Finding, finding
from core.analysis.verdict.graded import corrected_against_words
from core.analysis.verdict.parts import prompts_behind
from core.analysis.verdict.sentences import claimed, settled
from core.metrics import registered
from core.metrics.naming import negated_number
from core.scores import IMPORTED, ScoreColumn, ScoreTable
from core.statistics.correlation import MetricCorrelation

LEAST_GAP = 0.05
"""How much lower over all stories a metric's r is that within systems is as close, where that is worth a sentence."""


def finding_of_study(
    table: ScoreTable,
    names: Sequence[str],
    correlated: Sequence[MetricCorrelation],
    *,
    one_rater: float | None,
    disagree: bool,
    trained_on: Mapping[str, int],
    strictness: Strictness | None = None,
    seed: int = 0,
) -> Finding | None:
    """The finding; None where no metric has a correlation. `table`: the best metric first, called by `names`;
    `correlated`: its columns with people, over all stories. `trained_on`: by signature, on how many of the study's
    stories a metric was trained; such a metric is the best one only where there is no other. `strictness`: as in
    `Finding`.
    """
    family = family_of(table, trained_on)
    defined = [place for place, metric in enumerate(correlated) if metric.correlation.pearson.value is not None]
    tested = [place for place in family.places if place in defined]
    if not tested:
        return None
    ahead = tuple(names[place] for place in family.trained if place in defined and place < tested[0])
    not_compared = tuple(names[place] for place in family.trained if place in defined)
    few = tuple(names[place] for place in family.few if place in defined)
    best = family.places.index(tested[0])
    significance = usual_tests(table, names, family, seed=seed, resamples=0)
    table = replace(table, columns=tuple(table.columns[place] for place in family.places))
    names, correlated = [names[place] for place in family.places], [correlated[place] for place in family.places]
    tests = one_with_others(significance, names[best])
    found = finding(
        names,
        [metric.correlation.pearson for metric in correlated],
        [metric.correlation.n for metric in correlated],
        tests,
        prompts=prompts_behind(table, table.columns[best].values),
        one_rater=one_rater,
        disagree=disagree,
        seen=trained_on.get(table.columns[best].signature, 0),
        ahead=ahead,
        sentinels={name for name, column in zip(names, table.columns, strict=True) if _is_sentinel(column)},
        falling=_falling(table, names, correlated),
        first_by=_first_by(names, correlated, names[best]),
        first_within=first_within_systems(table, names, names[best]),
        not_compared=not_compared,
        negated=_negated(names, table.columns),
        few=few,
        systems=over_systems(table, best),
        rho=correlated[best].correlation.spearman,
    )
    if found is None:
        return None
    rated = int(np.isfinite(table.human).sum())
    most = rated if 2 * found.n < rated else found.most  # no metric has been run on all stories yet
    length = corrected_against_words(table, names, tests)
    return replace(found, most=most, with_length=length, strictness=strictness)


def _first_by(names: Sequence[str], correlated: Sequence[MetricCorrelation], best: str) -> dict[str, tuple[str, float]]:
    """By each coefficient of ranks the metric that comes first, the best by Pearson's r where no other is above it."""
    first = {}
    for coefficient in RANKED_BY:
        values = [getattr(metric.correlation, coefficient).value for metric in correlated]
        place = places_by(values)[0]
        highest = values[place]
        if highest is not None:
            first[coefficient] = (best if highest == values[names.index(best)] else names[place], highest)
    return first


def first_within_systems(table: ScoreTable, names: Sequence[str], best: str) -> tuple[str, float, float] | None:
    """Of the other metrics the one with the highest r within systems, that r and the `best` one's, where it is higher
    by more than a hair, or as high although it is lower over all stories; None elsewhere, and where there is no such r,
    as of a single system. `names`: of the table's columns.
    """
    rows = dict(zip(names, partial_table(table, resamples=0), strict=True))
    inside = {
        name: r
        for name, row in rows.items()
        if row.within_systems.undefined is None and (r := row.within_systems.r.value) is not None
    }
    others = inside.keys() - {best}
    if best not in inside or not others:
        return None
    first = max(sorted(others), key=inside.__getitem__)
    lead = inside[first] - inside[best]
    gap = (rows[best].pooled.r.value or 0.0) - (rows[first].pooled.r.value or 0.0)
    worth_saying = lead >= LEAST_LEAD or (lead > -LEAST_LEAD and gap >= LEAST_GAP)
    return (first, inside[first], inside[best]) if worth_saying else None


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
