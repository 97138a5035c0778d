"""The Stories page: filters, order, a page of stories, each a press from its text and its ratings."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from core.analysis.stories.listing import (
    A_PAGE,
    ListedRow,
    Selection,
    StoryFilter,
    StoryIndex,
    in_order,
    judgment,
    orders,
    page_of,
    pages,
    values_by,
)
from core.annotation.studies import Study
from core.annotation.target import usual_target
from core.arrays import Ints
from core.figures.correlation import metric_names
from core.formats.results_csv import ResultRow
from core.people import Person
from core.scores import RatingChoice, ScoreTable
from db.ratings import ratings
from db.stories import search, selections
from db.studies import story_texts
from pages.ui.shared.analysis.view import ranked
from pages.ui.shared.live_updates import follow
from pages.ui.shared.stories.selection_form import keep_selection
from pages.ui.shared.stories.story_drawer import PRESS_ROW, open_story, story_drawer
from pages.ui.shared.tables.downloads import pressable_table
from pages.ui.shared.tables.result_table import written
from pages.ui.stories.filters import PAGE, choose_stories, first_page
from pages.ui.stories.selection_list import selection_list

IMPORT = "Order of the import"
NOTED = "✎"
MOST_METRICS = 3
"""Whose scores are shown unasked, the best first."""


def story_list(viewer: Person, study: Study) -> None:
    """Everything below the choice of the study."""
    texts = story_texts.version(study.id)
    index = _index(study.id, texts, viewer)
    if not len(index.ids):
        st.info("This study has no stories yet: import some, or load the demonstration study on the start page.")
        st.page_link("import_data.py", label="Import", icon=":material/upload:")
        return
    version = ratings.version(study.id)
    table = ranked(viewer, study.id, version, RatingChoice.VALID, usual_target(study.scheme))
    names = metric_names(table.columns)
    chosen = choose_stories(viewer, study, texts)
    found = _matching(study.id, texts + version if chosen.error_types else texts, chosen, viewer)
    order, greatest_first, shown = _columns(table, names)
    if order != IMPORT:
        found = in_order(found, index, values_by(table, names, order), greatest_first=greatest_first)
    with st.container(horizontal=True, vertical_alignment="center"):
        keep_selection(len(found), partial(_keep, viewer, study.id, found), "keep-found")
        selection_list(viewer, study.id)
    keys: Sequence[str] = ()
    if len(found):
        number = _page(len(found))
        rows = search.listed(viewer, study.id, page_of(found, number).tolist())
        keys = [row.key for row in rows]
        _table(rows, index, table, {name: names.index(name) for name in shown})
    else:
        st.info("No story of this study is so: loosen the filters.")
    story_drawer(study.id, lambda: table, keys)
    follow(study.id, version)


@st.cache_resource(max_entries=2, show_spinner=False)
def _index(study_id: int, version: str, _by: Person) -> StoryIndex:
    del version  # what the result is kept under
    return search.index_of(_by, study_id)


@st.cache_resource(max_entries=8, show_spinner="Looking for stories")
def _matching(study_id: int, version: str, chosen: StoryFilter, _by: Person) -> NDArray[np.int64]:
    del version
    return search.matching(_by, study_id, chosen)


def _keep(viewer: Person, study_id: int, found: NDArray[np.int64], name: str) -> Selection:
    return selections.save(viewer, study_id, name, found.tolist())


def _columns(table: ScoreTable, names: list[str]) -> tuple[str, bool, list[str]]:
    """By what stories are put in order, whether the greatest come first, and whose scores are shown."""
    offered = [IMPORT, *orders(table, names)]
    if st.session_state.get("order", IMPORT) not in offered:
        st.session_state["order"] = IMPORT  # by a metric that another study has
    kept = st.session_state.get("scores")
    if kept is not None and not set(kept) <= set(names):
        st.session_state["scores"] = [name for name in kept if name in names]
    left, middle, right = st.columns([2, 1, 3], vertical_alignment="bottom")
    order = left.selectbox("In the order of", offered, key="order", bind="query-params", on_change=first_page)
    greatest_first = middle.toggle(
        "Greatest first", True, key="greatest", bind="query-params", disabled=order == IMPORT, on_change=first_page
    )
    shown = right.multiselect(
        "Scores of", names, names[:MOST_METRICS], placeholder="No metric", key="scores", bind="query-params"
    )
    return order, greatest_first, shown


def _page(stories: int) -> int:
    """The page that is looked at; there may be fewer than when it was asked for."""
    most = pages(stories)
    if most == 1:
        st.caption(f"{stories:,} stor{'y' if stories == 1 else 'ies'}")
        return 1
    if PAGE in st.session_state:
        st.session_state[PAGE] = min(max(1, int(st.session_state[PAGE])), most)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = int(st.number_input(f"Page, of {most:,}", 1, most, 1, key=PAGE, bind="query-params", width=160))
        last = min(number * A_PAGE, stories)
        st.caption(f"{(number - 1) * A_PAGE + 1:,} to {last:,} of {stories:,} stories")
    return number


def _table(rows: Sequence[ListedRow], index: StoryIndex, table: ScoreTable, shown: dict[str, int]) -> None:
    keys = [row.key for row in rows]
    places = index.rows_of(np.array([row.id for row in rows], dtype=np.int64)).tolist()
    behind = table.behind
    drawn = [_row(row, place, table, behind, shown) for row, place in zip(rows, places, strict=True)]
    if not any(row.noted for row in rows):
        drawn = [{name: cell for name, cell in cells.items() if name != "Note"} for cells in drawn]
    config = {
        "Note": st.column_config.Column(width=60, help="The story has a note: press its row to read it"),
        "Story": st.column_config.Column(pinned=True),
        "Prompt": st.column_config.Column(width=105),
        "Begins": st.column_config.Column(width=185),  # what people and metrics gave is in sight beside it
        judgment(table): st.column_config.NumberColumn(format="%.2f"),
        **{
            name: st.column_config.NumberColumn(format=written(table.columns[number].values))
            for name, number in shown.items()
        },
    }
    pressable_table(
        drawn, "stories-listed", lambda row, _column: open_story(keys[row], keys), alt="Stories", column_config=config
    )
    st.caption(PRESS_ROW)


def _row(row: ListedRow, place: int, table: ScoreTable, behind: Ints, shown: dict[str, int]) -> ResultRow:
    """Of a system's story what the analyses have; of people's stories and controls what the database says."""
    scored = place >= 0
    human = float(table.human[place]) if scored else row.mean
    scores = {name: float(table.columns[number].values[place]) if scored else None for name, number in shown.items()}
    return {
        "Story": row.key,
        "System": row.group,
        "Prompt": row.prompt,
        "Begins": row.opening,
        "Note": NOTED if row.noted else "",
        "Words": row.words,
        "Ratings": int(behind[place]) if scored else row.ratings,
        judgment(table): None if human is None or np.isnan(human) else human,
        **{name: None if value is None or np.isnan(value) else value for name, value in scores.items()},
    }
