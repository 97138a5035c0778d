"""Whether a metric orders systems as people do, in a sentence: what its agreement over stories does not say."""

from core.analysis.significance.tests import LEVEL
from core.analysis.systems.ranking import SystemCorrelation

FEWEST_TOLD_APART = 5
"""Systems: of fewer, chance gives even a perfect order, forwards or backwards, more often than in one of twenty."""


def order_sentence(metric: str, over: SystemCorrelation | None) -> str:
    """`over`: how its means of systems go with people's; "" where they order nothing. `metric`: as it is called."""
    if over is None or over.accuracy.every.value is None:
        return ""
    pairs = over.accuracy.pairs
    right = f"{pairs_right(over)} of {pairs:,} pairs" if pairs > 1 else "the one pair"
    said = f"Over the {over.systems} systems {metric} puts {right} in people's order"
    if pairs == 1 and not pairs_right(over):
        said = f"Over the {over.systems} systems {metric} does not put the one pair in people's order"
    p = tested_p(over)
    if p is None:
        return f"{said}; with so few systems no order can be told from chance."
    if p >= LEVEL:
        return f"{said}, which may be chance ({_p(p)})."
    than = "more" if (over.kendall.value or 0) > 0 else "fewer"
    return f"{said}, {than} than by chance ({_p(p)})."


def pairs_right(over: SystemCorrelation) -> int:
    """How many pairs of systems it puts in people's order."""
    return round((over.accuracy.every.value or 0.0) * over.accuracy.pairs)


def tested_p(over: SystemCorrelation) -> float | None:
    """Of Kendall's tau-b; None of so few systems that none could be small."""
    return over.kendall.p if over.systems >= FEWEST_TOLD_APART else None


def _p(p: float) -> str:
    return f"p = {p:.3f}" if p >= 0.01 else f"p = {p:.2g}"
