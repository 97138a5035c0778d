"""Figures of the correlation page."""

import numpy as np
import plotly.graph_objects as go
import pytest

from core.analysis.correlation import NOTHING, Coefficient, Correlation, MetricCorrelation, correlate
from core.analysis.limits import Limits
from core.figures.correlation import BLUE, GREY, bars, safe, scatter
from core.scores import ScoreColumn, ScoreTable

EVIL = "<b>bold</b><script>alert(1)</script> & $x$ \"quoted\" 'too'"


def found(
    name: str, value: float | None, p: float = 0.5, low: float | None = None, high: float | None = None
) -> MetricCorrelation:
    other = Coefficient(None if value is None else value / 2, p)
    whole = Correlation(
        9, Coefficient(value, p, None, low, high), other, other, None if value is not None else "a reason"
    )
    return MetricCorrelation(name, f"{name}|v:1", None, whole)


def bar(figure: go.Figure) -> go.Bar:
    (trace,) = figure.data
    assert isinstance(trace, go.Bar)
    return trace


def table(n: int = 6, **changes: object) -> ScoreTable:
    columns = (ScoreColumn("bleu", "bleu|v:1", np.arange(n, dtype=float), {}),)
    kept = {
        "keys": tuple(f"story {i}" for i in range(n)),
        "prompts": ("p",) * n,
        "systems": ("s2s",) * n,
        "texts": tuple(f"Text {i}." for i in range(n)),
        "human": np.array([1.0, 2, 2, 4, 5, 5][:n]),
        "columns": columns,
    }
    return ScoreTable(**{**kept, **changes})  # type: ignore[arg-type]


def drawn(shown: ScoreTable) -> go.Figure:
    column = shown.columns[0]
    return scatter(shown, column, correlate(column.values, shown.human, resamples=0))


def test_bars_are_titled_and_their_axis_named() -> None:
    for coefficient, name in (("pearson", "Pearson's r"), ("spearman", "Spearman's ρ"), ("kendall", "Kendall's τ-b")):
        figure = bars([found("bleu", 0.2)], coefficient)
        assert figure.layout.title.text == "Agreement with people, by metric"
        assert figure.layout.xaxis.title.text.startswith(name)


def test_the_best_metric_is_on_top() -> None:
    trace = bar(bars([found("a", 0.1), found("b", -0.3), found("c", 0.2)]))
    assert list(trace.y) == ["b", "a", "c"]  # plotly draws from the bottom
    assert list(trace.x) == [-0.3, 0.1, 0.2]


def test_a_bar_shows_the_coefficient_asked_for() -> None:
    assert list(bar(bars([found("a", 0.1)], "kendall")).x) == [0.05]


def test_significant_bars_are_blue_and_starred() -> None:
    trace = bar(bars([found("a", 0.1, p=0.5), found("b", 0.2, p=0.001)]))
    assert list(trace.marker.color) == [GREY, BLUE]
    assert list(trace.hovertext) == ["a: 0.1000 (n = 9)", "b: 0.2000* (n = 9)"]


def test_intervals_reach_from_the_value_to_their_ends() -> None:
    trace = bar(bars([found("a", 0.25, low=-0.25, high=0.75), found("b", 0.5)]))
    assert list(trace.error_x.arrayminus) == [0.5, 0.0]
    assert list(trace.error_x.array) == [0.5, 0.0]
    assert trace.error_x.symmetric is False


def test_more_bars_need_more_room() -> None:
    one, two, ten = (bars([found(f"m{i}", 0.1) for i in range(n)]) for n in (1, 2, 10))
    assert 100 < one.layout.height < two.layout.height < ten.layout.height < 1000
    assert bars([]).layout.height == one.layout.height


def test_undefined_metrics_are_left_out() -> None:
    trace = bar(
        bars([found("a", 0.1), found("none", None), MetricCorrelation("b", "b", None, Correlation(2, *[NOTHING] * 3))])
    )
    assert list(trace.y) == ["a"]
    assert len(bar(bars([])).y or ()) == 0


def test_a_metric_that_stands_there_twice_gets_two_bars() -> None:
    trace = bar(bars([found("bleu", 0.1), found("bleu", 0.2), found("bleu", 0.3), found("x", 0.0)]))
    assert list(trace.y) == ["x", "bleu", "bleu (2)", "bleu (3)"]
    assert list(trace.x) == [0.0, 0.1, 0.2, 0.3]


def test_names_of_metrics_are_escaped() -> None:
    trace = bar(bars([found(EVIL, 0.1)]))
    for text in (trace.y[0], trace.hovertext[0]):
        assert "<" not in text
        assert "$" not in text
        assert "&lt;b&gt;bold&lt;/b&gt;&lt;script&gt;" in text


def test_figures_can_be_sent_to_a_browser() -> None:
    assert "&lt;script&gt;" in bars([found(EVIL, 0.1, low=0.0, high=0.2)]).to_json()
    assert drawn(table()).to_json()


def test_scatter_is_titled_and_its_axes_named() -> None:
    figure = drawn(table())
    r = np.corrcoef(np.arange(6), [1, 2, 2, 4, 5, 5])[0, 1]
    assert figure.layout.title.text == f"bleu against people, r = {r:.3f}"
    assert figure.layout.xaxis.title.text == "bleu (raw score)"
    assert figure.layout.yaxis.title.text == "Mean rating"


def test_scatter_shows_the_rated_and_scored_stories_with_their_line() -> None:
    values = np.array([0.0, 1, np.nan, 3, 4, 5])
    human = np.array([1.0, np.nan, 2, 7, 9, 11])
    points, line = drawn(table(columns=(ScoreColumn("bleu", "b", values, {}),), human=human)).data
    assert list(points.x) == [0, 3, 4, 5]
    assert list(points.y) == [1, 7, 9, 11]
    assert [text.split("</b>")[0] for text in points.hovertext] == [f"<b>story {i} · s2s" for i in (0, 3, 4, 5)]
    assert list(line.x) == [0, 5]
    assert list(line.y) == pytest.approx([1, 11])


def test_two_stories_of_close_scores_have_a_line() -> None:
    column = ScoreColumn("bleu", "b", np.array([0.01, 0.03]), {})
    line = scatter(table(2, columns=(column,)), column, correlate([], [])).data[1]
    assert list(line.y) == pytest.approx([1, 2])


def test_scatter_without_a_slope_has_no_line_and_no_r() -> None:
    column = ScoreColumn("bleu", "b", np.ones(6), {})
    figure = drawn(table(columns=(column,)))
    assert len(figure.data) == 1
    assert figure.layout.title.text == "bleu against people"
    nothing = drawn(table(human=np.full(6, np.nan)))
    assert [len(trace.x) for trace in nothing.data] == [0]


def test_hover_texts_are_escaped() -> None:
    column = ScoreColumn(EVIL, "e", np.arange(6.0), {})
    figure = drawn(table(texts=(EVIL,) * 6, keys=(EVIL,) * 6, systems=(EVIL,) * 6, columns=(column,)))
    for text in figure.data[0].hovertext:
        rest = text.replace("<br>", " ").replace("<b>", "", 1).replace("</b>", "", 1)
        assert "<" not in rest
        assert ">" not in rest
        assert "$" not in rest
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in rest
    for text in (figure.layout.title.text, figure.layout.xaxis.title.text):
        assert "<" not in text
        assert "$" not in text


def test_hover_texts_are_cut_and_wrapped() -> None:
    long, short = "word " * 300, "A text."
    whole = drawn(table(texts=("a" * 320,) * 6)).data[0].hovertext[0]
    assert whole.count("a") == 322  # two of them in "mean rating"
    assert "…" not in whole
    hover = drawn(table(texts=(long, short, "", "", "", ""), systems=("", *["s"] * 5))).data[0].hovertext
    assert hover[0].startswith("<b>story 0</b><br>score 0, mean rating 1.00<br>word word")
    assert hover[0].endswith("…")
    assert all(len(line) <= 60 for line in hover[0].split("<br>")[1:])
    assert 300 < len(hover[0]) < 430
    assert hover[1] == "<b>story 1 · s</b><br>score 1, mean rating 2.00<br>A text."
    assert hover[2].startswith("<b>story 2 · s</b><br>score 2, mean rating ")


def test_safe() -> None:
    assert safe("<b>$1 & 'x' \"y\"") == "&lt;b&gt;&#36;1 &amp; &#x27;x&#x27; &quot;y&quot;"
    assert safe("é😀 plain") == "é😀 plain"


def test_the_rater_and_the_ceiling_are_lines_named_above_the_plot() -> None:
    bare = bars([found("a", 0.1)])
    figure = bars([found("a", 0.1)], "pearson", Limits(0.28, 0.75))
    assert [(line.x0, line.line.dash) for line in figure.layout.shapes] == [(0.28, "dash"), (0.75, "dot")]
    first, second = figure.layout.annotations
    assert [first.text, second.text] == ["one human rater 0.280", "ceiling 0.750"]
    for note in (first, second):
        assert (note.y, note.yref, note.yanchor) == (1, "paper", "bottom")  # above the bars and what is said of them
    assert second.yshift - first.yshift >= 16  # a row each, however close the lines are
    assert (first.xanchor, second.xanchor) == ("left", "right")
    assert figure.layout.margin.t - bare.layout.margin.t == figure.layout.height - bare.layout.height == 36
    assert not bare.layout.shapes
    one = bars([found("a", 0.1)], "kendall", Limits(0.28, None))
    assert [note.text for note in one.layout.annotations] == ["one human rater 0.280"]
