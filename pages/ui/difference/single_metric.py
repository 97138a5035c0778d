"""One metric of the Difference page: the four-colour plot, a sentence on it, its points as a file."""

from collections.abc import Sequence

import streamlit as st

from core.analysis.difference.differences import Difference, MetricDifference, reading
from core.analysis.difference.windows import pairs_of
from core.figures.difference import plane
from core.formats.results_csv import results_csv
from pages.ui.shared.analysis.metric_choice import choose_metric
from pages.ui.shared.analysis.view import View
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.text import escaped


def metric_section(shown: View, differences: Sequence[MetricDifference]) -> None:
    """A point a pair of sets."""
    number = choose_metric(shown)
    name, difference = shown.names[number], differences[number].difference
    if difference.undefined is not None or difference.sets is None:
        st.info(f"No plot of {escaped(name)}: {escaped(str(difference.undefined))}. Choose another metric.")
        return
    st.markdown(reading(difference))
    chart(plane(name, difference), key="plane", alt=f"Differences by {name}")
    st.caption(
        "A point: two sets of stories. Right: how much higher people rate the one; up: how much higher the metric "
        "scores it. The other order of each pair is its mirror image and is counted in the shares. The sets overlap "
        "and are sorted on the ratings: the t-tests behind the classes are descriptive."
    )
    st.download_button(
        "Pairs of sets, as CSV",
        _csv(shown.key, name, difference),
        file_name="pairs-of-sets.csv",
        mime="text/csv",
        key="csv_pairs",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
    )


@st.cache_data(max_entries=8, show_spinner=False)
def _csv(key: tuple[object, ...], metric: str, _one: Difference) -> str:
    if _one.sets is None:
        return ""
    pairs = pairs_of(_one.sets)
    columns = {
        "set": pairs.first + 1,
        "other set": pairs.second + 1,
        "difference of ratings": pairs.human,
        f"difference of {metric}": pairs.metric,
        "people p < 0.01": pairs.human_apart,
        "metric p < 0.01": pairs.metric_apart,
    }
    values = zip(*(column.tolist() for column in columns.values()), strict=True)
    return results_csv([dict(zip(columns, row, strict=True)) for row in values])
