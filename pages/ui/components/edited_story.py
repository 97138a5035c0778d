"""A changed story as one text: what was removed struck through, what was added underlined."""

from pathlib import Path

import streamlit as st

from core.perturb.edits import Perturbed
from core.perturb.inline import inline

_HERE = Path(__file__)
_story = st.components.v2.component(
    "fabula.edited_story",
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=_HERE.with_suffix(".js").read_text(encoding="utf-8"),
)


def edited_story(perturbed: Perturbed, label: str, key: str) -> None:
    """Show it; `label`: what it is, for who does not see it."""
    pieces = [
        {"text": piece.text, "kind": piece.kind, "title": ", then ".join(piece.techniques)}
        for piece in inline(perturbed)
    ]
    _story(data={"label": label, "pieces": pieces}, key=key)
