"""Choices that a press makes in place of the person, kept in the address like those that are made by hand."""

from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitAPIException


def set_choices(**values: str) -> None:
    """Give widgets that are kept in the address these values, by their keys, when the page is drawn next."""
    for key, value in values.items():
        st.session_state[key] = value
        with suppress(StreamlitAPIException):  # the widget is on the page: it writes the address by itself
            st.query_params[key] = value
