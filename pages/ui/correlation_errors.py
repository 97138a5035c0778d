"""Correlation by error type, in either paper's definition."""

import streamlit as st

from core.analysis.subsets import DEFINITIONS, error_sets, usual
from core.figures.correlation import metric_names
from core.figures.correlation_subsets import by_error_type
from pages.ui.correlation_data import of_types, type_limits
from pages.ui.correlation_rows import data_rows, starred
from pages.ui.exports import chart, table_with_downloads
from pages.ui.text import escaped
from pages.ui.view import View

NAMES = {"mans": "OpenMEVA's", "union": "UNION's"}


def error_types(shown: View, coefficient: str) -> None:
    """How far each metric tells the reasonable stories from those of each error type."""
    scheme = shown.study.scheme
    if not any(votes.any() for votes in shown.table.votes.values()):
        st.info("No rating of these stories names an error type, so there are no sets to correlate on.")
        return
    scale = (scheme.lowest, scheme.highest)
    name = st.segmented_control(
        "Definition of the sets",
        list(DEFINITIONS),
        format_func=NAMES.__getitem__,
        default=usual(scale).name,
        required=True,
        key="definition",
        bind="query-params",
    )
    definition = DEFINITIONS[name]
    sets = error_sets(shown.table, definition, scale)
    found = of_types(shown.key, name, scale, shown.table, shown.seed, shown.resamples)
    st.caption(f"{definition.source}. {definition.words}")
    st.caption(
        f"{len(sets[0].reasonable):,} reasonable stories; "
        + ", ".join(f"{escaped(one.error_type)} {len(one.unreasonable):,}" for one in sets)
        + ". A story may be too little faulted for a set, or be faulted for more than one type."
    )
    if all(one.correlation.pearson.value is None for one in found):
        st.info(f"No correlation is defined: {escaped(found[0].correlation.undefined or '')}.")
        return
    lines = type_limits(shown.key, name, scale, coefficient, shown.table, shown.seed)
    chart(by_error_type(found, coefficient, lines), key="by_type", alt="Correlations by error type")
    st.caption(
        "Filled: p < 0.01. Line: 95 % bootstrap interval by prompt; of a set of a few stories it says little. "
        + ("" if definition.labels else "One human rater and the ceiling are those of the same stories.")
    )
    called = metric_names(shown.table.columns)
    rows = []
    for number, metric in enumerate(called):
        mine = found[number :: len(called)]
        cells = {str(one.subset).removeprefix("error:"): starred(getattr(one.correlation, coefficient)) for one in mine}
        rows.append({"Metric": metric, **cells})
    table_with_downloads(rows, "Correlations by error type", data_rows=data_rows(found, called * len(sets)))
