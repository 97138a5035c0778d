"""Tell the browser in which language, and in which direction, an annotator's screen is written."""

from pathlib import Path

import streamlit as st

from core.languages.words import Words

_HERE = Path(__file__)
_page_language = st.components.v2.component(
    "fabula.page_language",
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=_HERE.with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,  # it speaks of the whole screen
)


def page_language(words: Words) -> None:
    """Inside of the container `annotators-screen`, which gets the direction."""
    _page_language(data={"language": words.code, "direction": words.direction}, key="page-language", height=0)
