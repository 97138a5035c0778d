"""Figures of differences: classes, axes, names that want to be markup, very many sets."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.difference import windows
from core.analysis.difference.differences import Convention, Difference, differences
from core.analysis.difference.windows import plan
from core.figures.difference import MOST_PAIRS, fits, plane
from tests.core.figures.correlation import EVIL
from tests.core.figures.style import titles


def made(n: int = 400, sign: int = 1, convention: Convention = Convention.PLANE) -> Difference:
    rng = np.random.default_rng(0)
    y = rng.integers(1, 6, n).astype(float)
    return differences([sign * y + 2 * rng.normal(size=n)], y, convention=convention)[0]


def test_every_pair_stands_once_in_its_class() -> None:
    difference = made()
    figure = plane("bleu", difference)
    points = {trace.name.rsplit(" (", 1)[0]: trace for trace in figure.data if trace.mode == "markers"}
    counts = [len(points[name].x) for name in ("both see a difference", "people only", "the metric only")]
    assert counts == [difference.both // 2, difference.human_only // 2, difference.metric_only // 2]
    assert len(points["neither sees a difference"].x) == (difference.neither - difference.plan.number) // 2
    assert all((np.asarray(trace.x) >= 0).all() for trace in points.values())
    assert len({trace.marker.symbol for trace in points.values()}) == 4  # told apart without colour too
    shares = sum(float(trace.name.rsplit(" (", 1)[1].removesuffix("%)")) for trace in points.values())
    assert shares == pytest.approx(100, abs=0.3)
    assert difference.sets is not None
    for trace in points.values():  # a point carries its two sets
        for x, y, (first, second) in zip(trace.x, trace.y, trace.customdata, strict=True):
            human, metric = difference.sets.human, difference.sets.metric
            assert x == pytest.approx(human[int(first) - 1] - human[int(second) - 1])
            assert y == pytest.approx(metric[int(first) - 1] - metric[int(second) - 1])


def test_axes_are_the_papers_and_named() -> None:
    difference = made()
    figure = plane("bleu", difference)
    assert figure.layout.xaxis.title.text == "difference in human judgment"
    assert figure.layout.yaxis.title.text == "difference in bleu (raw score)"
    over_ties = f"median {difference.r2_median:.2f}, {difference.r2_low:.2f} to {difference.r2_high:.2f} over ties"
    assert f"R² = {difference.r2:.2f} ({over_ties})" in titles(figure)[1]
    assert "80 sets of 80, 4 stories apart." in titles(figure)[1]
    line = figure.data[-1]
    assert (line.y[0], line.y[1] / line.x[1]) == (0, pytest.approx(difference.slope))


def test_the_papers_line_has_an_intercept() -> None:
    difference = made(convention=Convention.PAPER)
    line = plane("bleu", difference).data[-1]
    assert difference.intercept
    assert line.y[0] == difference.intercept
    assert (line.y[1] - line.y[0]) / line.x[1] == pytest.approx(difference.slope)


def test_of_very_many_pairs_a_sample_is_drawn_with_the_shares_of_all() -> None:
    few, many = made(1000), made(2200)
    for difference, number in ((few, few.plan.number * (few.plan.number - 1) // 2), (many, MOST_PAIRS)):
        figure = plane("bleu", difference)
        assert sum(len(trace.x) for trace in figure.data[:4]) == number
        assert {trace.type for trace in figure.data} == {"scatter"}  # vectors in an export
        shares = {trace.name.split(" (")[1] for trace in figure.data[:4]}
        assert f"{difference.both / difference.plan.pairs:.1%})" in shares
    assert "drawn at random" not in titles(plane("bleu", few))[1]
    assert "5,000 of 19,900 pairs drawn at random" in titles(plane("bleu", many))[1]


def test_pairs_run_from_the_set_that_people_rate_higher() -> None:
    sets = made().sets
    assert sets is not None
    pairs = windows.pairs_of(sets)
    assert (pairs.human >= 0).all()
    assert len(pairs.human) == 80 * 79 // 2
    at = 17
    first, second = pairs.first[at], pairs.second[at]
    assert pairs.metric[at] == sets.metric[first] - sets.metric[second]
    assert pairs.human_apart[at] == sets.human_apart[first, second]


def test_no_name_becomes_markup() -> None:
    figure = plane(EVIL, made())
    assert "<script" not in figure.layout.title.text + figure.layout.yaxis.title.text
    figure = fits([EVIL], [made()])
    assert "<script" not in figure.to_json()


def test_fits_stand_by_their_r_squared_and_falling_ones_apart() -> None:
    rising, falling, undefined = made(), made(sign=-1), Difference(3, plan(3), undefined="too few")
    figure = fits(["up", "down", "none"], [rising, falling, undefined])
    assert [trace.name for trace in figure.data] == ["rises with people's difference", "falls where people's rises"]
    assert [list(trace.y) for trace in figure.data] == [["up"], ["down"]]
    assert list(figure.layout.yaxis.categoryarray) == ["down", "up"]  # plotly draws from the bottom
    low, high = replace(rising, r2_median=0.2), replace(rising, r2_median=0.6)
    ordered = fits(["low", "down", "high"], [low, replace(falling, r2_median=0.9), high])
    assert list(ordered.layout.yaxis.categoryarray) == ["down", "low", "high"]
    assert figure.layout.title.text
    assert len({trace.marker.symbol for trace in figure.data}) == 2


def test_the_dot_is_the_median_within_its_range_and_an_unusual_order_is_named() -> None:
    difference = replace(made(), r2=0.9, r2_median=0.5, r2_low=0.4, r2_high=0.7)
    (trace,) = fits(["m"], [difference]).data
    assert list(trace.x) == [0.5]
    assert (trace.error_x.array[0], trace.error_x.arrayminus[0]) == (pytest.approx(0.2), pytest.approx(0.1))
    assert "an unusual order" in trace.hovertext[0]
    assert "an unusual order" in plane("m", difference).layout.title.text


def test_nothing_defined() -> None:
    undefined = Difference(3, plan(3), undefined="too few")
    assert not plane("bleu", undefined).data
    assert not fits(["bleu"], [undefined]).data
