"""Maps and dots of what metrics see: which numbers stand where, what is blank, and that names are text."""

import plotly.graph_objects as go
import pytest

from core.analysis.capability.results import Robustness, Seen
from core.analysis.significance.tests import PairTest
from core.figures.capability.dots import by_aspect, changes, differences
from core.figures.capability.maps import PAPER, heat_map, names_of, robustness_map
from core.figures.data import anything_drawn
from core.figures.style import original
from core.published import openmeva
from core.published.capability import discrimination, invariance
from core.statistics.correlation import Coefficient
from core.statistics.intervals import Estimate

EVIL = "<b>m</b>"
ROWS = (
    Seen("causal", EVIL, "m|v:1", 40, 30, 2, Coefficient(0.45, 0.001, 0.002, 0.3, 0.6), Estimate(0.8, 0.7, 0.9),
         Estimate(0.9, 0.8, 0.95)),
    Seen("temporal", EVIL, "m|v:1", 0, 3, 0, undefined="no <i>coherent</i> example"),
    Seen("causal", "weak", "w|v:1", 40, 30, 0, Coefficient(-0.05, 0.5, 0.5, -0.2, 0.1), Estimate(0.46, 0.4, 0.55),
         Estimate(0.3, 0.2, 0.4)),
    Seen("temporal", "weak", "w|v:1", 9, 9, 0, Coefficient(0.7, 0.001, 0.01), Estimate(1.0), Estimate(1.0)),
)  # fmt: skip
MOVED = tuple(
    Robustness("typos", of, "m", "m|v:1", 30, 0, Coefficient(r, 0.001, 0.01, r - 0.1, r + 0.1), Estimate(-r, -0.9, low))
    for of, r, low in (("human", -0.4, -0.1), ("incoherent", 0.05, 0.2), ("all", 0.2, -0.05))
)


def cells(figure: go.Figure) -> dict[tuple[str, str], tuple[float | None, str, str]]:
    """(row, column) -> value, what is written in the cell, what it says."""
    rows = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    columns = dict(zip(figure.layout.xaxis.tickvals, figure.layout.xaxis.ticktext, strict=True))
    points = [trace for trace in figure.data if trace.type == "scatter"]
    said = {(x, y): text for trace in points for x, y, text in zip(trace.x, trace.y, trace.hovertext, strict=True)}
    return {
        (rows[y], columns[x]): (trace.z[i][j], trace.text[i][j], said[x, y])
        for trace in figure.data
        if trace.type == "heatmap"
        for i, y in enumerate(trace.y)
        for j, x in enumerate(trace.x)
    }


def test_numbers_stand_in_their_cells_and_intervals_behind_them() -> None:
    result = cells(heat_map(ROWS))
    name = "&lt;b&gt;m&lt;/b&gt;"
    value, written, sentence = result[name, "causal"]
    assert (value, written) == (0.45, "<b>0.45</b>")  # bold: the interval leaves out 0
    for words in (name, "r = 0.4500* (0.300 to 0.600)", "40 coherent, 30 changed, 2 without a score"):
        assert words in sentence, words
    assert result["weak", "causal"][1] == "−0.05"
    assert result["weak", "temporal"][1] == "0.70"  # no interval, nothing bold
    assert "r = 0.7000<br>" in result["weak", "temporal"][2]  # nor a star of so few
    value, written, sentence = result[name, "temporal"]
    assert (value, written) == (None, "")
    assert "undefined: no &lt;i&gt;coherent" in sentence


def test_few_stories_settle_nothing() -> None:
    r, share = Coefficient(0.9, 0.001, 0.01, 0.8, 1.0), Estimate(1.0, 0.6, 1.0)
    for positives, negatives, bold in ((10, 20, True), (10, 19, False), (9, 90, False), (90, 9, False)):
        rows = (Seen("causal", "m", "m|v:1", positives, negatives, 0, r, share, share),)
        assert cells(heat_map(rows))["m", "causal"][1].startswith("<b>") is bold
        assert cells(heat_map(rows, "auc"))["m", "causal"][1].startswith("<b>") is bold
        assert cells(heat_map(rows, "ordered"))["m", "causal"][1].startswith("<b>") is (negatives >= 30)


@pytest.mark.parametrize(("figure", "nothing"), [("pearson", 0.0), ("auc", 0.5), ("ordered", 0.5)])
def test_the_scale_is_centred_where_nothing_is_seen(figure: str, nothing: float) -> None:
    axis = heat_map(ROWS, figure).layout.coloraxis
    assert (axis.cmin + axis.cmax) / 2 == pytest.approx(nothing)
    assert axis.cmax - nothing >= 0.3
    assert axis.colorscale[1][0] == 0.5
    result = cells(heat_map(ROWS, figure))
    assert result["weak", "causal"][1].startswith("<b>") == (figure == "ordered")


def test_the_paper_stands_apart_below() -> None:
    figure = heat_map(ROWS, printed=discrimination())
    labels = list(figure.layout.yaxis.ticktext)
    assert labels[:3] == ["&lt;b&gt;m&lt;/b&gt;", "weak", f"<i>{PAPER}</i>"]
    assert labels[3:] == [f"{corpus} {metric}" for corpus in ("ROC", "WP") for metric in
                          ("PPL (P)", "PPL (F)", "RU-BERT", "UNION")]  # fmt: skip
    result = cells(figure)
    assert result["ROC UNION", "causal"][:2] == (0.1425, "<b>0.14</b>")
    assert result["ROC PPL (F)", "temporal"][:2] == (0.2007, "0.20")  # without a star there
    assert PAPER in result["ROC UNION", "causal"][2]
    assert not [key for key in result if key[1] == "consistency"]  # no case of it here


def test_a_cell_and_a_dot_carry_their_metric_and_aspect_and_the_paper_nothing() -> None:
    ours, papers = [trace for trace in heat_map(ROWS, printed=discrimination()).data if trace.type == "scatter"]
    carried = [[original(part) for part in parts] for parts in ours.customdata]
    assert carried == [[EVIL, "causal"], [EVIL, "temporal"], ["weak", "causal"], ["weak", "temporal"]]
    assert ours.selected.marker.opacity == 1
    assert not any(papers.customdata)
    assert papers.selected.marker.opacity == 0  # nor is a press of them shown
    assert changes(MOVED, "human").data[0].customdata == (["m", "typos"],)
    assert [list(part) for part in by_aspect(ROWS[:1], "m").data[0].customdata] == [["causal"]]


def test_every_printed_cell_is_where_the_tables_have_it() -> None:
    six, seven = discrimination(), invariance()
    assert len(six) == 8 * 8
    assert len(seven) == 8 * 10
    assert {printed.row for printed in six} == {row for row in openmeva.DISCRIMINATION.rows if "oherent" not in row}
    where = {(printed.row, printed.aspect, printed.of): printed for printed in (*six, *seven)}
    assert where["WP PPL (F)", "common sense", None].r == 0.4871
    assert where["ROC UNION", "typos", "incoherent"].r == 0.4606
    assert where["ROC PPL (P)", "contraction", "human"].r == -0.0557
    assert not where["ROC PPL (P)", "contraction", "human"].starred


def test_robustness_is_without_sign_and_of_one_kind() -> None:
    figure = robustness_map(MOVED, "human", [printed for printed in invariance() if printed.of == "human"])
    result = cells(figure)
    assert result["m", "typos"][:2] == (0.4, "<b>0.40</b>")
    assert "r = −0.4000*" in result["m", "typos"][2]
    assert "mean change 0.4000" in result["m", "typos"][2]
    assert result["ROC PPL (P)", "typos"][0] == 0.4124
    assert figure.layout.coloraxis.cmin == 0
    assert cells(robustness_map(MOVED, "incoherent"))["m", "typos"][1] == "0.05"


def test_dots_are_filled_where_their_interval_settles_it() -> None:
    (dots,) = changes(MOVED, "human").data
    assert (dots.x, dots.marker.symbol) == ((0.4,), ("circle",))
    (dots,) = changes(MOVED, "incoherent").data
    assert dots.marker.symbol == ("circle-open",)
    tests = {
        "causal": PairTest("a", EVIL, 9, 0.5, 0.1, 0.4, 0.2, 0.6, p_holm=0.01),
        "temporal": PairTest("a", EVIL, 9, 0.1, 0.2, -0.1, -0.3, 0.2, p_holm=0.8),
        "typos": PairTest("a", EVIL, 0, undefined="nothing"),
    }
    figure = differences(tests)
    assert figure.data[0].marker.symbol == ("circle", "circle-open")
    assert "<b>" not in figure.layout.xaxis.title.text
    (dots,) = by_aspect(ROWS, "what it sees").data
    assert dots.marker.symbol == ("circle", "circle", "circle-open")


def test_nothing_makes_empty_figures() -> None:
    for figure in (heat_map(()), robustness_map((), "all"), changes((), "all"), differences({}), by_aspect((), "x")):
        assert not anything_drawn(figure)


def test_a_second_signature_has_a_name_of_its_own() -> None:
    rows = (Seen("causal", "bleu", "bleu|v:1", 1, 1, 0), Seen("causal", "bleu", "bleu|references:mean|v:1", 1, 1, 0))
    assert list(names_of(rows).values()) == ["bleu", "bleu[references=mean]"]
