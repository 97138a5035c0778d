"""A table of panels, page by page; a row opens its panel below."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.annotation.monitor.overview import Overview
from core.annotation.panel_summary import PanelSummary, Show, select_panels
from core.annotation.studies import Study
from core.people import Person
from core.wording import meaning
from pages.ui.monitor.bulk_decision import several_decision
from pages.ui.monitor.panel_decision import panel_decision

A_PAGE = 50
PROMPT = 60
"""Characters of a prompt in its row: enough to tell it by; the opened panel has all of it."""
Remarks = Mapping[int, tuple[str, ...]]


def panels_section(viewer: Person, study: Study, overview: Overview) -> None:
    """Which panels, the table, and the one that was chosen."""
    which = st.segmented_control(
        "Show",
        list(Show),
        default=Show.ALL,
        required=True,
        format_func=lambda item: str(item).capitalize(),
        key=f"monitor-show-{study.id}",
    )
    st.caption(
        "Flags ask you to look; they reject nothing. Choose a row to read the work and decide on it, or several to "
        "decide on all of them."
    )
    kept = select_panels(overview.panels, Show(which or Show.ALL), overview.remarks)
    panels_table(viewer, study.id, kept, overview.remarks, f"{study.id}-{which}", pin=f"open-panel-{study.id}")


def panels_table(
    viewer: Person, study_id: int, kept: Sequence[PanelSummary], remarks: Remarks, key: str, pin: str
) -> None:
    """The rows of a page and, below, the panel that was chosen: it stays open while others come in above it. Of several
    it is what can be decided on all of them.

    `pin`: the key of the session's state that keeps which those are.
    """
    if kept:
        _page(kept, remarks, key, pin)
    else:
        st.info("There is no such panel. Ratings that were imported have none to decide on.")
    chosen: tuple[int, ...] = st.session_state.get(pin) or ()
    if len(chosen) == 1:
        panel_decision(viewer, study_id, chosen[0], remarks.get(chosen[0], ()), close=pin)
    elif chosen:
        several_decision(viewer, study_id, chosen, close=pin)


def _page(kept: Sequence[PanelSummary], remarks: Remarks, key: str, pin: str) -> None:
    """One page of the rows."""
    pages = -(-len(kept) // A_PAGE)
    number = 1
    if pages > 1:
        number = min(pages, st.pagination(pages, key=f"page-{key}-{pages}"))
        st.caption(f"{len(kept):,} in all, {A_PAGE} a page, the newest first.")
    rows = kept[(number - 1) * A_PAGE : number * A_PAGE]
    ids = tuple(panel.id for panel in rows)
    table = f"rows-{key}-{hash(ids)}"  # a row's place means another panel once others have come in above
    st.dataframe(
        [_row(panel, remarks.get(panel.id, ())) for panel in rows],
        hide_index=True,
        column_config={
            "Reason": st.column_config.TextColumn(width=280),
            "Flags": st.column_config.TextColumn(width=230, help=meaning("Flag")),
            "Prompt": st.column_config.TextColumn(width=200),
            "Handed in": st.column_config.DatetimeColumn("Handed in (UTC)", format="D MMM, HH:mm", timezone="UTC"),
        },
        on_select=lambda: _pin(pin, table, ids),
        selection_mode="multi-row",
        key=table,
        placeholder="–",
        alt="What was handed in",
    )


def _pin(pin: str, table: str, ids: tuple[int, ...]) -> None:
    """Remember the panels of the rows that were chosen, by their numbers."""
    st.session_state[pin] = tuple(ids[row] for row in st.session_state[table]["selection"]["rows"] if row < len(ids))


def _row(panel: PanelSummary, remarks: tuple[str, ...]) -> dict[str, object]:
    return {
        "Number": panel.id,
        "Annotator": panel.annotator,
        "Handed in": panel.submitted_at,
        "Verdict": panel.verdict,
        "Minutes": round(max(0.0, panel.seconds) / 60, 1),
        "Reason": panel.reason,
        "Flags": "; ".join(remarks),
        "Note": "yes" if panel.noted else "",
        "By hand": "yes" if panel.overridden else "",
        "Payment": panel.payment,
        "Prompt": panel.prompt[:PROMPT],
    }
