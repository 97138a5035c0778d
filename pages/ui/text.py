"""Untrusted text on a page: shown as text, whatever it holds."""

import re

import streamlit as st

_MARKUP = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&^=@/])")


def escaped(text: str) -> str:
    """Text for a place that reads Markdown, such as a label: every sign that could mean something is itself."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def problem(message: str) -> None:
    """Show a sentence that may quote a file or a person."""
    st.error(escaped(message), icon=":material/error:")


def notice(message: str) -> None:
    """Show a remark that may quote a file or a person."""
    st.info(escaped(message), icon=":material/info:")


def story_text(text: str) -> None:
    """Show a story or a prompt exactly as it is written."""
    st.text(text if text.strip() else "(this story is empty)")
