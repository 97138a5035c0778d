"""What is shown of a correlation of few stories: all but p, and why."""

import pytest

from core.analysis.verdict.few_stories import NO_STAR, if_claimed, only_claimed
from core.report.coefficients import about_p, coefficient_rows
from core.statistics.correlation import Coefficient, Correlation, MetricCorrelation, undefined

R = Coefficient(0.5, 0.001, 0.002, 0.3, 0.7, at_most=True)


@pytest.mark.parametrize(("n", "prompts", "starred"), [(30, 10, True), (29, 10, False), (30, 9, False)])
def test_a_star_takes_what_a_claim_takes(n: int, prompts: int, starred: bool) -> None:
    shown = if_claimed(R, n, prompts)
    assert shown.starred == starred
    assert (shown.value, shown.low, shown.high) == (0.5, 0.3, 0.7)
    of = MetricCorrelation("m", "m|v:1", None, Correlation(n, R, R, R))
    (one,), why = only_claimed([of], [prompts])
    assert [one.correlation.pearson.p, one.correlation.kendall.p_cluster] == (
        [0.001, 0.002] if starred else [None, None]
    )
    assert why == ("" if starred else NO_STAR)
    row = coefficient_rows(of.correlation, prompts)[0]
    assert (row["p < 0.01"], row["p"]) == (("*", 0.001) if starred else ("", None))
    assert (about_p(1000, n, prompts) == NO_STAR) != starred


def test_what_is_undefined_lacks_no_star() -> None:
    of = MetricCorrelation("m", "m|v:1", None, undefined(2, "too few"))
    assert only_claimed([of], [2]) == ((of,), "")
