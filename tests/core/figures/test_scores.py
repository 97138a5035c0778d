"""Figures of the score page."""

import numpy as np
import pytest

from core.analysis.correlation.metrics import metric_matrix
from core.figures.scatter import MOST_POINTS
from core.figures.scores import BINS, MOST_LABELLED, against, both_rows, distribution, in_bar, matrix
from core.figures.style import original
from core.scores import ScoreColumn, ScoreTable
from tests.core.figures.style import titles

GAP = float("nan")
HOSTILE = "<b>$x$</b>"


def column(values: list[float], name: str = "m") -> ScoreColumn:
    return ScoreColumn(name, f"{name}|v:1", np.array(values), {})


def table(*columns: ScoreColumn) -> ScoreTable:
    blank = ("",) * len(columns[0].values)
    return ScoreTable(blank, blank, blank, blank, np.full(len(blank), GAP), columns)


def test_the_matrix_shows_what_is_undefined_and_escapes_names() -> None:
    result = metric_matrix(table(column([1, 2, 3]), column([3, 2, 1]), column([1, 1, 1])))
    figure = matrix(result, ["a", "b", HOSTILE])
    heat, cells = figure.data
    carried = [[original(part) for part in parts] for parts in cells.customdata]
    assert carried[:3] == [["a"], ["a", "b"], ["a", HOSTILE]]
    assert cells.hovertext[1] == "a and b: −1.0000 (n = 3)"
    assert heat.text[0][1] == "−1.00"
    assert heat.text[0][2] == "–"
    assert (heat.zmin, heat.zmax) == (-1, 1)
    assert "<b>" not in "".join(heat.x)
    assert "Pearson" in figure.layout.title.text
    assert not figure.layout.xaxis.showgrid  # what is undefined is the page's ground, without lines


def test_many_metrics_have_no_numbers_in_their_cells() -> None:
    columns = [column([1, 2, 3 + i], f"m{i}") for i in range(MOST_LABELLED + 1)]
    heat, _ = matrix(metric_matrix(table(*columns)), [c.metric for c in columns]).data
    assert heat.text is None


def test_two_sets_of_scores_share_their_stories_and_a_line_of_equality() -> None:
    figure = against(column([1, 2, GAP]), column([1, 4, 5]), ("first", HOSTILE), ["s", HOSTILE, "u"])
    assert [original(key) for (key,) in figure.data[0].customdata] == ["s", HOSTILE]
    points, line = figure.data
    assert (list(points.x), list(points.y)) == ([1, 2], [1, 4])
    assert list(line.x) == list(line.y) == [1, 4]
    assert "<b>" not in figure.layout.yaxis.title.text
    assert len(against(column([GAP]), column([1]), ("a", "b"), ["s"]).data) == 1


@pytest.mark.parametrize(
    ("first", "second", "lines"),
    [
        ("m", "m", 1),
        ("bertscore-f1", "rouge-l", 0),  # both lie between 0 and 1, and equal scores say nothing
        ("gpt:overall", "judge/2:overall", 1),
        ("gpt:overall", "gpt:empathy", 0),
        ("gpt:overall", "rouge-l", 0),
    ],
)
def test_equal_scores_have_a_line_where_they_mean_the_same(first: str, second: str, lines: int) -> None:
    figure = against(column([0.1, 0.9], first), column([0.2, 0.3], second), ("a", "b"), ["s", "t"])
    assert len(figure.data) - 1 == lines


def test_a_distribution_leaves_gaps_out() -> None:
    figure = distribution(column([1, GAP, 3]), HOSTILE)
    (bars,) = figure.data
    assert (sum(bars.y), bars.y[0], bars.y[-1]) == (2, 1, 1)
    assert bars.x[0] - bars.width[0] / 2 == pytest.approx(1)
    assert bars.x[-1] + bars.width[-1] / 2 == pytest.approx(3)
    assert titles(figure) == ["Distribution of &lt;b&gt;&#36;x&#36;&lt;/b&gt;", "2 stories."]


def test_the_stories_of_each_bar() -> None:
    values = column([1.0, GAP, 3.0, 1.01, 2.9, 3.0])
    (bars,) = distribution(values, HOSTILE).data
    assert [original(part) for part in bars.customdata[7]] == [HOSTILE, "7"]
    found = {bar: in_bar(values, bar)[0].tolist() for bar in range(BINS)}
    assert [len(found[bar]) for bar in range(BINS)] == list(bars.y)
    assert (found[0], found[BINS - 1]) == ([3, 0], [2, 5])
    assert in_bar(values, 0)[1:] == pytest.approx((1, 1.05))


def test_of_many_stories_a_sample_is_drawn_and_all_are_rows() -> None:
    values = [float(i) for i in range(MOST_POINTS + 10)]
    first, second = column(values), column(values[::-1])
    figure = against(first, second, ("a", "b"), [str(i) for i in range(len(values))])
    assert len(figure.data[0].x) == MOST_POINTS
    assert titles(figure)[1] == "3,000 of 3,010 stories, drawn at random."
    assert len(both_rows(first, second, [str(i) for i in range(len(values))])) == len(values)
