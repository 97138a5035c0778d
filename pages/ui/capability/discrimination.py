"""The heat map of what metrics see, and every figure behind it."""

from collections.abc import Iterable

import streamlit as st

from core.analysis.capability.results import Seen
from core.figures.capability.maps import FIGURES, heat_map
from core.perturb.test_sets.aspects import Test, test_of
from core.perturb.test_sets.grammar import NONE, shares_model
from core.published import openmeva
from core.published.capability import Printed, discrimination
from pages.ui.capability.result_rows import FORMATS, NOTES, printed_rows, seen_rows
from pages.ui.capability.view import ALL_CASES, CapabilityView, mark_cases, open_cases
from pages.ui.shared.analysis.finding import say_of
from pages.ui.shared.tables.downloads import chart, table_with_downloads
from pages.ui.shared.text import escaped, notice

EXPLAINED = """
- **Pearson's r**, of the score with 1 for a coherent story and 0 for a changed one, as in OpenMEVA's Table 6: 0 sees
  nothing. How far apart scores lie matters, and so does how many stories stand on either side: r of two aspects do not
  compare.
- **AUC**: how often a coherent story scores above a changed one, ties half. 0.5 sees nothing. Numbers on either side do
  not matter.
- **Share in order**: of the changed stories that score below *their own original*, ties half. 0.5 sees nothing. Stories
  differ more from each other than from what was made of them: this is the fairest figure of whether a change is seen.
"""


def seen(shown: CapabilityView) -> None:
    """One cell per metric and aspect, what the papers have beside it, and the table."""
    rows = [row for row in shown.rows if test_of(row.aspect) is Test.DISCRIMINATION]
    if not rows:
        st.info(
            "These sets hold no stories that were made incoherent: they are of invariance alone. Choose one of "
            "discrimination, too, or look at *What they mind*."
        )
        return
    if (said := shown.on_best(Test.DISCRIMINATION)) is not None:
        say_of(next(iter(shown.columns)), said)
    drawn = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        figure = st.segmented_control(
            "Figure",
            list(FIGURES),
            format_func=lambda key: FIGURES[key].title,
            default="pearson",
            required=True,
            key="figure",
            bind="query-params",
        )
        beside = st.toggle(
            "OpenMEVA's numbers below",
            value=True,
            key="papers",
            bind="query-params",
            disabled=figure != "pearson",
            help="Table 6 has Pearson's r only. Other cases, other models: for orientation.",
        )
    warn(shown, shown.columns)
    printed = _printed(rows) if beside and figure == "pearson" else ()
    data = seen_rows(rows, shown.names)
    with drawn:
        chart(
            heat_map(rows, figure, printed),
            key="capability_seen",
            alt=f"{FIGURES[figure].title} of each metric in each aspect",
            data_rows=lambda: [*data, *printed_rows(printed, "Aspect")],
            on_points=mark_cases,
        )
    _below(rows, figure, bool(printed))
    table_with_downloads(
        data,
        "What metrics see",
        formats=FORMATS,
        notes=NOTES,
        on_row=lambda row: open_cases(str(data[row]["Metric"]), str(data[row]["Aspect"])),
    )
    with st.expander("What each figure says"):
        st.markdown(EXPLAINED)


def warn(shown: CapabilityView, names: Iterable[str]) -> None:
    """Say where figures of these metrics are partly the filter's own doing."""
    asked = {str(test_set.about.get("made_with", {}).get("filter", "")) for test_set in shown.tests.sets} - {NONE}
    own = [name for name in names if any(shares_model(shown.columns[name].signature, text) for text in asked)]
    if own and shown.filtered and shown.tests.changed[1]:
        st.warning(
            "The grammaticality filter asks a classifier that reads with the same model as "
            f"{escaped(', '.join(own))}: filtered figures may be partly the filter's own doing. For these choose "
            f"*{ALL_CASES}* above.",
            icon=":material/rule:",
        )


def _printed(rows: list[Seen]) -> tuple[Printed, ...]:
    present = {row.aspect for row in rows}
    return tuple(printed for printed in discrimination() if printed.aspect in present)


def _below(rows: list[Seen], figure: str, papers: bool) -> None:
    reasons: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.undefined and FIGURES[figure].pick(row).value is None:
            reasons.setdefault(row.undefined, {})[row.aspect] = None
    for reason, aspects in reasons.items():
        notice(f"Blank in {', '.join(aspects)}: {reason}.")
    st.caption(
        "Point at a cell for its interval and its numbers of stories; the table below has them all. Press a cell or a "
        "row for its cases: originals beside what was made of them. Metrics stand by their mean r over the aspects of "
        "all cases, whichever are shown."
        + (
            f" Below: {escaped(openmeva.DISCRIMINATION.name)}, on ROCStories and WritingPrompts, PPL by GPT-2, (P) as "
            "it comes or (F) fine-tuned. Other stories, other changes and other models: for orientation, not to be "
            "compared digit by digit."
            if papers
            else ""
        )
    )
