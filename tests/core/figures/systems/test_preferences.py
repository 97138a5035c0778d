"""Figures of preferences: order, groups, the penalty, names that want to be markup, a phone's width."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.preferences.metrics import judge_metrics
from core.analysis.preferences.ranking import Ranking, rank
from core.figures.data import figure_rows
from core.figures.style import original
from core.figures.systems.preferences import metric_accuracies, strengths, win_table
from core.scores import ScoreColumn, ScoreTable
from tests.core.analysis.preferences.judged import preferences, simulated
from tests.core.figures.correlation import EVIL

JUDGED = simulated(np.array([2.0, 2.0, 0.0, -2.0]), 1200, prompts=100)


def ranking() -> Ranking:
    return rank(JUDGED, resamples=100)


def test_the_strongest_is_on_top_and_groups_differ_by_mark_and_number() -> None:
    found = ranking()
    figure = strengths(found)
    assert len(figure.data) == len(found.groups) == 3
    assert figure.layout.yaxis.categoryarray[-1] == f"{found.rows[0].system}  <b>1</b>"
    assert len({trace.marker.symbol[0] for trace in figure.data}) == 3
    assert sum(shape.line.dash == "dot" for shape in figure.layout.shapes) == 2  # between the groups
    best = found.rows[0].strength
    rows = {row["y"]: row for row in figure_rows(figure)}
    top = rows[f"{found.rows[0].system}  <b>1</b>"]
    assert top["x"] == pytest.approx(best.value)
    drawn = figure.data[0]
    place = list(drawn.y).index(f"{found.rows[0].system}  <b>1</b>")
    assert drawn.x[place] + drawn.error_x.array[place] == pytest.approx(best.high)


def test_one_that_lost_everything_is_open() -> None:
    judged = preferences("abx", *[("a", "b", -1), ("b", "a", -1), ("a", "x", -1), ("x", "b", 1)] * 3)
    figure = strengths(rank(judged, resamples=20))
    symbols = {
        name[0]: symbol for trace in figure.data for name, symbol in zip(trace.y, trace.marker.symbol, strict=True)
    }
    assert symbols["x"].endswith("-open")
    assert not symbols["a"].endswith("-open")
    assert "a weak prior" in figure.layout.title.text.replace("<br>", " ")


def test_no_groups_no_words_of_them() -> None:
    figure = strengths(rank(preferences("ab", ("a", "b", -1), ("b", "a", -1), prompts=[0, 0])))
    assert "group" not in figure.layout.title.text
    assert set(figure.data[0].y) == {"a", "b"}


def test_nothing_to_draw_is_an_empty_figure() -> None:
    nothing = rank(preferences("ab"))
    assert figure_rows(strengths(nothing)) == []
    assert len(win_table(nothing).data[0].z) == 2


def test_win_table_has_its_numbers() -> None:
    found = ranking()
    heat, cells = win_table(found).data
    assert heat.z[0][1] == found.table[0][1].share.value
    assert heat.text[0][3] == f"{100 * found.table[0][3].share.value:.0f}"
    assert heat.text[0][0] == ""
    assert heat.z[2][3] + heat.z[3][2] == pytest.approx(1)
    first, second = (row.system for row in found.rows[:2])
    carried = {
        tuple(map(original, parts)): label for parts, label in zip(cells.customdata, cells.hovertext, strict=True)
    }
    assert carried[first, second].startswith(f"{first} against {second}: ")
    assert "n = " in carried[first, second]
    assert len(cells.x) == sum(
        bool(cell.judgments) for row in found.table for cell in row
    )  # nobody compared the others


def test_a_large_win_table_has_no_room_for_numbers() -> None:
    heat, _ = win_table(rank(simulated(np.zeros(21), 900, prompts=30), resamples=0)).data
    assert heat.text is None
    assert heat.texttemplate is None


def test_metrics_the_best_on_top_with_interval() -> None:
    keys = sorted({*JUDGED.first_story, *JUDGED.second_story})
    own = np.array([int(key[-2:]) for key in keys], dtype=np.float64)
    columns = [
        ScoreColumn(EVIL, "evil|v:1", own, {}),
        ScoreColumn("good", "good|v:1", -own, {}),
        ScoreColumn("none", "none|v:1", np.full(len(keys), np.nan), {}),
        ScoreColumn("noise", "noise|v:1", np.random.default_rng(0).normal(size=len(keys)), {}),
    ]
    nothing = ("",) * len(keys)
    table = ScoreTable(tuple(keys), nothing, nothing, nothing, np.full(len(keys), np.nan), tuple(columns))
    result = judge_metrics(JUDGED, table, resamples=50)
    figure = metric_accuracies(result)
    assert figure.data[0].y[-1] == "good"
    assert len(figure.data[0].y) == 3
    assert figure.data[0].marker.symbol == ("circle", "circle-open", "circle")  # noise may be guessing
    assert "<script" not in repr((figure.data[0].y, figure.data[0].hovertext))
    assert figure.data[0].customdata[0] == [EVIL]  # carried as plain text: it is what a press is told
    assert figure.data[0].x[-1] + figure.data[0].error_x.array[-1] == pytest.approx(result.rows[0].accuracy.high)
    assert len(figure_rows(figure)) == 3


def test_names_that_want_to_be_markup() -> None:
    judged = preferences("ab", *[("a", "b", -1), ("b", "a", -1)] * 3)
    named = rank(replace(judged, systems=(EVIL, "b")), resamples=20)
    for figure in (strengths(named), win_table(named)):
        assert "<script" not in figure.to_json()
