"""Figures of trainings: one line per run, told apart without colour, and which weights were kept."""

import pytest

from core.figures.data import figure_rows
from core.figures.training import figure_name, held_out, losses
from core.training.engine.curve import Curve

ONE = Curve(
    40,
    (10, 20, 30, 40),
    {"loss": (0.9, 0.8, 0.7, 0.6), "classification": (0.7, 0.6, 0.5, 0.4)},
    ((20, {"auc": 0.7}), (40, {"auc": 0.65})),
    20,
)
OTHER = Curve(2, (2,), {"loss": (0.7,)}, (), None)


def test_one_run_with_its_first_task() -> None:
    figure = losses({"loss": ONE})
    assert [line.name for line in figure.data] == ["loss", "classification alone"]
    assert list(figure.data[0].y) == [0.9, 0.8, 0.7, 0.6]
    assert figure.layout.xaxis.range[1] == pytest.approx(40 * 1.03)


def test_several_are_told_apart_without_colour() -> None:
    figure = losses({"<b>a</b>": ONE, "b": OTHER})
    assert [line.name for line in figure.data] == ["&lt;b&gt;a&lt;/b&gt;", "b"]
    assert len({line.line.dash for line in figure.data}) == 2
    assert figure.data[1].mode == "lines+markers"  # a line of one point is none


def test_the_ring_is_about_the_weights_that_were_kept() -> None:
    figure = held_out({"a": ONE, "b": OTHER})
    line, ring, _, nothing = figure.data
    assert list(line.y) == [0.7, 0.65]
    assert (list(ring.x), list(ring.y)) == ([20], [0.7])
    assert not list(nothing.x)
    assert len(figure_rows(figure)) == 2


def test_auc_is_written_in_capitals_wherever_it_stands() -> None:
    assert figure_name("held-out pairs: auc") == "held-out pairs: AUC"
    assert figure_name("caucus") == "caucus"
