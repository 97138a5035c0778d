"""Correlations as they are shown where the verdict claims nothing, as a star would say the opposite of it: of too few
stories or prompts a value alone, as the bootstrap gives any interval then, a narrow one too; of ratings that do not
agree with one another the interval as well, which describes them, but no star, no p and no test.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.analysis.correlation.subsets import ErrorSet
from core.analysis.significance.tests import PairTest, Significance
from core.analysis.systems.ranking import OF_SYSTEMS
from core.analysis.verdict.parts import enough_prompts
from core.analysis.verdict.sentences import FEWEST_CLAIMED, FEWEST_PROMPTS_CLAIMED, claimed
from core.analysis.verdict.subsets import SubsetResult
from core.arrays import Ints
from core.scores import ScoreTable
from core.statistics.correlation import Coefficient, Correlation, MetricCorrelation
from core.statistics.groups import members

TOO_FEW = (
    f"Of fewer than {FEWEST_CLAIMED} stories or {FEWEST_PROMPTS_CLAIMED} prompts there is no star, no p and no "
    "interval: too few to claim anything."
)
"""Why there are none, for below a table."""
DISAGREED = (
    "There is no star, no p and no test, as nothing shows that the ratings agree with one another: values and "
    "intervals only describe these stories."
)
"""Why there are none, for the same place."""
OPEN_PARTS = (
    f"A part of fewer than {FEWEST_CLAIMED} stories or {FEWEST_PROMPTS_CLAIMED} prompts has an open mark and no "
    "interval: too few to claim anything."
)
"""Why some parts of the stories have none, where neither star nor p is shown of any."""


def why_unclaimed(*, few: bool, agreed: bool) -> str:
    """Why some have no star and no p: for below a table, and "" where all have theirs."""
    return " ".join(filter(None, ("" if agreed else DISAGREED, TOO_FEW if few else "")))


def if_claimed(coefficient: Coefficient, n: int, prompts: int, *, agreed: bool = True) -> Coefficient:
    """As it is shown over `n` stories of `prompts` prompts; `agreed`: whether their ratings do."""
    if not claimed(n, prompts):
        return Coefficient(coefficient.value)
    return coefficient if agreed else Coefficient(coefficient.value, low=coefficient.low, high=coefficient.high)


def each_if_claimed(c: Correlation, n: int, prompts: int, *, agreed: bool = True) -> Correlation:
    """The same of each of its coefficients."""
    all_three = (c.pearson, c.spearman, c.kendall)
    pearson, spearman, kendall = (if_claimed(one, n, prompts, agreed=agreed) for one in all_three)
    return replace(c, pearson=pearson, spearman=spearman, kendall=kendall)


def pair_if_claimed(test: PairTest, prompts: int, *, agreed: bool) -> PairTest:
    """The same of the test of a pair of metrics."""
    if claimed(test.n, prompts) and agreed:
        return test
    ends = (test.low, test.high) if claimed(test.n, prompts) else (None, None)
    return replace(test, low=ends[0], high=ends[1], williams_p=None, permutation_p=None, permutations=None, p_holm=None)


def pairs_if_claimed(found: Significance, *, large: bool, agreed: bool) -> Significance:
    """The tests of every pair: where these stories are not enough to claim anything, or their ratings do not agree, the
    differences alone, and no clusters. `large`: whether they are enough.
    """
    if agreed and large:
        return found
    prompts = FEWEST_PROMPTS_CLAIMED if large else 0
    rows = tuple(pair_if_claimed(row, prompts, agreed=agreed) for row in found.rows)
    return replace(found, rows=rows, clusters=())


def only_claimed(
    correlations: Sequence[MetricCorrelation],
    prompts: Sequence[int],
    stories: Sequence[int] | None = None,
    *,
    agreed: bool = True,
) -> tuple[tuple[MetricCorrelation, ...], str]:
    """As they are shown, and why some have no star and no p; "" where all are large enough and the ratings have
    `agreed`. `prompts`: of each one's stories; `stories`: how many these are, where an `n` counts something else.
    """
    sizes = stories if stories is not None else [row.correlation.n for row in correlations]
    of_each = list(zip(correlations, sizes, prompts, strict=True))
    few = any(row.correlation.pearson.value is not None and not claimed(n, number) for row, n, number in of_each)
    shown = (
        replace(row, correlation=each_if_claimed(row.correlation, n, number, agreed=agreed))
        for row, n, number in of_each
    )
    return tuple(shown), why_unclaimed(few=few, agreed=agreed)


def open_if_few(part: SubsetResult) -> SubsetResult:
    """As a part of the stories is shown: without its interval where it is too small for a claim."""
    return part if part.compared else replace(part, r=replace(part.r, low=None, high=None))


def printed_rows(
    table: ScoreTable, rows: Sequence[MetricCorrelation], sets: Sequence[ErrorSet] = (), *, agreed: bool = True
) -> tuple[tuple[MetricCorrelation, ...], str]:
    """The rows as `only_claimed` shows them, and why some have no star and no p. `sets`: the stories of each error
    type, where there are rows of them.
    """
    values = {(column.metric, column.signature): column.values for column in table.columns}
    parts: dict[str, Ints] = {f"system:{name}": mine for name, mine in members(table.systems).items()}
    parts |= {f"error:{part.error_type}": part.rows for part in sets}
    stories, prompts = [], []
    for row in rows:
        own, c = values[row.metric, row.signature], row.correlation
        rated = int((np.isfinite(own) & np.isfinite(table.human)).sum())
        stories.append(rated if row.subset == OF_SYSTEMS else c.n)
        prompts.append(c.prompts[0] if c.prompts else enough_prompts(table, own, parts.get(row.subset or "")))
    return only_claimed(rows, prompts, stories, agreed=agreed)
