"""A table of people, one of whom can be chosen."""

from collections.abc import Sequence

import streamlit as st

from core.people import Listed, Person, Role
from pages.ui.shared.person_actions import person_actions
from pages.ui.shared.text import problem

IMPORTED = "none: came with imported ratings"


def people_list(viewer: Person, rows: Sequence[Listed], key: str) -> None:
    """Everybody in `rows`; `key` keeps two lists apart."""
    if message := st.session_state.pop("people_done", None):
        st.success(message)
    if message := st.session_state.pop("people_problem", None):
        problem(message)
    st.dataframe(
        [
            {
                "Name": row.name,
                "Number": row.id,
                "Role": str(row.role),
                "Study": row.study,
                "E-mail": row.email,
                "Link": IMPORTED if row.state == "imported" else row.state,
                "May take part": _takes_part(row),
                "Invited (UTC)": "" if row.state == "imported" else f"{row.created_at:%Y-%m-%d}",
                "Until (UTC)": _until(row),
            }
            for row in rows
        ],
        column_order=_columns(rows),
        hide_index=True,
        placeholder="–",
        height="content" if len(rows) < 10 else 380,
        key=f"people-{key}",
        alt="Everybody who has been invited",
    )
    by_id = {row.id: row for row in rows if row.state != "erased"}
    chosen = st.selectbox(
        "Choose somebody",
        list(by_id),
        index=None,
        format_func=lambda person_id: by_id[person_id].label if person_id in by_id else "(gone)",
        placeholder="to revoke a link, or to see to somebody's data",
        key=f"person-{key}",
    )
    if chosen in by_id:
        person_actions(viewer, by_id[chosen])


def _until(row: Listed) -> str:
    """The last day of a link that works."""
    return "" if row.expires_at is None or row.state in ("erased", "revoked") else f"{row.expires_at:%Y-%m-%d}"


def _takes_part(row: Listed) -> str:
    if row.role is not Role.ANNOTATOR or row.state == "imported":
        return ""
    if row.qualified is False or row.state in ("erased", "revoked"):
        return "no"
    return "paused" if row.paused else "yes"


def _columns(rows: Sequence[Listed]) -> list[str]:
    """The columns that tell anything about these people."""
    annotators = any(row.role is Role.ANNOTATOR for row in rows)
    several = len({(row.role, row.study_id) for row in rows}) > 1
    return [
        *("Name", "Number"),
        *(("Role", "Study") if several else ()),
        *(("E-mail",) if any(row.email for row in rows) else ()),
        "Link",
        *(("May take part",) if annotators else ()),
        *("Invited (UTC)", "Until (UTC)"),
    ]
