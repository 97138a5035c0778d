"""Systems by people: the ranking."""

import streamlit as st

from core.analysis.systems.ranking import Systems
from core.figures.systems.means import ranking
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table


def people_section(systems: Systems, judgment: str) -> None:
    """A dot and one row per system, the best first."""
    rated = [row for row in systems.rows if row.human.n]
    chart(ranking(systems.rows, judgment), key="ranking", alt="Ranking of the systems by people")
    st.caption(
        "Dot: mean. Line: its 95 % interval, from draws of whole prompts. Beside the name: rank (1 is the best) with "
        "its interval from the same draws. They say how sure this is for other prompts, of these systems."
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
    )
