"""Figures of the naturalness page: what they draw, hostile names, nothing to draw."""

import json

import numpy as np
import pytest

from core.analysis.judgments.boxes import box
from core.analysis.naturalness.corpora import Discriminator, FpScores, NaturalTexts, naturalness
from core.analysis.naturalness.discrimination import discriminate
from core.figures.data import anything_drawn, figure_rows
from core.figures.naturalness import boxes, class_shares, cumulative, differences, roc_curves
from core.figures.style import original
from core.statistics.intervals import Estimate
from core.statistics.roc import roc

NAME = "<b>x</b> $y$"


def test_a_system_has_one_colour_in_both_figures() -> None:
    rng = np.random.default_rng(0)
    fp = {None: rng.normal(0.3, 0.1, 40), "low": rng.normal(0.2, 0.1, 40), "high": rng.normal(0.5, 0.1, 40)}
    lines = cumulative(fp, NAME).data
    drawn = boxes({name: box(values) for name, values in fp.items()}, NAME).data
    *rows, means = drawn
    assert [row.y[0] for row in rows] == ["human", "high", "low"]  # in another order than the curves
    colours = {line.name.split(" (")[0]: line.line.color for line in lines}
    assert {row.y[0]: row.marker.color for row in rows} == colours
    assert list(means.marker.color) == [colours[row.y[0]] for row in rows]
    assert len(set(colours.values())) == 3


def test_a_system_keeps_its_colour_in_dots_and_a_shape_tells_their_series_apart() -> None:
    rng = np.random.default_rng(0)
    texts = NaturalTexts((None,) * 40 + ("low",) * 40 + ("high",) * 40, tuple(map(str, range(120))))
    fp = np.concatenate([rng.normal(mean, 0.1, 40) for mean in (0.3, 0.2, 0.5)])
    readings = [FpScores(Discriminator(name), fp, {}) for name in ("first", "second")]
    systems = ["low", "high"]
    lines = cumulative({None: fp[:40], "low": fp[40:80], "high": fp[80:]}, NAME).data
    colours = {line.name.split(" (")[0]: line.line.color for line in lines}
    judged = discriminate(fp, texts.systems, texts.numbers)
    people = {name: Estimate(0.3) for name in systems}
    for figure in (
        differences(naturalness(texts, readings).comparisons, systems),
        class_shares(judged.systems, people, NAME),
    ):
        first, second = (trace for trace in figure.data if trace.showlegend is False)
        for trace in (first, second):
            assert dict(zip(trace.y, trace.marker.color, strict=True)) == {name: colours[name] for name in systems}
        legend = [trace for trace in figure.data if trace.showlegend is not False]
        assert [trace.marker.symbol for trace in legend] == [first.marker.symbol, second.marker.symbol]
        assert first.marker.symbol != second.marker.symbol
        assert {trace.marker.color for trace in legend}.isdisjoint(colours[name] for name in systems)


def test_every_figure_says_what_it_is_of_and_takes_any_name() -> None:
    rng = np.random.default_rng(0)
    people, machine = rng.normal(0.3, 0.1, 40), rng.normal(0.5, 0.1, 40)
    texts = NaturalTexts((None,) * 40 + (NAME,) * 40, tuple(map(str, range(80))))
    reading = FpScores(Discriminator(NAME), np.concatenate([people, machine]), {})
    judged = discriminate(reading.fp, texts.systems, texts.numbers)
    curve = roc(people, machine, np.arange(40), 40 + np.arange(40))
    drawn = [
        cumulative({None: people, NAME: machine}, NAME, (0.4,)),
        boxes({None: box(people), NAME: box(machine)}, NAME),
        roc_curves({NAME: curve}, NAME),
        class_shares(judged.systems, {NAME: Estimate(0.3, 0.2, 0.4)}, NAME),
        differences(naturalness(texts, [reading]).comparisons, [NAME]),
    ]
    for figure in drawn:
        assert anything_drawn(figure)
        assert figure_rows(figure)
        text = json.dumps(figure.to_plotly_json(), default=str)
        assert "<b>x" not in text
        assert "$y$" not in text
    for figure in drawn[1], *drawn[3:]:  # what stands for a side carries it
        assert original(figure.data[-1].customdata[-1][0]) == NAME
    shares = figure_rows(drawn[3])
    assert shares[0]["x"] == pytest.approx(judged.systems[NAME].h.value)
    assert shares[1]["x, high"] == pytest.approx(0.4)
    assert len(drawn[2].data[0].x) <= 200


def test_a_cumulative_curve_is_the_share_of_texts_up_to_there() -> None:
    values = np.array([0.3, np.nan, 0.1, 0.2, 0.2])
    people, machine = cumulative({None: values, "m": np.random.default_rng(0).random(5_000)}, "d").data
    assert list(people.x) == [0.1, 0.2, 0.2, 0.3]
    assert list(people.y) == [0.25, 0.5, 0.75, 1]
    assert len(machine.x) <= 200
    assert machine.y[-1] == 1
    assert np.abs(machine.x - machine.y).max() < 0.05


def test_nothing_to_draw() -> None:
    none = np.empty(0)
    assert not anything_drawn(cumulative({None: none}, "m"))
    assert not anything_drawn(roc_curves({"a": roc(none, none, none.astype(int), none.astype(int))}, "m"))
