"""Which trained UNION is to be explained: one that comes with Fabula, was trained or was imported."""

from dataclasses import dataclass

import streamlit as st

from core.models.catalogue import Role
from core.people import Person
from core.training.base import in_a_folder
from core.training.shelf import Kept
from db import checkpoints
from pages.ui.model_box import model_box
from pages.ui.text import escaped

BOX = "checkpoint"
UNION = "union"
"""The kind."""


@dataclass(frozen=True)
class Chosen:
    """A checkpoint, and where its base is; "" where its card says so."""

    kept: Kept
    base: str

    @property
    def rebuilds(self) -> bool:
        """Whether it learnt to reconstruct."""
        return bool(self.kept.card.recipe.get("reconstruction"))


def choose_checkpoint(viewer: Person) -> Chosen | None:
    """The widgets; None where there is none, and what to do is said."""
    by_name = {one.card.name if not one.shipped else one.place: one for one in _unions(viewer)}
    if not by_name:
        st.info(
            "There is no trained UNION here yet. `cli.py train union` makes one of a table of human stories, and "
            "`cli.py checkpoints import` makes it known; the guide says how (docs/union.md)."
        )
        return None
    if st.session_state.get(BOX, next(iter(by_name))) not in by_name:
        del st.session_state[BOX]
    picked = st.selectbox("Checkpoint", list(by_name), key=BOX, bind="query-params")
    kept = by_name[picked]
    base = model_box(Role.BASE, key="base") if in_a_folder(kept.card) else ""
    chosen = Chosen(kept, base)
    how = "with reconstruction" if chosen.rebuilds else "without reconstruction"
    words = kept.card.options["words"]
    cut = f"stories are cut within {words:,} words" if words else "stories are read whole"
    st.caption(f"On {escaped(kept.card.base)}, {how}; {cut}.")
    return chosen


def _unions(viewer: Person) -> list[Kept]:
    """Those that come with Fabula first: they are there for everybody."""
    found = [one for one in checkpoints.listed(viewer) if one.card.kind == UNION]
    return sorted(found, key=lambda one: not one.shipped)
