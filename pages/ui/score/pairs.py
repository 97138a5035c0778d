"""One metric's scores, two sets of scores side by side, and every metric against every other."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.correlation.metric_order import best_first
from core.analysis.correlation.metrics import MetricMatrix, compare_columns, metric_matrix
from core.analysis.stories.disagreement import disagreements
from core.figures.correlation import AXES, metric_names
from core.figures.scores import BINS, against, both_rows, distribution, in_bar, matrix
from core.figures.style import number as written
from core.scores import ScoreTable
from core.stored_texts import strings_at
from core.wording import real_minus
from pages.ui.components.scrolled import scrolled
from pages.ui.shared.analysis.degenerate_stories import BEGINNING
from pages.ui.shared.analysis.pressed_part import BAR, BETWEEN, mark_part, part_stories
from pages.ui.shared.analysis.set_choices import set_choices
from pages.ui.shared.stories.story_drawer import open_row, open_story
from pages.ui.shared.stories.wanted_stories import FIRST, PRESSES, SECOND, TAB, TWO_METRICS, carried, note_pair
from pages.ui.shared.tables.downloads import chart, pressable_table
from pages.ui.shared.text import escaped

PAIR, APART = "pair-choice", "pair-apart"
"""The keys of the two boxes, and of all that answers where the two disagree."""


def single(study_id: int, table: ScoreTable) -> None:
    """Two sets of scores side by side, of two metrics or of two signatures of one, and the first one's distribution.
    Begins with the two that agree best with people.
    """
    table = best_first(table)
    names = metric_names(table.columns)
    asked = st.container(key=APART)
    heading = asked.container()
    with asked.container(horizontal=True, key=PAIR):
        first = names.index(_box("Metric", names, FIRST))
        chosen = table.columns[first]
        others = sorted(
            (i for i in range(len(names)) if i != first), key=lambda i: table.columns[i].metric != chosen.metric
        )
        if others:
            offered = [names[i] for i in others]
            second = names.index(
                _box("Compared with", offered, SECOND, "Other signatures of the same metric come first.")
            )
    if others:
        if chosen.metric != table.columns[second].metric:
            with asked:
                _disagreements(table, first, second, heading)
        _compared(table, first, second)
    chart(
        distribution(chosen, names[first]),
        key="distribution",
        alt=f"Distribution of {names[first]}",
        on_points=partial(mark_part, BAR),
    )
    st.caption("Press a bar for its stories.")
    _bar(study_id, table, first)
    if not others:
        st.caption("Run a second metric, or this one with another option, and the two can be compared here.")
    scrolled(str(st.session_state.get(PRESSES, 0)), to=APART)


def _bar(study_id: int, table: ScoreTable, chosen: int) -> None:
    """The stories of the bar that the address names, where it is one of this metric's."""
    column, name = table.columns[chosen], metric_names(table.columns)[chosen]
    bars = {f"{name}{BETWEEN}{bar}": bar for bar in range(BINS)}
    bar = bars.get(st.query_params.get(BAR, ""))
    if bar is None:
        return
    places, low, high = in_bar(column, bar)
    said = f"{escaped(name)} from {written(low, '.4g')} to {written(high, '.4g')}"
    values = {"Score": column.values[places].tolist(), "People": table.human[places].tolist()}
    part_stories(study_id, table, said, "Stories of the bar", places.tolist(), values)


def _compared(table: ScoreTable, first: int, second: int) -> None:
    """How far two sets of scores go together; by their places in the table."""
    names = metric_names(table.columns)
    chosen, other = table.columns[first], table.columns[second]
    comparison = compare_columns(chosen, other)
    chart(
        against(chosen, other, (names[first], names[second]), table.keys),
        key="against",
        alt="Two sets of scores",
        data_rows=partial(both_rows, chosen, other, table.keys),
        on_points=_mark_story,
    )
    st.caption("Press a point to read its story, with both ranks.")
    st.caption(f"Signatures: {escaped(chosen.signature)}; {escaped(other.signature)}")
    cells = {
        "Stories with both": f"{comparison.n:,}",
        "Pearson's r": _number(comparison.pearson),
        "Spearman's ρ": _number(comparison.spearman),
    }
    same = chosen.metric == other.metric  # numbers of two metrics are on scales of their own
    if same:
        cells["Greatest difference"] = _number(comparison.largest_difference)
    with st.container(horizontal=True, gap="medium"):  # beside an open story there is room for two in a line
        for label, value in cells.items():
            st.metric(label, value, width="content")
    if same:
        st.caption(f"The second less the first is {_number(comparison.mean_difference)} on average.")
    st.caption(f"Scored only in the first: {comparison.only_first:,}; only in the second: {comparison.only_second:,}.")


def _box(label: str, names: Sequence[str], key: str, help: str | None = None) -> str:
    """A box over metrics that the address keeps; another study may not have the one that was chosen before."""
    if key in st.session_state and st.session_state[key] not in names:
        st.session_state[key] = names[0]  # deleted, it would come back from the address
    return str(st.selectbox(label, names, key=key, bind="query-params", persist_state="page", help=help))


def _mark_story(points: list[dict[str, Any]]) -> None:
    for key in carried(points)[:1]:
        open_story(key, ())


def _people(table: ScoreTable) -> str:
    """Of which criterion people's rank is, where there are several."""
    return escaped(f"People: their {table.judgment}{table.on}.") + " " if table.on else ""


def _disagreements(table: ScoreTable, first: int, second: int, heading: DeltaGenerator) -> None:
    """The stories on which two metrics part most, each a press from its text, under what was asked for elsewhere."""
    names = metric_names(table.columns)
    found = disagreements(table, first, second)
    if not found:
        return
    heading.subheader(f"Stories on which {escaped(names[first])} and {escaped(names[second])} disagree most")
    places = np.array([one.place for one in found], dtype=np.intp)
    keys, texts = list(strings_at(table.keys, places)), strings_at(table.texts, places)
    rows = [
        {
            "Story": key,
            f"Rank by {names[first]}": one.ranks[0],
            f"Rank by {names[second]}": one.ranks[1],
            "Ranks apart": abs(one.ranks[0] - one.ranks[1]),
            "Rank by people": one.people,
            "System": table.systems[one.place],
            "Text": text[:BEGINNING],
        }
        for one, key, text in zip(found, keys, texts, strict=True)
    ]
    pressable_table(
        rows,
        "pair-disagreements",
        lambda row, _column: open_row(keys, row),
        alt="Stories on which two metrics disagree",
        column_config={name: st.column_config.NumberColumn(format="%g") for name in rows[0] if name.startswith("Rank")},
    )
    st.caption(
        f"Of the {found[0].among:,} stories that both score, those whose two ranks lie furthest apart; 1 is the best. "
        f"{_people(table)}"
        "Press a row to read the story and why the two disagree about it."
    )


def _number(value: float | None) -> str:
    return "–" if value is None else real_minus(f"{value:.4f}")


@st.cache_data(max_entries=8, show_spinner=False)
def _matrix(study_id: int, version: str, coefficient: str, _table: ScoreTable) -> MetricMatrix:
    del study_id, version  # what the result is kept under
    return metric_matrix(_table, coefficient)


def metric_pairs(study_id: int, version: str, table: ScoreTable) -> None:
    """Every metric against every other."""
    if len(table.columns) < 2:
        st.caption("Two metrics are needed to compare them with one another.")
        return
    coefficient = st.segmented_control(
        "Coefficient",
        list(AXES),
        format_func=AXES.__getitem__,
        default="pearson",
        required=True,
        key="between",
        bind="query-params",
    )
    chart(
        matrix(_matrix(study_id, version, coefficient, table), metric_names(table.columns)),
        key="matrix",
        alt="Agreement between metrics",
        on_points=_mark_pair,
    )
    st.caption(
        "Over the stories that both metrics score. Blue: they rank stories alike; orange: the other way round. Press a "
        "cell for the scores of the two, and the stories on which they disagree most."
    )


def _mark_pair(points: list[dict[str, Any]]) -> None:
    """Show the two metrics of the cell that was pressed; of one of the diagonal, the metric alone."""
    parts = carried(points)
    if parts:
        note_pair()
        set_choices(**{TAB: TWO_METRICS, **dict(zip((FIRST, SECOND), parts, strict=False))})
