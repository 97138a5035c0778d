"""The tab that makes personal links for annotators, one or many, and lists who has one."""

import csv
import io
from datetime import timedelta

import streamlit as st

from core.annotation.monitor.people_needed import said_of_people
from core.annotation.studies import Study, StudyState
from core.errors import FabulaError, InputError
from core.formats.cells import cell_of
from core.people import NUMBERS_SKIP, Person, Role
from db.annotation import previews, slots
from db.audit import now
from db.people import people
from pages.ui.shared.damaged_stories import sharing_once_opened
from pages.ui.shared.people_list import people_list
from pages.ui.shared.server_address import hide_links, kept_links, links_made, personal_link, warn_if_local
from pages.ui.shared.text import problem

SHOWN_ONCE = (
    "Copy it before you hide it: it is never shown again. Whoever has it rates under this name, until you revoke it "
    "below."
)


def invite(viewer: Person, study: Study) -> None:
    """Make personal links, shown until they are hidden; below them everybody who has one."""
    warn_if_local()
    sharing_once_opened(viewer, study)
    if said := _people_needed(viewer, study):
        st.caption(said)
    _one(viewer, study)
    several = f"links-made-{study.id}"
    with st.expander("Several at once", icon=":material/group_add:", key=f"several-{study.id}"):
        _several(viewer, study, several)
        if st.session_state.get(several):
            _made(study, several)
    st.markdown("**Annotators of this study**")
    rows = people.listed(viewer, study.id)
    if rows:
        st.caption(NUMBERS_SKIP)
        people_list(viewer, rows, f"study-{study.id}")
    else:
        st.caption("Nobody yet.")


def _people_needed(viewer: Person, study: Study) -> str:
    """How many people are to be invited at least; "" where nobody need be."""
    if study.state is StudyState.CLOSED:
        return ""
    wanted, most = previews.given_out(viewer, study.id)
    return said_of_people(study.scheme.unit, wanted, most, begun=slots.progress(study.id).valid > 0)


def _one(viewer: Person, study: Study) -> None:
    kept = f"link-made-{study.id}"
    with st.form(f"invite-{study.id}", border=False, clear_on_submit=True):
        name = st.text_input(
            "Name or code of the annotator",
            max_chars=people.LONGEST_NAME,
            placeholder="such as: Kim, or W07",
            key=f"invite-name-{study.id}",
        )
        days = st.number_input("The link works for (days)", 1, 365, 30, key=f"invite-days-{study.id}")
        if st.form_submit_button("Make a personal link", type="primary", icon=":material/link:"):
            made = links_made(kept)
            try:
                if not name.strip():
                    raise InputError("Give a name or a code first: you will know the annotator by it.")
                expires = now() + timedelta(days=int(days))
                token = people.invite(viewer, Role.ANNOTATOR, name=name, study_id=study.id, expires_at=expires)
            except FabulaError as error:
                problem(str(error))
            else:
                made.insert(0, (name.strip(), token))
    kept_links(kept, SHOWN_ONCE)


def _several(viewer: Person, study: Study, kept: str) -> None:
    """The form; the names and tokens that it makes stay in the session's state under `kept`."""
    with st.form(f"invite-many-{study.id}", border=False):
        names = st.text_area(
            "Names or codes, one a line",
            placeholder="such as:\nKim\nW07",
            height=140,
            max_chars=people.MOST_AT_ONCE * (people.LONGEST_NAME + 1),
            key=f"invite-names-{study.id}",
        )
        days = st.number_input("These links work for (days)", 1, 365, 30, key=f"invite-many-days-{study.id}")
        if st.form_submit_button("Make the links", icon=":material/link:"):
            made = links_made(kept)
            try:
                expires = now() + timedelta(days=int(days))
                links = people.invite_many(viewer, names.splitlines(), study.id, expires)
            except FabulaError as error:
                problem(str(error))
            else:
                made += links


def _made(study: Study, kept: str) -> None:
    links = st.session_state[kept]
    table = _as_csv(links)
    st.success(f"{len(links)} links. Keep them now: once you hide them, they are never shown again.")
    st.download_button(
        "The links as CSV",
        table,
        file_name=f"links-{study.id}.csv",
        mime="text/csv",
        icon=":material/download:",
        key=f"links-{study.id}",
        on_click="ignore",
    )
    st.code(table.decode(), language=None, height=240 if len(links) > 8 else "content")
    hide_links("Hide the links", kept)


def _as_csv(links: list[tuple[str, str]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("name", "link"))
    writer.writerows((cell_of(name), personal_link(token)) for name, token in links)
    return out.getvalue().encode()
