"""All metrics of the Difference page: R squared with its range over ties, and the four classes of pairs."""

from collections.abc import Collection, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.difference.differences import Convention, MetricDifference, closest_first
from core.analysis.difference.windows import plan
from core.analysis.verdict.closest_metric import beside_correlation, closest_metric, sees_few
from core.figures.difference import fits
from core.statistics.intervals import Estimate
from pages.ui.shared.analysis.finding import marked, verdict
from pages.ui.shared.analysis.metric_choice import mark_preferred, prefer_metric
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped

ABOUT = """
Stories are sorted by their ratings and cut into overlapping sets; for every pair of sets stands the difference that
people see (mean judgments) beside the one that the metric sees (mean scores). R² says how closely the second follows
the first.

- **The t-tests only describe these sets.** They overlap and are sorted on the outcome, so no p-value here says how
  sure a difference is, and no R² says how well the metric tells single stories apart: averaging over a set removes
  most of the noise of both.
- **Ties matter.** Many stories have the same rating, and which of them falls into which set is chance. The seed decides
  which order the plot below and its counts show; the figure has the median over orders and the range of 95 % of them.
  A metric whose range overlaps with another's is not better.
- **R² has no sign.** A metric that falls where ratings rise can have a high one; the slope shows it.
- **R² depends on the pairs.** Over all of them the line goes through the origin. The paper fits only the pairs right of
  zero, with an intercept, which gives less: compare printed numbers with that.
"""


OVER_TIES = "R²"
NOTES = {
    OVER_TIES: "The median over random orders of the stories with equal ratings",
    f"95 % of {OVER_TIES}": "The range that holds the middle 95 % of these orders; no interval for other stories",
    "R² of this order": "In the one order that the plot and the counts show",
    "Slope": "Points of the metric for a point of the rating",
}


def choose_convention(place: DeltaGenerator) -> Convention:
    """Which pairs R squared is of, asked at this place; the address keeps it."""
    return Convention(
        place.segmented_control(
            "Convention of R²",
            [convention.value for convention in Convention],
            default=Convention.PLANE.value,
            required=True,
            key="convention",
            bind="query-params",
            help="R² is how closely a straight line describes the pairs of sets: 1 is exactly, 0 not at all.\n\n"
            "**plane** takes every pair both ways round, so that a metric is given credit for scoring the better set "
            "higher. It is the usual choice here.\n\n"
            "**paper** takes each pair once, with the set that people rate higher first, and asks only whether larger "
            "differences to people are larger to the metric. It is lower (on OpenMEVA's ROC stories about .32 for "
            "BERTScore-F1, instead of .50). Choose it to compare with the numbers of OpenMEVA's Figure 2.",
        )
    )


def _of_fewer(differences: Sequence[MetricDifference], rated: int) -> str:
    """That metrics which score fewer stories have other sets, of which there may be more."""
    fewer = any(row.difference.undefined is None and row.difference.n < rated for row in differences)
    return " A metric that scores fewer has sets of its own stories, which may be more." if fewer else ""


def say_closest(names: list[str], differences: Sequence[MetricDifference], trained: Collection[str] = ()) -> None:
    """Which metric follows people's differences best. `trained`: those that saw stories of the study, which no sentence
    calls the best unless all did.
    """
    fair = [place for place, name in enumerate(names) if name not in trained] or range(len(names))
    fair_names, fair_ones = [names[place] for place in fair], [differences[place].difference for place in fair]
    closest = closest_metric(fair_names, fair_ones, marked)
    if closest is not None:
        few, other = sees_few(fair_names, fair_ones, marked), beside_correlation(fair_names, fair_ones, marked)
        verdict(" ".join(filter(None, (closest, few, other))))


def metrics_section(names: list[str], differences: Sequence[MetricDifference], rated: int, seed: int) -> DeltaGenerator:
    """A dot and one row per metric. Returns a place below the figure."""
    defined = [difference.difference for difference in differences if difference.difference.undefined is None]
    if defined:
        figure = fits(names, [difference.difference for difference in differences])
        chart(figure, key="fits", alt="R squared of each metric", on_points=mark_preferred)
        st.caption(
            f"Dot and line: median and middle 95 % of R² over {max(item.orders for item in defined)} orders of tied "
            "stories, each one possible. One more order is drawn for the table and for what follows. Press a dot, or a "
            "row of the table, for the metric's pairs of sets below."
        )
    below = st.container()
    if defined:
        unusual = [name for name, row in zip(names, differences, strict=True) if row.difference.unusual]
        if unusual:
            st.caption(
                f"The order that was drawn (seed {seed}) is an unusual one for {escaped(', '.join(unusual))}: its R² "
                "lies outside 95 % of orders, as it does once in twenty draws. The median does not depend on such luck."
            )
    st.caption(
        f"{plan(rated).words(rated)}{_of_fewer(differences, rated)} Tied stories stand in an order that is drawn (seed "
        f"{seed}). {_fitted(differences)}"
    )
    order = closest_first([row.difference for row in differences])
    rows = [_row(names[place], differences[place]) for place in order]
    table("Differences by metric", rows, {"Slope": "%.3g"}, NOTES, on_row=lambda row: prefer_metric(names[order[row]]))
    st.caption(
        "Both, people only, metric only, neither: who tells a pair of sets apart (t-tests, p < 0.01), as counts of "
        "ordered pairs. Opposed: both do, each the other way round."
    )
    with st.expander("What this can and cannot tell", icon=":material/help:"):
        st.markdown(ABOUT)
    return below


def _fitted(differences: Sequence[MetricDifference]) -> str:
    if any(row.difference.convention is Convention.PAPER for row in differences):
        return "R² of the pairs right of zero, with an intercept, as in the paper."
    return "R² of all pairs, through the origin."


def _row(name: str, row: MetricDifference) -> dict[str, object]:
    difference = row.difference
    counts = (difference.both, difference.opposed, difference.human_only, difference.metric_only, difference.neither)
    titles = ("Both", "Opposed", "People only", "Metric only", "Neither")
    return {
        "Metric": name,
        "n": difference.n,
        OVER_TIES: Estimate(difference.r2_median, difference.r2_low, difference.r2_high, difference.undefined),
        "R² of this order": difference.r2,
        "Slope": difference.slope,
        **dict(zip(titles, counts if difference.undefined is None else [None] * len(titles), strict=True)),
        "Sets": difference.plan.number,
        "Signature": row.signature,
    }
