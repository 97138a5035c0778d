"""All trained metrics: a table, one with its card and actions, several side by side."""

import streamlit as st

from core.checkpoints.card import CheckpointCard
from core.checkpoints.store import Kept
from core.formats.results_csv import ResultRow
from core.people import Person
from db.training import checkpoints
from pages.ui.shared.tables.downloads import table_with_downloads
from pages.ui.train.checkpoint_actions import show_checkpoint
from pages.ui.train.comparison import side_by_side

BOX = "compared"
HELD_OUT = ("held-out pairs: ", "held-out stories: ")
CLOZE = "cloze"
NOTES = {
    "AUC": "How often a held-out human story scores above a held-out negative, whichever two are taken, or, of "
    "DisScore, a person's story above a system's: .5 is chance",
    "Accuracy": "Share of held-out stories and negatives on the right side",
    "Ranked": "Pairs ranked right: how often a held-out human story scores above its own negative: .5 is chance",
    "Story Cloze": "Share of right endings above wrong ones, where its card has it",
    "Perplexity": "A fine-tuned language model's of held-out stories: less is better",
    "Stories": "Trained on, held-out ones among them; of UNION pairs of a human story and its negative",
}


def all_checkpoints(viewer: Person) -> None:
    """The table, and below it those that are chosen."""
    loaded_checkpoints = checkpoints.listed(viewer)
    if not loaded_checkpoints:
        st.info("There is no trained metric yet. Train one on the other tab: it then stands here.")
        return
    table_with_downloads([_row(checkpoint) for checkpoint in loaded_checkpoints], "Checkpoints", notes=NOTES)
    by_name = {checkpoint.card.name: checkpoint for checkpoint in loaded_checkpoints}
    if BOX in st.session_state:
        st.session_state[BOX] = [name for name in st.session_state[BOX] if name in by_name]
    else:
        st.session_state[BOX] = [loaded_checkpoints[0].card.name]
    picked = st.multiselect(
        "Look at",
        list(by_name),
        key=BOX,
        help="One: its card, and what can be done with it. Two or more: side by side, with what differs marked.",
    )
    if not picked:
        st.info("Choose a checkpoint to see its card, or two and more to compare them.")
        return
    chosen = [by_name[name] for name in picked]
    if len(chosen) == 1:
        show_checkpoint(viewer, chosen[0])
    side_by_side([checkpoint.card for checkpoint in chosen])


def _row(checkpoint: Kept) -> ResultRow:
    card = checkpoint.card
    return {
        "Name": card.name,
        "Kind": card.kind,
        "AUC": _held_out(card, "auc", "cross-fitted AUC, people against systems"),
        "Accuracy": _held_out(card, "accuracy"),
        "Ranked": _held_out(card, "ranked"),
        "Story Cloze": _cloze(card),
        "Perplexity": _figure(card, "held-out stories, trained: perplexity"),
        "Base": card.base.split("@")[0],
        "What learnt": str(card.options.get("tuning", "–")),
        "Reconstruction": _reconstruction(card),
        "Stories": sum(data.size for data in card.data),
        "Of": ", ".join(data.name for data in card.data),
        "Made": f"{card.created:%Y-%m-%d %H:%M}",
        "From": "Fabula" if checkpoint.shipped else "here, or imported",
    }


def _reconstruction(card: CheckpointCard) -> str:
    weight = card.recipe.get("reconstruction")
    if weight is None:
        return "–"
    return f"λ = {weight}" if weight else "none"


def _held_out(card: CheckpointCard, what: str, *others: str) -> float | None:
    result = (_figure(card, name) for name in (*(f"{begin}{what}" for begin in HELD_OUT), *others))
    return next((value for value in result if value is not None), None)


def _figure(card: CheckpointCard, what: str) -> float | None:
    return next((figure.value for figure in card.figures if figure.what == what), None)


def _cloze(card: CheckpointCard) -> float | None:
    return next((figure.value for figure in card.figures if CLOZE in figure.what.casefold()), None)
