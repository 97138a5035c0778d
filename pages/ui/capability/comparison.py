"""Two metrics on the same cases: which sees more, aspect by aspect."""

from functools import partial
from typing import Any

import streamlit as st

from core.analysis.capability.results import compare
from core.analysis.significance.tests import PairTest
from core.analysis.verdict.capability import on_two
from core.figures.capability.dots import differences
from core.formats.results_csv import ResultRow
from core.statistics.intervals import Estimate
from pages.ui.capability.discrimination import warn
from pages.ui.capability.view import CapabilityView, open_cases
from pages.ui.capability.worst_cases import choose
from pages.ui.shared.analysis.finding import verdict
from pages.ui.shared.stories.wanted_stories import carried
from pages.ui.shared.tables.downloads import chart, table_with_downloads
from pages.ui.shared.tables.written import P
from pages.ui.shared.text import escaped

FORMATS = dict.fromkeys(("p, permutation", "p, Holm"), P)


@st.cache_resource(max_entries=16, show_spinner="Comparing")
def _compared(key: tuple[object, ...], a: str, b: str, _shown: CapabilityView) -> dict[str, PairTest]:
    del key
    columns = _shown.columns
    return compare(
        _shown.tests.cases,
        columns[a],
        columns[b],
        seed=_shown.seed,
        resamples=_shown.resamples,
        filtered=_shown.filtered,
    )


def two_metrics(shown: CapabilityView) -> None:
    """Choose two; the difference of their r in each aspect, tested."""
    names = list(shown.columns)
    if len(names) < 2:
        st.info("A comparison needs the scores of two metrics: run another one on these sets.")
        return
    left, right = st.columns(2)
    a = choose("Metric", names, "metric", left)
    b = choose("Compared with", [name for name in names if name != a], "other", right)
    warn(shown, (a, b))
    tests = _compared(shown.key, a, b, shown)
    if said := on_two(a, b, tests):
        verdict(escaped(said))
    chart(
        differences(tests),
        key="capability_compared",
        alt=f"{a} against {b}, by aspect",
        on_points=partial(_mark, a),
    )
    table_with_downloads(
        [_row(aspect, test) for aspect, test in tests.items()],
        "Two metrics",
        formats=FORMATS,
        on_row=lambda row: open_cases(a, list(tests)[row]),
    )
    st.caption(
        "Pearson's r of the first less that of the second, over the examples that both score, with signs as they are: "
        "in changes of wording the metric with the smaller r is the one that minds less. Intervals are from draws of "
        "whole human stories; the permutation test swaps both metrics' scores of whole stories; Holm's correction is "
        "over the aspects. Press a dot or a row for the first metric's cases of the aspect."
    )


def _mark(metric: str, points: list[dict[str, Any]]) -> None:
    for aspect in carried(points)[:1]:
        open_cases(metric, aspect)


def _row(aspect: str, test: PairTest) -> ResultRow:
    return {
        "Aspect": aspect,
        "n": test.n,
        "A": test.a,
        "A's r": test.a_value,
        "B": test.b,
        "B's r": test.b_value,
        "Difference": Estimate(test.difference, test.low, test.high, test.undefined),
        "p, permutation": test.permutation_p,
        "p, Holm": test.p_holm,
        "Told apart": "yes" if test.separated else "no",
    }
