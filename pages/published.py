"""Published: the papers' tables, beside what the chosen study gives."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.judgments.texts import Texts, text_statistics
from core.errors import FabulaError
from core.metrics.trained.base import trained_on
from core.people import Role
from core.published.catalogue import TABLES
from core.published.comparison import EMPTY, Cell, best_table, compare_table, guess
from core.published.quantities import Released
from core.scores import RatingChoice, ScoreTable
from db.studies import story_texts
from db.training import checkpoints
from pages.ui.published.table import published_table
from pages.ui.shared.analysis.score_table import whole
from pages.ui.shared.analysis.view import view
from pages.ui.shared.live_updates import follow
from pages.ui.shared.page_head import head
from pages.ui.shared.study_choice import choose, my_studies
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import require

require(Role.RESEARCHER)
NONE = "None of these"
TABLE_BOX, STORIES_BOX = 320, 250
"""Pixels of the boxes and their labels."""
BY_NAME = {item.name: item for item in TABLES}


@st.cache_data(max_entries=8, show_spinner="Comparing")
def compared(
    key: tuple[object, ...], name: str, of: Released | None, learnt: dict[str, str], _table: ScoreTable, _texts: Texts
) -> tuple[Cell, ...]:
    """Every cell of the table of this name."""
    return compare_table(BY_NAME[name], _table, of, learnt, _texts)


@st.cache_data(max_entries=8, show_spinner="Counting words")
def study_texts(study_id: int, version: str) -> Texts:
    """The statistics of all the study's texts."""
    del version  # what the result is kept under
    return text_statistics(*story_texts.of_study(require(Role.RESEARCHER), study_id))


def learnt_from(table: ScoreTable) -> dict[str, str]:
    """Signature -> the corpora of its checkpoint's card, where it has one."""
    cards = [checkpoint.card for checkpoint in checkpoints.listed(require(Role.RESEARCHER))]
    return {column.signature: message for column in table.columns if (message := trained_on(column.signature, cards))}


@st.cache_data(max_entries=8, show_spinner=False)
def guessed(study_id: int, version: str, validity: RatingChoice) -> Released | None:
    """Guess which release the study is, from all its stories: what a filter leaves has another number."""
    return guess(whole(study_id, version, validity))


def pick(of: Released | None) -> str:
    """The choice of a table, which the address keeps; first the correlations of these stories."""
    names = list(BY_NAME)
    return st.selectbox(
        "Table", names, index=names.index(best_table(of).name), key="table", bind="query-params", width=TABLE_BOX
    )


def body(badge: DeltaGenerator) -> None:
    """The page of a study."""
    shown = view(choose(badge))
    guess_of_all = guessed(shown.study.id, shown.version, shown.validity)
    offered = [*Released, NONE]
    with shown.bar or st.container():
        name_of = st.container()
        chosen = st.selectbox(
            "Stories", offered, index=offered.index(guess_of_all) if guess_of_all else len(Released),
            key=f"stories-{shown.study.id}", bind="query-params", width=STORIES_BOX,
            help="Which released stories these are, guessed from how many stories and ratings there are. A table's "
            "cells of other stories are left alone.",
        )  # fmt: skip
        of = None if chosen == NONE else Released(chosen)
        with name_of:
            name = pick(of)
    lengths = study_texts(shown.study.id, story_texts.version(shown.study.id))
    cells = compared(shown.key, name, of, learnt_from(shown.table), shown.table, lengths)
    if of and of is guess_of_all and any(cell.quantity and cell.quantity.of is of for cell in cells):
        st.caption(
            f"Compared as the stories of *{of}*, since the study has as many stories, with as many ratings each; no "
            f"text was looked at. Of other stories choose *{NONE}* under *Stories*."
        )
    published_table(BY_NAME[name], cells, of)
    if shown.study.demonstration:
        st.caption("What the papers printed is real; only what stands beside it, of this study, rests on its ratings.")
    follow(shown.study.id, shown.version)


line = head("Published", "What did the papers find, and does this study give the same?")
try:
    if my_studies():
        body(line)
    else:
        name = pick(None)
        published_table(BY_NAME[name], compare_table(BY_NAME[name], EMPTY, None), None)
except FabulaError as error:
    problem(str(error))
