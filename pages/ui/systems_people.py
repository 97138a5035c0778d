"""Systems by people: the ranking."""

import streamlit as st

from core.analysis.systems import Systems
from core.figures.systems import ranking
from pages.ui.exports import chart
from pages.ui.judgment_table import table


def people_section(found: Systems, judgment: str) -> None:
    """A dot and a row a system, the best first."""
    rated = [row for row in found.rows if row.human.n]
    if not rated:
        st.info("No story here has a valid rating yet. The ranking fills as annotators hand in panels.")
        return
    chart(ranking(found.rows, judgment), key="ranking", alt="Ranking of the systems by people")
    st.caption(
        "Dot and line: mean with its 95 % interval over draws of whole prompts. Beside the name: rank (1 is the best) "
        "with its interval over the same draws. Intervals keep the systems and draw prompts."
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
