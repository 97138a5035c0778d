"""What opens the tabs of cases and of two metrics: a clear result, none, and too few data."""

from core.analysis.capability.results import ALL, Robustness, Seen
from core.analysis.significance.tests import PairTest
from core.analysis.verdict.capability import on_cases, on_two
from core.statistics.correlation import Coefficient
from core.statistics.intervals import Estimate


def test_a_metric_is_told_how_often_it_is_right() -> None:
    seen = Seen("negation", "m", "m|v:1", 0, 40, 0, ordered=Estimate(0.75, 0.6, 0.9))
    assert on_cases("m", seen) == (
        "m scores 75% (60% to 90%) of 40 stories changed in negation below their own originals; guessing gives 50%."
    )
    few = on_cases("m", Seen("negation", "m", "m|v:1", 0, 29, 0, ordered=Estimate(0.75)))
    assert few == "It is too early to say: 29 cases have a score, and a claim takes 30."
    assert on_cases("m", Seen("negation", "m", "m|v:1", 0, 40, 0)) is None


def test_a_metric_is_told_how_far_a_wording_moves_it() -> None:
    moved = Robustness("synonym", ALL, "m", "m|v:1", 40, 0, Coefficient(0.1), Estimate(-0.2), 0.5)
    assert on_cases("m", moved) == (
        "synonym, which it should not mind, moves m by 0.50 SD on average, over 40 pairs; the mean change is −0.20 SD."
    )
    assert on_cases("m", Robustness("synonym", ALL, "m", "m|v:1", 40, 0)) is None


def test_two_metrics_are_told_apart_by_corrected_tests() -> None:
    def test(difference: float | None, p: float | None) -> PairTest:
        return PairTest("a", "b", 40, 0.5, 0.5 - (difference or 0.0), difference, p_holm=p)

    assert on_two("a", "b", {"negation": test(0.2, 0.01), "order": test(0.3, 0.02), "names": test(0.4, 0.2)}) == (
        "a and b are told apart in 2 of 3 aspects: negation, order. They differ most in order, r 0.50 and 0.20."
    )
    assert on_two("a", "b", {"names": test(0.4, 0.2)}) == (
        "No test tells a from b in any of 1 aspects, which does not show that they are equal."
    )
    assert on_two("a", "b", {"names": test(None, None)}) is None
