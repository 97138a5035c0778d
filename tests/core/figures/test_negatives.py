"""Figures of a set of negatives: what was done beside what is expected."""

import pytest

from core.figures.data import figure_rows
from core.figures.negatives import shares
from core.perturb.negatives.sets import TechniqueShare

FOUND = [TechniqueShare("repetition", 3, 0.3, 0.11, 0.6, 0.287), TechniqueShare("negation", 7, 0.7, 0.4, 0.89, 0.44)]


def test_bars_with_intervals_and_what_is_expected() -> None:
    figure = shares(FOUND, "Stories by technique", "share of the negatives")
    bars, diamonds = figure.data
    assert list(bars.y) == list(diamonds.y) == ["repetition", "negation"]
    assert list(bars.x) == [0.3, 0.7]
    assert bars.x[1] + bars.error_x.array[1] == pytest.approx(0.89)
    assert list(diamonds.x) == [0.287, 0.44]
    assert figure.layout.xaxis.range[1] == pytest.approx(0.89 * 1.1)
    assert figure.layout.yaxis.autorange == "reversed"
    assert bars.hovertext[0] == "repetition: 3 stories, 30.0% (11.0% to 60.0%)"
    assert len(figure_rows(figure)) == 4


def test_no_story() -> None:
    figure = shares([TechniqueShare("1", 0, None, None, None, 0.5)], "Techniques a story", "share")
    assert figure.data[0].hovertext[0] == "1: no story"
    assert figure.layout.xaxis.range[1] == pytest.approx(0.55)
