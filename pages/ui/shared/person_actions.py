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


def person_actions(viewer: Person, person: Listed) -> None:
    """What this viewer may do about a person; what came of it stands in `people_done` and `people_problem`."""
    with st.container(border=True):
        st.text(person.label + (f", link {person.state}" if person.state != "active" else ""))
        with st.container(horizontal=True, vertical_alignment="center"):
            if person.state == "active":
                if person.role is Role.ANNOTATOR:
                    keys = ("people_done", "people_problem")
                    taking_part(
                        viewer, person.id, person.qualified, f"qualified-{person.id}", keys, paused=person.paused
                    )
                if person.role is Role.ANNOTATOR or viewer.may(Role.OWNER):
                    _revoke(viewer, person)
            if viewer.may(Role.OWNER):
                st.download_button(
                    "All their data",
                    partial(_data, viewer, person.id),
                    file_name=f"person-{person.id}.json",
                    mime="application/json",
                    icon=":material/download:",
                    key=f"data-{person.id}",
                    on_click="ignore",
                )
                if person.id != viewer.id:
                    _erase(viewer, person)


def _revoke(viewer: Person, person: Listed) -> None:
    with st.popover("Revoke", icon=":material/link_off:", key=f"revoke-{person.id}"):
        st.text(f"{person.label} can no longer come in, from now on and for good. What they have rated stays.")
        if person.id == viewer.id:
            st.warning("This is you: the page will turn you away.")
        st.button(
            "Yes, revoke it",
            type="primary",
            key=f"revoke-yes-{person.id}",
            on_click=_do,
            args=(partial(people.revoke, viewer, person.id), "The link is revoked."),
        )


def _erase(viewer: Person, person: Listed) -> None:
    with st.popover("Erase", icon=":material/person_remove:", key=f"erase-{person.id}"):
        st.text(
            "Name, e-mail, platform's id, notes, reasons given about their work, consent and practice of "
            f"{person.label} go for good, and the link dies."
        )
        keep = st.radio(
            "What they have handed in",
            (True, False),
            format_func=lambda kept: "stays, as that of nobody" if kept else "goes too; its places are offered again",
            key=f"keep-{person.id}",
        )
        sure = st.checkbox("I know that this cannot be undone", key=f"sure-{person.id}")
        st.button(
            "Erase this person",
            type="primary",
            disabled=not sure,
            key=f"erase-yes-{person.id}",
            on_click=_do,
            args=(partial(personal_data.erase, viewer, person.id, keep_ratings=keep), "The person is erased."),
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
