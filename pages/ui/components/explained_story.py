"""A story in parts that are named and shaded by a number, or with other words above its own."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

_HERE = Path(__file__)
_story = st.components.v2.component(
    "fabula.explained_story",
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=_HERE.with_suffix(".js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True)
class ShadedSpan:
    """A stretch of the text. `shade`: from -1 (lowers) to 1 (raises). `note` stands behind it, `title` is told under
    the pointer. `edited`: it is underlined. `faint`: it was not read. `instead`: what would stand there; the shade then
    says how sure that is.
    """

    text: str
    shade: float = 0.0
    note: str = ""
    title: str = ""
    edited: bool = False
    faint: bool = False
    instead: str | None = None


def explained_story(parts: Sequence[ShadedSpan], label: str, key: str) -> None:
    """Show the parts one after another; `label`: what they are, for who does not see them."""
    _story(data={"label": label, "parts": [asdict(part) for part in parts]}, key=key)
