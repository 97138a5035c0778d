"""A published table beside a study's own numbers: marked cells, why some do not agree, and everything as CSV."""

import re

import streamlit as st

from core.published.comparison import Cell, CellState, count_states, grouped, named, needed
from core.published.headline import headline
from core.published.quantities import QuantityKind, Released
from core.published.reasons import Why
from core.published.tables import PublishedTable
from pages.ui.shared.analysis.finding import marked, verdict
from pages.ui.shared.tables.result_table import table as with_csv
from pages.ui.shared.text import escaped

MOST_NAMED = 6
MOST_ROWS, TALLEST = 20, 600
"""Rows that are all shown; more are scrolled, within so many pixels, so that what stands below is found."""
LEGEND = (
    "**✓** agrees at the printed digits, star included. **≠** differs: ours stands behind it. **–** not compared: the "
    "reason stands below. No mark: of other stories than these."
)
_MINUS = re.compile(r"(?<!\S)-(?=[\d.])")
KINDS = {
    Why.NOT_RELEASED: ":orange-badge[not released]",
    Why.DOES_NOT_FOLLOW: ":red-badge[does not follow]",
    Why.OTHER_MODEL: ":blue-badge[other model]",
    Why.NOT_YET: ":gray-badge[not yet]",
}


def published_table(published: PublishedTable, cells: tuple[Cell, ...], of: Released | None) -> None:
    """What the table says, the table as printed, each cell marked, and below it the reasons; `of`: the stories that
    the study holds.
    """
    verdict(headline(published, cells, of, marked), help=LEGEND if published.rows else None)
    if not published.rows:
        st.markdown(_captioned(published))
        st.info(escaped(published.note))
        return
    st.dataframe(
        _printed(published, cells),
        hide_index=True,
        placeholder="–",
        height="content" if len(published.rows) <= MOST_ROWS else TALLEST,
        column_config={"": st.column_config.TextColumn(pinned=True)},
        alt=f"{published.name}, beside this study",
    )
    counts = count_states(cells)
    if not counts[CellState.AGREES] + counts[CellState.DIFFERS]:
        _nothing(published, cells, of)
    st.markdown(_captioned(published))
    st.caption(LEGEND)
    if published.note:
        st.caption(escaped(published.note))
    _reasons(cells)
    with st.expander("Every cell, unrounded"):
        with_csv(f"{published.name}, compared", [_row(cell) for cell in cells if cell.state is not CellState.EMPTY])


def _captioned(published: PublishedTable) -> str:
    return f"**{escaped(published.name)}**: {escaped(published.caption)}"


def _nothing(published: PublishedTable, cells: tuple[Cell, ...], of: Released | None) -> None:
    """What to do so that the table fills; `of`: the stories that it is compared as, which nobody has looked at."""
    fills = needed(published)
    if any(cell.state is CellState.MISSING and cell.quantity for cell in cells):
        st.info(f"Compared as the stories of {of}, this study gives no number of this table: the reasons stand below.")
    elif fills:
        st.info(f"This study gives no number of this table. {escaped(fills)}", icon=":material/upload:")
        st.page_link("import_data.py", label="Import", icon=":material/upload:")
    else:
        st.info("No study gives a number of this table: the reasons stand below.")


def _printed(published: PublishedTable, cells: tuple[Cell, ...]) -> list[dict[str, str]]:
    rows: dict[str, dict[str, str]] = {row: {"": row} for row in published.rows}
    for cell in cells:
        rows[cell.row][cell.column] = _MINUS.sub("−", _marked(cell))
    return list(rows.values())


def _marked(cell: Cell) -> str:
    """Return the cell with its mark: in front of words, as long cells are cut at their end."""
    words = cell.quantity is not None and cell.quantity.kind is QuantityKind.HELD
    match cell.state:
        case CellState.AGREES if words:
            return f"✓ {cell.printed}"
        case CellState.DIFFERS if words:
            return f"≠ {cell.shown}: {cell.printed}"
        case CellState.AGREES if cell.low is not None:
            return f"{cell.printed} ✓ {cell.shown}"
        case CellState.AGREES:
            return f"{cell.printed} ✓"
        case CellState.DIFFERS:
            return f"{cell.printed} ≠ {cell.shown}"
        case CellState.MISSING:
            return f"{cell.printed} –"
    return cell.printed


def _reasons(cells: tuple[Cell, ...]) -> None:
    groups = grouped(cells)
    filled = sum(cell.state is not CellState.EMPTY for cell in cells)
    if not groups:
        return
    st.markdown("**Why the others do not agree**")
    for why, those in groups.items():
        names = [named(cell) for cell in those]
        rest = len(names) - MOST_NAMED
        listed = "; ".join(names[:MOST_NAMED]) + (f"; and {rest:,} more" if rest > 0 else "")
        listed = "Every cell" if len(names) == filled else listed
        kind = f"{KINDS[those[0].kind]} " if those[0].kind else ""
        st.markdown(f"- {kind}{escaped(why)} :gray[{escaped(listed)}]")


def _row(cell: Cell) -> dict[str, object]:
    return {
        "Row": cell.row,
        "Column": cell.column,
        "Published": cell.printed,
        "Ours": cell.ours,
        "n": cell.n,
        "Compared": cell.state.value,
        "Signature": cell.signature,
        "Low": cell.low,
        "High": cell.high,
        "Kind": cell.kind and str(cell.kind),
        "Reason": cell.reason,
    }
