"""What is shown of a correlation of few stories: its value alone, and why."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.analysis.correlation.subsets import MANS, by_error, by_system, error_sets, within_prompts
from core.analysis.criteria.heat_map import by_criterion
from core.analysis.systems.ranking import correlate_means
from core.analysis.verdict.few_stories import (
    TOO_FEW,
    if_claimed,
    only_claimed,
    printed_rows,
)
from core.analysis.verdict.parts import enough_prompts, prompts_behind
from core.report.coefficients import about_p
from core.statistics.correlation import Coefficient, Correlation, MetricCorrelation, correlate_table, undefined
from tests.core.report.metric import random_table

R = Coefficient(0.5, 0.001, 0.002, 0.3, 0.7, at_most=True)


@pytest.mark.parametrize(("n", "prompts", "starred"), [(30, 10, True), (29, 10, False), (30, 9, False)])
def test_a_star_and_an_interval_take_what_a_claim_takes(n: int, prompts: int, starred: bool) -> None:
    shown = if_claimed(R, n, prompts)
    assert shown == (R if starred else Coefficient(0.5))
    of = MetricCorrelation("m", "m|v:1", None, Correlation(n, R, R, R))
    (one,), why = only_claimed([of], [prompts])
    c = one.correlation
    assert (c.pearson, c.spearman, c.kendall) == (shown, shown, shown)
    assert why == ("" if starred else TOO_FEW)
    assert (about_p(1000, n, prompts) == TOO_FEW) != starred


def test_what_is_undefined_lacks_too_few() -> None:
    of = MetricCorrelation("m", "m|v:1", None, undefined(2, "too few"))
    assert only_claimed([of], [2]) == ((of,), "")


def with_p(rows: Sequence[MetricCorrelation]) -> dict[str | None, bool]:
    """By subset, whether a p of the first metric is shown."""
    return {row.subset: row.correlation.pearson.p is not None for row in rows if row.metric == "bleu"}


def test_each_row_by_its_own_stories() -> None:
    table = random_table(75)  # 25 stories a system
    table = replace(table, criteria={"plot": table.human})
    rows = [*correlate_table(table, resamples=20), *by_system(table, resamples=20)]
    printed, why = printed_rows(table, rows)
    assert with_p(printed) == {None: True} | {f"system:system {place}": False for place in range(3)}
    assert why == TOO_FEW
    assert [row.correlation.n for row in printed] == [row.correlation.n for row in rows]
    many = random_table(150)
    assert printed_rows(many, by_system(many, resamples=20))[1] == ""
    within = [*within_prompts(table, resamples=20), *by_criterion(table, resamples=20)]
    assert {row.subset for row in printed_rows(table, within)[0]} == {"prompt", "criterion:plot"}


def test_rows_of_error_types_by_the_stories_of_their_sets() -> None:
    table = random_table(120)
    few = replace(table, human=np.where(np.arange(120) < 20, table.human, np.nan))
    for of, shown in ((table, True), (few, False)):
        sets = error_sets(of, MANS, (1, 5))
        printed, why = printed_rows(of, by_error(of, MANS, (1, 5), resamples=20), sets)
        assert with_p(printed)["error:repetition"] == shown
        assert (why == TOO_FEW) != shown


def test_means_of_systems_by_the_stories_behind_them() -> None:
    table = random_table(120)
    rows = correlate_means(table, resamples=20)
    assert printed_rows(table, rows) == (tuple(rows), "")
    assert printed_rows(random_table(27), correlate_means(random_table(27), resamples=20))[1] == TOO_FEW


def test_prompts_are_counted_no_further_than_a_claim_takes() -> None:
    table = random_table(prompts=40)
    values = table.columns[0].values
    assert (prompts_behind(table, values), enough_prompts(table, values)) == (40, 10)
    few = random_table(prompts=4)
    assert enough_prompts(few, few.columns[0].values) == 4
