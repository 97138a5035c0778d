"""A story before and after a change, side by side, with the changes marked in both."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import streamlit as st

from core.perturb.edits import Perturbed
from core.perturb.negatives.marks import ChangeMark, marked

_HERE = Path(__file__)
_story = st.components.v2.component(
    "fabula.changed_story",
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=_HERE.with_suffix(".js").read_text(encoding="utf-8"),
)


def changed_story(perturbed: Perturbed, titles: tuple[str, str], key: str) -> None:
    """Show both texts under their titles; a mark has the colour, the line and the name of what made it."""
    sides = [
        {"title": title, "stretches": _stretches(marks)} for title, marks in zip(titles, marked(perturbed), strict=True)
    ]
    _story(data={"before": sides[0], "after": sides[1]}, key=key)


def _stretches(marks: Sequence[ChangeMark]) -> list[dict[str, object]]:
    """Marks of one sentence that came there in one way stand together."""
    return [
        {
            "sentence": sentence,
            "whole": list(whole),
            "parts": [{"text": mark.text, "inside": list(mark.inside)} for mark in group],
        }
        for (sentence, whole), group in groupby(marks, lambda mark: (mark.sentence, mark.whole))
    ]
