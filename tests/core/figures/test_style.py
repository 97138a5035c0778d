"""What figures share: titles that fit, intervals, and colours that print."""

import itertools

import plotly.graph_objects as go
import pytest

from core.figures import correlation_subsets, drift, sample_size, training
from core.figures.judgments import shade
from core.figures.style import (
    DETAIL,
    GROUPS,
    INK,
    LESS,
    MORE,
    NEITHER,
    NO_END,
    TITLE,
    add_line,
    number,
    safe,
    side_by_side,
    titled,
    whiskers,
)
from core.figures.systems import preferences
from core.statistics.intervals import Estimate


def test_safe() -> None:
    assert safe("<b>$1 & 'x' \"y\"") == "&lt;b&gt;&#36;1 &amp; &#x27;x&#x27; &#34;y&#34;"
    assert safe("é😀 plain") == "é😀 plain"


def test_titles_are_broken_into_lines_and_the_plot_keeps_its_height() -> None:
    figure = go.Figure(layout={"height": 300})
    titled(figure, "short")
    assert (figure.layout.title.text, figure.layout.height) == ("short", 300)
    top = figure.layout.margin.t
    titled(figure, "a long title " * 6 + "<i>", "what a reader must know " * 5, "and more")
    head, small = figure.layout.title.text.split("<br><span", 1)
    lines = head.split("<br>")
    assert len(lines) == 2
    assert max(map(len, lines)) <= TITLE + len("&lt;&gt;")
    rest = small.split(">", 1)[1].removesuffix("</span>").split("<br>")
    assert len(rest) == 3
    assert max(map(len, rest)) <= DETAIL
    assert "&lt;i&gt;" in head
    assert figure.layout.height - 300 == figure.layout.margin.t - top > 60


def test_figures_side_by_side_have_one_height() -> None:
    low, high = go.Figure(layout={"height": 200}), go.Figure(layout={"height": 300})
    titled(low, "low")
    titled(high, "high", "what a reader must know")
    side_by_side(low, high)
    assert low.layout.height == high.layout.height > 300
    assert low.layout.title.y == high.layout.title.y
    assert low.layout.title.text.count("<br>") == high.layout.title.text.count("<br>") == 1
    assert low.layout.margin.t == high.layout.margin.t  # where one title takes more lines, both plots begin below it


def test_an_interval_that_is_not_known_is_no_interval() -> None:
    result = whiskers([Estimate(1.0, 0.5, 2.0), Estimate(1.0), Estimate(None)], "#000000")
    assert result["array"] == [1.0, NO_END, NO_END]
    assert result["arrayminus"] == [0.5, NO_END, NO_END]


def test_a_line_has_a_dark_core_in_a_light_edge_and_one_name() -> None:
    figure = go.Figure()
    add_line(figure, [0, 1], [2, 3], "fit")
    edge, core = figure.data
    assert edge.line.width > core.line.width
    assert (edge.showlegend, core.showlegend, core.name) == (False, None, "fit")


def lightness(colour: str) -> float:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


@pytest.mark.parametrize("steps", [2, 5, 8])
def test_steps_of_a_stack_grow_lighter_in_grey_print(steps: int) -> None:
    greys = [lightness(shade(step / (steps - 1))) for step in range(steps)]
    assert min(b - a for a, b in itertools.pairwise(greys)) > 0.04


def test_minus_signs() -> None:
    assert (number(-0.1234), number(0.5)) == ("−0.123", "0.500")
    assert (number(-0.5, "+.2f"), number(-0.001, "z.2f")) == ("−0.50", "0.00")


def test_groups_have_the_same_colours_in_every_figure() -> None:
    assert [colour for colour, _, _ in training.LOOKS] == list(GROUPS)
    assert [colour for colour, _ in correlation_subsets.SERIES][:6] == list(GROUPS)
    assert drift.COLOURS[:5] == GROUPS[:5]
    assert [colour for colour, _ in sample_size.LINES] == list(GROUPS[:5])
    assert [colour for _, colour in preferences.MARKS] == list(GROUPS[:4])


def luminance(colour: str) -> float:
    """As WCAG 2.2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("ground", [LESS, NEITHER, MORE])
def test_words_in_cells_can_be_read(ground: str) -> None:
    assert (luminance(ground) + 0.05) / (luminance(INK) + 0.05) >= 7  # AAA
