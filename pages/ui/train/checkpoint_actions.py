"""Actions on a trained metric: score with it, export, rename and delete it; its card as text."""

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
from pages.ui.shared.certain_deletion import certain_deletion
from pages.ui.shared.text import problem

BOX, DONE = "compared", "checkpoint-problem"


def show_checkpoint(viewer: Person, checkpoint: Kept) -> None:
    """Buttons for it, and its card as anybody can read and keep it."""
    if message := st.session_state.pop(DONE, ""):
        problem(message)
    with st.container(horizontal=True, vertical_alignment="center"):
        to_score(checkpoint.card.name)
        st.download_button(
            "Download",
            partial(_zipped, checkpoint),
            file_name=f"{checkpoint.place}.zip",
            mime="application/zip",
            icon=":material/download:",
            key="checkpoint-zip",
            on_click="ignore",
            help="Weights and card as one zip, which `cli.py checkpoints import` takes.",
        )
        if not checkpoint.shipped:
            _rename(viewer, checkpoint)
            if viewer.may(Role.OWNER):
                _delete(viewer, checkpoint)
    with st.expander("Its card as text", icon=":material/description:"):
        st.code(markdown(checkpoint.card), language=None, wrap_lines=True)


def to_score(name: str) -> None:
    """The way to the page Run metrics, where it is chosen then."""
    st.page_link(
        "score.py",
        label="Score a study with it",
        icon=":material/speed:",
        query_params={ADDRESS: name},
        help="Stories of a file of your own are imported into a study first, under Study > Import.",
    )


def _zipped(checkpoint: Kept) -> bytes:
    with tempfile.TemporaryDirectory(prefix="fabula-checkpoint-") as folder:
        path = Path(folder) / "checkpoint.zip"
        pack(checkpoint.checkpoint(), path)
        return path.read_bytes()


def _rename(viewer: Person, checkpoint: Kept) -> None:
    with st.popover("Rename", icon=":material/edit:", key="checkpoint-rename"):
        key = f"checkpoint-name-{checkpoint.id}"
        st.text_input("New name", checkpoint.card.name, max_chars=LONGEST_NAME, key=key)
        st.button(
            "Rename it", type="primary", key="checkpoint-rename-yes", on_click=_renamed, args=(viewer, checkpoint, key)
        )


def _renamed(viewer: Person, checkpoint: Kept, key: str) -> None:
    name = str(st.session_state[key])  # which may have been typed since the button was drawn
    try:
        st.session_state[BOX] = [checkpoints.rename(viewer, checkpoint, name).card.name]
    except FabulaError as error:
        st.session_state[DONE] = str(error)


def _delete(viewer: Person, checkpoint: Kept) -> None:
    with st.popover("Delete", icon=":material/delete:", key="checkpoint-delete"):
        st.text("Its files go for good. Scores that it gave stay.")
        sure = f"checkpoint-sure-{checkpoint.id}"
        certain_deletion("Delete this checkpoint", "checkpoint-delete-yes", sure, _deleted, viewer, checkpoint)


def _deleted(viewer: Person, checkpoint: Kept) -> None:
    try:
        checkpoints.remove(viewer, checkpoint)
        del st.session_state[BOX]
    except FabulaError as error:
        st.session_state[DONE] = str(error)
