"""Which system people find best, no surer than its rank."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.systems.pairs import PairAccuracy
from core.analysis.systems.ranking import SystemCorrelation, SystemMean, SystemRow, compare_systems, over_systems
from core.analysis.verdict.best_system import (
    NO_ORDER,
    best_system,
    drawn_ranks,
    on_order,
    on_systems,
    other_orders,
    same_order,
)
from core.analysis.verdict.family import Family
from core.statistics.correlation import NOTHING
from core.statistics.intervals import Estimate
from tests.core.analysis.systems.ranking import of_means, table
from tests.core.analysis.verdict.sentences import cites

CHANCE = "; with so few systems no order can be told from chance."
NONE = SystemMean(0, Estimate(None), Estimate(None))


def row(name: str, mean: float, rank: float, low: float | None, high: float | None = None) -> SystemRow:
    ends = (None, None) if low is None else (mean - 0.2, mean + 0.2)
    return SystemRow(name, 20, SystemMean(20, Estimate(mean, *ends), Estimate(rank, low, high)), ())


def test_the_best_and_those_that_may_be_as_good() -> None:
    rows = [row("b", 3.0, 2, 1, 3), row("a", 3.4, 1, 1, 2), row("c", 2.0, 3, 3, 3)]
    assert best_system(rows, lambda name: f"*{name}*") == (
        "*a* is best by people, 3.40 (3.20 to 3.60); *b* may be as good."
    )


def test_a_shared_first_place() -> None:
    text = best_system([row("a", 3.4, 1.5, 1.5, 2), row("b", 3.4, 1.5, 1.5, 2)])
    assert text == "a is best by people, 3.40 (3.20 to 3.60); b may be as good."


def test_told_apart() -> None:
    text = best_system([row("a", 3.4, 1, 1, 1), row("b", 2.4, 2, 2, 2)])
    assert text is not None
    assert text.endswith("no other's rank reaches the first place in its 95 % interval.")


def test_without_intervals_nothing_is_sure() -> None:
    text = best_system([row("a", 3.4, 1, None), row("b", 2.4, 2, None)])
    assert text == "a is best by people, 3.40; how sure that is cannot be said."


def test_one_rated_system_is_no_order() -> None:
    assert best_system([row("a", 3.4, 1, 1, 1), SystemRow("b", 20, NONE, ())]) is None
    assert best_system([]) is None


def ordering(share: float | None, pairs: int = 6) -> SystemCorrelation:
    accuracy = PairAccuracy(Estimate(share), pairs, Estimate(None), 0)
    return SystemCorrelation("m", "m|v:1", 40, 4, NOTHING, NOTHING, NOTHING, accuracy)


def test_metrics_that_order_systems_as_people_do() -> None:
    both = [ordering(1.0), ordering(0.5), ordering(1.0), ordering(None)]
    assert same_order("abcd", both, lambda name: f"*{name}*") == (
        f"Of 3 metrics, *a* and *c* order all systems as people do{CHANCE}"
    )
    assert same_order("a", [ordering(1.0)]) == f"Of 1 metric, a orders all systems as people do{CHANCE}"


def test_the_metric_that_comes_nearest_to_the_order_of_people() -> None:
    assert same_order("abc", [ordering(5 / 6), ordering(0.5), ordering(None)]) == (
        "No metric orders all systems as people do; a comes nearest, with 5 of 6 pairs of systems in people's "
        f"order{CHANCE}"
    )
    assert same_order("a", [ordering(None)]) == ""
    assert same_order("", []) == ""


def test_the_nearest_order_may_be_chance_by_the_rule_of_overview() -> None:
    near, tied, exact, far = (
        compare_systems(of_means(*means), resamples=0).correlations[0]
        for means in ((1, 3, 2, 5, 4), (1, 3, 3, 4, 4), (1, 2, 3, 4, 5), (5, 4, 3, 2, 1))
    )
    assert same_order("ab", [near, far]).endswith(
        "a comes nearest, with 8 of 10 pairs of systems in people's order, which may be chance (Kendall's τ-b, "
        "p = 0.233). b puts no pair in people's order, fewer than by chance (Kendall's τ-b, p = 0.0167; corrected "
        "for the number of metrics, p = 0.0333)."
    )
    assert tied.accuracy.every.value == near.accuracy.every.value
    assert same_order("ab", [near, tied]).endswith("which may be chance (Kendall's τ-b, p up to 0.233).")
    assert same_order("a", [exact]).endswith("as people do, more than by chance (Kendall's τ-b, p = 0.0167).")
    assert same_order(["words", "gpt:overall"], [exact, far]).startswith(
        "Of 1 metric and 1 judge, words orders all systems as people do, more than by chance (Kendall's τ-b, p = "
        "0.0167; corrected for the number of metrics, p = 0.0333)."
    )
    assert same_order("ab", [exact, far]) == (
        "Of 2 metrics, a orders all systems as people do, more than by chance (Kendall's τ-b, p = 0.0167; "
        "corrected for the number of metrics, p = 0.0333). b puts no pair in people's order, fewer than by "
        "chance (Kendall's τ-b, p = 0.0167; corrected for the number of metrics, p = 0.0333)."
    )
    assert same_order("abc", [exact, near, tied]).endswith(
        "a orders all systems as people do, which may be chance once p is corrected for the number of metrics "
        "(Kendall's τ-b, p = 0.0167 before that)."
    )
    assert same_order("a", [far]).endswith(
        "0 of 10 pairs of systems in people's order, fewer than by chance (Kendall's τ-b, p = 0.0167)."
    )


@pytest.mark.parametrize("metric", [(2.0, 1.0), (1.0, 2.0, 3.0), (1.0, 2.0, 3.0, 5.0, 4.0), (5.0, 4.0, 3.0, 2.0, 1.0)])
def test_a_report_cites_what_its_sentence_on_the_order_quotes(metric: tuple[float, ...]) -> None:
    (sentence,) = on_order("m", over_systems(of_means(*metric), 0), [*"abcdefgh", "judge:overall"])
    assert cites(sentence)
    assert ("may be chance once p is corrected" in sentence.text) is (metric[0] == 5)
    few = on_order("m", over_systems(of_means(*metric), 0), ["m", "n"])
    assert [cites(one) for one in few] == [True]
    assert ("; corrected for the number of metrics, p = 0.0333)" in few[0].text) is (metric[0] == 5)
    assert ("corrected p of τ-b over systems" in dict(few[0].numbers)) is (metric[0] == 5)
    assert on_order("m", None, ["m"]) == on_order("m", ordering(None), ["m"]) == ()


def test_of_ratings_that_do_not_agree_nothing_is_claimed() -> None:
    rows = [row("a", 3.4, 1, 1, 1), row("b", 2.4, 2, 2, 2)]
    family = Family((0,), (), (), large=True)
    assert on_systems(rows, "m", [ordering(1.0)], family=family, agreed=True) == (
        f"{best_system(rows)} Of 1 metric, m orders all systems as people do{CHANCE}"
    )
    assert on_systems(rows, "m", [ordering(1.0)], family=family, agreed=False) == NO_ORDER
    assert on_systems(rows[:1], "m", [ordering(1.0)], family=family, agreed=False) is None


def test_what_the_finding_does_not_count_is_not_counted_here_either_and_is_named() -> None:
    rows = [row("a", 3.4, 1, 1, 1), row("b", 2.4, 2, 2, 2)]
    family = Family((0, 2), (1,), (3,), large=True)
    names, orders = ["gpt:overall", "judge:overall", "words", "union"], [ordering(share) for share in (0.5, 1, 1, 1)]
    assert on_systems(rows, names, orders, lambda name: f"*{name}*", family=family, agreed=True) == (
        f"{best_system(rows, lambda name: f'*{name}*')} Of 1 metric and 1 judge, *words* orders all systems as people "
        f"do{CHANCE} *judge:overall* is in no test: it has scores of too few of these stories. *union* is in no test: "
        "it was trained on stories of this study."
    )


def test_an_order_that_differs_over_the_stories_that_a_metric_scores_is_said() -> None:
    """People's means: a 3, b 2, c 1, and over the four stories that the metrics `some` and `too` score b 4."""
    names = ["a", "a", "b", "b", "c", "c"]
    human = np.array([2.0, 4, 4, 0, 1, 1])
    half = np.array([1.0, np.nan, 2, np.nan, 3, 4])
    found = compare_systems(table(["p", "q"] * 3, names, human, np.arange(6.0), half, half * 2), resamples=0)
    assert found.correlations[1].people_ranks == {"a": 2, "b": 1, "c": 3}
    drawn = drawn_ranks(found)
    assert drawn == {"a": 1, "b": 2, "c": 3}
    assert other_orders(["all", "some", "too"], found.correlations, drawn, lambda name: f"*{name}*") == (
        "Over the 4 stories that *some* and *too* score, people put *b* first (not second) and *a* second (not first).",
    )
    assert other_orders(["some"], found.correlations[1:2], {"a": 2, "b": 1, "d": 0.5}) == ()  # places are of those two


def test_many_places_that_differ_are_counted() -> None:
    over = replace(ordering(0.5), people_ranks={f"s{place}": 12.0 - place for place in range(12)})
    (said,) = other_orders(list("mnopq"), [over] * 5, {f"s{place}": 1.0 + place for place in range(12)})
    assert said == (
        "Over the 40 stories that m, n, o and 2 more score, people put s11 first (not number 12), s10 second (not "
        "number 11), s9 third (not tenth) and 9 more elsewhere."
    )
    assert other_orders("m", [replace(over, undefined="all are alike")], {"s0": 1.0, "s1": 2.0}) == ()
    tied = replace(over, people_ranks={"a": 1.5, "b": 1.5})
    assert other_orders("m", [tied], {"a": 1, "b": 2}) == (
        "Over the 40 stories that m scores, people put b first (not second).",
    )
