"""What a press of a row or a point does before the page is drawn anew."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from hypothesis import given
from hypothesis.strategies import text

from core.figures.style import original, safe
from core.report.section import Tabled
from pages.ui.capability import comparison, view
from pages.ui.correlation import scatter, significance
from pages.ui.correlation import table as correlation_table
from pages.ui.drift import dataset, system
from pages.ui.judges import confusion
from pages.ui.naturalness.sides import Sides
from pages.ui.report import presses
from pages.ui.score import pairs
from pages.ui.shared import page_arrival
from pages.ui.shared.analysis import metric_choice, pressed_part
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


def test_a_pressed_story_is_drawn_whatever_address_is_asked_for_between(
    state: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(story_drawer, "_drawer", lambda *_: drawn.append(state["address"]["story"]))
    story_drawer.open_story("b", ())
    state["address"].clear()  # a page that follows a job asks by itself, with the address that it has
    story_drawer.story_drawer(1, lambda: None)  # type: ignore[arg-type, return-value]
    assert drawn == ["b"]
    state["address"].clear()  # a step back
    story_drawer.story_drawer(1, lambda: None)  # type: ignore[arg-type, return-value]
    assert drawn == ["b"]
    story_drawer.open_story("a", ())
    state["address"].clear()
    state[page_arrival.PAGE] = "another"  # by a link, before the story was drawn
    story_drawer.story_drawer(1, lambda: None)  # type: ignore[arg-type, return-value]
    assert drawn == ["b"]


def test_a_row_can_be_pressed_again_once_its_story_is_closed(state: dict[str, Any]) -> None:
    pressed: list[tuple[int, str]] = []
    state["rows"] = SimpleNamespace(selection=SimpleNamespace(cells=[(3, "Story")]))
    downloads._pressed("rows", lambda row, column: pressed.append((row, column)))
    state["address"]["story"] = "d"
    story_drawer._closed()
    assert pressed == [(3, "Story")]
    assert state["rows"]["selection"]["cells"] == []
    story_drawer._closed()  # a story that no row opened


def test_a_closed_story_stays_closed_until_the_browser_knows_of_it(
    state: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(story_drawer.time, "monotonic", lambda: now[0])
    drawn: list[str] = []
    monkeypatch.setattr(story_drawer, "_drawer", lambda *_: drawn.append(state["address"]["story"]))

    def asked(address: str = "", row: str = "") -> list[str]:
        """The story that the page shows, asked by a browser with this address and with the mark of this story's row."""
        drawn.clear()
        state["address"].clear()
        if address:
            state["address"]["story"] = address
        if row:
            state["rows"] = SimpleNamespace(selection=SimpleNamespace(cells=[("ab".index(row), "Story")]))
            downloads._pressed("rows", lambda place, _column: story_drawer.open_row(["a", "b"], place))
        story_drawer.story_drawer(1, lambda: None)  # type: ignore[arg-type, return-value]
        return list(drawn)

    assert asked(row="a") == ["a"]
    story_drawer._closed()
    now[0] += 60  # the page takes long to draw
    assert asked("a", row="a") == []
    assert (state["address"], state["rows"]["selection"]["cells"]) == ({}, [])
    now[0] += 4
    assert asked("a", row="a") == []  # its address shows that it is late
    assert asked("a") == []
    assert asked(row="a") == ["a"]  # a press
    story_drawer._closed()
    assert asked("a") == []
    assert asked(row="a") == []  # it may have the address already, and not yet the table
    assert asked(row="b") == ["b"]  # a press in any case
    story_drawer._closed()
    assert asked("b") == []
    now[0] += story_drawer.LATE
    assert asked() == []
    assert asked("b") == ["b"]  # a step back
    story_drawer._closed()
    assert asked("b") == []
    now[0] += story_drawer.LATEST
    assert asked("b") == ["b"]


def test_rows_are_ticked_beside_a_cell_that_stays_marked(state: dict[str, Any]) -> None:
    pressed: list[int] = []
    ticked: list[Sequence[int]] = []

    def change(rows: list[int], cells: list[tuple[int, str]]) -> None:
        state["rows"] = SimpleNamespace(selection=SimpleNamespace(rows=rows, cells=cells))
        downloads._pressed_or_ticked("rows", lambda row, _column: pressed.append(row), ticked.append)

    change([], [(3, "Number")])
    change([1], [(3, "Number")])
    change([1, 2], [(3, "Number")])
    change([1, 2], [(0, "Number")])
    change([], [(0, "Number")])
    assert (pressed, ticked) == ([3, 0], [[1], [1, 2], []])


def test_a_dot_or_a_row_of_a_system_leads_to_its_stories(
    state: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    gone: list[dict[str, str]] = []
    monkeypatch.setattr(st, "switch_page", lambda page, query_params: gone.append({"page": page, **query_params}))
    wanted_stories.to_wanted()
    wanted_stories.mark_system([point(MARKUP)])
    wanted_stories.to_wanted()
    wanted_stories.mark_system([point("a"), point("b")])  # a box around two says nothing
    wanted_stories.want_system(["x", "y"], 1)
    wanted_stories.to_wanted()
    wanted_stories.to_wanted()
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
        wanted_stories.to_wanted()
    assert wanted == [{"error_type": MARKUP}, {"system": "gpt", "error_type": MARKUP}, {"error_type": "y"}]


def test_a_part_of_a_figure_is_kept_in_the_address_until_it_is_pressed_again(state: dict[str, Any]) -> None:
    for address in (confusion.CELL, pressed_part.LEVEL, pressed_part.PAIR):
        pressed_part.mark_part(address, [point("-1", "3")])
        assert state["address"] == {address: "-1,3"}
        pressed_part.mark_part(address, [])
        assert state["address"] == {}


@pytest.fixture
def gone(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, str]]]:
    """The pages that were gone to, with their addresses."""
    result: list[tuple[str, dict[str, str]]] = []
    monkeypatch.setattr(st, "switch_page", lambda page, query_params: result.append((page, query_params)))
    return result


def test_a_dot_of_drift_leads_to_its_stories_or_to_its_metrics_plot(
    state: dict[str, Any], gone: list[tuple[str, dict[str, str]]]
) -> None:
    for press in (
        lambda: system._mark([point("gpt", MARKUP)]),
        lambda: system._mark([point("", "bleu")]),  # of all stories
        lambda: wanted_stories.mark_metric([point(MARKUP)]),
        lambda: dataset._mark({"other": 7}, [point("other", "bleu")]),
        lambda: dataset._mark({"other": 7}, [point("a", "b"), point("c", "d")]),
    ):
        press()
        wanted_stories.to_wanted()
    assert gone == [
        ("stories.py", {"system": "gpt", "order": MARKUP, "scores": MARKUP}),
        ("correlation.py", {"tab": "Scatter", "metric": "bleu"}),
        ("correlation.py", {"tab": "Scatter", "metric": MARKUP}),
        ("correlation.py", {"tab": "Scatter", "metric": "bleu", "study": "7"}),
    ]


def test_a_dot_of_a_metric_shows_its_plot(state: dict[str, Any]) -> None:
    correlation_table._mark([point(MARKUP)])
    assert (state["tab"], state[metric_choice.KEPT], state["address"]) == ("Scatter", MARKUP, {"tab": "Scatter"})


def test_a_side_of_naturalness_leads_to_its_texts(
    state: dict[str, Any], gone: list[tuple[str, dict[str, str]]]
) -> None:
    for human, other in (("", None), ("gpt", None), ("", 4)):
        sides = Sides(1, human, other, ("small",), ())
        for name in ("human", "small"):
            sides.mark_texts([point(name)])
            wanted_stories.to_wanted()
    small = ("stories.py", {"system": "small"})
    assert gone == [
        ("stories.py", {"system": "human"}), small,
        ("stories.py", {"system": "gpt"}), small,
        ("stories.py", {"system": "human", "study": "4"}), small,
    ]  # fmt: skip


def test_a_cell_of_capability_opens_its_cases(state: dict[str, Any]) -> None:
    view.mark_cases([point(MARKUP, "negation")])
    assert (state["look"], state["metric"], state["aspect"]) == ("Cases", MARKUP, "negation")
    comparison._mark("union", [point("typos")])
    assert (state["metric"], state["aspect"]) == ("union", "typos")
    view.mark_cases([point()])  # the paper's


def test_a_cell_of_two_metrics_opens_them_side_by_side(
    state: dict[str, Any], gone: list[tuple[str, dict[str, str]]]
) -> None:
    pairs._mark_pair([point("bleu", MARKUP)])
    assert (state["score-tab"], state["first-metric"], state["second-metric"]) == ("One or two metrics", "bleu", MARKUP)
    pairs._mark_pair([point("union")])  # of the diagonal
    assert (state["first-metric"], state["second-metric"]) == ("union", MARKUP)
    pairs._mark_story([point("key")])
    assert state["address"]["story"] == "key"
    significance._mark([point("a", "b")])
    wanted_stories.to_wanted()
    assert gone == [("score.py", {"score-tab": "One or two metrics", "first-metric": "a", "second-metric": "b"})]


def test_what_a_report_shows_opens_what_is_behind_it(
    state: dict[str, Any], gone: list[tuple[str, dict[str, str]]]
) -> None:
    def pressed(key: str, *carried: str) -> None:
        press = presses.on_points(key, "bleu")
        assert press is not None
        press([point(*carried)])
        wanted_stories.to_wanted()

    pressed("report-scatter", MARKUP)
    assert state["address"] == {"story": MARKUP}
    pressed("report-ranked", MARKUP)
    assert state[metric_choice.KEPT] == MARKUP
    pressed("report-systems", "gpt")
    pressed("report-sets", "1", "1.5")
    pressed("report-difference", "9", "2")
    pressed("report-sees", "negation")
    assert presses.on_points("report-unknown", "bleu") is None
    for column, name in (("System", "gpt"), ("Error type", "plot"), ("Change", "typos"), ("System", "all stories")):
        row = presses.on_row(Tabled("", ({column: name, "n": 1},)), "bleu")
        assert row is not None
        row(0)
        wanted_stories.to_wanted()
    assert presses.on_row(Tabled("", ({"Quantity": "Slope"},)), "bleu") is None
    assert gone == [
        ("stories.py", {"system": "gpt"}),
        ("drift.py", {"drift": "Quality", "rated": "1,1.5"}),
        ("difference.py", {"metric": "bleu", "pair": "9,2"}),
        ("capability.py", {"look": "Cases", "metric": "bleu", "aspect": "negation"}),
        ("stories.py", {"system": "gpt"}),
        ("stories.py", {"error_type": "plot"}),
        ("capability.py", {"look": "Cases", "metric": "bleu", "aspect": "typos"}),
    ]


@given(text())
def test_what_a_figure_carries_is_what_it_was_made_of(name: str) -> None:
    assert original(safe(name)) == name
