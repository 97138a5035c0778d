"""The last step of a deletion that nothing brings back."""

from collections.abc import Callable
from typing import Any

import streamlit as st


def certain_deletion(label: str, key: str, sure_key: str, delete: Callable[..., None], *given: Any) -> None:
    """A box to tick, and behind it the button called `label`, which calls `delete` with what is given.

    `key` is the button's; `sure_key` the box's, another for each thing, so that no tick passes on to the next.
    """
    sure = st.checkbox("I know that this cannot be undone", key=sure_key)
    st.button(label, type="primary", disabled=not sure, key=key, on_click=delete, args=given)
