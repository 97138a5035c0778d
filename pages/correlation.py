"""Correlation: how far each metric agrees with people. Follows scores and ratings as they arrive."""

from dataclasses import replace

import streamlit as st

from core.analysis.correlation import MetricCorrelation, correlate_table
from core.errors import FabulaError
from core.figures.correlation import bars, metric_names, scatter
from core.people import Role
from core.scores import ScoreTable
from db import ratings, tables
from pages.ui.study import choose
from pages.ui.text import problem
from pages.ui.viewer import require

require(Role.RESEARCHER)
POLL_SECONDS = 3.0
COEFFICIENTS = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ"}
CHART = {"toImageButtonOptions": {"format": "svg"}, "displaylogo": False}

st.title("Correlation")
summary = choose()
study = summary.study
with st.popover("Sample and seed", icon=":material/info:"):
    seed = int(st.number_input("Seed of the bootstrap", 0, 2**31, 0))
    resamples = st.select_slider("Bootstrap draws", [200, 500, 1000, 2000], 1000)
    st.caption(
        "Systems' stories with at least one valid rating; controls and references are left out. Intervals draw whole "
        "prompts. p takes stories as independent, as the papers do; p by prompt does not."
    )


def _rank(one: MetricCorrelation) -> float:
    value = one.correlation.pearson.value
    return 2.0 if value is None else -value  # undefined ones last


@st.cache_data(max_entries=8, show_spinner="Correlating")
def computed(
    study_id: int, version: str, seed: int, resamples: int
) -> tuple[ScoreTable, tuple[MetricCorrelation, ...]]:
    """Table and correlations of this state of the data, the best metric first."""
    table = tables.table(study_id)
    found = correlate_table(table, seed=seed, resamples=resamples)
    order = sorted(range(len(found)), key=lambda i: _rank(found[i]))
    return replace(table, columns=tuple(table.columns[i] for i in order)), tuple(found[i] for i in order)


def as_rows(found: tuple[MetricCorrelation, ...], chosen: str) -> list[dict[str, object]]:
    """The table on the page, and its download: all coefficients, interval and p of the chosen one."""
    rows = []
    for one, shown in zip(found, metric_names(found), strict=True):
        row: dict[str, object] = {"Metric": shown, "n": one.correlation.n}
        for name, title in COEFFICIENTS.items():
            c = getattr(one.correlation, name)
            row[title] = "–" if c.value is None else f"{c.value:.4f}{'*' if c.starred else ''}"
        c = getattr(one.correlation, chosen)
        symbol = COEFFICIENTS[chosen].split()[-1]
        row[f"95 % of {symbol}"] = "–" if c.low is None else f"{c.low:.3f} to {c.high:.3f}"
        row[f"p of {symbol}"] = "–" if c.p is None else f"{c.p:.2g}"
        row[f"p of {symbol} by prompt"] = "–" if c.p_cluster is None else f"{c.p_cluster:.2g}"
        row["Signature"] = one.signature
        row["Undefined"] = one.correlation.undefined or ""
        rows.append(row)
    return rows


@st.fragment(run_every=POLL_SECONDS)
def live() -> None:
    """Recomputed when scores or ratings have changed, and only then."""
    require(Role.RESEARCHER)  # it runs by itself for as long as the page is open
    try:
        table, found = computed(study.id, ratings.version(study.id), seed, resamples)
    except FabulaError as error:
        problem(str(error))
        return
    if not found:
        st.info("This study has no scores yet.")
        st.page_link("score.py", label="Run a metric", icon=":material/speed:")
        return
    if all(one.correlation.n == 0 for one in found):
        st.info("No story has both a score and a valid rating yet. This page fills as annotators hand in panels.")
    chosen = st.segmented_control(
        "Coefficient", list(COEFFICIENTS), format_func=COEFFICIENTS.__getitem__, default="pearson", required=True
    )
    st.plotly_chart(bars(found, chosen), config=CHART, key="bars", alt="Correlation of each metric with people")
    st.caption("With the mean rating. Line: 95 % bootstrap interval by prompt. Blue: p < 0.01.")
    st.dataframe(
        as_rows(found, chosen),
        hide_index=True,
        alt="Correlations",
    )
    st.caption("\\* p < 0.01")
    names = [(one.metric, one.signature) for one in found]
    # Known by name, not by rank: a choice must not jump when another metric overtakes it.
    shown = dict(zip(names, metric_names(found), strict=True))
    chosen_metric = st.selectbox(
        "Metric against people",
        names,
        format_func=lambda name: f"{shown.get(name, name[0])} · {name[1]}",
        key=f"metric-{study.id}",
    )
    index = names.index(chosen_metric)
    column, one = table.columns[index], found[index]
    if one.correlation.undefined:
        st.caption(f"Undefined: {one.correlation.undefined}.")
    else:
        figure = scatter(table, column, one.correlation, chosen)
        st.plotly_chart(figure, config=CHART, key="scatter", alt=f"{one.metric} against the mean rating")


live()
