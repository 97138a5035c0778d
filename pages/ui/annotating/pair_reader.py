"""The openings and the stories of a panel of pairs, two stories side by side, one pair at a time."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from core.annotation.panel import PanelPair
from core.annotation.scheme import Scheme
from pages.ui.shared.annotators_words import named, say

_HERE = Path(__file__)
_reader = st.components.v2.component(
    "fabula.pair_reader",
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=_HERE.with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,  # the bar says which pair is shown
)


def pair_reader(scheme: Scheme, pairs: Sequence[PanelPair]) -> None:
    """Show one pair, the one that the bar has chosen. It has all of them: another one is there at once."""
    _reader(
        data={
            "opening": named(scheme.wording.opening) if scheme.shows_prompt else "",
            "empty": say("story.empty"),
            "pairs": [
                {
                    "token": pair.token,
                    "heading": say("pairs.heading", number=number, all=len(pairs)) if len(pairs) > 1 else "",
                    "prompt": pair.prompt,
                    "stories": [
                        {"name": say("story.name", letter=story.letter), "text": story.text} for story in pair.stories
                    ],
                }
                for number, pair in enumerate(pairs, 1)
            ],
        },
        key="pair-reader",
    )
