"""What renames, copies, archives and deletes a study, and what is shown to undo it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.annotation.studies import Study, StudyState
from core.errors import FabulaError
from core.people import Person, Role
from db.studies import lifecycle, studies
from pages.ui.shared.study_choice import remember
from pages.ui.shared.text import escaped, problem
from pages.ui.studies.retention import personal_data

DONE = "study_done"
"""Of the session's state: what was done last, to be said once with a button that undoes it."""


@dataclass(frozen=True)
class Done:
    """What to say, and what undoes it; `study_id`: the study to show after that."""

    message: str
    undo: Callable[[], object] | None
    study_id: int


def manage(viewer: Person, study: Study) -> None:
    """Another name, a copy, the archive, and deletion."""
    with st.form(f"rename-{study.id}", border=False):
        name = st.text_input("Name", study.name, max_chars=studies.LONGEST_NAME, key=f"name-{study.id}-{study.name}")
        if st.form_submit_button("Rename", icon=":material/edit:"):
            do(lambda: _renamed(viewer, study, name))
    with st.form(f"copy-{study.id}", border=False):
        st.caption("A copy has the form, rules, practice, consent text and stories, no ratings, and is not open yet.")
        copy = st.text_input(
            "Name of the copy", f"{study.name} 2"[: studies.LONGEST_NAME], max_chars=studies.LONGEST_NAME,
            key=f"copy-name-{study.id}",
        )  # fmt: skip
        if st.form_submit_button("Make a copy", icon=":material/content_copy:"):
            do(lambda: _copied(viewer, study, copy))
    st.caption("An archived study is in no list, and its annotators find it closed. Nothing of it goes.")
    if st.button("Archive this study", icon=":material/archive:", key=f"archive-{study.id}"):
        do(lambda: _archived(viewer, study))
    if not viewer.may(Role.OWNER):
        st.caption("Only an owner can delete a study, or erase its annotators.")
        return
    personal_data(viewer, study)
    st.caption(
        f"A deleted study is found nowhere any more. For {lifecycle.KEPT.days} days an owner can bring it back; then "
        "its stories, ratings and imported scores go for good, and its annotators are erased."
    )
    if st.button("Delete this study", icon=":material/delete:", key=f"delete-{study.id}"):
        do(lambda: _deleted(viewer, study))


def do(what: Callable[[], Done]) -> None:
    """Do it, and show the page anew with what was done; or say why not."""
    try:
        st.session_state[DONE] = what()
    except FabulaError as error:
        problem(str(error))
    else:
        st.rerun()


def _renamed(viewer: Person, study: Study, name: str) -> Done:
    before = lifecycle.rename(viewer, study.id, name)
    sentence = f"{before} is now called {name.strip()}."
    return Done(sentence, lambda: lifecycle.rename(viewer, study.id, before), study.id)


def _copied(viewer: Person, study: Study, name: str) -> Done:
    new_study = lifecycle.clone(viewer, study.id, name)
    remember(new_study.id)
    return Done(f"This is the copy, {new_study.name}. It has no ratings, and is not open yet.", None, new_study.id)


def _archived(viewer: Person, study: Study) -> Done:
    lifecycle.archive(viewer, study.id)

    def undo() -> None:
        lifecycle.bring_back(viewer, study.id)
        if study.state is StudyState.OPEN:
            studies.open_study(viewer, study.id, confirmed=True)  # it was when it was opened first

    return Done(f"{study.name} is archived.", undo, study.id)


def _deleted(viewer: Person, study: Study) -> Done:
    name = lifecycle.discard(viewer, study.id)
    back = partial(lifecycle.restore, viewer, study.id)
    return Done(f"{name} is deleted, with its stories, ratings and scores.", back, study.id)


def show_undo() -> None:
    """Say what was done, with a button that undoes it: until the next thing is done, or the page is left."""
    last = st.session_state.get(DONE)
    if last is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="study-done"):
        st.success(escaped(last.message), icon=":material/check_circle:", width="stretch")
        if last.undo is not None:
            st.button("Undo", icon=":material/undo:", key="undo", on_click=_undo, args=(last,))
    st.session_state[DONE] = None


def _undo(last: Done) -> None:
    if last.undo is None:
        return
    try:
        last.undo()
    except FabulaError as error:
        st.session_state[DONE] = Done(f"It could not be undone. {error}", None, last.study_id)
    else:
        remember(last.study_id)
        st.session_state[DONE] = Done("Undone.", None, last.study_id)
