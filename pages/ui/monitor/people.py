"""People: a row per annotator, and decisions about the chosen one."""

import streamlit as st

from core.annotation.monitor.overview import Overview
from core.annotation.monitor.roster import IMPORTED, AnnotatorRow
from core.annotation.studies import Study
from core.people import NUMBERS_SKIP, Person
from db.monitor import monitor
from pages.ui.monitor.panel_decision import times_closed
from pages.ui.monitor.person import person_section
from pages.ui.shared.tables.downloads import pressable_table

NUMBERS = {
    "Rejected %": "%.0f %%",
    "Minutes": "%.1f",
    "Words a minute": "%.0f",
    "Agreement r": "%.2f",
    "Leniency": "%+.2f",
    "Owed": "%.2f",
    "Paid": "%.2f",
    "Withheld": "%.2f",
    "Bonus": "%.2f",
}
WIDTHS = {
    "Annotator": 200,
    "State": 110,
    "Valid": 60,
    "Rejected %": 88,
    "Flags": 58,
    "Minutes": 74,
    "Owed": 62,
    "Paid": 62,
}
"""In pixels: what a decision rests on is in sight beside the sidebar, the rest follows to the right."""


def people_section(viewer: Person, study: Study, overview: Overview) -> None:
    """The table, to be searched and sorted, and one person below it."""
    if not overview.people:
        st.info("Nobody has been invited yet.")
        st.page_link("annotators.py", label="Invite annotators", icon=":material/person_add:")
        return
    sought = st.text_input(
        "Find somebody",
        key=f"find-{study.id}",
        placeholder="A part of the name, or the number",
        icon=":material/search:",
    )
    kept = [row for row in overview.people if sought.strip().lower() in row.member.called.lower()]
    wording = study.scheme.unit.wording
    text, several = wording.rated, wording.rated_plural
    money = f" Money is in {study.payment.currency}." if study.payment.currency else ""
    agreement = "ratings of the same stories. Leniency: points above that mean."
    if study.scheme.unit.of_pairs:
        agreement = "answers about the same pairs."
    st.caption(
        f"Minutes: the median of a {text}. Agreement: Pearson's r with the others' mean {agreement}{money} "
        f"Press a row to see their {several} and to decide. {NUMBERS_SKIP}"
    )
    if not kept:
        st.info("Nobody is called so.")
        return
    at_work = {held.person_id for held in monitor.in_hand(study.id) if held.live}
    pin, ids = f"person-{study.id}", tuple(row.member.key for row in kept)
    cells = [_cells(row, study, row.member.person.id in at_work) for row in kept]
    pressable_table(
        cells,
        f"people-{study.id}-{hash(ids)}-{times_closed(pin)}",
        lambda row, _column: _open(pin, ids[row]),
        alt="Annotators",
        column_config={
            name: st.column_config.NumberColumn(format=NUMBERS[name], width=WIDTHS.get(name))
            if name in NUMBERS
            else st.column_config.Column(width=WIDTHS.get(name), pinned=name == "Annotator" or None)
            for name in cells[0]
        },
    )
    chosen = st.session_state.get(pin)
    row = next((row for row in overview.people if row.member.key == chosen), None)
    if row is not None:
        person_section(viewer, study, overview, row, close=pin)


def _open(pin: str, who: int | str) -> None:
    """Remember whose row was pressed."""
    st.session_state[pin] = who


def _cells(row: AnnotatorRow, study: Study, at_work: bool) -> dict[str, object]:
    agreement, sums = row.agreement, row.sums
    shared, lenient = agreement.n if agreement else 0, agreement.leniency if agreement else None
    # Of pairs nobody is lenient: whoever favours a side is flagged.
    of_pairs = study.scheme.unit.of_pairs
    compared = {"Shared pairs": shared} if of_pairs else {"Shared stories": shared, "Leniency": lenient}
    handed_in = (row.panels, row.valid, row.rejected, row.flagged)
    panels, valid, rejected, flagged = (None,) * 4 if row.member.state == IMPORTED else handed_in
    return {
        "Annotator": row.member.called,
        "State": "at work" if at_work else row.member.state,
        study.scheme.unit.wording.rated_plural.capitalize(): panels,
        "Valid": valid,
        "Rejected %": None if row.rate is None else row.rate * 100,
        "Flags": flagged,
        "Minutes": row.minutes,
        "Agreement r": agreement.pearson if agreement else None,
        "Owed": sums.owed / 100,
        "Paid": sums.paid / 100,
        "Withheld": sums.withheld / 100,
        "Bonus": sums.bonus / 100,
        "Rejected": rejected,
        "Words a minute": row.pace,
        **compared,
    }
