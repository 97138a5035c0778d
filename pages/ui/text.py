"""Untrusted text on a page: shown as text, whatever it holds."""

import streamlit as st


def problem(message: str) -> None:
    """Show a sentence that may quote a file or a person."""
    st.error("That did not work:", icon=":material/error:")
    st.text(message)


def notice(message: str) -> None:
    """Show a remark that may quote a file or a person."""
    st.info("Please note:", icon=":material/info:")
    st.text(message)


def story_text(text: str) -> None:
    """Show a story or a prompt exactly as it is written."""
    st.text(text if text.strip() else "(this story is empty)")
