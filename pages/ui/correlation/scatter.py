"""One metric against people, story by story."""

from functools import partial

import numpy as np
import streamlit as st

from core.analysis.verdict.sentences import on_correlation
from core.figures.scatter import scatter, scatter_rows
from pages.ui.shared.analysis.correlations import overall
from pages.ui.shared.analysis.finding import agreement, verdict
from pages.ui.shared.analysis.metric_choice import choose_metric
from pages.ui.shared.analysis.view import View
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.text import escaped


def scatter_plot(shown: View, coefficient: str) -> None:
    """Score against mean rating, one point per story."""
    number = choose_metric(shown)
    correlation = overall(shown.key, shown.table, shown.seed, shown.resamples)[number].correlation
    if correlation.undefined:
        st.info(f"No plot of {escaped(shown.names[number])}: {escaped(correlation.undefined)}. Choose another metric.")
        return
    column = shown.table.columns[number]
    prompts = len({shown.table.prompts[place] for place in np.flatnonzero(np.isfinite(column.values)).tolist()})
    if not agreement(shown).disagree:  # else the page has said that nothing can be said
        said = on_correlation(correlation, prompts=prompts, draws=shown.resamples)[0].text
        verdict(f"**{escaped(shown.names[number])}**: {escaped(said[:1].lower() + said[1:])}")
    chart(
        scatter(shown.table, column, correlation, coefficient, seed=shown.seed),
        key="scatter",
        alt=f"{shown.names[number]} against the {shown.table.judgment}",
        data_rows=partial(scatter_rows, shown.table, column),
    )
    st.caption(
        "A point is a story; hover over it to read it and see its own numbers. "
        + (
            "The line is the least-squares fit."
            if coefficient == "pearson"
            else "The line joins the means of groups of stories with like scores: a rank coefficient asks "
            "whether it rises, not whether it is straight."
        )
        + " Raw scores: as the metric gives them, not rescaled over the stories; higher is better."
    )
