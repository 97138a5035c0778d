"""A story with the passages that annotators marked in it, and how many marked each; or with words of it marked."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from core.analysis.judgments.evidence import MarkedStory, pieces
from core.annotation.spans import Span

_HERE = Path(__file__)
_story = st.components.v2.component(
    "fabula.marked_story",
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=_HERE.with_suffix(".js").read_text(encoding="utf-8"),
)


def marked_story(story: MarkedStory, error_type: str | None, key: str) -> None:
    """Show the story with the marks of this error type, or of all (None)."""
    _story(
        data={
            "ratings": story.ratings,
            "pieces": [
                {"text": story.text[piece.start : piece.end], "marked": piece.marked}
                for piece in pieces(story, error_type)
            ],
        },
        key=key,
    )


def marked_words(text: str, words: Sequence[Span], key: str) -> None:
    """Show a text with these places of it marked, in order and apart; words that only a space parts are one mark."""
    edges: list[tuple[int, int]] = []
    for start, end in words:
        if edges and text[edges[-1][1] : start].isspace():
            edges[-1] = edges[-1][0], end
        else:
            edges.append((start, end))
    shown, at = [], 0
    for start, end in edges:
        shown += [{"text": text[at:start], "marked": 0}, {"text": text[start:end], "marked": 1}]
        at = end
    _story(data={"ratings": 0, "pieces": [*shown, {"text": text[at:], "marked": 0}]}, key=key)
