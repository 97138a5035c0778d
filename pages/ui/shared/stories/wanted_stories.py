"""From what stands for many stories, such as a system's dot, to the Stories page, which lists them.

A press is told before the page is drawn anew, and only what draws a page may leave it: so a press says what is wanted,
and the page goes there.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.figures.style import original

WANTED = "wanted-stories"
SYSTEM, ERROR_TYPE = "system", "error_type"
"""What the address of the Stories page calls its filters."""


def want_stories(system: str = "", error_type: str = "") -> None:
    """Want the stories of a system, those that were given an error type, or those of which both are true."""
    named = {part: name for part, name in ((SYSTEM, system), (ERROR_TYPE, error_type)) if name}
    if named:
        st.session_state[WANTED] = named


def mark_system(points: list[dict[str, Any]]) -> None:
    """Want the stories of the system whose dot was pressed; `points` carry its name, made safe, as `customdata`."""
    want_stories(*_carried(points)[:1])


def mark_error_type(points: list[dict[str, Any]]) -> None:
    """Want the stories that were given the error type whose bar or dot was pressed."""
    want_stories("", *_carried(points)[:1])


def mark_system_and_type(points: list[dict[str, Any]]) -> None:
    """Want the stories of the system that were given the error type whose cell was pressed."""
    want_stories(*_carried(points))


def want_system(systems: Sequence[str], row: int) -> None:
    """Want the stories of the system of the row that was pressed."""
    want_stories(systems[row])


def want_error_type(error_types: Sequence[str], row: int) -> None:
    """Want the stories that were given the error type of the row that was pressed."""
    want_stories("", error_types[row])


def to_wanted_stories() -> None:
    """Go to the Stories page, where stories are wanted."""
    wanted = st.session_state.pop(WANTED, None)
    if wanted is not None:
        st.switch_page("stories.py", query_params=wanted)


def _carried(points: list[dict[str, Any]]) -> list[str]:
    """What the one point that was pressed carries; nothing where it carries nothing, or several were marked."""
    given = [point["customdata"] for point in points if point.get("customdata")]
    return [original(part) for part in given[0]] if len(given) == 1 else []
