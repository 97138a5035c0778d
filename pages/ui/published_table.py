"""A published table beside what a study gives: marked cells, why some do not agree, and everything as CSV."""

import streamlit as st

from core.published.beside import Cell, State, counted, grouped, named, needed
from core.published.tables import PublishedTable
from pages.ui.judgment_table import table as with_csv
from pages.ui.text import escaped

MOST_NAMED = 6
LEGEND = (
    "**✓** agrees at the printed digits, star included. **≠** differs: ours stands behind it. **–** this study lacks "
    "what it takes. No mark: of other stories than these."
)


def published_table(published: PublishedTable, cells: tuple[Cell, ...]) -> None:
    """The table as printed, each cell marked, and below it the reasons."""
    st.subheader(escaped(published.name))
    st.markdown(escaped(published.caption))
    counts = counted(cells)
    computed = counts[State.AGREES] + counts[State.DIFFERS]
    if computed:
        st.markdown(f"**{counts[State.AGREES]:,} of {computed:,}** cells that this study gives agree.")
    else:
        _nothing(published)
    st.dataframe(
        _printed(published, cells),
        hide_index=True,
        height="content",
        column_config={"": st.column_config.TextColumn(pinned=True)},
        alt=f"{published.name}, beside this study",
    )
    st.caption(LEGEND)
    if published.note:
        st.caption(escaped(published.note))
    _reasons(cells)
    with st.expander("Every cell, unrounded"):
        with_csv(f"{published.name}, compared", [_row(cell) for cell in cells if cell.state is not State.EMPTY])


def _nothing(published: PublishedTable) -> None:
    """What to do so that the table fills."""
    fills = needed(published)
    if fills:
        st.info(f"This study gives no number of this table. {escaped(fills)}", icon=":material/upload:")
        st.page_link("import_data.py", label="Import", icon=":material/upload:")
    else:
        st.info("Nothing that was released gives a number of this table; it is here to be read.")


def _printed(published: PublishedTable, cells: tuple[Cell, ...]) -> list[dict[str, str]]:
    rows: dict[str, dict[str, str]] = {row: {"": row} for row in published.rows}
    for cell in cells:
        rows[cell.row][cell.column] = _marked(cell)
    return list(rows.values())


def _marked(cell: Cell) -> str:
    match cell.state:
        case State.AGREES:
            return f"{cell.printed} ✓"
        case State.DIFFERS:
            return f"{cell.printed} ≠ {cell.shown}"
        case State.MISSING:
            return f"{cell.printed} –"
    return cell.printed


def _reasons(cells: tuple[Cell, ...]) -> None:
    found = grouped(cells)
    filled = sum(cell.state is not State.EMPTY for cell in cells)
    if not found:
        return
    st.markdown("**Why the others do not agree**")
    for why, those in found.items():
        names = [named(cell) for cell in those]
        rest = len(names) - MOST_NAMED
        listed = "; ".join(names[:MOST_NAMED]) + (f"; and {rest:,} more" if rest > 0 else "")
        listed = "Every cell" if len(names) == filled else listed
        st.markdown(f"- {escaped(why)} :gray[{escaped(listed)}]")


def _row(cell: Cell) -> dict[str, object]:
    return {
        "Row": cell.row,
        "Column": cell.column,
        "Published": cell.printed,
        "Ours": cell.ours,
        "n": cell.n,
        "Compared": cell.state.value,
        "Signature": cell.signature,
        "Reason": cell.reason,
    }
