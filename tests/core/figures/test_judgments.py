"""Figures of the judgments page."""

import numpy as np
import pytest

from core.analysis.judgments.boxes import box
from core.analysis.judgments.distribution import Distribution, Step
from core.analysis.judgments.positions import PositionMean
from core.figures.judgments import HIGHEST, LOWEST, MIDDLE, boxes, by_mean, distribution, means, positions
from core.figures.style import BLUE, GREY, NO_END, ORANGE, original
from core.statistics.groups import GroupSummary
from core.statistics.intervals import Estimate

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
    assert dots.error_x.array[0] == dots.error_x.arrayminus[0] == NO_END
    assert list(dots.error_x.array[1:]) == pytest.approx([0.6, 0.3])
    assert list(dots.error_x.arrayminus[1:]) == pytest.approx([0.5, 0.3])
    assert list(dots.marker.color) == [BLUE, BLUE, GREY]
    assert "<b>" not in "".join([*dots.y, *dots.hovertext])
    assert figure.layout.title.text
    assert figure.layout.xaxis.title.text == "mean rating of a story"
    assert figure.layout.xaxis.range[0] < 1 < 5 < figure.layout.xaxis.range[1]


def test_equal_means_stand_by_name_from_the_top() -> None:
    """As the boxes above them do."""
    alike = {name: GroupSummary(3, 2.0, None) for name in ("b", "a", "c")}
    assert by_mean(alike)[::-1] == ["a", "b", "c"]


def test_the_distribution_adds_up_and_goes_from_orange_to_blue() -> None:
    counts = {"gpt": (1, 0, 3), HOSTILE: (0, 0, 0)}
    found = Distribution(tuple(Step(value, value) for value in (1, 1.5, 3)), counts, 1)
    figure = distribution(found, [HOSTILE, "gpt"], {1: "bad", 2: HOSTILE})
    assert [bar.name for bar in figure.data] == ["1 bad", "1.5", "3"]
    assert all([original(name) for (name,) in bar.customdata] == [HOSTILE, "gpt"] for bar in figure.data)
    assert [list(bar.x) for bar in figure.data] == [[0, 0.25], [0, 0], [0, 0.75]]
    assert [bar.marker.color for bar in figure.data] == [LOWEST, MIDDLE, HIGHEST]
    assert figure.data[0].hovertext[1] == "gpt, 1 bad: 1 of 4 ratings"
    assert "<b>" not in "".join(text for bar in figure.data for text in (bar.name, *bar.y, *bar.hovertext))
    assert figure.layout.barmode == "stack"


def test_boxes_as_figure_3() -> None:
    many = np.round([*np.linspace(1.2, 3, 40).tolist(), 5.0, 5.0], 1)
    result = {"gpt": box(many), HOSTILE: box(np.array([1.0, 1.0, 2.0])), "human": box(np.full(40, 4.8))}
    figure = boxes(result, box(np.array([*many, 1.0, 1.0, 2.0])), (1, 5))
    names = list(figure.layout.yaxis.ticktext)
    assert [names[0], names[1], names[3]] == ["human", "gpt", "<b>all</b>"]  # the best on top, all last
    assert "<b>" not in names[2]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    drawn = {trace.line.color: trace for trace in figure.data if trace.type == "box"}
    assert list(drawn[GREY].y) == [0]
    assert list(drawn[BLUE].y) == [1, 3]  # the one of three stories has no box
    ends = [drawn[BLUE][end][0] for end in ("lowerfence", "q1", "median", "q3", "upperfence")]
    gpt = result["gpt"]
    assert ends == [gpt.low, gpt.q1, gpt.median, gpt.q3, gpt.high]
    assert gpt.high < 5
    marks = {(trace.name, trace.marker.color): trace for trace in figure.data if trace.type == "scatter"}
    stories = marks["story", BLUE]  # of many those beyond the whiskers, of few every one
    assert list(zip(stories.y, stories.x, strict=True)) == [(1, 5.0), (2, 1.0), (2, 2.0), (3, 5.0)]
    assert stories.hovertext[1] == "1.00: 2 stories"
    assert [original(name) for (name,) in stories.customdata] == ["gpt", HOSTILE, HOSTILE, ""]
    medians = [trace for trace in figure.data if trace.name == "median" and trace.x]
    assert [(list(trace.y), list(trace.x)) for trace in medians] == [([2], [1.0])]
    means = marks["mean", ORANGE]
    assert list(means.x)[:3] == [result[group].mean for group in ("human", "gpt", HOSTILE)]
    assert "42 stories" in means.hovertext[1]
    assert "<b>" not in "".join(means.hovertext[:3])
    assert figure.layout.xaxis.title.text == "mean rating of a story"


def test_the_axis_is_one_of_numbers_where_every_system_has_few_stories() -> None:
    result = {"gpt": box(np.array([1.0, 4.0, 3.0])), "bart": box(np.array([4.666]))}
    figure = boxes(result, None, (1, 5))
    assert not any(len(trace.x or ()) for trace in figure.data if trace.type == "box")
    assert figure.layout.xaxis.type == "linear"


def test_a_single_system_has_no_box_of_all() -> None:
    result = {"gpt": box(np.arange(20.0))}
    assert list(boxes(result, result["gpt"], (0, 20)).layout.yaxis.ticktext) == ["gpt"]
    assert [len(trace.x) for trace in boxes({}, None, (1, 5)).data] == [0]


def test_a_box_plot_stays_small_however_many_stories() -> None:
    rng = np.random.default_rng(0)
    result = {f"s{i}": box(rng.normal(3, 1, 20_000).clip(1, 5)) for i in range(5)}
    assert len(boxes(result, result["s0"], (1, 5)).to_json()) < 200_000


def test_positions() -> None:
    figure = positions({2: PositionMean(5, Estimate(-0.1)), 1: PositionMean(4, Estimate(0.2, 0.1, 0.4))})
    (dots,) = figure.data
    assert (list(dots.x), list(dots.y)) == ([1, 2], [0.2, -0.1])
    assert list(dots.error_y.array) == [pytest.approx(0.2), NO_END]
    assert list(dots.error_y.arrayminus) == [pytest.approx(0.1), NO_END]
    assert dots.hovertext[1] == "position 2: −0.100 (n = 5)"
    assert len(figure.layout.shapes) == 1
