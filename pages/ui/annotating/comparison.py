"""Two stories of a panel side by side."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pages.ui.shared.annotators_words import say

_HERE = Path(__file__)
_comparison = st.components.v2.component(
    "fabula.comparison",
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=_HERE.with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,  # a dialog keeps the Tab key among what it can see
)


def comparison(stories: Sequence[tuple[str, str, str]]) -> None:
    """Show two of the stories, each with its letter, its text and a word on what was answered, to be chosen there."""
    _comparison(
        data={
            "stories": [
                {"letter": letter, "name": say("story.name", letter=letter), "text": text, "note": note}
                for letter, text, note in stories
            ],
            "choose": say("panel.show_here"),
        },
        key="comparison",
    )
