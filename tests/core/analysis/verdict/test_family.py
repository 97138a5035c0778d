"""One verdict on each pair of metrics: which are tested, and that headline, report and all pairs say the same."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.correlation.metric_order import best_first
from core.analysis.significance.tests import settings
from core.analysis.verdict.family import compare_family, family_of, one_with_others
from core.analysis.verdict.of_study import finding_of_study
from core.report.metric import ReportBasis, metric_report
from core.scores import ScoreColumn, ScoreTable
from core.statistics.correlation import correlate_table
from tests.core.report.metric import SETTING

NAMES = ("good", "near", "noise", "tried")


def scored(stories: int = 120, tried: int = 30, per_prompt: int = 4) -> ScoreTable:
    """`tried` has scores of the first few stories alone."""
    rng = np.random.default_rng(5)
    human = rng.normal(size=stories)
    spreads = dict(zip(NAMES, (0.5, 0.7, 9.0, 0.1), strict=True))
    columns = []
    for name, spread in spreads.items():
        values = human + rng.normal(0, spread, stories)
        if name == "tried":
            values[tried:] = np.nan
        columns.append(ScoreColumn(name, f"{name}|v1", values, {}))
    keys = tuple(map(str, range(stories)))
    prompts = tuple(f"prompt {number // per_prompt}" for number in range(stories))
    return best_first(ScoreTable(keys, prompts, ("a",) * stories, keys, human, tuple(columns), human[:, None], {}))


def names_of(table: ScoreTable, places: tuple[int, ...]) -> set[str]:
    return {table.columns[place].metric for place in places}


@pytest.mark.parametrize(("tried", "few"), [(30, True), (59, True), (60, False), (120, False)])
def test_a_metric_of_fewer_than_half_of_the_stories_is_in_no_test(tried: int, few: bool) -> None:
    table = scored(tried=tried)
    family = family_of(table, ())
    assert names_of(table, family.few) == ({"tried"} if few else set())
    assert names_of(table, family.places) == set(NAMES) - ({"tried"} if few else set())
    assert family.large
    said = family.left_out([column.metric for column in table.columns])
    assert said == ("tried is in no test: it has scores of too few of these stories." if few else "")


def test_a_metric_of_too_few_stories_for_a_claim_is_in_none_where_others_have_enough() -> None:
    table = scored(stories=44, tried=29)
    assert names_of(table, family_of(table, ()).few) == {"tried"}
    few = scored(stories=20, tried=19)
    family = family_of(few, ())
    assert not family.large  # nothing is claimed of any
    assert family.few == ()


@pytest.mark.parametrize(("tried", "few"), [(119, True), (120, False)])
def test_a_metric_that_is_being_scored_is_in_none_until_it_has_all(tried: int, few: bool) -> None:
    table = replace(scored(tried=tried), under_way=frozenset({"tried", "noise"})).take(np.arange(120))
    assert names_of(table, family_of(table, ()).few) == ({"tried"} if few else set())
    judge = replace(table, columns=tuple(replace(one, metric=f"{one.metric}:overall") for one in table.columns))
    assert names_of(judge, family_of(judge, ()).few) == ({"tried:overall"} if few else set())


def test_what_was_trained_on_the_study_is_in_none_unless_all_were() -> None:
    table = scored(tried=120)
    family = family_of(table, {"good|v1"})
    assert names_of(table, family.trained) == {"good"}
    assert "good" not in names_of(table, family.places)
    every = family_of(table, {f"{name}|v1" for name in NAMES})
    assert (len(every.places), every.trained) == (4, ())
    both = family_of(scored(), {"good|v1", "near|v1"})
    said = both.left_out([column.metric for column in scored().columns])
    assert said.endswith("are in no test: they were trained on stories of this study.")


def test_headline_report_and_all_pairs_have_one_verdict() -> None:
    table = scored()
    names = [column.metric for column in table.columns]
    family = family_of(table, ())
    significance = compare_family(table, names, family, settings("pearson", len(family.places)))
    correlated = correlate_table(table, resamples=200)
    found = finding_of_study(table, names, correlated, one_rater=None, disagree=False, trained_on={})
    assert found is not None
    assert found.best == significance.ranking[0].metric
    assert found.tests == len(significance.rows) == 3
    assert found.few == ("tried",)
    alike = [test.b for test in one_with_others(significance, found.best) if not test.separated]
    assert list(found.alike or ()) == alike
    basis: ReportBasis = replace(SETTING, resamples=1000, seed=0)
    for name in (names[place] for place in family.places):
        report = metric_report(table, name, basis, among=correlated)
        assert metric_report(table, name, basis, among=correlated, tested=significance).tests == report.tests
        own = one_with_others(significance, name)
        assert [(test.b, test.p_holm, test.difference) for test in report.tests] == [
            (test.b, test.p_holm, test.difference) for test in own
        ]
    for row in significance.rows:
        assert row.turned.turned == row
        assert row.turned.difference == pytest.approx(-(row.difference or 0.0))
        assert (row.turned.a, row.turned.low) == (row.b, -(row.high or 0.0))
