"""What can be done with one trained metric: score with it, take it out, rename and delete it; its card as text."""

import tempfile
from functools import partial
from pathlib import Path

import streamlit as st

from core.checkpoints.card import LONGEST_NAME, markdown
from core.checkpoints.store import Kept
from core.errors import FabulaError
from core.formats.checkpoint_zips import pack
from core.people import Person, Role
from db.training import checkpoints
from pages.ui.score.form import ADDRESS
from pages.ui.shared.text import problem

BOX, DONE = "compared", "checkpoint-problem"


def show_checkpoint(viewer: Person, one: Kept) -> None:
    """Buttons for it, and its card as anybody can read and keep it."""
    if message := st.session_state.pop(DONE, ""):
        problem(message)
    with st.container(horizontal=True, vertical_alignment="center"):
        to_score(one.card.name)
        st.download_button(
            "Download",
            partial(_zipped, one),
            file_name=f"{one.place}.zip",
            mime="application/zip",
            icon=":material/download:",
            key="checkpoint-zip",
            on_click="ignore",
            help="Weights and card as one zip, which `cli.py checkpoints import` takes.",
        )
        if not one.shipped:
            _rename(viewer, one)
            if viewer.may(Role.OWNER):
                _delete(viewer, one)
    with st.expander("Its card as text", icon=":material/description:"):
        st.code(markdown(one.card), language=None, wrap_lines=True)


def to_score(name: str) -> None:
    """The way to the Score page, where it is chosen then."""
    st.page_link("score.py", label="Score a study with it", icon=":material/speed:", query_params={ADDRESS: name})


def _zipped(one: Kept) -> bytes:
    with tempfile.TemporaryDirectory(prefix="fabula-checkpoint-") as folder:
        path = Path(folder) / "checkpoint.zip"
        pack(one.checkpoint(), path)
        return path.read_bytes()


def _rename(viewer: Person, one: Kept) -> None:
    with st.popover("Rename", icon=":material/edit:", key="checkpoint-rename"):
        name = st.text_input("New name", one.card.name, max_chars=LONGEST_NAME, key=f"checkpoint-name-{one.id}")
        st.button("Rename it", type="primary", key="checkpoint-rename-yes", on_click=_renamed, args=(viewer, one, name))


def _renamed(viewer: Person, one: Kept, name: str) -> None:
    try:
        st.session_state[BOX] = [checkpoints.rename(viewer, one, name).card.name]
    except FabulaError as error:
        st.session_state[DONE] = str(error)


def _delete(viewer: Person, one: Kept) -> None:
    with st.popover("Delete", icon=":material/delete:", key="checkpoint-delete"):
        st.text("Its files go for good. Scores that it gave stay.")
        sure = st.checkbox("I know that this cannot be undone", key=f"checkpoint-sure-{one.id}")
        st.button(
            "Delete this checkpoint",
            type="primary",
            disabled=not sure,
            key="checkpoint-delete-yes",
            on_click=_deleted,
            args=(viewer, one),
        )


def _deleted(viewer: Person, one: Kept) -> None:
    try:
        checkpoints.remove(viewer, one)
        del st.session_state[BOX]
    except FabulaError as error:
        st.session_state[DONE] = str(error)
