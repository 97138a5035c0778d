"""Which metric follows people's differences most closely, by hand."""

from dataclasses import replace

from core.analysis.difference.differences import Difference
from core.analysis.difference.windows import plan
from core.analysis.verdict.closest_metric import beside_correlation, closest_metric, sees_few

ONE = Difference(100, plan(100), r2=0.5, r2_median=0.5, r2_low=0.45, r2_high=0.55, orders=100, slope=1.0)
BETTER = replace(ONE, r2=0.8, r2_median=0.8, r2_low=0.75, r2_high=0.85)
NONE = Difference(3, plan(3), undefined="too few")


def test_the_highest_median_is_named_wherever_it_stands() -> None:
    said = "*b* follows the differences that people see between sets of stories most closely (R² = 0.80, 0.75 to 0.85 "
    said += "over orders of ties)"
    assert closest_metric(["a", "b"], [ONE, BETTER], lambda name: f"*{name}*") == (
        f"{said}; no other's range reaches its own."
    )
    near = replace(ONE, r2_high=0.76)
    assert closest_metric(["a", "b", "c"], [near, BETTER, NONE], lambda name: f"*{name}*") == (
        f"{said}; *a* may do as well."
    )
    alone = closest_metric(["a"], [ONE])
    assert alone is not None
    assert alone.endswith("orders of ties).")


def test_another_best_than_that_of_single_stories_is_explained() -> None:
    sentence = beside_correlation(["a", "b"], [ONE, BETTER], lambda name: f"*{name}*")
    assert sentence.startswith("Correlation has *a* first: it goes story by story, where there is more noise")
    assert beside_correlation(["a", "b"], [BETTER, ONE]) == ""
    assert beside_correlation(["a", "b"], [ONE, replace(BETTER, slope=-1.0)]) == ""
    assert beside_correlation(["c"], [NONE]) == ""


def test_one_that_falls_where_ratings_rise_follows_nobody() -> None:
    against = replace(BETTER, slope=-1.0)
    assert (closest_metric(["a", "b"], [ONE, against]) or "").startswith("a follows")
    assert (closest_metric(["b"], [against]) or "").startswith("No metric rises")
    assert closest_metric(["c"], [NONE]) is None


def test_one_that_follows_the_whole_but_sees_few_single_differences() -> None:
    few = replace(BETTER, both=10, opposed=2, human_only=2578)
    assert sees_few(["a", "b"], [ONE, few], lambda name: f"*{name}*") == (
        f"But by t-tests *b* tells apart only 8 of the 2,588 ordered pairs that people do, of the {plan(100).number} "
        "sets of the 100 stories that it scores."
    )
    assert sees_few(["a", "b"], [ONE, replace(BETTER, both=50, human_only=50)]) == ""
    assert sees_few(["a"], [BETTER]) == ""  # people tell none apart
    assert sees_few(["a"], [NONE]) == ""
