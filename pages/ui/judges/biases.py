"""What biases each judge, a row a judge."""

import streamlit as st

from pages.ui.judges.results import biases_of
from pages.ui.shared.analysis.view import View
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped

NOTES = {
    "Lenient": "Its mean rating above people's, in points",
    "r": "Pearson's r with people, over single stories",
    "r at equal length": "The partial correlation given the number of words",
    "Favours length": "r of the number of words with how far it is above people: above 0 it likes long stories more "
    "than people do",
    "Own family": "How much more it is above people on stories of systems that are called like it than on the others, "
    "in points",
    "Between wordings": "How far the variants of its prompt are apart on a story, in points",
}


def biases_section(shown: View) -> None:
    """The table, and what to hold it against."""
    found = biases_of(shown)
    with st.container(horizontal=True, gap="medium"):
        st.metric(
            "r of the number of words",
            found.words.text(),
            width="content",
            help="What the length of a story alone reaches with people. A judge that does not pass it may have learnt "
            "nothing else.",
        )
        st.metric(
            "Points between judges",
            found.between_judges.text(),
            width="content",
            help="How far judges are apart on a story, each the mean of its wordings. Where wordings are as far apart, "
            "the prompt decides as much as the judge.",
        )
    table(
        "Biases",
        [
            {
                "Judge": row.judge.name,
                "Lenient": row.lenient,
                "r": row.pooled,
                "r at equal length": row.equal_length,
                "Favours length": row.longer,
                "Own family": row.family,
                "Between wordings": row.wordings,
            }
            for row in found.rows
        ],
        notes=NOTES,
    )
    st.caption(
        "Intervals are 95 %, from draws of whole prompts; where one holds 0, nothing shows that the judge is lenient "
        "or strict, or favours length or its family. What depends on position, on a second run or on instructions in a "
        "story cannot be told from ratings alone."
    )
    kin = {row.judge.judge: row.relatives for row in found.rows if row.relatives}
    for judge, systems in kin.items():
        st.caption(escaped(f"Of the family of {judge} by name: {', '.join(systems)}."))
