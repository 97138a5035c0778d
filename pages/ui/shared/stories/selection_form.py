"""Keeping stories under a name."""

from collections.abc import Callable

import streamlit as st

from core.analysis.stories.listing import Selection
from core.errors import FabulaError
from db.stories.selections import LONGEST_NAME
from pages.ui.shared.text import escaped, problem


def keep_selection(number: int, save: Callable[[str], Selection], key: str) -> None:
    """A button that opens a line for the name; `save` keeps these `number` stories under it."""
    stories = f"{number:,} stor{'y' if number == 1 else 'ies'}"
    with (
        st.popover(f"Keep {stories} as a selection", icon=":material/bookmark_add:", disabled=not number, key=key),
        st.form(f"{key}-form", border=False, clear_on_submit=True),
    ):
        name = st.text_input("Its name", max_chars=LONGEST_NAME, key=f"{key}-name")
        if st.form_submit_button("Keep", icon=":material/save:"):
            try:
                kept = save(name)
            except FabulaError as error:
                problem(str(error))
                return
            st.success(f"Kept as {escaped(kept.name)}; analyses offer it under “Sample, filters, seed”.")
