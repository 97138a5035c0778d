"""A stored test set: its source and settings, what it holds, its files, and its deletion."""

from functools import partial

import streamlit as st

from core.errors import FabulaError
from core.formats.autos import corpus_of, pack_autos
from core.formats.perturbed import cases_jsonl
from core.people import Person
from core.perturb.test_sets.test_set import SetDescription, description_from
from db.test_sets import test_sets
from db.test_sets.test_sets import KeptSet
from pages.ui.shared.certain_deletion import certain_deletion
from pages.ui.shared.stories.human_stories import OURS_NAME
from pages.ui.shared.text import problem
from pages.ui.test_sets.choice import BROWSE, DONE, look_at
from pages.ui.test_sets.tables import tables

ZIP = "tests-zip"


def kept_set(viewer: Person, kept: KeptSet) -> None:
    """Everything but its cases."""
    about = description_from(kept.about)
    st.text(_made(kept, about))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Browse its cases", icon=":material/menu_book:", key="tests-go", on_click=look_at, args=(kept.id, BROWSE)
        )
        st.page_link(
            "capability.py",
            label="What metrics see in it",
            icon=":material/troubleshoot:",
            query_params={"sets": kept.name},
        )
        st.download_button(
            "JSONL",
            partial(_jsonl, viewer, kept.id),
            file_name=f"{corpus_of(kept.name)}.jsonl",
            mime="application/jsonl",
            key="tests-jsonl",
            on_click="ignore",
            icon=":material/download:",
            help="A line a case with every edit, without those that are struck out. *Import* reads it back.",
        )
        _openmeva(viewer, kept)
        _delete(viewer, kept)
    tables(viewer, kept, about)


def _made(kept: KeptSet, about: SetDescription) -> str:
    """Say how a set was made, in plain text, as names may be anybody's."""
    when = f"{kept.created_at:%Y-%m-%d %H:%M} UTC"
    if about.file:
        of = f"Imported {when} from {about.file}: cases of {about.stories:,} human stories."
    else:
        group = f" ({about.group})" if about.group else ""
        of = f"Made {when} of {about.stories:,} stories of {about.of or OURS_NAME}{group}; seed {about.seed or 0}."
    sentence = f"{kept.cases:,} cases count, {kept.struck:,} are struck out."
    means = ", ".join(f"{what} {name}" for what, name in about.made_with.items())
    return "\n".join([of, *([f"Made with: {means}."] if means else []), sentence])


def _jsonl(viewer: Person, number: int) -> str:
    return cases_jsonl(case.case for case in test_sets.cases(viewer, number, struck=False))


def _openmeva(viewer: Person, kept: KeptSet) -> None:
    """Made when it is asked for: what the format cannot hold is then said in a sentence."""
    with st.popover("OpenMEVA's format", icon=":material/folder_zip:", key="tests-openmeva"):
        st.text(
            "A zip of a corpus's folder, which OpenMEVA's own scripts read. Cases that are struck out stay out. Of "
            "edits it keeps the techniques' names only, and of grammaticality nothing."
        )
        version = test_sets.version(viewer, kept.id)
        if st.button("Make the zip", key="tests-zip-make"):
            st.session_state[ZIP] = (kept.id, version)
        if st.session_state.get(ZIP) != (kept.id, version):
            return
        try:
            packed = _zip(kept.id, version, corpus_of(kept.name), viewer)
        except FabulaError as error:
            problem(str(error))
            return
        st.download_button(
            "Download the zip",
            packed,
            file_name=f"{corpus_of(kept.name)}.zip",
            mime="application/zip",
            key="tests-zip-download",
            on_click="ignore",
            icon=":material/download:",
        )


@st.cache_data(max_entries=2, ttl=900, show_spinner="Making the zip")
def _zip(number: int, version: str, corpus: str, _viewer: Person) -> bytes:
    del version
    return pack_autos([case.case for case in test_sets.cases(_viewer, number, struck=False)], corpus)


def _delete(viewer: Person, kept: KeptSet) -> None:
    with st.popover("Delete", icon=":material/delete:", key="tests-delete"):
        st.text("Its cases go for good, and with them what was struck out. Scores of its texts stay.")
        certain_deletion("Delete this test set", "tests-delete-yes", f"tests-sure-{kept.id}", _deleted, viewer, kept)


def _deleted(viewer: Person, kept: KeptSet) -> None:
    try:
        test_sets.remove(viewer, kept.id)
        st.session_state[DONE] = f"The test set {kept.name!r} is deleted."
    except FabulaError as error:
        st.session_state[DONE] = str(error)
