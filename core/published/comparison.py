"""Published tables compared with a study's own, cell by cell: equal at the printed digits, or the reason why not."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from core.analysis.judgments.texts import Texts
from core.annotation.builtin_criteria import HANNA
from core.published import hanna, openmeva, union
from core.published.inventory import inventory_of
from core.published.measure import NOTHING_LEARNT, Learnt, Measurement, measure
from core.published.quantities import Quantity, QuantityKind, Released, quantity
from core.published.reasons import Reason, Why, reason
from core.published.tables import PublishedTable
from core.scores import IMPORTED, ScoreTable

LONG_STORY = 100
"""Words: MANS' ROC stories have about 40, its WP ones about 230 (Table 10)."""
EMPTY = ScoreTable((), (), (), (), np.empty(0), ())
"""What there is before there is a study."""
OWN_MODEL = "The scores are Fabula's own, by another model or checkpoint than the paper's."
UNEXPLAINED = "Other stories, ratings, scores or filters give other numbers; which of them does here is not known."


class CellState(StrEnum):
    """How a cell compares. MISSING: the study lacks something. ELSEWHERE: it is about other stories than these."""

    AGREES = "agrees"
    DIFFERS = "differs"
    MISSING = "missing"
    ELSEWHERE = "elsewhere"
    EMPTY = "empty"


@dataclass(frozen=True)
class Cell:
    """`printed` as in the paper; `ours` unrounded and `shown` rounded like it, with `low` and `high` where it has a
    range; `signature` of the scores behind it. Of words, `ours` is how many of them Fabula has. `kind`: of the reason,
    None where none is known or needed.
    """

    row: str
    column: str
    printed: str
    state: CellState
    ours: float | None = None
    shown: str = ""
    n: int | None = None
    signature: str = ""
    reason: str = ""
    quantity: Quantity | None = None
    kind: Why | None = None
    low: float | None = None
    high: float | None = None


def guess(table: ScoreTable) -> Released | None:
    """Which released stories a whole study holds, by their number, ratings and length; None where it looks like none.

    UNION: 400 ROC and 200 WP stories with seven votes of 0 or 1 each. MANS: 1,000 with five ratings from 1 to 5.
    HANNA: 960 with three ratings on each of its criteria.
    """
    stories = len(table.keys)
    if not stories or not table.ratings.size:
        return None
    counts = np.isfinite(table.ratings).sum(1)
    shape = (stories, int(counts.min()), int(counts.max()))
    if not counts.any():
        return None
    if table.criteria:
        return Released.HANNA if shape == (960, 3, 3) and set(table.criteria) == set(HANNA.names) else None
    votes = float(np.nanmax(table.ratings)) <= 1
    if shape == (1000, 5, 5) and not votes:
        long = int(table.words.sum()) > LONG_STORY * stories
        return Released.MANS_WP if long else Released.MANS_ROC
    return {(400, 7, 7): Released.UNION_ROC, (200, 7, 7): Released.UNION_WP}.get(shape) if votes else None


def compare_table(
    published: PublishedTable,
    table: ScoreTable,
    of: Released | None,
    learnt: Learnt = NOTHING_LEARNT,
    texts: Texts | None = None,
) -> tuple[Cell, ...]:
    """Every cell of a published table, row by row; `of`: which released stories the study's are; `learnt`: what the
    checkpoints behind its scores learnt from; `texts`: the statistics of its texts.
    """
    return tuple(
        compared(published, row, column, table, of, learnt, texts)
        for row in published.rows
        for column in published.columns
    )


def compared(
    published: PublishedTable,
    row: str,
    column: str,
    table: ScoreTable,
    of: Released | None,
    learnt: Learnt = NOTHING_LEARNT,
    texts: Texts | None = None,
) -> Cell:
    """One cell of it."""
    printed = published.cell(row, column)
    if not printed.strip("-"):
        return Cell(row, column, printed, CellState.EMPTY)
    wanted, why = quantity(published, row, column), reason(published, row, column)
    if wanted is None:
        return _missing(row, column, printed, why)
    if wanted.kind is QuantityKind.HELD:
        return _held(published, row, column, wanted, why)
    if wanted.of is not of:
        return Cell(
            row, column, printed, CellState.ELSEWHERE, reason=f"Of other stories: {wanted.of}.", quantity=wanted
        )
    result = measure(wanted, table, learnt, texts)
    if result.value is None:
        lasting = why if why and why.kind in (Why.NOT_RELEASED, Why.NOT_YET) else None
        return replace(_missing(row, column, printed, lasting, result.missing), n=result.n, quantity=wanted)
    shown = _shown(printed, result, result.starred if _has_stars(published) else None)
    agrees = _agrees(printed, shown, result, wanted.kind)
    kind, sentence = (None, "") if agrees else _why_other(printed, shown, result, why)
    return Cell(
        row, column, printed, CellState.AGREES if agrees else CellState.DIFFERS, result.value, shown, result.n,
        result.signature, sentence, wanted, kind, result.low, result.high,
    )  # fmt: skip


def _missing(row: str, column: str, printed: str, why: Reason | None, lacking: str = "") -> Cell:
    sentence, kind = (why.why, why.kind) if why else (lacking, Why.NOT_YET)
    return Cell(row, column, printed, CellState.MISSING, reason=sentence, kind=kind)


def _held(published: PublishedTable, row: str, column: str, wanted: Quantity, why: Reason | None) -> Cell:
    """A cell about what Fabula itself has."""
    printed, inventory = published.cell(row, column), inventory_of(published, row, column)
    count = 0 if inventory is None else len(inventory.words) - len(inventory.lacking)
    lacking = () if inventory is None else inventory.lacking
    sentence = "" if not lacking else why.why if why else f"Fabula lacks {', '.join(lacking)}."
    return Cell(
        row, column, printed, CellState.DIFFERS if lacking else CellState.AGREES, float(count),
        "" if inventory is None else inventory.shown, reason=sentence, quantity=wanted,
        kind=(why.kind if why else Why.NOT_YET) if lacking else None,
    )  # fmt: skip


def _shown(printed: str, measured: Measurement, starred: bool | None) -> str:
    value = rounded(printed, measured.value or 0.0, starred)
    if measured.low is None or measured.high is None:
        return value
    return f"{value} ({rounded(printed, measured.low)} to {rounded(printed, measured.high)})"


def _agrees(printed: str, shown: str, measured: Measurement, kind: QuantityKind) -> bool:
    """Return whether a number agrees at the printed digits, or within the range; one number is a bound."""
    if kind is QuantityKind.TYPES_SPEARMAN:
        return abs(measured.value or 0.0) < number(printed)
    if measured.low is None or measured.high is None:
        return shown == printed
    half = 0.5 * 10.0 ** -len(printed.partition(".")[2])
    return measured.low - half <= number(printed) <= measured.high + half


def _why_other(printed: str, shown: str, measured: Measurement, why: Reason | None) -> tuple[Why | None, str]:
    """Why a number that a study gives is another one than was printed."""
    models = any(part in measured.signature for part in ("|model:", "|checkpoint:"))
    own = models and not measured.signature.startswith(IMPORTED)
    if why and (why.kind is Why.OTHER_MODEL or (why.kind is Why.DOES_NOT_FOLLOW and not own)):
        return why.kind, why.why
    if own:
        return Why.OTHER_MODEL, OWN_MODEL
    if shown.rstrip("*") == printed.rstrip("*"):
        return Why.DOES_NOT_FOLLOW, _by_its_star(measured)
    return None, UNEXPLAINED


def _by_its_star(measured: Measurement) -> str:
    return f"The number agrees, its star does not: here p is {'below' if measured.starred else 'not below'} 0.01."


def _has_stars(published: PublishedTable) -> bool:
    return any(cell.endswith("*") for cells in published.rows.values() for cell in cells)


def number(printed: str) -> float:
    """What was printed, as a number; raises ValueError for a dash or words."""
    return float(printed.rstrip("*%").replace(",", ""))


def rounded(printed: str, value: float, starred: bool | None = None) -> str:
    """A number with the decimals, commas and signs of a printed one; `starred` None: no place for a star."""
    digits = printed.rstrip("*%")
    decimals = len(digits.partition(".")[2])
    text = f"{round(value, decimals):{',' if ',' in digits else ''}.{decimals}f}"
    return text + ("%" if printed.endswith("%") else "") + ("*" if starred else "")


def grouped(cells: Iterable[Cell]) -> dict[str, tuple[Cell, ...]]:
    """The cells that differ or are missing by their reason, in the table's order; those of other stories are not."""
    result: dict[str, list[Cell]] = {}
    for cell in cells:
        if cell.state in (CellState.DIFFERS, CellState.MISSING):
            result.setdefault(cell.reason, []).append(cell)
    return {why: tuple(those) for why, those in result.items()}


def named(cell: Cell) -> str:
    """Row and column, and where its scores are missing the name that they would have."""
    lacking = cell.state is CellState.MISSING and cell.quantity is not None and cell.quantity.metrics
    return f"{cell.row}, {cell.column}" + (f" ({' or '.join(lacking)})" if lacking else "")


def count_states(cells: Iterable[Cell]) -> dict[CellState, int]:
    """How many cells of each state there are."""
    counts = Counter(cell.state for cell in cells)
    return {state: counts[state] for state in CellState}


def best_table(of: Released | None) -> PublishedTable:
    """The table of correlations that is about these stories."""
    if of is Released.HANNA:
        return hanna.STORY
    return openmeva.CORRELATIONS if of in (Released.MANS_ROC, Released.MANS_WP) else union.CORRELATIONS


def needed(published: PublishedTable) -> str:
    """What to import so that the table fills; "" where nothing that was released would do."""
    wanted = (quantity(published, row, column) for row in published.rows for column in published.columns)
    of = {item.of for item in wanted if item is not None}
    if Released.UNION_ROC in of or Released.UNION_WP in of:
        return (
            "Import UNION's annotation folder of ROC or WP, the one with ant_data.txt and the scores in "
            "metric_output, as a study."
        )
    if Released.HANNA in of:
        return "Import HANNA's ratings as a study, and the authors' scores of 72 metrics into it."
    if of:
        return "Import the MANS file of ROC or WP as a study, and run the metrics or import their scores."
    return ""
