"""Correlation on each system's stories apart."""

import streamlit as st

from core.figures.correlation import metric_names
from core.figures.correlation_subsets import by_system
from pages.ui.correlation_data import Found, of_metric, of_systems, system_limits
from pages.ui.correlation_rows import data_rows, starred
from pages.ui.exports import chart, table_with_downloads
from pages.ui.view import View


def systems(shown: View, whole: Found, metric: tuple[str, str], coefficient: str) -> None:
    """A dot a system for the chosen metric, and a table of all metrics.

    `whole`: all stories; their interval is worked out for the chosen metric alone.
    """
    names = sorted(set(shown.table.systems))
    if len(names) < 2:
        st.info("These stories are of one system, so there is nothing to tell apart.")
        return
    parts = of_systems(shown.key, shown.table, shown.seed, shown.resamples)
    called = dict(
        zip([(c.metric, c.signature) for c in shown.table.columns], metric_names(shown.table.columns), strict=True)
    )
    place = [(column.metric, column.signature) for column in shown.table.columns].index(metric)
    alone = of_metric(shown.key, place, shown.table, shown.seed, shown.resamples)
    mine = [*(one for one in parts if (one.metric, one.signature) == metric), alone]
    lines = system_limits(shown.key, coefficient, shown.table, shown.seed)
    chart(
        by_system(mine, coefficient, lines, called[metric]),
        key="by_system",
        alt="Correlation by system",
    )
    st.caption(
        "Filled: p < 0.01. Line: 95 % bootstrap interval by prompt. Stories of one system differ less in quality than "
        "those of all, which by itself lowers a correlation: compare with one human rater on the same stories."
    )
    rows = []
    for one in whole.rows:
        pair = (one.metric, one.signature)
        cells = {
            str(part.subset).removeprefix("system:") or "(no system)": starred(getattr(part.correlation, coefficient))
            for part in parts
            if (part.metric, part.signature) == pair
        }
        rows.append({"Metric": called[pair], "All": starred(getattr(one.correlation, coefficient)), **cells})
    table_with_downloads(
        rows, "Correlations by system", data_rows=data_rows(parts, [called[one.metric, one.signature] for one in parts])
    )
