"""Figures of systems: order, ranks, intervals, names that want to be markup."""

import numpy as np
import pytest

from core.analysis.systems.endings import compare_endings
from core.analysis.systems.powered import powered_systems
from core.analysis.systems.ranking import Systems, compare_systems
from core.figures.data import figure_rows
from core.figures.systems.means import against_people, endings, ranking, ranking_by_metric, together
from tests.core.analysis.systems.ranking import random_table, table
from tests.core.figures.correlation import EVIL


def found(name: str = "system 0") -> Systems:
    asked, names, human, x = random_table()
    return compare_systems(table(asked, [name if text == "system 0" else text for text in names], human, x))


def test_the_best_system_is_on_top_with_its_rank() -> None:
    systems = found()
    figure = ranking(systems.rows, "mean rating")
    (trace,) = figure.data
    assert sorted(trace.x) == list(trace.x)  # plotly draws from the bottom
    assert trace.y[-1].startswith("system 3  <b>1")
    assert figure.layout.xaxis.title.text == "mean rating of the system's stories"
    best = next(row.human.mean for row in systems.rows if row.system == "system 3")
    assert trace.x[-1] + trace.error_x.array[-1] == pytest.approx(best.high)
    assert ranking_by_metric(systems.rows, 0, "bleu").layout.xaxis.title.text == "mean bleu (raw score)"


def test_metric_against_people() -> None:
    systems = found()
    figure = against_people(systems.rows, 0, "bleu", systems.correlations[0], "mean rating")
    leaders, trace = figure.data
    assert len(trace.x) == 4
    assert (leaders.line.dash, leaders.meta) == ("dot", "decoration")  # not to be read as intervals
    assert len(figure_rows(figure)) == 4
    assert {note.text for note in figure.layout.annotations} == {f"system {i}" for i in range(4)}
    assert f"r = {systems.correlations[0].pearson.value:.3f}" in figure.layout.title.text
    assert figure.layout.yaxis.title.text == "mean rating of the system's stories"


def test_names_of_close_points_do_not_overlap() -> None:
    asked, names, _, x = random_table()
    systems = compare_systems(table(asked, names, np.tile([1.0, 1.001, 1.002, 3.0], 12), x))
    figure = against_people(systems.rows, 0, "bleu", systems.correlations[0], "mean rating")
    places = sorted(note.y for note in figure.layout.annotations)
    assert np.diff(places).min() > 0.05 * (places[-1] - places[0])
    assert max(figure.data[1].x) < min(note.x for note in figure.layout.annotations)


def test_a_long_name_is_cut_beside_its_point_and_whole_in_the_hover() -> None:
    name = "x" * 80
    systems = found(name)
    figure = against_people(systems.rows, 0, "bleu", systems.correlations[0], "mean rating")
    assert "x" * 21 + "…" in {note.text for note in figure.layout.annotations}
    assert any(name in sentence for sentence in figure.data[1].hovertext)


def test_unrated_systems_are_left_out() -> None:
    asked, names, human, x = random_table()
    nothing = compare_systems(table(asked, names, np.where(np.array(names) == "system 1", np.nan, human), x))
    assert len(ranking(nothing.rows, "mean rating").data[0].y) == 3
    assert len(against_people(nothing.rows, 0, "x", nothing.correlations[0], "mean rating").data[1].x) == 3


def test_endings_against_the_first() -> None:
    figure = endings(compare_endings([1, 2, 1, 4], ["a", "b", "a", "b"], ["x", "x", "y", "y"]), "bleu")
    assert list(figure.data[0].x) == [2]
    assert figure.layout.title.text.split("<br>")[0] == "bleu: difference to a"
    assert figure.layout.xaxis.title.text == "difference in mean bleu, same prompts"


def test_no_name_becomes_markup() -> None:
    systems = found(EVIL)
    figures = [
        ranking(systems.rows, "mean rating"),
        ranking_by_metric(systems.rows, 0, EVIL),
        against_people(systems.rows, 0, EVIL, systems.correlations[0], "mean rating"),
        endings(compare_endings([1, 2], [EVIL, "b"], ["x", "x"]), EVIL),
    ]
    for figure in figures:
        assert "<script" not in figure.to_json()
        assert "<b>bold" not in figure.to_json()


def test_people_alone_and_with_the_metric_stand_side_by_side() -> None:
    asked, names, human, x = random_table(60)
    human = np.where(np.arange(len(human)) < 100, human, np.nan)
    names = [EVIL if text == "system 0" else text for text in names]
    systems = powered_systems(table(asked, names, human, x), 0)
    figure = together(systems, EVIL, "mean rating")
    alone, powered = figure.data
    assert (alone.name, alone.marker.symbol) == ("people alone", "circle")
    assert powered.marker.symbol == "diamond-open"
    assert sorted(alone.x) == list(alone.x)  # plotly draws from the bottom
    best = next(row.mean for row in systems if row.system == "system 3")
    assert best.powered is not None
    assert powered.x[-1] == best.powered.value
    assert powered.x[-1] + powered.error_x.array[-1] == pytest.approx(best.powered.high)
    assert (np.array(alone.y) > np.array(powered.y)).all()
    assert "<" not in powered.name
    assert all("<" not in text for text in figure.layout.yaxis.ticktext)
    assert [row["y"] for row in figure_rows(figure)][-1] == "system 3"
