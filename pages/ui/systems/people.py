"""Systems by people: the ranking."""

from functools import partial

import streamlit as st

from core.analysis.systems.ranking import Systems
from core.analysis.verdict.best_system import on_systems
from core.analysis.verdict.family import family_of
from core.figures.systems.means import ranking
from core.scores import OF_A_SYSTEM
from pages.ui.shared.analysis.finding import marked, verdict
from pages.ui.shared.analysis.trained_here import trained_here
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import mark_system, want_system
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table

NOTES = {
    OF_A_SYSTEM.capitalize(): "The mean of its stories' shares, each story counted once; the page Preferences has the "
    "share of its judgments won, and strengths, which allow for whom a system met",
}


def people_section(shown: View, systems: Systems, judgment: str, *, agreed: bool) -> None:
    """A dot and one row per system, the best first; `agreed`: whether ratings do."""
    rated = [row for row in systems.rows if row.human.n]
    family = family_of(shown.table, trained_here(shown))
    if (
        found := on_systems(rated, shown.names, systems.correlations, marked, family=family, agreed=agreed)
    ) is not None:
        verdict(found)
    chart(ranking(systems.rows, judgment), key="ranking", alt="Ranking of the systems by people", on_points=mark_system)
    st.caption(
        "Dot: mean. Line: its 95 % interval, from draws of whole prompts. Beside the name: rank (1 is the best) with "
        "its interval from the same draws. They hold for other prompts and these systems. Press a dot "
        "or a row for the system's stories."
    )
    order = sorted(rated, key=lambda row: (row.human.rank.value or 0.0, row.system))
    table(
        "Systems by people",
        [
            {
                "System": row.system,
                "Stories": row.stories,
                "Rated": row.human.n,
                judgment.capitalize(): row.human.mean,
                "Rank": row.human.rank,
            }
            for row in order
        ],
        {"Rank": "%g"},
        NOTES,
        on_row=partial(want_system, [row.system for row in order]),
    )
