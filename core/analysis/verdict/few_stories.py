"""Correlations as they are shown: a value alone where they have too few stories or prompts for the verdict to claim
anything. A star would say the opposite of it, and of a few prompts the bootstrap gives any interval, a narrow one too.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.analysis.correlation.subsets import ErrorSet
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
OPEN_PARTS = (
    f"A part of fewer than {FEWEST_CLAIMED} stories or {FEWEST_PROMPTS_CLAIMED} prompts has an open mark and no "
    "interval: too few to claim anything."
)
"""Why some parts of the stories have none, where neither star nor p is shown of any."""


def if_claimed(coefficient: Coefficient, n: int, prompts: int) -> Coefficient:
    """As it is shown over `n` stories of `prompts` prompts."""
    return coefficient if claimed(n, prompts) else Coefficient(coefficient.value)


def each_if_claimed(c: Correlation, n: int, prompts: int) -> Correlation:
    """The same of each of its coefficients."""
    pearson, spearman, kendall = (if_claimed(one, n, prompts) for one in (c.pearson, c.spearman, c.kendall))
    return replace(c, pearson=pearson, spearman=spearman, kendall=kendall)


def only_claimed(
    correlations: Sequence[MetricCorrelation], prompts: Sequence[int], stories: Sequence[int] | None = None
) -> tuple[tuple[MetricCorrelation, ...], str]:
    """As they are shown, and why some have their value alone; "" where all are large enough. `prompts`: of each one's
    stories; `stories`: how many these are, where an `n` counts something else.
    """
    sizes = stories if stories is not None else [row.correlation.n for row in correlations]
    of_each = list(zip(correlations, sizes, prompts, strict=True))
    few = any(row.correlation.pearson.value is not None and not claimed(n, number) for row, n, number in of_each)
    shown = (replace(row, correlation=each_if_claimed(row.correlation, n, number)) for row, n, number in of_each)
    return tuple(shown), TOO_FEW if few else ""


def open_if_few(part: SubsetResult) -> SubsetResult:
    """As a part of the stories is shown: without its interval where it is too small for a claim."""
    return part if part.compared else value_alone(part)


def value_alone(part: SubsetResult) -> SubsetResult:
    """Without its interval."""
    return replace(part, r=replace(part.r, low=None, high=None))


def printed_rows(
    table: ScoreTable, rows: Sequence[MetricCorrelation], sets: Sequence[ErrorSet] = ()
) -> tuple[tuple[MetricCorrelation, ...], str]:
    """The rows as `only_claimed` shows them, and why some have their value alone. `sets`: the stories of each error
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
    return only_claimed(rows, prompts, stories)
