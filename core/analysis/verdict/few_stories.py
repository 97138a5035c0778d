"""Correlations as they are shown: without p, and so without a star, where they have too few stories or prompts for the
verdict to claim anything, which would say the opposite of it.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.analysis.verdict.sentences import FEWEST_CLAIMED, FEWEST_PROMPTS_CLAIMED, claimed
from core.statistics.correlation import Coefficient, MetricCorrelation

NO_STAR = (
    f"Of fewer than {FEWEST_CLAIMED} stories or {FEWEST_PROMPTS_CLAIMED} prompts there is neither star nor p: too few "
    "to claim anything."
)
"""Why there are none, for below a table."""


def without_p(coefficient: Coefficient) -> Coefficient:
    """The same with neither p; its interval stays."""
    return replace(coefficient, p=None, p_cluster=None, at_most=False)


def if_claimed(coefficient: Coefficient, n: int, prompts: int) -> Coefficient:
    """As it is shown over `n` stories of `prompts` prompts."""
    return coefficient if claimed(n, prompts) else without_p(coefficient)


def only_claimed(
    correlations: Sequence[MetricCorrelation], prompts: Sequence[int]
) -> tuple[tuple[MetricCorrelation, ...], str]:
    """As they are shown, and why some have no star; "" where all are large enough. `prompts`: of each one's stories."""
    few = False
    shown = []
    for one, number in zip(correlations, prompts, strict=True):
        c = one.correlation
        if claimed(c.n, number):
            shown.append(one)
            continue
        few = few or c.pearson.value is not None
        pearson, spearman, kendall = map(without_p, (c.pearson, c.spearman, c.kendall))
        shown.append(replace(one, correlation=replace(c, pearson=pearson, spearman=spearman, kendall=kendall)))
    return tuple(shown), NO_STAR if few else ""
