"""Untrusted text on a page: shown as text, whatever it holds."""

import re

import streamlit as st

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def escaped(text: str) -> str:
    """`text` for a label or a message, which Streamlit renders as Markdown: nothing in it takes effect."""
    return _PUNCTUATION.sub(r"\\\1", " ".join(text.split()))


def problem(message: str) -> None:
    """Show a sentence that may quote a file or a person."""
    st.error(escaped(message), icon=":material/error:")


def notice(message: str) -> None:
    """Show a remark that may quote a file or a person."""
    st.info(escaped(message), icon=":material/info:")


def story_text(text: str) -> None:
    """Show a story or a prompt exactly as it is written."""
    st.text(text if text.strip() else "(this story is empty)")
