"""System drift on the Drift page: OpenMEVA's Table 4."""

from typing import Any

import streamlit as st

from core.analysis.drift.subsets import SystemDrift, SystemDriftRow, system_drift
from core.analysis.verdict.parts import prompts_behind
from core.analysis.verdict.sentences import Basis
from core.analysis.verdict.subsets import SubsetResult, on_parts
from core.errors import InputError
from core.figures.drift import system_dots
from core.scores import ScoreTable
from core.statistics.groups import members
from pages.ui.drift.captions import lines_caption, nothing_drawn
from pages.ui.drift.trained_metrics import learnt, score_all
from pages.ui.shared.analysis.correlations import people
from pages.ui.shared.analysis.finding import agreement, say_of
from pages.ui.shared.analysis.page_frame import more_systems
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import carried, want_scatter, want_stories
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import notice


@st.cache_data(max_entries=8, show_spinner="Correlating system by system")
def computed(key: tuple[object, ...], _table: ScoreTable, seed: int, resamples: int) -> SystemDrift:
    """The result for this sample."""
    del key
    return system_drift(_table, resamples=resamples, seed=seed)


def system_section(shown: View, chosen: list[str]) -> None:
    """Dots with intervals, and the table; `chosen`: the metrics of the figure."""
    try:
        drift = computed(shown.key, shown.table, shown.seed, shown.resamples)
    except InputError as error:
        notice(f"{error} {more_systems(shown)}")
        return
    by_name = dict(zip(shown.names, drift.rows, strict=True))
    defined = {name: row for name, row in by_name.items() if any(value.value is not None for value in row.values)}
    if not defined:
        nothing_drawn("on any system's stories", [value for row in drift.rows for value in row.values])
        return
    drawn = {name: defined[name] for name in chosen if name in defined}
    for name, row in list(drawn.items())[:1]:
        _say(shown, name, row, drift)
    lines = people(shown.key, "pearson", shown.table, shown.seed)
    if drawn:
        chart(
            system_dots(drift, drawn, lines),
            key="drift-systems",
            alt="Correlation of each metric with people by system",
            on_points=_mark,
        )
        st.caption(
            "Each metric on each system's stories apart (OpenMEVA, Table 4). A metric that only tells good systems "
            "from bad ones agrees with people over all stories and within none. In brackets: rated stories. Line: 95 % "
            "interval, from draws of whole prompts."
            + lines_caption(lines, "one system")
            + " Press a dot, or a cell of the table, for the system's stories in the order of the metric's scores."
        )
    else:
        st.info("No chosen metric has a correlation on any system's stories. Choose others above; the table says why.")
    score_all([(shown.study.id, shown.study.name)])
    systems = {part.name for part in drift.systems}
    corpora = learnt([[row.signature] for row in by_name.values()])
    table(
        "Correlation by system",
        [
            {
                "Metric": name,
                "Trained on": message,
                **{part.name: value for part, value in zip(drift.systems, row.values, strict=True)},
                "All stories": row.all,
                "n by system": ", ".join(f"{n:,}" for n in row.n),
            }
            for (name, row), message in zip(by_name.items(), corpora, strict=True)
        ],
        on_cell=lambda row, column: _want(column if column in systems else "", list(by_name)[row]),
    )


def _mark(points: list[dict[str, Any]]) -> None:
    parts = carried(points)
    if parts:
        _want(*parts)


def _want(system: str, metric: str) -> None:
    """The stories of a system by the metric, or all of them in the metric's plot."""
    if system:
        want_stories(system, metric=metric)
    else:
        want_scatter(metric)


def _say(shown: View, name: str, row: SystemDriftRow, drift: SystemDrift) -> None:
    """Whether this metric agrees with people more on one system's stories than on another's."""
    if agreement(shown).disagree:
        return
    values, rows = shown.table.columns[shown.names.index(name)].values, members(shown.table.systems)
    parts = [
        SubsetResult(system.name, n, prompts_behind(shown.table, values, rows[system.name]), r)
        for system, n, r in zip(drift.systems, row.n, row.values, strict=True)
    ]
    said = on_parts(parts, Basis.SYSTEMS)
    if said:
        say_of(name, said[0].text)
