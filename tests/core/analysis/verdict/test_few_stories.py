"""What is shown of a correlation of few stories: its value alone, and why."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.analysis.correlation.subsets import MANS, by_error, by_system, error_sets, within_prompts
from core.analysis.criteria.heat_map import by_criterion
from core.analysis.judges.biases import judge_biases
from core.analysis.judges.probed import CheckResult, ProbedBiases, Shift
from core.analysis.judges.probes import Check
from core.analysis.judges.quotes import QuoteOverlap
from core.analysis.judges.trial import put_on_trial
from core.analysis.judges.wordings import wordings
from core.analysis.significance.tests import SignificanceSettings, compare_table
from core.analysis.systems.ranking import correlate_means
from core.analysis.verdict.criteria import without_marks
from core.analysis.verdict.few_stories import (
    DISAGREED,
    TOO_FEW,
    biases_if_claimed,
    if_claimed,
    never_claimed,
    only_claimed,
    pair_if_claimed,
    pairs_if_claimed,
    printed_rows,
    probed_if_claimed,
    prompts_of_half,
    quotes_if_claimed,
    trial_if_claimed,
    wordings_if_claimed,
)
from core.analysis.verdict.parts import enough_prompts, prompts_behind
from core.annotation.builtin import MANS as SCHEME
from core.figures.significance import matrix
from core.report.coefficients import about_p
from core.scores import ScoreColumn, ScoreTable
from core.statistics.correlation import Coefficient, Correlation, MetricCorrelation, correlate_table, undefined
from core.statistics.intervals import Estimate
from tests.core.analysis.judges.worded import HELD_OUT, worded_table
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


@pytest.mark.parametrize(
    ("stories", "prompts", "few"), [(27, 9, True), (30, 9, True), (29, 10, True), (30, 10, False), (70, 14, False)]
)
def test_before_people_are_invited_it_is_known_of_how_many_nothing_can_be_claimed(
    stories: int, prompts: int, few: bool
) -> None:
    assert bool(never_claimed(stories, prompts)) == few
    assert never_claimed(0, 0) == ""  # there is nothing to rate yet
    assert never_claimed(27, 9) == (
        "too few for any claim on a metric, whatever people rate: that takes at least 30 stories of 10 prompts"
    )


def test_of_ratings_that_do_not_agree_the_interval_describes_and_nothing_is_claimed() -> None:
    of = MetricCorrelation("m", "m|v:1", None, Correlation(30, R, R, R))
    (one,), why = only_claimed([of], [10], agreed=False)
    assert one.correlation.kendall == Coefficient(0.5, low=0.3, high=0.7)
    assert why == about_p(1000, 30, 10, agreed=False) == DISAGREED
    (one,), why = only_claimed([of], [9], agreed=False)
    assert one.correlation.kendall == Coefficient(0.5)
    assert why == f"{DISAGREED} {TOO_FEW}"
    table = random_table()
    rows = correlate_table(table, resamples=20)
    assert with_p(printed_rows(table, rows)[0]) == {None: True}
    assert with_p(printed_rows(table, rows, agreed=False)[0]) == {None: False}


def test_of_ratings_that_do_not_agree_no_pair_is_tested() -> None:
    found = compare_table(random_table(), ["bleu", "weak"], SignificanceSettings(resamples=20))
    assert pairs_if_claimed(found, large=True, agreed=True) is found
    shown = pairs_if_claimed(found, large=True, agreed=False)
    (row,), (tested,) = shown.rows, found.rows
    assert (row.difference, row.low, row.high) == (tested.difference, tested.low, tested.high)
    assert (row.williams_p, row.permutation_p, row.p_holm, row.permutations) == (None,) * 4
    assert found.clusters
    assert not shown.clusters
    assert pair_if_claimed(tested, 9, agreed=True).low is None
    early = pairs_if_claimed(found, large=False, agreed=True)
    assert (early.rows[0].difference, early.rows[0].low, early.rows[0].p_holm) == (tested.difference, None, None)
    assert not early.clusters
    drawn = matrix(shown)
    assert "told apart" not in str(drawn.to_json())
    assert "told apart" in str(matrix(found).to_json())
    assert {trace.name for trace in drawn.data} & {"no test", "– undefined"} == {"no test"}


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


def test_rows_of_criteria_stand_by_their_own_ratings() -> None:
    table = random_table(150)
    table = replace(table, criteria={"plot": table.human, "wit": table.human})
    rows = [*within_prompts(table, resamples=20), *by_criterion(table, resamples=20)]
    printed, why = printed_rows(table, rows, disagreed=["wit"])
    assert with_p_by_prompt(printed) == {"prompt": True, "criterion:plot": True, "criterion:wit": False}
    assert why == without_marks(["wit"])
    printed, why = printed_rows(table, rows, agreed=False, disagreed=["wit"])
    assert with_p_by_prompt(printed) == {"prompt": False, "criterion:plot": True, "criterion:wit": False}
    assert why == f"{DISAGREED} {without_marks(['wit'])}"


def with_p_by_prompt(rows: Sequence[MetricCorrelation]) -> dict[str | None, bool]:
    """The same of the p that draws of prompts give."""
    return {row.subset: row.correlation.pearson.p_cluster is not None for row in rows if row.metric == "bleu"}


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


R_OF_FEW = Estimate(0.5, 0.001, 0.002)


@pytest.mark.parametrize(("stories", "prompts", "shown"), [(30, 10, True), (29, 10, False), (30, 9, False)])
def test_no_figure_of_a_judge_has_an_interval_where_nothing_is_claimed(stories: int, prompts: int, shown: bool) -> None:
    table = judged(stories, prompts)
    trial = put_on_trial(table, ("empathy",), SCHEME.main, resamples=50)
    described, _ = trial_if_claimed(trial.judges, table, agreed=False)
    assert {row.system.pearson.p for row in described} == {None}
    rows, why = trial_if_claimed(trial.judges, table)
    assert why == ("" if shown else TOO_FEW)
    for row, own in zip(rows, trial.judges, strict=True):
        assert (row.pooled, row.system, row.confusion.counts.sum()) == (
            (own.pooled, own.system, stories) if shown else (without(own.pooled), without(own.system), stories)
        )
        figures = (row.pooled.pearson, row.prompt.kendall, row.confusion.exact, row.confusion.kappa)
        assert {of.low is not None for of in figures} == {shown}
    biases, why = biases_if_claimed(found := judge_biases(table, ("empathy",), resamples=50), table)
    assert why == ("" if shown else TOO_FEW)
    told = [of for row in biases.rows for of in (row.lenient, row.pooled, row.equal_length, row.longer)]
    assert {of.low is not None for of in (*told, biases.words, biases.between_judges)} == {shown}
    assert [row.lenient.value for row in biases.rows] == [row.lenient.value for row in found.rows]
    quotes = QuoteOverlap(stories, prompts, 9, 9, R_OF_FEW, 0.1, R_OF_FEW, 0.1, R_OF_FEW, R_OF_FEW)
    assert (quotes_if_claimed(quotes) == quotes) == shown
    assert quotes_if_claimed(quotes).kappa.value == 0.5


def judged(stories: int, prompts: int) -> ScoreTable:
    rng = np.random.default_rng(0)
    human = rng.uniform(1, 5, stories)
    return ScoreTable(
        tuple(map(str, range(stories))),
        tuple(str(place % prompts) for place in range(stories)),
        tuple(str(place // prompts) for place in range(stories)),
        tuple("word " * number for number in rng.integers(5, 90, stories).tolist()),
        human,
        tuple(ScoreColumn(f"{name}:empathy", f"file:{name}", human + rng.normal(0, 1, stories), {}) for name in "mn"),
    )


def without(of: Correlation) -> Correlation:
    return replace(of, **{name: Coefficient(getattr(of, name).value) for name in ("pearson", "spearman", "kendall")})


@pytest.mark.parametrize(
    ("asked", "pairs", "prompts", "shown"), [(30, 90, 10, True), (29, 87, 10, False), (30, 90, 9, False)]
)
def test_pairs_of_a_story_are_one_story_of_a_bias_run(asked: int, pairs: int, prompts: int, shown: bool) -> None:
    whole = Shift("", R_OF_FEW, R_OF_FEW, pairs, prompts, 0)
    variant = replace(whole, variant="praise", n=29)
    found = ProbedBiases(asked, {Check.INJECTION: CheckResult(Check.INJECTION, whole, (variant,))})
    of = probed_if_claimed(found).checks[Check.INJECTION]
    assert (of.whole == whole) == shown
    assert of.whole.points.value == 0.5
    assert of.variants[0].share.low is None


def test_wordings_by_the_stories_of_the_half_that_they_were_tried_on() -> None:
    """36 stories of 12 prompts are in either half; the third wording has none of the other."""
    table = worded_table()
    found = wordings(table, ("overall",), HELD_OUT, resamples=20).rows
    assert wordings_if_claimed(found, table, HELD_OUT) == (found, "")
    numbers = [prompts_of_half(table, HELD_OUT, row, reported=True) for row in found[1:3]]
    assert (*numbers, prompts_of_half(table, HELD_OUT, *found[1:3])) == (12, 0, 12)
    fewer = replace(table, human=np.where(np.arange(len(table.keys)) < 54, table.human, np.nan))  # of nine prompts
    tried = wordings(fewer, ("overall",), HELD_OUT, resamples=20).rows
    shown, why = wordings_if_claimed(tried, fewer, HELD_OUT)
    assert why == TOO_FEW
    assert {row.correlation.pearson.low for row in shown} == {None}
    assert [row.correlation.pearson.value for row in shown] == [row.correlation.pearson.value for row in tried]
