"""The grade of evidence of one metric, from the scores and ratings themselves."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.analysis.correlation.partial import partial_table
from core.analysis.significance.tests import (
    PairTest,
    SignificanceSettings,
    compare_in_size,
    permutations_for_pairs,
)
from core.analysis.verdict.degenerate import RunningCheckUp
from core.analysis.verdict.grade import LENGTH_ITSELF, Graded, grade_of
from core.analysis.verdict.parts import prompts_behind
from core.analysis.verdict.without_degenerate import inside_without
from core.arrays import Floats
from core.checks import FindingKind
from core.scores import ScoreTable
from core.statistics.correlation import NOTHING, Correlation


def graded(
    table: ScoreTable,
    place: int,
    overall: Correlation,
    *,
    one_rater: float | None,
    disagree: bool,
    seen: int = 0,
    corrected: PairTest | None = None,
    kinds: Sequence[FindingKind | None] = (),
    seed: int = 0,
    resamples: int = 1000,
) -> Graded:
    """Grade the column at this place, whose correlation over all stories is `overall`. `kinds`: what makes each story
    degenerate, where that was looked for; the rest as in `grade_of`.
    """
    column = table.columns[place]
    single = replace(table, columns=(column,))
    (held,) = partial_table(single, seed=seed, resamples=resamples)
    running = RunningCheckUp()
    if any(kinds):
        running.add(column.values, table.human, kinds)
    checked = running.result()
    return grade_of(
        overall,
        prompts=prompts_behind(table, column.values),
        partial=held,
        against_words=against_words(table, column.values, seed=seed, resamples=resamples),
        one_rater=one_rater,
        disagree=disagree,
        means=bool(table.averaged.any()) and not table.compared,
        seen=seen,
        corrected=corrected,
        inside_without=inside_without(single, kinds, seed=seed, resamples=resamples) if checked.matters else NOTHING,
        left_out=checked.stories,
    )


def is_length(table: ScoreTable, scores: Floats) -> bool:
    """Whether scores are the number of words of the stories that have one."""
    scored = np.isfinite(scores)
    return bool(np.array_equal(scores[scored], table.words[scored]))


def against_words(table: ScoreTable, scores: Floats, *, seed: int, resamples: int) -> PairTest:
    """The paired test of a metric against the number of words, the sizes of their correlations; none where it is that
    number. Where its p lies so near the level that another seed would decide otherwise, more permutations decide.
    """
    if is_length(table, scores):
        return PairTest("metric", "words", int(np.isfinite(scores).sum()), undefined=LENGTH_ITSELF)
    settings = SignificanceSettings("pearson", permutations_for_pairs(1), resamples, seed, near=True)
    return compare_in_size(scores, table.words, table.human, table.prompts, ("metric", "words"), settings)


def corrected_against_words(table: ScoreTable, names: Sequence[str], tests: Sequence[PairTest]) -> PairTest | None:
    """Of one metric's `tests` with others, corrected for their number, that with the number of words; None where that
    is not among several.
    """
    if len(tests) < 2:
        return None
    lengths = {name for name, column in zip(names, table.columns, strict=True) if is_length(table, column.values)}
    return next((test for test in tests if test.b in lengths), None)
