"""Figures of the correlation page."""

from dataclasses import replace

import plotly.graph_objects as go
import pytest

from core.analysis.correlation.limits import NO_LIMITS, Limits
from core.figures.correlation import by_metric
from core.figures.style import NO_END
from core.statistics.correlation import NOTHING, Coefficient, Correlation, MetricCorrelation
from tests.core.figures.correlation import EVIL


def found(
    name: str, value: float | None, p: float = 0.5, low: float | None = None, high: float | None = None
) -> MetricCorrelation:
    other = Coefficient(None if value is None else value / 2, p)
    whole = Correlation(
        9, Coefficient(value, p, None, low, high), other, other, None if value is not None else "a reason"
    )
    return MetricCorrelation(name, f"{name}|v:1", None, whole)


def dots(figure: go.Figure) -> go.Scatter:
    (trace,) = figure.data
    assert isinstance(trace, go.Scatter)
    return trace


def test_the_figure_is_titled_and_its_axis_named() -> None:
    for coefficient, name in (("pearson", "Pearson's r"), ("spearman", "Spearman's ρ"), ("kendall", "Kendall's τ-b")):
        figure = by_metric([found("bleu", 0.2)], coefficient)
        assert figure.layout.title.text.split("<br>")[0] == "Agreement with people, by metric"
        assert figure.layout.xaxis.title.text.startswith(name)


def test_metrics_stand_as_in_the_table_whatever_the_coefficient() -> None:
    metrics = [found("a", 0.1), found("b", -0.3), found("c", 0.2)]
    trace = dots(by_metric(metrics))
    assert list(trace.y) == ["c", "b", "a"]  # plotly draws from the bottom
    assert list(trace.x) == [0.2, -0.3, 0.1]
    assert list(dots(by_metric(metrics, "kendall")).y) == ["c", "b", "a"]


def test_a_dot_shows_the_coefficient_asked_for() -> None:
    assert list(dots(by_metric([found("a", 0.1)], "kendall")).x) == [0.05]


def test_dots_are_filled_by_their_intervals_and_starred_by_p() -> None:
    figure = by_metric([found("b", 0.2, p=0.001), found("a", 0.1, p=0.5)])
    trace = dots(figure)
    assert list(trace.marker.symbol) == ["circle-open", "circle-open"]
    assert "intervals" not in figure.layout.title.text  # there are none
    told = by_metric([found("b", 0.2, low=0.1, high=0.3), found("a", 0.1, p=0.001, low=-0.1, high=0.3)])
    assert list(dots(told).marker.symbol) == ["circle-open", "circle"]
    assert ">Lines: 95 % intervals by prompt; filled: 0 is outside.<" in told.layout.title.text  # in one line
    assert list(trace.hovertext) == ["a: 0.1000 (n = 9)", "b: 0.2000* (n = 9)"]


def test_intervals_reach_from_the_value_to_their_ends() -> None:
    trace = dots(by_metric([found("b", 0.5), found("a", 0.25, low=-0.25, high=0.75)]))
    assert list(trace.error_x.arrayminus) == [0.5, NO_END]
    assert list(trace.error_x.array) == [0.5, NO_END]
    assert trace.error_x.symmetric is False


def test_more_metrics_need_more_room() -> None:
    item, two, ten = (by_metric([found(f"m{i}", 0.1) for i in range(n)]) for n in (1, 2, 10))
    assert 100 < item.layout.height < two.layout.height < ten.layout.height < 1000
    assert by_metric([]).layout.height == item.layout.height


@pytest.mark.parametrize(("values", "reaches"), [((0.09,), 0.5), ((-0.2, 0.1), -0.4), ((0.1, 0.7), 0.5)])
def test_a_metric_near_0_does_not_look_far_from_it(values: tuple[float, ...], reaches: float) -> None:
    axis = by_metric([found(str(value), value) for value in values]).layout.xaxis
    assert axis.autorangeoptions.include == pytest.approx(reaches)  # within what is drawn where that is wide enough
    assert axis.dtick == (0.1 if max(values) < 0.5 else 0.2)


def test_undefined_metrics_are_left_out() -> None:
    trace = dots(
        by_metric(
            [found("a", 0.1), found("none", None), MetricCorrelation("b", "b", None, Correlation(2, *[NOTHING] * 3))]
        )
    )
    assert list(trace.y) == ["a"]
    assert [list(parts) for parts in trace.customdata] == [["a"]]
    assert len(dots(by_metric([])).y or ()) == 0


def test_no_cap_is_drawn_where_there_is_no_interval() -> None:
    assert not dots(by_metric([found("a", 0.1)])).error_x.visible
    assert dots(by_metric([found("a", 0.1), found("b", 0.2, low=0.1, high=0.3)])).error_x.visible


def test_a_metric_that_stands_there_twice_gets_two_by_metric() -> None:
    trace = dots(by_metric([found("bleu", 0.3), found("bleu", 0.2), found("bleu", 0.1), found("x", 0.0)]))
    assert list(trace.y) == ["x", "bleu[3]", "bleu[2]", "bleu"]
    assert list(trace.x) == [0.0, 0.1, 0.2, 0.3]


def test_names_of_metrics_are_escaped() -> None:
    trace = dots(by_metric([found(EVIL, 0.1)]))
    for text in (trace.y[0], trace.hovertext[0]):
        assert "<" not in text
        assert "$" not in text
        assert "&lt;b&gt;bold&lt;/b&gt;&lt;script&gt;" in text


def test_figures_can_be_sent_to_a_browser() -> None:
    assert "&lt;script&gt;" in by_metric([found(EVIL, 0.1, low=0.0, high=0.2)]).to_json()


def test_the_rater_and_the_ceiling_are_lines_named_above_the_plot() -> None:
    bare = by_metric([found("a", 0.1)])
    figure = by_metric([found("a", 0.1)], "pearson", Limits(0.28, 0.85))
    assert [(line.x0, line.line.dash) for line in figure.layout.shapes[1:]] == [(0.28, "dash"), (0.85, "dot")]
    first, second = figure.layout.annotations
    assert [first.text, second.text] == ["one human rater 0.280", "ceiling 0.850"]
    for note in (first, second):
        assert (note.y, note.yref, note.yanchor) == (1, "paper", "bottom")  # above the dots and what is said of them
    assert second.yshift - first.yshift >= 16  # a row each, however close the lines are
    assert (first.xanchor, second.xanchor) == ("center", "right")  # over its line, and whole
    assert figure.layout.margin.t - bare.layout.margin.t == figure.layout.height - bare.layout.height == 36
    assert [line.x0 for line in bare.layout.shapes] == [0]
    assert {line.opacity for line in figure.layout.shapes} == {1}  # templates would fade them
    item = by_metric([found("a", 0.1)], "kendall", Limits(0.28, None))
    assert [note.text for note in item.layout.annotations] == ["one human rater 0.280"]


def test_a_metric_with_scores_of_few_stories_says_so() -> None:
    few = found("judge", 0.3)
    whole = [found("a", 0.1), found("b", 0.2)]
    many = [replace(one, correlation=replace(one.correlation, n=n)) for one, n in zip(whole, (40, 38), strict=True)]
    trace = dots(by_metric([*many, few]))
    assert list(trace.y) == ["judge (9 stories)", "b", "a"]
    assert [list(parts) for parts in trace.customdata] == [["judge"], ["b"], ["a"]]


def test_its_axis_has_several_ticks_and_no_crowd() -> None:
    def ticks(metric: MetricCorrelation, limits: Limits = NO_LIMITS) -> float:
        return float(by_metric([metric], limits=limits).layout.xaxis.dtick)

    assert ticks(found("a", 0.2, low=-0.05, high=0.3)) == 0.1
    assert ticks(found("a", 0.3, low=-0.1, high=0.6)) == 0.2
    assert ticks(found("a", 0.3), Limits(one_rater=0.5, ceiling=0.8)) == 0.2
    assert ticks(found("a", -0.4, low=-0.9, high=0.6)) == 0.5
