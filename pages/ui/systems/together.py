"""People and a metric together: what a metric's scores of unrated stories add to people's means."""

from functools import partial

import streamlit as st

from core.analysis.systems.powered import PoweredSystem, gain_sentence, nothing_to_gain, powered_systems
from core.analysis.systems.ranking import share_of_ratings
from core.figures.systems.means import together
from core.scores import ScoreTable
from core.statistics.intervals import Estimate
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import mark_system, want_system
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped

CAPTION = (
    "Prediction-powered means (PPI++, 2023): people's mean, moved by how the metric's scores of the unrated stories "
    "differ from those of the rated ones, as far as scores and ratings go together within the system (λ: 0 not at all, "
    "1 wholly). Intervals are of t, by prompt, and λ pays for its fit; where it would not narrow people's own, people "
    "stand alone. All this holds where it was chance which prompts were rated, for a metric that has not learnt from "
    "these ratings, chosen before its intervals were seen. Press a dot or a row for the system's stories."
)
NOTES = {
    "Unrated": "Further stories of the system with a score and no counted rating",
    "λ": "How far the metric is relied on, 0 to 1; fitted so that the interval is as narrow as can be",
    "Width": "Of the interval with the metric, over that of people alone",
    "Worth": "Rated stories that people alone would need for as narrow an interval",
}


@st.cache_data(max_entries=8, show_spinner="Adding the metric to the ratings")
def _found(
    key: tuple[object, ...], counted: tuple[int, ...] | None, place: int, _table: ScoreTable
) -> tuple[PoweredSystem, ...]:
    human = None if counted is None else share_of_ratings(_table.ratings, counted)
    return powered_systems(_table, place, human=human)


def together_section(shown: View, place: int, judgment: str, counted: tuple[int, ...] | None) -> None:
    """What the metric adds, a figure with both intervals, and a row per system; or why it adds nothing.

    `judgment`: what people's means are of; `counted`: the ratings whose share it is, None for the mean rating.
    """
    st.header("People and a metric together")
    systems = _found(shown.key, counted, place, shown.table)
    if reason := nothing_to_gain(systems):
        st.info(escaped(reason))
        return
    name = shown.names[place]
    st.markdown(escaped(gain_sentence(systems)))
    chart(
        together(systems, name, judgment),
        key="together",
        alt=f"Means of the systems by people, and with {name}",
        on_points=mark_system,
    )
    st.caption(CAPTION)
    order = sorted(systems, key=lambda row: (-(row.mean.alone.value or 0.0), row.system))
    rated = [row for row in order if row.mean.n_rated]
    table(
        "People and a metric together",
        [_row(row) for row in rated],
        {"Worth": "%.1f"},
        NOTES,
        on_row=partial(want_system, [row.system for row in rated]),
    )


def _row(row: PoweredSystem) -> dict[str, object]:
    mean = row.mean
    return {
        "System": row.system,
        "Rated": mean.n_rated,
        "Unrated": mean.n_unrated,
        "People alone": mean.alone,
        "With the metric": mean.powered or Estimate(None, undefined=mean.undefined),
        "λ": mean.weight,
        "Width": mean.width_ratio,
        "Worth": mean.effective,
    }
