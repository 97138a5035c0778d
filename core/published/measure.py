"""Computes what a study gives for a cell of a published table: a correlation, share or count of stories."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.correlation import subsets
from core.analysis.difference.differences import Convention, differences
from core.analysis.judgments.texts import Texts, tokens
from core.analysis.systems.ranking import correlate_means
from core.arrays import Floats, Ints
from core.published.quantities import Quantity, QuantityKind, StoryRule
from core.scores import IMPORTED, ScoreColumn, ScoreTable
from core.statistics.agreement import krippendorff_alpha
from core.statistics.correlation import correlate

RULES = {StoryRule.UNION: (subsets.UNION, (0, 1)), StoryRule.MANS: (subsets.MANS, (1, 5))}
"""Definitions of reasonable stories and of those of an error type, with their scale: UNION, section 4.5, and OpenMEVA,
section 4.2."""
CORRELATIONS = (QuantityKind.PEARSON, QuantityKind.SPEARMAN, QuantityKind.KENDALL)
OTHER_TYPE = "other"
NO_SCORES = "The study has no scores of this metric: run it, or import its scores under this name."
NO_TRAINED = "No score here is of a checkpoint whose card names this corpus alone."
Learnt = Mapping[str, str]
"""Signature of scores -> the corpora that their checkpoint learnt from."""
NOTHING_LEARNT: Learnt = {}


@dataclass(frozen=True)
class Measurement:
    """A quantity of a study, or in `missing` what it lacks; `starred`: p < 0.01, None where there is no p.

    `low`, `high`: of a range, in which a printed number agrees.
    """

    value: float | None = None
    starred: bool | None = None
    n: int | None = None
    signature: str = ""
    missing: str = ""
    low: float | None = None
    high: float | None = None


def measure(
    wanted: Quantity, table: ScoreTable, learnt: Learnt = NOTHING_LEARNT, texts: Texts | None = None
) -> Measurement:
    """The quantity in these stories; what is missing where it cannot be computed. `texts`: the study's, whole."""
    if wanted.kind in CORRELATIONS:
        return _correlation(wanted, table, learnt)
    if wanted.kind is QuantityKind.DIFFERENCE:
        return _difference(wanted, table, learnt)
    if wanted.kind is QuantityKind.TOKENS:
        counts = [tokens(text) for text in table.texts]
        return Measurement(
            float(np.mean(counts)) if counts else None, n=len(counts), missing="The study has no stories."
        )
    if wanted.kind is QuantityKind.PROMPT_TOKENS:
        return Measurement(texts.prompt_tokens if texts else None, missing="The study has no prompts.")
    if wanted.kind is QuantityKind.REFERENCE_TOKENS:
        return Measurement(texts.reference_tokens if texts else None, missing="The study has no human stories.")
    if wanted.kind is QuantityKind.ALPHA:
        alpha = krippendorff_alpha(table.ratings) if table.ratings.size else None
        return Measurement(alpha, n=table.rated, missing="No story has two ratings.")
    if wanted.kind in (QuantityKind.STORIES, QuantityKind.PROMPTS, QuantityKind.PER_PROMPT):
        return _count(wanted, table)
    return _of_types(wanted, table)


def _column(wanted: Quantity, table: ScoreTable, learnt: Learnt) -> ScoreColumn | None:
    """The scores of a metric, the released ones before our own; those of one corpus alone, where that is asked."""
    matched = wanted.of is not None and wanted.trained == wanted.of.corpus
    by_name: dict[str, ScoreColumn] = {}
    for column in sorted(table.columns, key=lambda score_column: not score_column.signature.startswith(IMPORTED)):
        right = _alone(learnt.get(column.signature, ""), wanted.trained)
        right = right or (matched and column.signature.startswith(IMPORTED))
        if not wanted.trained or right:
            by_name.setdefault(column.metric, column)
    return next((by_name[name] for name in wanted.metrics if name in by_name), None)


def _alone(learnt: str, corpus: str) -> bool:
    """Whether a checkpoint learnt from one set of stories, and its name tells this corpus: roc, union-roc."""
    return "," not in learnt and corpus in re.split(r"[^a-z]+", learnt.lower())


def _correlation(wanted: Quantity, table: ScoreTable, learnt: Learnt) -> Measurement:
    column = _column(wanted, table, learnt)
    if column is None:
        return Measurement(missing=NO_TRAINED if wanted.trained else NO_SCORES)
    if wanted.criterion:
        return _of_criterion(wanted, column, table)
    picked = _subset(wanted, table)
    if isinstance(picked, str):
        return Measurement(missing=picked)
    rows, judged = picked
    result = correlate(column.values[rows], judged, resamples=0)
    coefficient = getattr(result, wanted.kind)
    missing = f"Undefined: {result.undefined}." if result.undefined else ""
    return Measurement(coefficient.value, coefficient.starred, result.n, column.signature, missing)


def _of_criterion(wanted: Quantity, column: ScoreColumn, table: ScoreTable) -> Measurement:
    """The size of a coefficient with one of several criteria, within prompts or over systems' means."""
    if wanted.criterion not in table.criteria:
        return Measurement(missing=f"The study has no ratings of {wanted.criterion}.")
    single = replace(table, human=table.criteria[wanted.criterion], columns=(column,))
    if wanted.level == "system":
        correlation = correlate_means(single, resamples=0, soft=False)[0].correlation
    else:
        (correlation,) = subsets.correlate_within([column.values], single.human, single.prompts, resamples=0)
    value = getattr(correlation, wanted.kind).value
    missing = f"Undefined: {correlation.undefined}." if correlation.undefined else ""
    return Measurement(None if value is None else abs(value), None, correlation.n, column.signature, missing)


def _difference(wanted: Quantity, table: ScoreTable, learnt: Learnt) -> Measurement:
    """R squared over orders of tied stories, by the paper's convention."""
    column = _column(wanted, table, learnt)
    if column is None:
        return Measurement(missing=NO_SCORES)
    (difference,) = differences([column.values], table.human, convention=Convention.PAPER)
    missing = f"Undefined: {difference.undefined}." if difference.undefined else ""
    return Measurement(
        difference.r2_median, None, difference.n, column.signature, missing, difference.r2_low, difference.r2_high
    )


def _subset(wanted: Quantity, table: ScoreTable) -> tuple[Ints, Floats] | str:
    """Numbers of the stories that a quantity is of, and their judgments; a sentence where they cannot be told."""
    human = table.human
    if wanted.system:
        rows = np.flatnonzero(np.array([system == wanted.system for system in table.systems], dtype=bool))
        return (rows, human[rows]) if len(rows) else f"The study has no system called {wanted.system}."
    if wanted.rule is None:
        return np.arange(len(human)), human
    definition, scale = RULES[wanted.rule]
    if not wanted.error_type:
        good = subsets.reasonable(table, definition, scale)
        return np.flatnonzero(good), human[good]
    error_set = _error_set(wanted, table)
    if isinstance(error_set, str):
        return error_set
    rows = error_set.rows
    return rows, np.isin(rows, error_set.reasonable).astype(np.float64) if definition.labels else human[rows]


def _error_set(wanted: Quantity, table: ScoreTable) -> subsets.ErrorSet | str:
    """The set of the quantity's error type; a sentence where it cannot be told."""
    if wanted.rule is None or wanted.error_type not in table.votes or not _any_votes(table.votes):
        return "The study's ratings name no error types."
    result = subsets.error_sets(table, *RULES[wanted.rule])
    return next(error_set for error_set in result if error_set.error_type == wanted.error_type)


def _any_votes(votes: Mapping[str, Ints]) -> bool:
    return any(given.any() for given in votes.values())


def _count(wanted: Quantity, table: ScoreTable) -> Measurement:
    prompts = len(set(table.prompts))
    if wanted.kind is QuantityKind.PROMPTS:
        return Measurement(float(prompts))
    if wanted.kind is QuantityKind.PER_PROMPT:
        return Measurement(len(table.keys) / prompts) if prompts else Measurement(missing="The study has no stories.")
    if wanted.error_type:  # the papers count the unreasonable ones alone
        error_set = _error_set(wanted, table)
        return (
            Measurement(missing=error_set)
            if isinstance(error_set, str)
            else Measurement(float(len(error_set.unreasonable)))
        )
    picked = _subset(wanted, table)
    return Measurement(missing=picked) if isinstance(picked, str) else Measurement(float(len(picked[0])))


def _of_types(wanted: Quantity, table: ScoreTable) -> Measurement:
    """Measure over the stories that are not unanimously reasonable."""
    bad = np.isfinite(table.human) & (table.human < 1)
    if not bad.any() or not _any_votes(table.votes):
        return Measurement(missing="The study's ratings name no error types.")
    given = {name: votes[bad] > 0 for name, votes in table.votes.items()}
    total = int(bad.sum())
    scale = 100 if wanted.percent else 1
    if wanted.kind is QuantityKind.TYPE_SHARE:
        if wanted.error_type not in given:
            return Measurement(missing=f"The study has no error type called {wanted.error_type}.")
        return Measurement(scale * float(given[wanted.error_type].mean()), n=total)
    types = np.array([votes for name, votes in given.items() if name != OTHER_TYPE])
    if wanted.kind is QuantityKind.COUNT_SHARE:
        return Measurement(scale * float((types.sum(0) == wanted.number).mean()), n=total)
    varied = types[types.any(1) & ~types.all(1)]
    if len(varied) < 2:
        return Measurement(n=total, missing="Fewer than two error types were given to some stories and not to others.")
    # Of presence and absence, Spearman's coefficient is Pearson's.
    pairs = np.corrcoef(varied)[np.triu_indices(len(varied), 1)]
    return Measurement(float(pairs[np.argmax(np.abs(pairs))]), n=total)
