"""One metric of the Difference page: the four-colour plot, a sentence on it, its points as a file."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.difference.differences import Difference, MetricDifference, reading
from core.analysis.difference.windows import pairs_of
from core.figures.difference import plane
from core.formats.results_csv import results_csv
from pages.ui.shared.analysis.metric_choice import choose_metric
from pages.ui.shared.analysis.pressed_part import BETWEEN, PAIR, mark_part, part_stories
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.pair_link import pair_link
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.text import escaped

MOST_DIGITS = 6
"""Of a set's number."""


def metric_section(shown: View, differences: Sequence[MetricDifference], link: DeltaGenerator) -> None:
    """A point a pair of sets. `link`: where the way to the stories stands on which the metric and another disagree."""
    number = choose_metric(shown)
    with link:
        pair_link(shown.names, shown.names[number])
    name, difference = shown.names[number], differences[number].difference
    if difference.undefined is not None or difference.sets is None:
        st.info(f"No plot of {escaped(name)}: {escaped(str(difference.undefined))}. Choose another metric.")
        return
    st.markdown(reading(difference))
    chart(plane(name, difference), key="plane", alt=f"Differences by {name}", on_points=partial(mark_part, PAIR))
    st.caption(
        "A point: two sets of stories. Right: how much higher people rate the one; up: how much higher the metric "
        "scores it. The other order of each pair is its mirror image and is counted in the shares. The sets overlap "
        "and are sorted on the ratings: the t-tests behind the classes are descriptive. Press a point for the stories "
        "of its two sets."
    )
    _pair(shown, number, difference)
    st.download_button(
        "Pairs of sets, as CSV",
        lambda: _csv(name, difference),
        file_name="pairs-of-sets.csv",
        mime="text/csv",
        key="csv_pairs",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
    )


def _pair(shown: View, number: int, difference: Difference) -> None:
    """The stories of the pair of sets that the address names, the best rated first."""
    asked = st.query_params.get(PAIR, "").split(BETWEEN)
    numbers = [int(part) for part in asked if part.isdecimal() and len(part) < MOST_DIGITS]
    if difference.sets is None or len(asked) != 2 or len(numbers) != 2:
        return
    if not all(1 <= one <= difference.plan.number for one in numbers):
        return
    human, values = shown.table.human, shown.table.columns[number].values
    rated = np.flatnonzero(np.isfinite(human))
    higher, lower = (rated[difference.sets.members(difference.plan, one)] for one in sorted(numbers, reverse=True))
    places = np.unique(np.concatenate([higher, lower]))
    places = places[np.argsort(-human[places], kind="stable")]
    side = {True: "both", False: "higher"}
    part_stories(
        shown.study.id,
        shown.table,
        f"Sets {max(numbers)} and {min(numbers)}",
        "Stories of the pair",
        places.tolist(),
        {
            "Set": [
                side[low] if high else "lower"
                for high, low in zip(np.isin(places, higher).tolist(), np.isin(places, lower).tolist(), strict=True)
            ],
            "People": human[places].tolist(),
            "Score": values[places].tolist(),
        },
    )


def _csv(metric: str, difference: Difference) -> str:
    if difference.sets is None:
        return ""
    pairs = pairs_of(difference.sets)
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
