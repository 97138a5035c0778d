"""What a press of a row or a point does before the page is drawn anew."""

from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from hypothesis import given
from hypothesis.strategies import text

from core.figures.style import original, safe
from pages.ui.correlation import scatter
from pages.ui.judges import confusion
from pages.ui.shared.stories import story_drawer, wanted_stories
from pages.ui.shared.tables import downloads
from tests.pages.untrusted_names import MARKUP


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The session's state and the address, as dictionaries."""
    session: dict[str, Any] = {}
    address: dict[str, str] = {}
    monkeypatch.setattr(st, "session_state", session)
    monkeypatch.setattr(st, "query_params", address)
    session["address"] = address
    return session


def point(*customdata: str) -> dict[str, Any]:
    return {"x": 1.0, "y": 2.0, "customdata": [safe(one) for one in customdata]} if customdata else {"x": 1.0, "y": 2.0}


def test_one_point_opens_its_story_and_several_are_noted(state: dict[str, Any]) -> None:
    scatter._mark(7, [point(MARKUP), point()])
    assert state["address"] == {"story": MARKUP}
    state["address"].clear()
    scatter._mark(7, [point("b"), point("c"), point("b")])
    assert state["address"] == {}
    assert state[scatter.MARKED] == (7, ("b", "c"))
    scatter._mark(7, [])
    assert state[scatter.MARKED] == (7, ())


def test_a_row_opens_its_story(state: dict[str, Any]) -> None:
    story_drawer.open_row(["a", "b"], 1)
    assert state["address"] == {"story": "b"}
    assert state[story_drawer.LISTED] == ("a", "b")


def test_a_row_can_be_pressed_again_once_its_story_is_closed(state: dict[str, Any]) -> None:
    pressed: list[tuple[int, str]] = []
    state["rows"] = SimpleNamespace(selection=SimpleNamespace(cells=[(3, "Story")]))
    downloads._pressed("rows", lambda row, column: pressed.append((row, column)))
    state["address"]["story"] = "d"
    story_drawer._closed()
    assert (pressed, state["address"]) == ([(3, "Story")], {})
    assert state["rows"]["selection"]["cells"] == []
    story_drawer._closed()  # a story that no row opened


def test_a_dot_or_a_row_of_a_system_leads_to_its_stories(
    state: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    gone: list[dict[str, str]] = []
    monkeypatch.setattr(st, "switch_page", lambda page, query_params: gone.append({"page": page, **query_params}))
    wanted_stories.to_wanted_stories()
    wanted_stories.mark_system([point(MARKUP)])
    wanted_stories.to_wanted_stories()
    wanted_stories.mark_system([point("a"), point("b")])  # a box around two says nothing
    wanted_stories.want_system(["x", "y"], 1)
    wanted_stories.to_wanted_stories()
    wanted_stories.to_wanted_stories()
    assert gone == [{"page": "stories.py", "system": MARKUP}, {"page": "stories.py", "system": "y"}]


def test_a_bar_a_cell_or_a_row_of_an_error_type_leads_to_its_stories(
    state: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[dict[str, str]] = []
    monkeypatch.setattr(st, "switch_page", lambda page, query_params: wanted.append(query_params))
    for press in (
        lambda: wanted_stories.mark_error_type([point(MARKUP)]),
        lambda: wanted_stories.mark_system_and_type([point("gpt", MARKUP)]),
        lambda: wanted_stories.want_error_type(["x", "y"], 1),
        lambda: wanted_stories.mark_system([point("")]),  # of all systems
        lambda: wanted_stories.mark_error_type([]),  # the bar was pressed again
    ):
        press()
        wanted_stories.to_wanted_stories()
    assert wanted == [{"error_type": MARKUP}, {"system": "gpt", "error_type": MARKUP}, {"error_type": "y"}]


def test_a_cell_of_a_judge_is_kept_in_the_address_until_it_is_pressed_again(state: dict[str, Any]) -> None:
    confusion._mark([point("-1", "3")])
    assert state["address"] == {"cell": "-1,3"}
    confusion._mark([])
    assert state["address"] == {}


@given(text())
def test_what_a_figure_carries_is_what_it_was_made_of(name: str) -> None:
    assert original(safe(name)) == name
