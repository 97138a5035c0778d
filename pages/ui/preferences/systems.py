"""Systems by strength, and who won against whom."""

from functools import partial

import streamlit as st

from core.analysis.preferences.ranking import Ranking, SystemStrength
from core.analysis.preferences.remarks import groups_sentence
from core.figures.systems.preferences import strengths, win_table
from core.formats.results_csv import ResultRow
from pages.ui.shared.stories.wanted_stories import mark_system, mark_systems, want_system, want_systems
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.tables.written import P
from pages.ui.shared.text import escaped

SHARE, CHANCE = "Share of judgments won", "Against an average"
NOTES = {
    SHARE: "Of its judgments, each counted once, a tie half; the page Systems has the mean of its stories' shares. "
    "Systems do not all meet the same others equally often, so neither is a ranking of strength",
    "Strength": "0 is the average system; of two systems 0.7 apart, people who decide prefer the stronger one twice as "
    "often",
    "Rank": "1 is the strongest",
    CHANCE: "The chance of being preferred to an average system, a tie half, that its strength gives: no count of "
    "judgments",
    "Group": "No test tells apart the systems of one group",
}
PAIR_NOTES = {
    "Share won": "Of the two systems' judgments, how many the first one won, a tie half",
    "Difference": "Of the strengths",
    "p": "How easily equal systems would differ so much by chance",
    "p, corrected": "The same, for so many pairs (Holm); at most 0.05 tells two systems apart",
}


def systems_section(ranking: Ranking) -> None:
    """The ranking as a figure and a table, and which systems cannot be told apart."""
    if not ranking.undefined:
        chart(strengths(ranking), key="strengths", alt="Systems by strength", name="preferences", on_points=mark_system)
    if sentence := groups_sentence(ranking):
        st.markdown(escaped(sentence))
    table(
        "Systems by preference",
        [_row(row, ranked=not ranking.undefined) for row in ranking.rows],
        {"Rank": "%g", SHARE: "%.3f", CHANCE: "%.3f"},
        NOTES,
        on_row=partial(want_system, [row.system for row in ranking.rows]),
    )
    if not ranking.undefined:
        st.caption(
            "Strengths are fitted to all judgments together (Bradley and Terry's model, with ties). Intervals are 95 % "
            "and draw whole prompts: they say how sure this is for other prompts, of these systems. Press a dot or a "
            "row for the system's stories."
        )


def _row(row: SystemStrength, *, ranked: bool) -> ResultRow:
    place = {"Rank": row.rank, "Strength": row.strength, CHANCE: row.chance, "Group": row.group} if ranked else {}
    return {
        "System": row.system,
        **place,
        SHARE: row.share,
        "Judgments": row.judgments,
        "Won": row.wins,
        "Tied": row.ties,
        "Lost": row.losses,
    }


def wins_section(ranking: Ranking) -> None:
    """Every two systems: how often one won, and whether a test tells them apart."""
    st.header("Who won against whom?")
    chart(
        win_table(ranking),
        key="wins",
        alt="Share won of every two systems",
        name="win table",
        on_points=mark_systems,
    )
    rows = _pairs(ranking)
    table(
        "Pairs of systems",
        rows,
        {"Share won": "%.3f", "p": P, "p, corrected": P},
        PAIR_NOTES,
        on_row=lambda row: want_systems(str(rows[row]["System"]), str(rows[row]["Against"])),
    )
    st.caption("Press a cell or a row for the stories of its two systems.")


def _pairs(ranking: Ranking) -> list[ResultRow]:
    """Every two systems that somebody compared, or that a test compares, the stronger one first."""
    tested = {(row.a, row.b): row for row in ranking.differences}
    rows: list[ResultRow] = []
    for number, first in enumerate(ranking.rows):
        for place in range(number + 1, len(ranking.rows)):
            second, cell = ranking.rows[place].system, ranking.table[number][place]
            found = tested.get((first.system, second))
            if found is None and not cell.judgments:
                continue
            row: dict[str, object] = {
                "System": first.system,
                "Against": second,
                "Judgments": cell.judgments,
                "Share won": cell.share,
            }
            if found is not None:
                row |= {"Difference": found.difference, "p": found.p, "p, corrected": found.p_holm}
            rows.append(row)
    return rows
