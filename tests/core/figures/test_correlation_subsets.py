"""Figures of correlations on part of the stories."""

import plotly.graph_objects as go

from core.analysis.correlation.limits import Limits
from core.figures.correlation_subsets import by_error_type, by_system
from core.figures.style import NO_END
from core.statistics.correlation import NOTHING, Coefficient, Correlation, MetricCorrelation
from tests.core.figures.style import titles

EVIL = "<b>bold</b> $x$"


def one(
    metric: str, subset: str | None, value: float | None, p: float = 0.5, ends: tuple[float, float] | None = None
) -> MetricCorrelation:
    low, high = ends or (None, None)
    c = Coefficient(value, p, None, low, high) if value is not None else NOTHING
    other = Coefficient(value / 2, p) if value is not None else NOTHING
    return MetricCorrelation(metric, f"{metric}|v:1", subset, Correlation(9, c, other, other))


def rows(figure: go.Figure) -> list[str]:
    return list(figure.layout.yaxis.ticktext)


FOUND = [
    one("b", "error:x", 0.5, 0.001, (0.25, 0.625)),
    one("a", "error:x", 0.1),
    one("b", "error:y", 0.3),
    one("a", "error:y", None),
    one("b", "error:z", None),
    one("a", "error:z", None),
]


def test_a_dot_a_metric_and_type_the_first_on_top() -> None:
    figure = by_error_type(FOUND)
    assert titles(figure)[0] == "Agreement with people, by error type"
    assert figure.layout.xaxis.title.text == "Pearson's r"
    assert rows(figure) == ["b", "a"]
    x, y = figure.data  # nothing is known of z
    assert (x.name, list(x.x)) == ("x", [0.5, 0.1])
    assert (y.name, list(y.x)) == ("y", [0.3, None])
    assert list(x.marker.symbol) == ["circle", "circle-open"]
    assert x.marker.color != y.marker.color
    assert y.marker.symbol[0] == "square-open"
    assert list(x.error_x.array) == [0.125, NO_END]
    assert list(x.error_x.arrayminus) == [0.25, NO_END]
    assert list(x.hovertext) == ["b, x: 0.5000* (0.250 to 0.625)", "a, x: 0.1000"]
    assert list(y.hovertext) == ["b, y: 0.3000", "a, y: undefined"]


def test_dots_of_a_metric_keep_within_its_row() -> None:
    for trace in by_error_type(FOUND).data:
        for place, row in zip(trace.y, (0, -1), strict=True):
            assert abs(place - row) < 0.5


def test_people_have_rows_of_their_own_where_they_are_defined() -> None:
    lines = {"error:x": Limits(0.4, None), "error:y": Limits(None, None)}
    figure = by_error_type(FOUND, "pearson", lines)
    assert rows(figure) == ["b", "a", "one human rater"]
    x, people, y = figure.data  # nothing is known of people on the stories of y
    assert (list(x.x), list(people.x), list(y.x)) == ([0.5, 0.1], [0.4], [0.3, None])
    assert (people.y[0] < -1.5, people.showlegend, people.error_x.array) == (True, False, None)
    assert (people.marker.symbol, people.marker.color) == (x.marker.symbol[0], x.marker.color)
    both = by_error_type(FOUND, "kendall", {"error:x": Limits(0.4, 0.8)})
    assert rows(both)[2:] == ["one human rater", "ceiling"]
    assert list(both.data[0].x) == [0.25, 0.05]
    assert list(both.data[1].x) == [0.4, 0.8]
    assert both.layout.xaxis.title.text == "Kendall's τ-b"
    assert both.layout.height > figure.layout.height > by_error_type(FOUND).layout.height


def test_two_signatures_of_a_metric_have_a_row_each() -> None:
    correlations = [one("a", "error:x", 0.1), one("a", "error:x", 0.2)]
    assert rows(by_error_type(correlations)) == ["a", "a[2]"]


def test_nothing_is_drawn_of_nothing() -> None:
    assert rows(by_error_type([])) == []
    assert len(by_error_type([one("a", "error:x", None)]).data) == 0


def test_a_row_a_system_and_all_stories_last() -> None:
    correlations = [
        one("a", "system:s", 0.1),
        one("a", "system:t", 0.4),
        one("a", "system:unknown", None),
        one("a", None, 0.2),
    ]
    lines = {None: Limits(0.5, 0.9), "system:s": Limits(0.6, None)}
    figure = by_system(correlations, "pearson", lines, "a (2)")
    assert titles(figure)[0] == "a (2) against people, by system"
    assert rows(figure) == ["t", "s", "unknown", "all stories"]
    rater, ceiling, dots = figure.data
    assert (rater.name, list(rater.x)) == ("one human rater", [None, 0.6, None, 0.5])
    assert (ceiling.name, list(ceiling.x)) == ("ceiling", [None, None, None, 0.9])
    assert list(dots.x) == [0.4, 0.1, None, 0.2]
    assert list(dots.y) == list(rater.y) == [0, -1, -2, -3]
    assert len(by_system(correlations, "spearman", {}, "a").data) == 1


def test_names_are_escaped() -> None:
    for figure in (
        by_error_type([one(EVIL, f"error:{EVIL}", 0.1)]),
        by_system([one(EVIL, f"system:{EVIL}", 0.1)], "pearson", {None: Limits(0.1, 0.2)}, EVIL),
    ):
        texts = [*rows(figure), *titles(figure)]
        for trace in figure.data:
            texts += [trace.name, *trace.hovertext]
        for text in texts:
            assert "<" not in text
            assert "$" not in text
        assert figure.to_json()
