"""A story with the passages that annotators marked in it, and how many marked each."""

from pathlib import Path

import streamlit as st

from core.analysis.judgments.evidence import MarkedStory, pieces

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
