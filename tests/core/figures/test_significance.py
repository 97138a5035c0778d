"""The matrix of tests between metrics."""

import plotly.graph_objects as go
import pytest

from core.analysis.significance.tests import PairTest, Ranked, Significance, SignificanceSettings
from core.figures.significance import EMPTY, matrix, short
from core.figures.style import safe

NAMES = ("<b>best</b>", "second", "third", "flat")


def found(names: tuple[str, ...] = NAMES) -> Significance:
    best, second, third, flat = names
    ranking = [Ranked(name, 90, value) for name, value in zip(names[:3], (0.5, 0.4, -0.1), strict=True)]
    rows = (
        PairTest(best, second, 90, 0.5, 0.4, 0.1, -0.1, 0.3, 0.2, 0.3, 200, 0.6),
        PairTest(best, third, 90, 0.5, -0.1, 0.6, 0.4, 0.8, 0.001, 0.001, 999, 0.003),
        PairTest(best, flat, 90, undefined="flat gives every story the same score"),
        PairTest(second, third, 40, 0.1, 0.3, -0.2, -0.3, -0.1, 0.01, 0.01, 999, 0.02),
        PairTest(second, flat, 90, undefined="flat gives every story the same score"),
        PairTest(third, flat, 90, undefined="flat gives every story the same score"),
    )
    return Significance(
        SignificanceSettings(), 90, (*ranking, Ranked(flat, 90, None, "why <i>")), rows, ((best, second), (third,))
    )


def cells(figure: go.Figure) -> dict[tuple[int, int], str]:
    return {
        (x, y): text
        for trace in figure.data
        if trace.text is not None
        for x, y, text in zip(trace.x, trace.y, trace.text, strict=True)
    }


def test_a_cell_says_without_colour_which_metric_is_better() -> None:
    shown = cells(matrix(found()))
    assert shown[0, 1] == "0.10"
    assert shown[0, 2] == "▲<br>0.60"  # the column's metric
    assert shown[1, 2] == "▼<br>−0.20"  # the row's, over the stories that both score
    assert shown[0, 3] == shown[1, 3] == shown[2, 3] == shown[3, 3] == "–"
    assert shown[0, 0] == "<b>0.50</b>"
    assert len(shown) == 10  # a pair once, and the diagonal


def test_a_cell_carries_its_two_metrics() -> None:
    carried = [
        tuple(pair) for trace in matrix(found()).data if trace.customdata is not None for pair in trace.customdata
    ]
    assert sorted(carried) == sorted((safe(row.a), safe(row.b)) for row in found().rows)


def test_names_are_text_and_hovers_have_the_numbers() -> None:
    figure = matrix(found())
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;best&lt;/b&gt;", *NAMES[1:]]
    hovers = [text for trace in figure.data for text in trace.hovertext or ()]
    sentence = next(text for text in hovers if "third" in text and "best" in text)
    for words in (
        "&lt;b&gt;best",
        "90 stories",
        "+0.6000",
        "0.400 to 0.800",
        "Williams: p = 0.001",
        "Holm: p = 0.003",
    ):
        assert words in sentence, words
    assert any("same score" in text for text in hovers)
    assert any("why &lt;i&gt;" in text for text in hovers)


def test_what_is_undefined_has_the_page_s_own_ground_and_words() -> None:
    figure = matrix(found())
    grounds = {(shape.x0, shape.y0): shape.fillcolor for shape in figure.layout.shapes if shape.layer == "below"}
    clear = {place for place, colour in grounds.items() if colour == EMPTY}
    assert clear == {(x - 0.47, y - 0.47) for x, y in {*cells(figure)} if x == y or cells(figure)[x, y] == "–"}
    words = {trace.textfont.color for trace in figure.data if trace.text and "–" in trace.text}
    assert words == {None}


def test_clusters_are_framed_and_explained() -> None:
    figure = matrix(found())
    frames = [shape for shape in figure.layout.shapes if shape.layer == "above"]
    assert [(shape.x0, shape.x1, shape.y0, shape.y1) for shape in frames] == [
        (-0.5, 1.5, -0.5, 1.5),
        (1.5, 2.5, 1.5, 2.5),
    ]
    legend = [trace.name for trace in figure.data if trace.showlegend is not False]
    assert len(legend) == len(set(legend)) == 5


def test_many_metrics_leave_room_for_marks_alone() -> None:
    names = tuple(f"metric {number}" for number in range(20))
    ranking = tuple(Ranked(name, 90, 0.5 - number / 50) for number, name in enumerate(names))
    rows = tuple(
        PairTest(a, b, 90, 0.3, 0.2, 0.1, p_holm=0.01 if i == 0 else 0.9)
        for i, a in enumerate(names)
        for b in names[i + 1 :]
    )
    figure = matrix(Significance(SignificanceSettings("kendall"), 90, ranking, rows, ()))
    shown = cells(figure)
    assert figure.layout.yaxis.ticktext[:2] == ("metric 0  0.50", "metric 1  0.48")
    assert {shown[0, y] for y in range(1, 20)} == {"▲"}
    assert {shown[1, y] for y in range(2, 20)} == {""}


def test_no_metrics_make_an_empty_figure() -> None:
    assert len(cells(matrix(Significance(SignificanceSettings(), 0, (), (), ())))) == 0


@pytest.mark.parametrize(
    ("value", "text"), [(0.123, "0.12"), (-0.5, "−0.50"), (1.0, "1.00"), (0.001, "0.00"), (-0.001, "0.00")]
)
def test_short_numbers(value: float, text: str) -> None:
    assert short(value) == text
