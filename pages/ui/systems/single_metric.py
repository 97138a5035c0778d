"""Systems by one metric: its means against people's, and its ranking."""

from functools import partial

import streamlit as st

from core.analysis.systems.ranking import Systems
from core.figures.scatter import unit
from core.figures.style import side_by_side
from core.figures.systems.means import against_people, ranking_by_metric
from core.scores import ScoreColumn
from pages.ui.shared.stories.wanted_stories import mark_system, want_system
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import decimals, table
from pages.ui.shared.text import escaped


def metric_section(systems: Systems, column: ScoreColumn, name: str, number: int, judgment: str) -> None:
    """The two plots side by side, or its ranking alone where there is no correlation with people."""
    correlation = systems.correlations[number]
    if not any(row.metrics[number].n for row in systems.rows):
        st.info(f"None of these stories has a score of {escaped(name)}. Choose another metric, or score them.")
        return
    places = st.columns(1 if correlation.undefined else 2)
    by_metric = ranking_by_metric(systems.rows, number, name, unit(column))
    if not correlation.undefined:
        against = against_people(systems.rows, number, name, correlation, judgment, unit(column))
        side_by_side(against, by_metric)
        with places[0]:
            chart(
                against,
                key="against",
                alt=f"Means of the systems: {name} against people",
                on_points=mark_system,
            )
    with places[-1]:
        chart(
            by_metric,
            key="by_metric",
            alt=f"Systems by {name}",
            on_points=mark_system,
        )
    st.caption("Press a dot or a row for the system's stories.")
    if correlation.undefined:
        st.caption(f"No plot against people: {escaped(correlation.undefined)}.")
    order = sorted(systems.rows, key=lambda row: (row.metrics[number].rank.value or len(systems.rows) + 1, row.system))
    table(
        "Systems by the metric",
        [
            {
                "System": row.system,
                "Scored": row.metrics[number].n,
                f"Mean {name}": row.metrics[number].mean,
                "Rank": row.metrics[number].rank,
                "Rank by people": row.human.rank,
            }
            for row in order
        ],
        {"Rank": "%g", "Rank by people": "%g", f"Mean {name}": decimals(row.metrics[number].mean for row in order)},
        on_row=partial(want_system, [row.system for row in order]),
    )
