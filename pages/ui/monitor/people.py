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
    "Rejected": "%.0f %%",
    "Minutes": "%.1f",
    "Words/min": "%.0f",
    "Agreement": "%.2f",
    "Leniency": "%+.2f",
    "Owed": "%.2f",
    "Paid": "%.2f",
    "Withheld": "%.2f",
    "Bonus": "%.2f",
}
WIDTHS = {
    "Annotator": 175,
    "State": 86,
    "Panels": 58,
    "Pairs": 58,
    "Ratings": 64,
    "Rejected": 70,
    "Flags": 112,
    "Minutes": 68,
    "Agreement": 84,
    "Shared": 62,
    "Leniency": 74,
    "Words/min": 78,
    "Owed": 56,
    "Paid": 56,
    "Withheld": 68,
    "Bonus": 56,
}
"""In pixels: all are in sight beside the sidebar."""
MONEY = ("Owed", "Paid", "Withheld", "Bonus")
A_LETTER, MOST_LINES = 8, 4
"""Pixels of a letter of the flags, and lines that they may take in a row."""


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
        f"Rejected: the share; the others are valid. Minutes: the median of a {text}. Agreement: Pearson's r with the "
        f"others' mean {agreement}{money} "
        f"Press a row to see their {several} and to decide. {NUMBERS_SKIP}"
    )
    if not kept:
        st.info("Nobody is called so.")
        return
    at_work = {held.person_id for held in monitor.in_hand(study.id) if held.live}
    pin, ids = f"person-{study.id}", tuple(row.member.key for row in kept)
    cells = _in_use([_cells(row, study, row.member.person.id in at_work) for row in kept])
    longest = max(len(str(row["Flags"] or "")) for row in cells)
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
        lines=min(MOST_LINES, -(-longest * A_LETTER // WIDTHS["Flags"])),
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
    compared = {"Shared": shared} if of_pairs else {"Shared": shared, "Leniency": lenient}
    panels, flags = (None, None) if row.member.state == IMPORTED else (row.panels, row.flags)
    return {
        "Annotator": row.member.called,
        "State": "at work" if at_work else row.member.state,
        study.scheme.unit.wording.rated_plural.capitalize(): panels,
        "Rejected": None if row.rate is None else row.rate * 100,
        "Flags": flags,
        "Minutes": row.minutes,
        "Words/min": row.pace,
        "Agreement": agreement.pearson if agreement else None,
        **compared,
        "Owed": sums.owed / 100,
        "Paid": sums.paid / 100,
        "Withheld": sums.withheld / 100,
        "Bonus": sums.bonus / 100,
    }


def _in_use(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """The rows without the kinds of money that nobody has: most studies pay nothing, or withhold nothing."""
    unused = {name for name in MONEY if not any(row[name] for row in rows)}
    return [{name: cell for name, cell in row.items() if name not in unused} for row in rows]
