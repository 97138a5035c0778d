"""What a figure draws comes back as rows."""

from datetime import datetime

import numpy as np
import plotly.graph_objects as go

from core.figures.data import anything_drawn, figure_rows
from core.figures.style import DECORATION, whiskers
from core.statistics.intervals import Estimate


def test_points_with_error_bars_are_rows_with_their_ends() -> None:
    bars = {"type": "data", "symmetric": False, "array": [0.5, None], "arrayminus": [0.25, None]}
    figure = go.Figure(go.Scatter(x=np.array([1.0, 2.0]), y=["a", "b"], error_x=bars, name="m"))
    assert figure_rows(figure) == [
        {"series": "m", "x": 1.0, "y": "a", "x, low": 0.75, "x, high": 1.5},
        {"series": "m", "x": 2.0, "y": "b", "x, low": None, "x, high": None},
    ]


def test_a_value_without_an_interval_has_no_ends() -> None:
    bars = whiskers([Estimate(1.0, 0.5, 1.25), Estimate(2.0)], "#000000")
    rows = figure_rows(go.Figure(go.Scatter(x=[1.0, 2.0], y=[0, 1], error_x=bars)))
    assert [(row["x, low"], row["x, high"]) for row in rows] == [(0.5, 1.25), (None, None)]


def test_symmetric_bars_gaps_and_nameless_traces() -> None:
    figure = go.Figure(
        [go.Bar(x=[1, 2, 3], y=[4.0, None, np.nan], error_y={"array": [1, 1, 1]}), go.Scatter(name="key")]
    )
    assert figure_rows(figure) == [
        {"x": 1, "y": 4.0, "y, low": 3.0, "y, high": 5.0},
        {"x": 3, "y": None, "y, low": None, "y, high": None},
    ]


def test_cells_of_a_heat_map() -> None:
    figure = go.Figure(go.Heatmap(x=["a", "b"], y=["c"], z=np.array([[1.0, np.nan]])))
    assert figure_rows(figure) == [{"x": "a", "y": "c", "value": 1.0}, {"x": "b", "y": "c", "value": None}]


def test_places_of_an_axis_have_their_names() -> None:
    figure = go.Figure(go.Heatmap(z=[[1.0, None]]))
    figure.update_layout(
        xaxis={"tickvals": [0, 1], "ticktext": ["two<br>words", "b &amp; c"]},
        yaxis={"tickvals": [0], "ticktext": ["<b>all</b> (3)"]},
    )
    assert figure_rows(figure) == [
        {"x": "two words", "y": "all (3)", "value": 1.0},
        {"x": "b & c", "y": "all (3)", "value": None},
    ]
    dots = go.Figure(go.Scatter(x=[0.5], y=[-0.8]), {"yaxis": {"tickvals": [0, -1], "ticktext": ["first", "second"]}})
    assert figure_rows(dots) == [{"x": 0.5, "y": "second"}]


def test_a_box_is_a_row_of_its_ends() -> None:
    ends = {"lowerfence": [1], "q1": [2], "median": [3], "q3": [4], "upperfence": [5]}
    row = {"lower whisker": 1, "1st quartile": 2, "median": 3, "3rd quartile": 4, "upper whisker": 5}
    assert figure_rows(go.Figure(go.Box(y=[0], **ends))) == [{"y": 0, **row}]


def test_whether_anything_is_drawn() -> None:
    gaps = go.Scatter(x=[None, np.nan], y=[1, 2])
    assert not anything_drawn(go.Figure())
    assert not anything_drawn(go.Figure([gaps, go.Heatmap(z=[[None]]), go.Scatter(x=[], y=[])]))
    assert not anything_drawn(go.Figure(go.Scatter(x=[0], y=[1], meta=DECORATION)))
    assert anything_drawn(go.Figure([gaps, go.Scatter(x=[0], y=[0])]))
    assert anything_drawn(go.Figure(go.Heatmap(z=[[None, 0]])))
    assert anything_drawn(go.Figure(go.Bar(x=[datetime(2026, 1, 1)], y=[2])))
