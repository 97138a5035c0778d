"""What a figure draws comes back as rows."""

import numpy as np
import plotly.graph_objects as go

from core.figures.data import figure_rows


def test_points_with_error_bars_are_rows_with_their_ends() -> None:
    bars = {"type": "data", "symmetric": False, "array": [0.5, None], "arrayminus": [0.25, None]}
    figure = go.Figure(go.Scatter(x=np.array([1.0, 2.0]), y=["a", "b"], error_x=bars, name="m"))
    assert figure_rows(figure) == [
        {"series": "m", "x": 1.0, "y": "a", "x, low": 0.75, "x, high": 1.5},
        {"series": "m", "x": 2.0, "y": "b", "x, low": None, "x, high": None},
    ]


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
