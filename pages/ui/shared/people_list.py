"""People in a table, one of whom can be chosen."""

from collections.abc import Sequence

import streamlit as st

from core.people import Listed, Person, Role
from pages.ui.shared.person_actions import person_actions
from pages.ui.shared.text import problem


def people_list(viewer: Person, rows: Sequence[Listed], key: str) -> None:
    """Everybody in `rows`; `key` keeps two lists apart."""
    if message := st.session_state.pop("people_done", None):
        st.success(message)
    if message := st.session_state.pop("people_problem", None):
        problem(message)
    st.dataframe(
        [
            {
                "Name": one.name,
                "Number": one.id,
                "Role": str(one.role),
                "Study": one.study,
                "E-mail": one.email,
                "Link": one.state,
                "May take part": "no"
                if one.qualified is False
                else "paused"
                if one.paused
                else "yes"
                if one.role is Role.ANNOTATOR
                else "",
                "Invited (UTC)": f"{one.created_at:%Y-%m-%d}",
                "Until (UTC)": f"{one.expires_at:%Y-%m-%d}" if one.expires_at else "",
            }
            for one in rows
        ],
        column_order=_columns(rows),
        hide_index=True,
        height="content" if len(rows) < 10 else 380,
        key=f"people-{key}",
        alt="Everybody who has been invited",
    )
    by_id = {one.id: one for one in rows if one.state != "erased"}
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


def _columns(rows: Sequence[Listed]) -> list[str]:
    """The columns that tell anything about these people."""
    annotators = any(one.role is Role.ANNOTATOR for one in rows)
    several = len({(one.role, one.study_id) for one in rows}) > 1
    return [
        *("Name", "Number"),
        *(("Role", "Study") if several else ()),
        *(("E-mail",) if any(one.email for one in rows) else ()),
        "Link",
        *(("May take part",) if annotators else ()),
        *("Invited (UTC)", "Until (UTC)"),
    ]
