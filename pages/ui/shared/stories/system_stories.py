"""From a system's dot or row to its stories."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.figures.style import original

WANTED = "wanted-system"


def mark_system(points: list[dict[str, Any]]) -> None:
    """Want the stories of the system whose dot was pressed; `points` carry its name, made safe, as `customdata`."""
    named = [original(point["customdata"][0]) for point in points if point.get("customdata")]
    if len(named) == 1:
        st.session_state[WANTED] = named[0]


def want_system(systems: Sequence[str], row: int) -> None:
    """Want the stories of the system of the row that was pressed."""
    st.session_state[WANTED] = systems[row]


def to_wanted_system() -> None:
    """Go to the Stories page, where a system's stories are wanted."""
    system = st.session_state.pop(WANTED, None)
    if system is not None:
        st.switch_page("stories.py", query_params={"system": system})
