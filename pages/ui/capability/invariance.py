"""What moves metrics although it should not: changes of wording."""

from collections.abc import Sequence

import streamlit as st

from core.analysis.capability.results import ALL, Robustness
from core.figures.capability.dots import changes
from core.figures.capability.maps import robustness_map
from core.formats.results_csv import ResultRow
from core.perturb.test_sets.aspects import Test
from core.published import openmeva
from core.published.capability import invariance as published
from pages.ui.capability.discrimination import warn
from pages.ui.capability.result_rows import FORMATS, NOTES, printed_rows, robust_rows
from pages.ui.capability.view import CapabilityView, mark_cases, open_cases
from pages.ui.shared.analysis.finding import say_of
from pages.ui.shared.tables.downloads import chart, table_with_downloads
from pages.ui.shared.text import escaped, notice

TITLES = {ALL: "All", "human": "Human", "incoherent": "Incoherent"}


def invariance(shown: CapabilityView) -> None:
    """|r| of each metric under each change, how far scores move, and the table."""
    rows = shown.invariance
    if not rows:
        st.info(
            "These sets hold no stories whose wording alone was changed: they are of discrimination. Choose one of "
            "invariance, too."
        )
        return
    if (said := shown.on_best(Test.INVARIANCE)) is not None:
        say_of(next(iter(shown.columns)), said)
    kinds = [ALL, *sorted({row.of for row in rows} - {ALL})]
    drawn = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        of = st.segmented_control(
            "Originals",
            kinds,
            format_func=lambda kind: TITLES.get(kind, kind),
            default=ALL,
            required=True,
            key="originals",
            bind="query-params",
            help="Human stories, or stories that were made incoherent before their wording was changed.",
        )
        beside = st.toggle(
            "OpenMEVA's numbers below",
            value=True,
            key="papers",
            bind="query-params",
            help="Table 7 has human and incoherent originals apart; beside all of ours stand its human ones.",
        )
    warn(shown, shown.columns)
    present = {row.aspect for row in rows if row.of == of}
    wanted = "human" if of == ALL else of
    printed = tuple(item for item in published() if item.of == wanted and item.aspect in present) if beside else ()
    data = robust_rows(rows, shown.names)
    with drawn:
        chart(
            robustness_map(rows, of, printed),
            key="capability_minds",
            alt="|r| of each metric under each change of wording",
            data_rows=lambda: [*data, *printed_rows(printed, "Change")],
            on_points=mark_cases,
        )
    for reason, where in _undefined(shown, of).items():
        notice(f"Blank in {', '.join(where)}: {reason}.")
    st.caption(
        "|r| with 1 for an original and 0 for the same story in other words: the smaller, the more robust. A metric "
        "that is always the same would be perfectly robust, and useless: read it beside what it sees."
        + (
            f" Below: {escaped(openmeva.INVARIANCE.name)}, of {wanted} originals; other stories and other models, for "
            "orientation."
            if printed
            else ""
        )
    )
    _moved(rows, of, data)


def _moved(rows: Sequence[Robustness], of: str, data: Sequence[ResultRow]) -> None:
    """How far scores move, and the table."""
    chart(
        changes(rows, of),
        key="capability_changes",
        alt="Mean change of each metric's score",
        data_rows=lambda: data,
        on_points=mark_cases,
    )
    st.caption(
        "A change of −1 SD: the changed story scores lower than its original by one standard deviation of the metric's "
        "scores of these originals. Ups and downs hide in a mean: the table has the mean size of a change, too. Press "
        "a cell, a dot or a row for its cases: originals beside what was made of them."
    )
    table_with_downloads(
        data,
        "What metrics mind",
        formats=FORMATS,
        notes=NOTES,
        on_row=lambda row: open_cases(str(data[row]["Metric"]), str(data[row]["Change"])),
    )


def _undefined(shown: CapabilityView, of: str) -> dict[str, dict[str, None]]:
    result: dict[str, dict[str, None]] = {}
    for row in shown.invariance:
        if row.undefined and row.of == of and row.absolute is None:
            result.setdefault(row.undefined, {})[row.aspect] = None
    return result
