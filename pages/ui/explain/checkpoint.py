"""Which trained UNION is to be explained: one that comes with Fabula, was trained or was imported."""

from dataclasses import dataclass

import streamlit as st

from core.checkpoints.backbone import in_a_folder
from core.checkpoints.store import Kept
from core.models.catalogue import ModelRole
from core.people import Person
from core.windows import Long
from db.training import checkpoints
from pages.ui.shared.jobs.model_choice import model_box
from pages.ui.shared.text import escaped

BOX = "checkpoint"
UNION = "union"
"""The kind."""


@dataclass(frozen=True)
class ChosenCheckpoint:
    """A checkpoint, where its base is ("" where its card says so), and what is done with long stories."""

    kept: Kept
    base: str
    long: Long

    @property
    def rebuilds(self) -> bool:
        """Whether it learnt to reconstruct."""
        return bool(self.kept.card.recipe.get("reconstruction"))


def choose_checkpoint(viewer: Person) -> ChosenCheckpoint | None:
    """The widgets; None where there is none, and what to do is said."""
    by_name = {union.card.name if not union.shipped else union.place: union for union in _unions(viewer)}
    if not by_name:
        st.info(
            "There is no trained UNION here yet. `cli.py train union` makes one of a table of human stories, and "
            "`cli.py checkpoints import` makes it known; the guide says how (docs/methods/union.md)."
        )
        return None
    if st.session_state.get(BOX, next(iter(by_name))) not in by_name:
        del st.session_state[BOX]
    picked = st.selectbox("Checkpoint", list(by_name), key=BOX, bind="query-params")
    kept = by_name[picked]
    base = model_box(ModelRole.BASE, key="base") if in_a_folder(kept.card) else ""
    words = kept.card.options["words"]
    chosen = ChosenCheckpoint(kept, base, _long(words) if words else Long.WINDOWS)
    how = "with reconstruction" if chosen.rebuilds else "without reconstruction"
    read = f"reads {words:,} words at once" if words else "reads stories whole"
    st.caption(f"On {escaped(kept.card.base)}, {how}; {read}.")
    return chosen


def _long(words: int) -> Long:
    wordings = {
        Long.WINDOWS: f"Windows of {words:,} words",
        Long.CUT: f"The first {words:,} words alone",
    }
    picked = st.segmented_control(
        "Of a longer story",
        list(wordings),
        format_func=lambda item: wordings[item],
        default=Long.WINDOWS,
        required=True,
        key="explain-long",
        bind="query-params",
        help="As its score has it: the mean logit of windows over all of the story, or the story cut (long=cut).",
    )
    return Long(picked)


def _unions(viewer: Person) -> list[Kept]:
    """Those that come with Fabula first: they are there for everybody."""
    results = [checkpoint for checkpoint in checkpoints.listed(viewer) if checkpoint.card.kind == UNION]
    return sorted(results, key=lambda checkpoint: not checkpoint.shipped)
