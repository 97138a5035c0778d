"""Choices that a press or the page before makes in place of the person, kept in the address like their own."""

from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitAPIException


def set_choices(**values: object) -> None:
    """Give widgets that are kept in the address these values, by their keys, before they are drawn."""
    for key, value in values.items():
        st.session_state[key] = value
        with suppress(StreamlitAPIException):  # the widget is on the page: it writes the address by itself
            st.query_params[key] = [str(one) for one in value] if isinstance(value, list) else str(value)
