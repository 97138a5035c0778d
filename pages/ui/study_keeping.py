"""The tab of the Studies page that renames, copies, archives and deletes a study, and what is shown to undo it."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core.errors import FabulaError
from core.people import Person, Role
from core.studies import State, Study
from db import keeping, studies
from pages.ui.study import remember
from pages.ui.text import escaped, problem

DONE = "study_done"
"""Of the session's state: what was done last, to be said once with a button that undoes it."""


@dataclass(frozen=True)
class Done:
    """What to say, and what undoes it; `study_id`: the study to show after that."""

    said: str
    undo: Callable[[], object] | None
    study_id: int


def manage(viewer: Person, study: Study) -> None:
    """Another name, a copy, the archive, and deletion."""
    with st.form(f"rename-{study.id}", border=False):
        name = st.text_input("Name", study.name, max_chars=studies.LONGEST_NAME, key=f"name-{study.id}-{study.name}")
        if st.form_submit_button("Rename", icon=":material/edit:"):
            _do(lambda: _renamed(viewer, study, name))
    with st.form(f"copy-{study.id}", border=False):
        st.caption("A copy is a draft with the same form, rules, training, consent text and stories, and no ratings.")
        copy = st.text_input(
            "Name of the copy", f"{study.name} 2"[: studies.LONGEST_NAME], max_chars=studies.LONGEST_NAME,
            key=f"copy-name-{study.id}",
        )  # fmt: skip
        if st.form_submit_button("Make a copy", icon=":material/content_copy:"):
            _do(lambda: _copied(viewer, study, copy))
    st.caption("An archived study is in no list, and its annotators find it closed. Nothing of it goes.")
    if st.button("Archive this study", icon=":material/archive:", key=f"archive-{study.id}"):
        _do(lambda: _archived(viewer, study))
    if not viewer.may(Role.OWNER):
        st.caption("Only an owner can delete a study.")
        return
    st.caption(
        f"A deleted study is found nowhere any more. For {keeping.KEPT.days} days an owner can bring it back; then its "
        "stories, ratings and imported scores go for good."
    )
    if st.button("Delete this study", icon=":material/delete:", key=f"delete-{study.id}"):
        _do(lambda: _deleted(viewer, study))


def _do(what: Callable[[], Done]) -> None:
    try:
        st.session_state[DONE] = what()
    except FabulaError as error:
        problem(str(error))
    else:
        st.rerun()


def _renamed(viewer: Person, study: Study, name: str) -> Done:
    before = keeping.rename(viewer, study.id, name)
    said = f"{before} is now called {name.strip()}."
    return Done(said, lambda: keeping.rename(viewer, study.id, before), study.id)


def _copied(viewer: Person, study: Study, name: str) -> Done:
    made = keeping.clone(viewer, study.id, name)
    remember(made.id)
    return Done(f"This is the copy, {made.name}: a draft without ratings.", None, made.id)


def _archived(viewer: Person, study: Study) -> Done:
    keeping.archive(viewer, study.id)

    def undo() -> None:
        keeping.bring_back(viewer, study.id)
        if study.state is State.OPEN:
            studies.open_study(viewer, study.id)

    return Done(f"{study.name} is archived.", undo, study.id)


def _deleted(viewer: Person, study: Study) -> Done:
    name = keeping.discard(viewer, study.id)
    return Done(f"{name} is deleted, with its stories, ratings and scores.", lambda: keeping.restore(viewer, study.id),
                study.id)  # fmt: skip


def done() -> None:
    """Say what was done, with a button that undoes it: until the next thing is done, or the page is left."""
    last = st.session_state.get(DONE)
    if last is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="study-done"):
        st.success(escaped(last.said), icon=":material/check_circle:", width="stretch")
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


def put_away(viewer: Person) -> None:
    """The archived studies, and those whose deletion can still be undone; nothing where there are none."""
    archived = studies.summaries(archived=True)
    gone = keeping.deleted(viewer) if viewer.may(Role.OWNER) else []
    if not archived and not gone:
        return
    with st.expander(f"Archived and deleted ({len(archived) + len(gone)})", icon=":material/inventory_2:"):
        for one in archived:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(f"{one.study.name}: archived, {one.ratings:,} valid ratings", width="stretch")
                if st.button("Bring back", icon=":material/unarchive:", key=f"back-{one.study.id}"):
                    _do(lambda own=one.study: _brought_back(viewer, own))  # type: ignore[misc]
        for old in gone:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(f"{old.name}: deleted, goes for good on {old.until:%d %B %Y}", width="stretch")
                if st.button("Bring back", icon=":material/restore_from_trash:", key=f"restore-{old.id}"):
                    _do(lambda own=old: _restored(viewer, own))  # type: ignore[misc]
                with st.popover("Delete for good", icon=":material/delete_forever:", key=f"erase-{old.id}"):
                    st.caption("This cannot be undone.")
                    if st.button("Delete it now", type="primary", key=f"erase-now-{old.id}"):
                        _do(lambda own=old: _erased(viewer, own))  # type: ignore[misc]


def _brought_back(viewer: Person, study: Study) -> Done:
    keeping.bring_back(viewer, study.id)
    remember(study.id)
    return Done(f"{study.name} is back.", None, study.id)


def _restored(viewer: Person, old: keeping.Deleted) -> Done:
    name = keeping.restore(viewer, old.id)
    remember(old.id)
    return Done(f"{name} is back.", None, old.id)


def _erased(viewer: Person, old: keeping.Deleted) -> Done:
    keeping.erase(viewer, old.id)
    return Done(f"{old.name} is deleted for good.", None, old.id)
