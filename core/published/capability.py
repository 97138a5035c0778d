"""OpenMEVA's results on its own test sets, in Fabula's terms, as orientation beside results on other cases."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.perturb.cases import Of
from core.perturb.test_sets.aspects import Aspect, Change
from core.published import openmeva
from core.published.comparison import number
from core.published.tables import PublishedTable

ASPECTS = dict(zip(openmeva.DISCRIMINATION.columns, Aspect, strict=True))
"""Column of Table 6 -> aspect: both stand in the paper's order."""
CHANGES = dict(zip(openmeva.INVARIANCE.columns, ((change, of) for change in Change for of in Of), strict=True))
"""Column of Table 7 -> change of wording, and what the originals are."""


@dataclass(frozen=True)
class Printed:
    """A cell: the metric with its corpus, as "ROC PPL (P)"; `of`: the kind of originals, None in Table 6; Pearson's
    `r`, and whether it has the star of p < 0.01.
    """

    row: str
    aspect: str
    of: str | None
    r: float
    starred: bool


def discrimination() -> tuple[Printed, ...]:
    """Table 6, row by row."""
    table = openmeva.DISCRIMINATION
    return tuple(
        Printed(row, str(ASPECTS[column]), None, number(cell), cell.endswith("*"))
        for row, column, cell in _cells(table)
    )


def invariance() -> tuple[Printed, ...]:
    """Table 7, row by row."""
    table = openmeva.INVARIANCE
    return tuple(
        Printed(row, str(CHANGES[column][0]), str(CHANGES[column][1]), number(cell), cell.endswith("*"))
        for row, column, cell in _cells(table)
    )


def _cells(table: PublishedTable) -> Iterator[tuple[str, str, str]]:
    """All but the counts."""
    for row, cells in table.rows.items():
        if any("." in cell for cell in cells):
            yield from ((row, column, cell) for column, cell in zip(table.columns, cells, strict=True))
