"""Correlations as they are shown: without p, and so without a star, where they have too few stories or prompts for the
verdict to claim anything, which would say the opposite of it.
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
from core.statistics.correlation import Coefficient, MetricCorrelation
from core.statistics.groups import members

_FEW = f"Of fewer than {FEWEST_CLAIMED} stories or {FEWEST_PROMPTS_CLAIMED} prompts there is"
NO_STAR = f"{_FEW} neither star nor p: too few to claim anything."
"""Why there are none, for below a table."""
NO_INTERVAL = f"{_FEW} neither star nor p, and no interval: too few to claim anything."
"""The same where intervals are left out too."""
OPEN_PARTS = (
    f"A part of fewer than {FEWEST_CLAIMED} stories or {FEWEST_PROMPTS_CLAIMED} prompts has an open dot and no "
    "interval: too few to claim anything."
)
"""Why some parts of the stories have none, where neither star nor p is shown of any."""


def without_p(coefficient: Coefficient) -> Coefficient:
    """The same with neither p; its interval stays."""
    return replace(coefficient, p=None, p_cluster=None, at_most=False)


def if_claimed(coefficient: Coefficient, n: int, prompts: int) -> Coefficient:
    """As it is shown over `n` stories of `prompts` prompts."""
    return coefficient if claimed(n, prompts) else without_p(coefficient)


def only_claimed(
    correlations: Sequence[MetricCorrelation], prompts: Sequence[int], stories: Sequence[int] | None = None
) -> tuple[tuple[MetricCorrelation, ...], str]:
    """As they are shown, and why some have no star; "" where all are large enough. `prompts`: of each one's stories;
    `stories`: how many these are, where an `n` counts something else.
    """
    few = False
    shown = []
    sizes = stories if stories is not None else [row.correlation.n for row in correlations]
    for row, size, number in zip(correlations, sizes, prompts, strict=True):
        c = row.correlation
        if claimed(size, number):
            shown.append(row)
            continue
        few = few or c.pearson.value is not None
        pearson, spearman, kendall = map(without_p, (c.pearson, c.spearman, c.kendall))
        shown.append(replace(row, correlation=replace(c, pearson=pearson, spearman=spearman, kendall=kendall)))
    return tuple(shown), NO_STAR if few else ""


def without_open_intervals(
    correlations: Sequence[MetricCorrelation], prompts: Sequence[int]
) -> tuple[tuple[MetricCorrelation, ...], str]:
    """As `only_claimed` shows them, and of those too small for a claim no interval either: of a few prompts the
    bootstrap gives any, a narrow one too.
    """
    rows, no_star = only_claimed(correlations, prompts)
    shown = []
    for row, number in zip(rows, prompts, strict=True):
        c = row.correlation
        if not claimed(c.n, number):
            pearson, spearman, kendall = (
                replace(coefficient, low=None, high=None) for coefficient in (c.pearson, c.spearman, c.kendall)
            )
            row = replace(row, correlation=replace(c, pearson=pearson, spearman=spearman, kendall=kendall))
        shown.append(row)
    return tuple(shown), NO_INTERVAL if no_star else ""


def open_if_few(part: SubsetResult) -> SubsetResult:
    """As a part of the stories is shown: without its interval where it is too small for a claim."""
    return part if part.compared else replace(part, r=replace(part.r, low=None, high=None))


def printed_rows(
    table: ScoreTable, rows: Sequence[MetricCorrelation], sets: Sequence[ErrorSet] = ()
) -> tuple[tuple[MetricCorrelation, ...], str]:
    """The rows as `only_claimed` shows them, and why some have no star. `sets`: the stories of each error type, where
    there are rows of them.
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
