"""What can be done about one person: qualify, revoke, export their data, erase."""

import json
from collections.abc import Callable
from functools import partial

import streamlit as st

from core.errors import FabulaError
from core.people import Listed, Person, Role
from db.monitor import personal_data
from db.people import people
from pages.ui.shared.participation import taking_part


def person_actions(viewer: Person, one: Listed) -> None:
    """What this viewer may do about a person; what came of it stands in `people_done` and `people_problem`."""
    with st.container(border=True):
        st.text(one.label + (f", link {one.state}" if one.state != "active" else ""))
        with st.container(horizontal=True, vertical_alignment="center"):
            if one.state == "active":
                if one.role is Role.ANNOTATOR:
                    said = ("people_done", "people_problem")
                    taking_part(viewer, one.id, one.qualified, f"qualified-{one.id}", said, paused=one.paused)
                if one.role is Role.ANNOTATOR or viewer.may(Role.OWNER):
                    _revoke(viewer, one)
            if viewer.may(Role.OWNER):
                st.download_button(
                    "All their data",
                    partial(_data, viewer, one.id),
                    file_name=f"person-{one.id}.json",
                    mime="application/json",
                    icon=":material/download:",
                    key=f"data-{one.id}",
                    on_click="ignore",
                )
                if one.id != viewer.id:
                    _erase(viewer, one)


def _revoke(viewer: Person, one: Listed) -> None:
    with st.popover("Revoke", icon=":material/link_off:", key=f"revoke-{one.id}"):
        st.text(f"{one.label} can no longer come in, from now on and for good. What they have rated stays.")
        if one.id == viewer.id:
            st.warning("This is you: the page will turn you away.")
        st.button(
            "Yes, revoke it",
            type="primary",
            key=f"revoke-yes-{one.id}",
            on_click=_do,
            args=(partial(people.revoke, viewer, one.id), "The link is revoked."),
        )


def _erase(viewer: Person, one: Listed) -> None:
    with st.popover("Erase", icon=":material/person_remove:", key=f"erase-{one.id}"):
        st.text(
            f"Name, e-mail, platform's id, notes, reasons given about their work, consent and training of {one.label} "
            "go for good, and the link dies."
        )
        keep = st.radio(
            "What they have handed in",
            (True, False),
            format_func=lambda kept: "stays, as that of nobody" if kept else "goes too; its places are offered again",
            key=f"keep-{one.id}",
        )
        sure = st.checkbox("I know that this cannot be undone", key=f"sure-{one.id}")
        st.button(
            "Erase this person",
            type="primary",
            disabled=not sure,
            key=f"erase-yes-{one.id}",
            on_click=_do,
            args=(partial(personal_data.erase, viewer, one.id, keep_ratings=keep), "The person is erased."),
        )


def _do(what: Callable[[], None], done: str) -> None:
    try:
        what()
    except FabulaError as error:
        st.session_state["people_problem"] = str(error)
    else:
        st.session_state["people_done"] = done


def _data(viewer: Person, person_id: int) -> bytes:
    return json.dumps(personal_data.exported(viewer, person_id), ensure_ascii=False, indent=1).encode()
