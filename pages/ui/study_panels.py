"""The tabs of the Studies page that act on one study."""

import io
from datetime import timedelta
from functools import partial

import streamlit as st

from core.errors import FabulaError
from core.formats.ratings import write_ratings
from core.people import Person, Role
from core.studies import Study
from db import people, ratings, studies
from db.audit import now
from pages.ui.text import problem


def invite(viewer: Person, study: Study) -> None:
    """Make a personal link, shown once; list and revoke those there are."""
    with st.form(f"invite-{study.id}", border=False, clear_on_submit=True):
        name = st.text_input("Name or code of the annotator", max_chars=200, placeholder="annotator 1")
        days = st.number_input("The link works for (days)", 1, 365, 30)
        if st.form_submit_button("Make a personal link", type="primary", icon=":material/link:"):
            try:
                expires = now() + timedelta(days=int(days))
                token = people.invite(viewer, Role.ANNOTATOR, name=name, study_id=study.id, expires_at=expires)
            except FabulaError as error:
                problem(str(error))
            else:
                st.success("Copy the link now: it is shown only once, and whoever has it rates under this name.")
                st.code(f"{_address()}/enter/{token}", language=None, wrap_lines=True)
    for person in people.annotators_of(study.id):
        row = st.columns([3, 2, 1], vertical_alignment="center")
        row[0].text(f"{person.name} (annotator {person.id})")
        if person.id is None:
            continue
        row[1].toggle(
            "May take part",
            person.qualified is not False,
            key=f"qualified-{person.id}",
            help="Off: not qualified. They get no more panels; what they have rated stays.",
            on_change=_qualify,
            args=(viewer, person.id),
        )
        row[2].button("Revoke", key=f"revoke-{person.id}", on_click=_revoke, args=(viewer, person.id))
    if message := st.session_state.pop("invite_problem", None):
        problem(message)


def _qualify(viewer: Person, person_id: int) -> None:
    """Store the toggle; where that fails it goes back to what is stored."""
    key = f"qualified-{person_id}"
    try:
        people.qualify(viewer, person_id, bool(st.session_state[key]))
    except FabulaError as error:
        st.session_state[key] = not st.session_state[key]
        st.session_state["invite_problem"] = str(error)


def _revoke(viewer: Person, person_id: int) -> None:
    try:
        people.revoke(viewer, person_id)
    except FabulaError as error:
        st.session_state["invite_problem"] = str(error)


def _address() -> str:
    """Where this browser reached the app: behind a proxy that is not what the server was told."""
    return "/".join(str(st.context.url).split("/")[:3])


def export(viewer: Person, study: Study) -> None:
    """Download every rating."""
    st.caption("One row a rating, rejected and unfinished panels included, each with its validity and reason.")
    with st.container(horizontal=True):
        for kind, mime in (("csv", "text/csv"), ("jsonl", "application/jsonl")):
            st.download_button(
                f"Ratings as {kind.upper()}",
                # Made when the button is pressed, so that opening the page costs nothing.
                partial(_written, viewer, study, kind),
                file_name=f"ratings-{study.id}.{kind}",
                mime=mime,
                icon=":material/download:",
                on_click="ignore",
            )


def _written(viewer: Person, study: Study, kind: str) -> bytes:
    out = io.StringIO()
    write_ratings(ratings.exported(viewer, study.id), out, kind)
    return out.getvalue().encode()


def delete(viewer: Person, study: Study) -> None:
    """Delete the study after its name was typed."""
    if not viewer.may(Role.OWNER):
        st.info("Only an owner can delete a study.")
        return
    st.caption("Stories, ratings and imported scores go for good. Export first what you want to keep.")
    with st.form(f"delete-{study.id}", border=False):
        typed = st.text_input("Type the study's name to confirm")
        if st.form_submit_button("Delete this study", icon=":material/delete:"):
            try:
                studies.remove(viewer, study.id, typed)
                st.session_state["deleted_study"] = study.name
            except FabulaError as error:
                problem(str(error))
            else:
                st.rerun()
