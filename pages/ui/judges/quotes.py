"""Does a judge quote as errors what people marked?"""

import streamlit as st

from core.analysis.judges.quotes import QuoteOverlap
from core.analysis.verdict.few_stories import TOO_FEW, quotes_if_claimed
from core.analysis.verdict.judges import on_quotes
from core.analysis.verdict.sentences import claimed
from core.formats.results_csv import ResultRow
from core.people import Person
from pages.ui.judges.results import marked_of, overlaps_of
from pages.ui.shared.analysis.finding import verdict
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import JUDGE_RUN
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped

NOTES = {
    "Stories": "In which somebody marked a passage, and of which the judge's reply can be read",
    "In the story": "Of the passages that it quotes, how many stand in the story word for word",
    "Right": "Share of the characters it quotes that people marked",
    "Found": "Share of the characters people marked that it quotes",
    "Right by chance": "The same if its passages lay anywhere in the same stories",
    "Found by chance": "The same if its passages lay anywhere in the same stories",
    "Kappa": "Cohen's, by characters: 1 for the same passages as people, 0 for what chance gives",
    "One annotator": "The kappa of one annotator with the others, on the same stories",
}


def quotes_section(viewer: Person, shown: View) -> None:
    """Every judge that was asked for errors, and what to do where there is none."""
    if not shown.study.scheme.error_types:
        st.info("This study's form asks for no errors, so that neither people nor judges say where one stands.")
        return
    if not marked_of(viewer, shown):
        st.info(
            "People have marked no passages in these stories, so there is nothing to hold a judge's quotes against."
        )
        return
    found = overlaps_of(viewer, shown)
    if not found:
        st.info("No judge has been run for errors here yet: run one whose *way* is *deductions*, and it quotes them.")
        st.page_link("score.py", label="Run a judge", icon=":material/speed:", query_params=JUDGE_RUN)
        return
    known = {name: of for name, of in found.items() if not isinstance(of, str)}
    if said := on_quotes(known):
        verdict(escaped(said))
    if rows := [_row(name, quotes_if_claimed(of)) for name, of in known.items()]:
        table("Quotes", rows, notes=NOTES)
    if not all(claimed(of.stories, of.prompts) for of in known.values()):
        st.caption(TOO_FEW)
    for name, reason in found.items():
        if isinstance(reason, str):
            st.caption(escaped(f"The quotes of {name} cannot be read again: {reason}."))
    st.caption(
        "A judge quotes the errors that it finds, and people mark passages as evidence of theirs. Both are compared by "
        "characters, whatever type of error is named, with what at least one of the others marked: of several "
        "annotators each is left out in turn, and held against the rest as the judge is."
    )


def _row(name: str, overlap: QuoteOverlap) -> ResultRow:
    return {
        "Judge": name,
        "Kappa": overlap.kappa,
        "One annotator": overlap.one_person,
        "Right": overlap.right,
        "Right by chance": overlap.right_by_chance,
        "Found": overlap.found,
        "Found by chance": overlap.found_by_chance,
        "Stories": overlap.stories,
        "Quotes": overlap.quotes,
        "In the story": overlap.located,
    }
