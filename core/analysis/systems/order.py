"""Whether a metric orders systems as people do, in a sentence: what its agreement over stories does not say."""

from collections.abc import Collection, Sequence

from core.analysis.significance.tests import LEVEL
from core.analysis.systems.ranking import SystemCorrelation
from core.wording import p_digits, so_many

FEWEST_TOLD_APART = 5
"""Systems: of fewer, chance gives even a perfect order, forwards or backwards, more often than in one of twenty."""


def soft_caution(systems: int) -> str:
    """What soft pairwise accuracy of so few systems cannot say, for below a table that has it; "" of more."""
    if systems >= FEWEST_TOLD_APART:
        return ""
    pairs = systems * (systems - 1) // 2
    return (
        f"Soft pairwise accuracy of {systems} systems rests on {so_many(pairs, 'pair')}: too few to say whether a "
        "metric is as sure as people are which system is better."
    )


def order_sentence(metric: str, over: SystemCorrelation | None, metrics: Collection[str] = ()) -> str:
    """`over`: how its means of systems go with people's; "" where they order nothing. `metric`: as it is called;
    `metrics`: among which it was looked at, for which p is corrected.
    """
    if over is None or over.accuracy.every.value is None:
        return ""
    pairs = over.accuracy.pairs
    right = f"{pairs_right(over)} of {pairs:,} pairs" if pairs > 1 else "the one pair"
    said = f"Over the {over.systems} systems {metric} puts {right} in people's order"
    if pairs == 1 and not pairs_right(over):
        said = f"Over the {over.systems} systems {metric} does not put the one pair in people's order"
    return f"{said}{beside_chance([over], metrics)}."


def beside_chance(alike: Sequence[SystemCorrelation], metrics: Collection[str] = ()) -> str:
    """Whether so good or bad an order may be chance, to stand behind it; of several metrics that order as many pairs
    alike, by the largest p. `metrics`: among which these were looked at; for these p is corrected.
    """
    tested = [(p, over) for over in alike if (p := tested_p(over)) is not None]
    if not tested:
        return "; with so few systems no order can be told from chance"
    p, over = max(tested, key=lambda pair: pair[0])
    up_to = "p up to" if len({p_digits(p) for p, _ in tested}) > 1 else "p ="
    of_which = f"Kendall's τ-b, {up_to} {p_digits(p)}"
    forwards = (over.kendall.value or 0) > 0
    if p >= LEVEL:
        return f", {'which may be chance' if forwards else 'no more than by chance'} ({of_which})"
    than = "more" if forwards else "fewer"
    if len(metrics) < 2:
        return f", {than} than by chance ({of_which})"
    if corrected_p(p, metrics) < LEVEL:
        after = f"{up_to} {p_digits(corrected_p(p, metrics))}"
        return f", {than} than by chance ({of_which}; corrected for the number of metrics, {after})"
    return f", which may be chance once p is corrected for the number of metrics ({of_which} before that)"


def corrected_p(p: float, metrics: Collection[str]) -> float:
    """Of a metric that was looked at among these (Bonferroni)."""
    return min(1.0, p * len(metrics))


def pairs_right(over: SystemCorrelation) -> int:
    """How many pairs of systems it puts in people's order."""
    return round((over.accuracy.every.value or 0.0) * over.accuracy.pairs)


def tested_p(over: SystemCorrelation) -> float | None:
    """Of Kendall's tau-b; None of so few systems that none could be small."""
    return over.kendall.p if over.systems >= FEWEST_TOLD_APART else None
