"""A table of panels, page by page; a row opens its panel below."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.annotation.monitor.overview import Overview
from core.annotation.panel_summary import PanelSummary, Show, StorySoFar, select_panels
from core.annotation.quality import Payment
from core.annotation.studies import Study
from core.people import Person
from core.wording import meaning
from db.monitor import panels as stored_panels
from pages.ui.components.scrolled import scrolled
from pages.ui.monitor.bulk_decision import several_decision
from pages.ui.monitor.panel_decision import panel_decision, times_closed
from pages.ui.shared.tables.downloads import pressable_table

A_PAGE = 50
PROMPT = 60
"""Characters of a prompt in its row: enough to tell it by; the opened panel has all of it."""
A_LETTER, MOST_LINES = 8, 4
"""Pixels of a letter of the remarks, and lines that they may take in a row: a reason is read where it stands."""
ANNOTATOR = 115
"""Pixels of an annotator's name, which may take several lines, too."""
Remarks = Mapping[int, tuple[str, ...]]


def show_noted(study_id: int) -> None:
    """Have the table show the panels with a note, those first on which nobody has decided since."""
    st.session_state[_which(study_id)] = Show.NOTED


def _which(study_id: int) -> str:
    """The key of which panels are shown."""
    return f"monitor-show-{study_id}"


def panels_section(viewer: Person, study: Study, overview: Overview) -> None:
    """Which panels, the table, and the one that was chosen."""
    which = st.segmented_control(
        "Show",
        list(Show),
        default=Show.ALL,
        required=True,
        format_func=lambda item: str(item).capitalize(),
        key=_which(study.id),
    )
    st.caption(
        "Flags ask you to look; they reject nothing. Press a row to read the work and decide on it; tick several to "
        "decide on all of them. Panels are numbered across all studies of this server, so some numbers may "
        "be missing here."
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
        st.info(
            "No work of this kind was handed in. Imported ratings are not listed: on them there is nothing to decide."
        )
    chosen: tuple[int, ...] = st.session_state.get(pin) or ()
    if len(chosen) == 1:
        panel_decision(viewer, study_id, chosen[0], remarks.get(chosen[0], ()), close=pin)
        times, pressed = st.session_state.get(_pressed(pin), (0, None))
        if pressed == chosen[0]:  # whoever ticks one row may go on to tick others
            scrolled(str(times), to=f"panel-{pressed}")
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
    # A row's place means another panel once others have come in above.
    table = f"rows-{key}-{hash(ids)}-{times_closed(pin)}"
    single = {panel.unit[1] for panel in rows if panel.unit[1] is not None}
    stories = stored_panels.stories_so_far(single) if single else {}
    shown = [_row(panel, remarks.get(panel.id, ()), stories) for panel in rows]
    width = 145 if single else 300
    wrapped = {"Remarks": width, "Annotator": ANNOTATOR}
    lines = max(-(-len(str(row[name])) * A_LETTER // wide) for row in shown for name, wide in wrapped.items())
    pressable_table(
        shown,
        table,
        lambda row, _column: _press(pin, ids[row]),
        alt="What was handed in",
        column_config={
            "Number": st.column_config.Column(pinned=True),
            "Prompt": st.column_config.TextColumn(width=105),
            "System": st.column_config.TextColumn(width=85),
            "Times rated": st.column_config.NumberColumn(width=90, help="How many ratings of this story count."),
            "Annotator": st.column_config.TextColumn(width=ANNOTATOR),
            "Handed in": st.column_config.DatetimeColumn(
                "Handed in (UTC)", format="D MMM, HH:mm", timezone="UTC", width=112
            ),
            "Remarks": st.column_config.TextColumn(
                width=width,
                help=f"Why it was rejected, and its flags. Flag: {meaning('Flag')}",
            ),
        },
        on_ticked=lambda ticked: _pin(pin, [ids[row] for row in ticked]),
        lines=min(MOST_LINES, lines),
    )


def _pin(pin: str, chosen: Sequence[int]) -> None:
    """Remember the panels of the rows that were chosen, by their numbers."""
    st.session_state[pin] = tuple(chosen)


def _press(pin: str, panel: int) -> None:
    """Open the panel of a row that was pressed, to be brought into sight, this time too."""
    times, _ = st.session_state.get(_pressed(pin), (0, None))
    st.session_state[_pressed(pin)] = (times + 1, panel)
    _pin(pin, [panel])


def _pressed(pin: str) -> str:
    """The key of how often a row was pressed, and of whose."""
    return f"{pin}-pressed"


def _row(panel: PanelSummary, remarks: tuple[str, ...], stories: Mapping[int, StorySoFar]) -> dict[str, object]:
    """Its cells, few enough for all of them to be in sight; `stories`: those that are handed in one by one."""
    rated = stories.get(panel.unit[1] or 0)
    by_hand = "by hand" * panel.overridden
    noted = "has a note, not decided on" if panel.note_waits else "has a note" * panel.noted
    return {
        "Number": panel.id,
        "Prompt": panel.prompt[:PROMPT],
        **({"System": rated.origin, "Times rated": rated.ratings} if rated else {}),
        "Annotator": panel.annotator,
        "Handed in": panel.submitted_at,
        "Verdict": panel.verdict,
        "Minutes": round(max(0.0, panel.seconds) / 60, 1),
        "Payment": None if panel.own_try and panel.payment == Payment.DUE else panel.payment,
        "Remarks": "; ".join(filter(None, (panel.reason, *remarks, by_hand, noted))),
    }
