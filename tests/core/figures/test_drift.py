"""Figures of the drift page."""

import numpy as np
import pytest

from core.analysis.correlation.limits import Limits
from core.analysis.drift.quality import quality_drift
from core.analysis.drift.subsets import dataset_drift, system_drift
from core.figures.drift import COLOURS, DASHES, MOST, SYMBOLS, biased_sets, dataset_dots, quality_curves, system_dots
from core.figures.style import original
from tests.core.analysis.drift.quality import random_table, table_of
from tests.core.analysis.drift.subsets import two_systems as of_systems

HOSTILE = "<b>$x$</b>"


def test_biased_sets_add_up_to_their_sizes() -> None:
    drift = quality_drift(random_table(), (1, 5), draws=5)
    figure = biased_sets(drift)
    assert [bar.name for bar in figure.data] == ["1–1.5", "1.5–2", "2–2.5", "2.5–3", "3–3.5", "3.5–4", "4–4.5", "4.5–5"]
    heights = np.sum([bar.y for bar in figure.data], axis=0)
    assert heights == pytest.approx([biased_set.expected_size for biased_set in drift.sets])
    assert list(figure.data[0].x) == list(range(1, 9))
    assert figure.layout.barmode == "stack"
    assert [tuple(bar.customdata[0]) for bar in figure.data[:2]] == [("1", "1.5"), ("1.5", "2")]
    assert figure.layout.title.text
    assert figure.layout.yaxis.title.text == "expected stories"
    votes = biased_sets(quality_drift(table_of(np.arange(8) / 7, {}), (0, 1), draws=1))
    assert [bar.name for bar in votes.data] == ["0", "0.14", "0.29", "0.43", "0.57", "0.71", "0.86", "1"]


def test_curves_are_told_apart_and_stand_side_by_side() -> None:
    assert MOST == len(set(COLOURS)) == len(set(DASHES)) == len(set(SYMBOLS))
    drift = quality_drift(random_table(), (1, 5), draws=30)
    good, half = drift.rows
    figure = quality_curves(drift, {HOSTILE: good, "half": half})
    first, second = figure.data
    assert list(first.y) == [value.value for value in good.values]
    ends = [value.high - value.value for value in good.values if value.high is not None and value.value is not None]
    assert list(first.error_y.array) == pytest.approx(ends)
    assert {first.x[0] < 1, second.x[0] > 1} == {True}
    assert [original(name) for (name,) in first.customdata] == [HOSTILE] * len(drift.sets)
    assert (first.line.dash, first.marker.symbol) != (second.line.dash, second.marker.symbol)
    assert "<b>" not in first.name + "".join(first.hovertext)
    assert figure.layout.yaxis.title.text == "Pearson's r with people"
    assert quality_curves(drift, {}).data == ()


def test_one_rater_and_the_ceiling_are_lines_named_outside_the_plot() -> None:
    drift = quality_drift(random_table(), (1, 5), draws=5)
    figure = quality_curves(drift, {"good": drift.rows[0]}, Limits(0.7, 0.9))
    assert [(line.y0, line.line.dash) for line in figure.layout.shapes] == [(0.7, "dash"), (0.9, "dot")]
    names = figure.layout.annotations
    assert [name.text for name in names] == ["one human<br>rater 0.70", "ceiling 0.90"]
    assert all((name.xref, name.x, name.xanchor) == ("paper", 1, "left") for name in names)
    assert [name.yanchor for name in names] == ["top", "bottom"]  # they part where the lines are close
    assert figure.layout.margin.r > 50
    plain = quality_curves(drift, {"good": drift.rows[0]})
    assert (plain.layout.shapes, plain.layout.annotations, plain.layout.margin.r) == ((), (), 20)
    systems = system_drift(of_systems(), resamples=5)
    figure = system_dots(systems, {"noise": systems.rows[0]}, Limits(0.7, None))
    carried = [list(parts) for parts in figure.data[0].customdata]
    assert carried == [*([part.name, "noise"] for part in systems.systems), ["", "noise"]]
    assert [name.text for name in figure.layout.annotations] == ["one human rater 0.700"]
    assert 0.7 in [line.x0 for line in figure.layout.shapes]


def test_systems_have_a_row_each_and_one_for_all() -> None:
    result = system_drift(of_systems(), resamples=50)
    figure = system_dots(result, {"noise": result.rows[0], "gaps": result.rows[1]})
    rows = list(figure.layout.yaxis.ticktext)
    assert [row.split(" (")[0] for row in rows] == ["two", "unknown", "one", "<b>all stories</b>"]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert [trace.name for trace in figure.data] == ["noise", "gaps"]
    assert list(figure.data[0].x)[-1] == result.rows[0].all.value
    assert figure.data[0].y[0] < 0 < figure.data[1].y[0]


def test_studies_side_by_side_and_a_gap_says_why() -> None:
    table = of_systems()
    flat = table_of(np.full(150, 3.0), {"noise": table.columns[0].values})
    result = dataset_drift({HOSTILE: table, "flat": flat}, resamples=20)
    figure = dataset_dots([part.name for part in result.studies], {row.metric: row for row in result.rows})
    assert list(figure.layout.yaxis.ticktext) == ["noise"]
    first, second = figure.data
    assert "<b>" not in first.name
    assert second.x[0] is None
    assert second.hovertext[0] == "flat, noise: every story has the same rating"
    assert "to" in first.hovertext[0]
