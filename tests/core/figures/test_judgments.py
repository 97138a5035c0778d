"""Figures of the judgments page."""

import numpy as np
import pytest

from core.analysis.boxes import box
from core.analysis.judgments import GroupSummary
from core.analysis.positions import PositionMean
from core.annotation.draws import Estimate
from core.figures.correlation import BLUE, GREY, ORANGE
from core.figures.judgments import MIDDLE, boxes, by_mean, distribution, means, positions

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


def test_boxes_as_figure_3() -> None:
    many = np.round([*np.linspace(1.2, 3, 40).tolist(), 5.0, 5.0], 1)
    found = {"gpt": box(many), HOSTILE: box(np.array([1.0, 1.0, 2.0])), "human": box(np.full(40, 4.8))}
    figure = boxes(found, box(np.array([*many, 1.0, 1.0, 2.0])), (1, 5))
    names = list(figure.layout.yaxis.ticktext)
    assert [names[0], names[1], names[3]] == ["human", "gpt", "<b>all</b>"]  # the best on top, all last
    assert "<b>" not in names[2]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    drawn = [trace for trace in figure.data if trace.type == "box"]
    assert [trace.line.color for trace in drawn] == [GREY, BLUE, BLUE]
    gpt = drawn[1]
    assert (gpt.q1[0], gpt.median[0], gpt.q3[0]) == (found["gpt"].q1, found["gpt"].median, found["gpt"].q3)
    assert gpt.upperfence[0] == found["gpt"].high < 5
    stories = [list(trace.x) for trace in figure.data if trace.name == "story"]
    assert stories == [[], [5.0], [1.0, 2.0], [5.0]]  # few stories are points, of many those beyond the whiskers
    means = [trace for trace in figure.data if trace.name == "mean"]
    assert [trace.x[0] for trace in means] == [found[g].mean for g in ("human", "gpt", HOSTILE)] + [means[3].x[0]]
    assert "42 stories" in means[1].hovertext[0]
    assert "<b>" not in "".join(trace.hovertext[0] for trace in means[:3])
    assert figure.layout.xaxis.title.text == "mean rating of a story"


def test_a_single_system_has_no_box_of_all() -> None:
    found = {"gpt": box(np.arange(20.0))}
    assert list(boxes(found, found["gpt"], (0, 20)).layout.yaxis.ticktext) == ["gpt"]
    assert len(boxes({}, None, (1, 5)).data) == 0


def test_a_box_plot_stays_small_however_many_stories() -> None:
    rng = np.random.default_rng(0)
    found = {f"s{i}": box(rng.normal(3, 1, 20_000).clip(1, 5)) for i in range(5)}
    assert len(boxes(found, found["s0"], (1, 5)).to_json()) < 200_000


def test_positions() -> None:
    figure = positions({2: PositionMean(5, Estimate(-0.1)), 1: PositionMean(4, Estimate(0.2, 0.1, 0.4))})
    (dots,) = figure.data
    assert (list(dots.x), list(dots.y)) == ([1, 2], [0.2, -0.1])
    assert list(dots.error_y.array) == pytest.approx([0.2, 0])
    assert list(dots.error_y.arrayminus) == pytest.approx([0.1, 0])
    assert dots.hovertext[1] == "position 2: -0.100 (n = 5)"
    assert len(figure.layout.shapes) == 1
