"""Figures of the judgments page."""

import pytest

from core.analysis.judgments import GroupSummary
from core.analysis.positions import PositionMean
from core.annotation.draws import Estimate
from core.figures.correlation import BLUE, GREY, ORANGE
from core.figures.error_types import error_shares
from core.figures.judgments import MIDDLE, by_mean, distribution, means, positions

HOSTILE = "<b>$x$</b>"
GROUPS = {
    "human": GroupSummary(3, 4.5, 0.1, 4.2, 4.8),
    HOSTILE: GroupSummary(3, 2.0, None, None, None),
    "gpt": GroupSummary(3, 3.0, 0.5, 2.5, 3.6),
}


def test_means_have_intervals_where_there_are_any_and_the_best_on_top() -> None:
    figure = means(GROUPS, (1, 5))
    (dots,) = figure.data
    assert by_mean(GROUPS) == [HOSTILE, "gpt", "human"]  # plotly draws from the bottom
    assert list(dots.x) == [2.0, 3.0, 4.5]
    assert list(dots.error_x.array) == pytest.approx([0, 0.6, 0.3])
    assert list(dots.error_x.arrayminus) == pytest.approx([0, 0.5, 0.3])
    assert list(dots.marker.color) == [BLUE, BLUE, GREY]
    assert "<b>" not in "".join([*dots.y, *dots.hovertext])
    assert figure.layout.title.text
    assert figure.layout.xaxis.title.text == "mean rating of a story"
    assert figure.layout.xaxis.range[0] < 1 < 5 < figure.layout.xaxis.range[1]


def test_the_distribution_adds_up_and_goes_from_orange_to_blue() -> None:
    counts = {"gpt": {1: 1, 2: 0, 3: 3}, HOSTILE: {1: 0, 2: 0, 3: 0}}
    figure = distribution(counts, [HOSTILE, "gpt"], {1: "bad", 2: HOSTILE})
    assert [bar.name for bar in figure.data][::2] == ["1 bad", "3"]
    assert [list(bar.x) for bar in figure.data] == [[0, 0.25], [0, 0], [0, 0.75]]
    assert [bar.marker.color for bar in figure.data] == [ORANGE, MIDDLE, BLUE]
    assert figure.data[0].hovertext[1] == "gpt, 1 bad: 1 of 4 ratings"
    assert "<b>" not in "".join(text for bar in figure.data for text in (bar.name, *bar.y, *bar.hovertext))
    assert figure.layout.barmode == "stack"


def test_error_types_are_escaped_and_sorted() -> None:
    (bars,) = error_shares({"other": 0.1, HOSTILE: 0.7, "logic": 0.4}).data
    assert list(bars.x) == [0.1, 0.4, 0.7]
    assert "<b>" not in "".join(bars.y)


def test_positions() -> None:
    figure = positions({2: PositionMean(5, Estimate(-0.1)), 1: PositionMean(4, Estimate(0.2, 0.1, 0.4))})
    (dots,) = figure.data
    assert (list(dots.x), list(dots.y)) == ([1, 2], [0.2, -0.1])
    assert list(dots.error_y.array) == pytest.approx([0.2, 0])
    assert list(dots.error_y.arrayminus) == pytest.approx([0.1, 0])
    assert dots.hovertext[1] == "position 2: -0.100 (n = 5)"
    assert len(figure.layout.shapes) == 1
