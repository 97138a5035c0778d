"""Correlation by error type, in either paper's definition."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.analysis.correlation.limits import Limits
from core.analysis.correlation.subsets import DEFINITIONS, definition_for, error_sets
from core.analysis.verdict.few_stories import only_claimed
from core.analysis.verdict.openings import on_types
from core.analysis.verdict.parts import subset_results
from core.figures.correlation import AXES
from core.figures.correlation_subsets import by_error_type
from core.statistics.correlation import MetricCorrelation
from pages.ui.correlation.rows import data_rows, latex_caption, starred
from pages.ui.shared.analysis.correlations import of_types, type_limits
from pages.ui.shared.analysis.finding import agreement, say
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import mark_error_type, want_stories
from pages.ui.shared.tables.downloads import chart, table_with_downloads
from pages.ui.shared.text import escaped

NAMES = {"mans": "OpenMEVA's", "union": "UNION's"}
KEY = "definition"
CHOSEN_FOR = "definition_for"
"""Which definition was the usual one where one was chosen."""


def _chosen_definition(scale: tuple[int, int]) -> str:
    """The name of the definition that the viewer chose; a study of another scheme begins with its usual one."""
    usually = definition_for(scale).name
    if st.session_state.get(CHOSEN_FOR, usually) != usually:  # for a study of another scheme
        st.session_state[KEY] = usually
    st.session_state[CHOSEN_FOR] = usually
    return str(
        st.segmented_control(
            "Definition of the sets",
            list(DEFINITIONS),
            format_func=NAMES.__getitem__,
            default=usually,
            required=True,
            key=KEY,
            bind="query-params",
            persist_state="session",
        )
    )


def error_types(shown: View, coefficient: str) -> None:
    """How far each metric tells the reasonable stories from those of each error type."""
    scheme = shown.scheme
    if not any(votes.any() for votes in shown.table.votes.values()):
        st.info(
            "No rating of these stories names an error type, so there are no sets to correlate on. It takes a study "
            "whose scheme has error types, or a file of ratings that names them."
        )
        return
    scale = (scheme.lowest, scheme.highest)
    opening, choice = st.container(), st.container()
    with choice:
        name = _chosen_definition(scale)
    definition = DEFINITIONS[name]
    sets = error_sets(shown.table, definition, scale)
    correlations = of_types(shown.key, name, scale, shown.table, shown.seed, shown.resamples)
    with choice:
        st.caption(f"{definition.source}. {definition.words}")
        st.caption(
            f"{len(sets[0].reasonable):,} reasonable stories; "
            + ", ".join(f"{escaped(error_set.error_type)} {len(error_set.unreasonable):,}" for error_set in sets)
            + ". A story may be too little faulted for a set, or be faulted for more than one type."
        )
    if all(correlation.correlation.pearson.value is None for correlation in correlations):
        reasons = dict.fromkeys(correlation.correlation.undefined or "" for correlation in correlations)
        st.info(
            f"No correlation by error type: {escaped('; '.join(reasons))}. Choose the other definition, or have more "
            "stories rated."
        )
        return
    lines = type_limits(shown.key, name, scale, coefficient, shown.table, shown.seed)
    called = shown.names
    parts = subset_results(shown.table, correlations, [error_set.rows for error_set in sets])
    agreed = not agreement(shown).disagree
    behind = [result.prompts for part in parts for result in part]
    data = data_rows(correlations, called * len(sets), behind, agreed=agreed)
    printed, too_few = only_claimed(correlations, behind, agreed=agreed)
    with opening:
        say(shown, on_types({one.error_type: part for one, part in zip(sets, parts, strict=True)}))
        chart(
            by_error_type(printed, coefficient, lines),
            key="by_type",
            alt="Correlations by error type",
            data_rows=lambda: [*data, *_people(lines, AXES[coefficient])],
            on_points=mark_error_type,
        )
    st.caption(_how_to_read(labels=definition.labels, too_few=too_few))
    judgment = (
        "1 for reasonable stories and 0 for those of a type"
        if definition.labels
        else f"the mean rating{shown.table.on}"
    )
    what = f"{AXES[coefficient]} of each metric with {judgment}, by error type as in {definition.source}"
    types = {error_set.error_type for error_set in sets}
    table_with_downloads(
        _table_rows(printed, called, coefficient),
        "Correlations by error type",
        latex_caption(shown, what, agreed=agreed, why=too_few),
        data_rows=data,
        on_cell=lambda _row, column: want_stories(error_type=column if column in types else ""),
    )


def _how_to_read(*, labels: bool, too_few: str) -> str:
    """What the figure and the table show. `too_few`: why some have neither p nor interval."""
    return (
        "Line: 95 % interval, by prompt; filled where it does not hold 0. "
        + (
            "One human rater and the ceiling are left out: metrics are correlated with 1 and 0 here, which nobody gave."
            if labels
            else "One human rater and the ceiling are those of the same stories."
        )
        + (f" {too_few}" if too_few else "")
        + " Press a dot, or a cell of the table, for all stories that anybody gave the type, the set's among them."
    )


def _table_rows(
    correlations: Sequence[MetricCorrelation], metrics: Sequence[str], coefficient: str
) -> list[dict[str, str]]:
    """A row a metric with one column per error type, where any metric has a correlation."""
    defined = {correlation.subset for correlation in correlations if correlation.correlation.pearson.value is not None}
    rows = []
    for number, metric in enumerate(metrics):
        cells = {
            str(correlation.subset).removeprefix("error:"): starred(getattr(correlation.correlation, coefficient))
            for correlation in correlations[number :: len(metrics)]
            if correlation.subset in defined
        }
        rows.append({"Metric": metric, **cells})
    return rows


def _people(lines: Mapping[str, Limits], axis: str) -> list[dict[str, object]]:
    """The figure's rows that are not of a metric."""
    return [
        {"metric": name, "subset": subset, axis: value}
        for subset, line in lines.items()
        for name, value in (("one human rater", line.one_rater), ("ceiling", line.ceiling))
        if value is not None
    ]
