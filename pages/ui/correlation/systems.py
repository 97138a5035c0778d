"""Correlation on each system's stories separately."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.analysis.verdict.few_stories import no_claim, only_claimed
from core.analysis.verdict.parts import prompts_behind, subset_results
from core.analysis.verdict.sentences import Basis
from core.analysis.verdict.subsets import SubsetResult, on_parts
from core.figures.correlation import AXES
from core.figures.correlation_subsets import WHOLE, by_system
from core.figures.data import figure_rows
from core.formats.results_csv import ResultRow
from core.statistics.correlation import MetricCorrelation
from core.statistics.groups import members
from pages.ui.correlation.rows import data_rows, latex_caption, starred
from pages.ui.shared.analysis.correlations import of_metric, of_systems, overall, system_limits
from pages.ui.shared.analysis.finding import agreement, say_of
from pages.ui.shared.analysis.metric_choice import choose_metric
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import mark_system, want_stories
from pages.ui.shared.tables.downloads import chart, table_with_downloads
from pages.ui.shared.tables.no_claim import with_no_claim
from pages.ui.shared.text import escaped


def systems(shown: View, coefficient: str) -> None:
    """A dot a system for the chosen metric, and a table of all metrics."""
    if len(set(shown.table.systems)) < 2:
        st.info(
            "These stories are of one system, so there is nothing to tell apart. Import stories of another, or choose "
            "more systems under *Filters and seed*."
        )
        return
    every = of_systems(shown.key, shown.table, shown.seed, shown.resamples)
    if all(part.correlation.undefined for part in every):
        reasons = "; ".join(dict.fromkeys(part.correlation.undefined or "" for part in every))
        st.info(f"No metric has a correlation on any system's stories: {escaped(reasons)}. Have more of them rated.")
        return
    agreed = not agreement(shown).disagree
    of_each = subset_results(shown.table, every, list(members(shown.table.systems).values()))
    of_parts = [result.prompts for results in of_each for result in results]
    parts, too_few = only_claimed(every, of_parts, agreed=agreed)
    metrics = len(shown.names)  # the rows of a system stand together, a metric each
    number = choose_metric(shown)
    mine = parts[number::metrics]
    if all(metric_correlation.correlation.undefined for metric_correlation in mine):
        st.info(
            f"No correlation of {escaped(shown.names[number])} on any system's stories: "
            f"{escaped(mine[0].correlation.undefined or '')}. Choose another metric."
        )
    else:
        alone = of_metric(shown.key, number, shown.table, shown.seed, shown.resamples)
        behind = prompts_behind(shown.table, shown.table.columns[number].values)
        (whole,), _ = only_claimed([alone], [behind], agreed=agreed)
        lines = system_limits(shown.key, coefficient, shown.table, shown.seed)
        drawn = partial(by_system, coefficient=coefficient, limits=lines, title=shown.names[number])
        _say(shown, number, [results[number] for results in of_each])
        sizes = {
            str(part.subset).removeprefix("system:"): (part.correlation.n, prompts)
            for part, prompts in zip(mine, of_parts[number::metrics], strict=True)
        } | {WHOLE: (alone.correlation.n, behind)}

        def data() -> list[ResultRow]:
            raw = figure_rows(drawn([*every[number::metrics], alone]))
            return with_no_claim(raw, [no_claim(*sizes[str(row["y"])], agreed=agreed) for row in raw])

        chart(
            drawn([*mine, whole]),
            key="by_system",
            alt="Correlation by system",
            data_rows=data,
            on_points=mark_system,
        )
        st.caption(
            "Line: 95 % interval, by prompt; filled where it does not hold 0. Stories of one system differ "
            "less in quality than those of all, which by itself lowers a correlation: compare with one human rater on "
            "the same stories. Press a dot, or a cell of the table, for the system's stories."
        )
    if too_few:
        st.caption(too_few)
    _table(shown, coefficient, every, parts, of_parts, too_few)


def _table(
    shown: View,
    coefficient: str,
    every: Sequence[MetricCorrelation],
    parts: Sequence[MetricCorrelation],
    prompts: Sequence[int],
    too_few: str,
) -> None:
    """A row a metric, a column a system. `every`, `parts`: of each system each metric, as they are, and as they are
    shown; `prompts`: of each one's stories; `too_few`: why some have no star.
    """
    agreed, metrics = not agreement(shown).disagree, len(shown.names)
    behind = [prompts_behind(shown.table, column.values) for column in shown.table.columns]
    rows = []
    everything, _ = only_claimed(overall(shown.key, shown.table, shown.seed, 0), behind, agreed=agreed)
    for place, (name, correlation) in enumerate(zip(shown.names, everything, strict=True)):
        cells = {
            str(part.subset).removeprefix("system:"): starred(getattr(part.correlation, coefficient))
            for part in parts[place::metrics]
        }
        rows.append({"Metric": name, "All": starred(getattr(correlation.correlation, coefficient)), **cells})
    systems = {str(part.subset).removeprefix("system:") for part in parts}
    table_with_downloads(
        rows,
        "Correlations by system",
        latex_caption(
            shown,
            f"{AXES[coefficient]} of each metric with the {shown.table.judgment}{shown.table.on}, on each system's "
            "stories apart",
            agreed=agreed,
            why=too_few,
        ),
        data_rows=data_rows(every, shown.names * (len(parts) // metrics), prompts, agreed=agreed),
        on_cell=lambda _row, column: want_stories(system=column if column in systems else ""),
    )


def _say(shown: View, number: int, mine: Sequence[SubsetResult]) -> None:
    """Whether the chosen metric agrees with people more on one system's stories than on another's."""
    if agreement(shown).disagree:
        return
    said = on_parts(mine, Basis.SYSTEMS)
    if said:
        say_of(shown.names[number], said[0].text)
