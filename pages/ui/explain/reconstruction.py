"""What the second head of a UNION would write at each place of a story."""

import streamlit as st

from core.explanation.results import Explanation
from core.stories import normalise
from core.windows import read_in
from pages.ui.components.explained_story import ShadedSpan, explained_story
from pages.ui.explain.checkpoint import ChosenCheckpoint
from pages.ui.shared.tables.downloads import table_with_downloads

NOTES = {
    "Piece": "What stands there: a word, or a part of one.",
    "In": "The word around it, with what stands before.",
    "Would write": "The likeliest piece there of the base's whole vocabulary.",
    "P of that": "Its probability, 0 to 1.",
    "P of the piece": "Of what stands there, 0 to 1.",
}
AROUND = 24
"""Characters before a piece that the table shows."""


def rebuilt(story: str, explanation: Explanation, checkpoint: ChosenCheckpoint) -> None:
    """The text with pieces that would be others, and the same as a table."""
    st.header("What reconstruction would write")
    if explanation.rebuilt is None:
        st.info("This checkpoint was trained without reconstruction: it has no second head that could say.")
        return
    text = as_read(story, checkpoint)
    kept = explanation.pieces - len(explanation.rebuilt)
    st.markdown(
        f"It would keep **{kept:,} of {explanation.pieces:,}** pieces as they are, and write others in their places."
    )
    if not explanation.rebuilt:
        return
    parts, reached = [], 0
    for item in explanation.rebuilt:
        title = f"{item.instead.strip()}: {item.p:.2f}; {text[item.start : item.end].strip()}: {item.p_standing:.2f}"
        piece = ShadedSpan(text[item.start : item.end], item.p, title=title, instead=item.instead.strip() or "␣")
        parts += [ShadedSpan(text[reached : item.start]), piece]
        reached = max(reached, item.end)
    explained_story([*parts, ShadedSpan(text[reached:])], "The story as it would be written", key="rebuilt-story")
    st.caption(
        "The story as the checkpoint reads it. Above a piece stands the one that the second head finds likelier there; "
        "the deeper the blue, the surer it is. It learnt to say which piece the human story has at the same place, so "
        "it answers piece by piece, and never inserts one or takes one out."
    )
    rows = [
        {
            "In": f"…{text[max(0, entry.start - AROUND) : entry.end]}".strip(),
            "Piece": text[entry.start : entry.end].strip(),
            "Would write": entry.instead.strip(),
            "P of that": entry.p,
            "P of the piece": entry.p_standing,
        }
        for entry in sorted(explanation.rebuilt, key=lambda entry: -entry.p)
    ]
    with st.expander("As a table, the surest first", icon=":material/table:"):
        table_with_downloads(rows, "What reconstruction would write", notes=NOTES)


def as_read(story: str, checkpoint: ChosenCheckpoint) -> str:
    """A story in the checkpoint's way of writing, as far as it is read."""
    options = checkpoint.kept.card.options
    text = normalise(story, str(options["normalisation"]))
    return text[: read_in(text, int(options["words"]), checkpoint.long)[-1][1]]
