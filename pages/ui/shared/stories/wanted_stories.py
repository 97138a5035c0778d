"""From what stands for many stories, such as a system's dot, to the Stories page, which lists them, or to the analysis
that says more of it.

A press is told before the page is drawn anew, and only what draws a page may leave it: so a press says what is wanted,
and the page goes there.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.figures.style import original
from core.metrics.judging.judge import Judge

WANTED = "wanted-page"
TAB, SUMMARY, TWO_METRICS = "score-tab", "Summary", "One or two metrics"
FIRST, SECOND = "first-metric", "second-metric"
"""What the page Run metrics and its address call its tabs of all metrics and of two, and the two."""
JUDGE_RUN = {"run": Judge.name, TAB: SUMMARY}
"""Of Run metrics' address: its form with a judge alone, and no two metrics below that were compared before."""
EVERY_METRIC = {"tab": "Table"}
"""Of Correlation's address: its first tab, whichever was looked at last."""
PRESSES = "pair-presses"
"""The part of the session's state with how often two metrics were asked for."""
SYSTEM, ERROR_TYPE, EVERY_TYPE = "system", "error_type", "every_type"
"""What the address of the Stories page calls its filters."""


def want_page(page: str, **parts: str | Sequence[str]) -> None:
    """Want another page; `parts`: of its address, a list where it has several values."""
    st.session_state[WANTED] = page, parts


def want_stories(system: str = "", error_type: str = "", metric: str = "", study: str = "") -> None:
    """Want the stories of a system, those that were given an error type, or those of which both are true; in the order
    of a `metric`'s scores, where one is named. `study`: the id of another one.
    """
    named = {part: name for part, name in ((SYSTEM, system), (ERROR_TYPE, error_type)) if name}
    if named:
        more = {"order": metric, "scores": metric, "study": study}
        want_page("stories.py", **named, **{part: name for part, name in more.items() if name})


def want_systems(*systems: str) -> None:
    """Want the stories of all these systems."""
    if systems:
        want_page("stories.py", **{SYSTEM: systems})


def want_error_types(*error_types: str) -> None:
    """Want the stories that were given each of these error types."""
    if error_types:
        want_page("stories.py", **{ERROR_TYPE: error_types, EVERY_TYPE: "true"})


def want_scatter(metric: str, study: str = "") -> None:
    """Want the plot of a metric's scores against people's ratings, story by story; `study`: the id of another one."""
    want_page("correlation.py", tab="Scatter", metric=metric, **({"study": study} if study else {}))


def note_pair() -> None:
    """Count a press that asks for two metrics: where they are shown is then brought into sight."""
    st.session_state[PRESSES] = st.session_state.get(PRESSES, 0) + 1


def want_pair(first: str, second: str) -> None:
    """Want two metrics' scores side by side, and the stories on which they part."""
    note_pair()
    want_page("score.py", **{TAB: TWO_METRICS, FIRST: first, SECOND: second})


def mark_metric(points: list[dict[str, Any]]) -> None:
    """Want the plot of the metric whose point was pressed."""
    for metric in carried(points)[:1]:
        want_scatter(metric)


def mark_system(points: list[dict[str, Any]]) -> None:
    """Want the stories of the system whose dot was pressed; `points` carry its name, made safe, as `customdata`."""
    want_stories(*carried(points)[:1])


def mark_systems(points: list[dict[str, Any]]) -> None:
    """Want the stories of the two systems whose cell was pressed."""
    want_systems(*carried(points))


def mark_error_type(points: list[dict[str, Any]]) -> None:
    """Want the stories that were given the error type whose bar or dot was pressed."""
    want_stories("", *carried(points)[:1])


def mark_error_types(points: list[dict[str, Any]]) -> None:
    """Want the stories that were given both error types of the cell that was pressed."""
    want_error_types(*carried(points))


def mark_system_and_type(points: list[dict[str, Any]]) -> None:
    """Want the stories of the system that were given the error type whose cell was pressed."""
    want_stories(*carried(points))


def want_system(systems: Sequence[str], row: int) -> None:
    """Want the stories of the system of the row that was pressed."""
    want_stories(systems[row])


def want_error_type(error_types: Sequence[str], row: int) -> None:
    """Want the stories that were given the error type of the row that was pressed."""
    want_stories("", error_types[row])


def to_wanted() -> None:
    """Go to the page that is wanted, if one is."""
    wanted = st.session_state.pop(WANTED, None)
    if wanted is not None:
        page, parts = wanted
        st.switch_page(page, query_params=parts)


def carried(points: list[dict[str, Any]]) -> list[str]:
    """What the one point that was pressed carries; nothing where it carries nothing, or several were marked."""
    given = [point["customdata"] for point in points if point.get("customdata")]
    return [original(part) for part in given[0]] if len(given) == 1 else []
