"""What can be done about one person: qualify, revoke, export their data, erase."""

import json
from collections.abc import Callable
from functools import partial

import streamlit as st

from core.errors import FabulaError
from core.people import Listed, Person, Role
from db.monitor import personal_data
from db.people import owner, people
from db.studies import studies
from pages.ui.shared.certain_deletion import certain_deletion
from pages.ui.shared.participation import taking_part
from pages.ui.shared.server_address import personal_link


def person_actions(viewer: Person, person: Listed) -> None:
    """What this viewer may do about a person; what came of it stands in `people_done` and `people_problem`."""
    with st.container(border=True):
        states = {"active": "", "imported": ", with imported ratings"}
        st.text(person.label + states.get(person.state, f", link {person.state}"))
        with st.container(horizontal=True, vertical_alignment="center"):
            if person.state == "active":
                if person.role is Role.ANNOTATOR:
                    keys = ("people_done", "people_problem")
                    taking_part(
                        viewer, person.id, person.qualified, f"qualified-{person.id}", keys, paused=person.paused
                    )
                if person.role is Role.ANNOTATOR or viewer.may(Role.OWNER):
                    if person.has_link:
                        _renew(viewer, person)
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
        if person.role is Role.RESEARCHER and person.state == "active":
            _studies(viewer, person)
        if link := st.session_state.get(f"renewed-{person.id}"):
            st.text(f"The new link of {person.label}:")
            st.code(link, language=None, wrap_lines=True)
            st.caption("Copy it now: it is shown only on this page, and only until you leave it.")


def _studies(viewer: Person, person: Listed) -> None:
    """Which studies a researcher runs, to be changed."""
    names = {summary.study.id: summary.study.name for summary in studies.summaries(viewer)}
    key = f"runs-{person.id}"
    st.multiselect(
        "Studies that they run",
        list(names),
        default=[number for number in people.studies_of(viewer, person.id) if number in names],
        format_func=lambda number: names.get(number, "(archived)"),
        key=key,
        placeholder="None: they make their own",
    )
    st.button(
        "Save their studies", key=f"save-{key}", on_click=_save_studies, args=(viewer, person.id, set(names), key)
    )


def _save_studies(viewer: Person, person_id: int, shown: set[int], key: str) -> None:
    """Archived studies, which the box does not show, stay with whoever has them."""
    wanted = {*st.session_state[key], *(people.studies_of(viewer, person_id) - shown)}
    _do(partial(people.set_studies, viewer, person_id, wanted), "Their studies are saved.")


def _renew(viewer: Person, person: Listed) -> None:
    with st.popover("New link", icon=":material/key:", key=f"renew-{person.id}"):
        st.text(
            f"{person.label} gets another link. The one that they have stops working, and every browser in which it "
            "was opened is signed out. What they have rated stays."
        )
        st.button(
            "Yes, make a new link",
            type="primary",
            key=f"renew-yes-{person.id}",
            on_click=_new_link,
            args=(viewer, person.id, personal_link("")),
        )


def _new_link(viewer: Person, person_id: int, begins: str) -> None:
    def make() -> None:
        st.session_state[f"renewed-{person_id}"] = begins + owner.renew(viewer, person_id)

    _do(make, "The new link is made.")


def _revoke(viewer: Person, person: Listed) -> None:
    with st.popover("Revoke", icon=":material/link_off:", key=f"revoke-{person.id}"):
        st.text(
            f"Once you confirm, {person.label} can no longer come in. What they have rated stays; the place of what "
            "they have not handed in is offered again. This cannot be undone: only a new invitation lets them in again."
        )
        if person.id == viewer.id:
            st.warning("This is you: the page will turn you away.")
        st.button(
            "Yes, revoke it",
            type="primary",
            key=f"revoke-yes-{person.id}",
            on_click=_do,
            args=(
                partial(people.revoke, viewer, person.id),
                "The link is revoked. To let them in again, send them a new invitation.",
            ),
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
        erase = partial(personal_data.erase, viewer, person.id, keep_ratings=keep)
        certain_deletion(
            "Erase this person", f"erase-yes-{person.id}", f"sure-{person.id}", _do, erase, "The person is erased."
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
