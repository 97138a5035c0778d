"""The human stories that a new test set is made of: a study's, or Fabula's own."""

from dataclasses import dataclass

import streamlit as st

from core.people import Person
from core.perturb.cases import human_stories
from core.perturb.test_sets.human_check import is_check
from core.stories import Source, StoryRecord
from db.studies import story_list
from db.transfer.demonstration import demonstration
from pages.ui.shared.study_choice import chosen_study, into_address, my_studies, remember

OURS = 0
"""Instead of a study's id: the stories that come with Fabula."""
OURS_NAME = "Fabula's demonstration"
BOX, PICKED, GROUP = "tests-study", "tests-picked", "written-by"


@dataclass(frozen=True)
class ChosenStories:
    """So many stories of a `group` of a study; Fabula's own where there is none."""

    number: int
    study: int | None = None
    name: str = ""
    group: str = ""


def choose_stories(viewer: Person) -> ChosenStories | None:
    """The widgets; None where the study has no stories, and what to do is said."""
    summaries = my_studies()
    names = {summary.study.id: summary.study.name for summary in summaries}
    if not any(summary.study.demonstration for summary in summaries):
        names[OURS] = OURS_NAME
    checks = {summary.study.id for summary in summaries if is_check(summary.study.scheme)}
    offered = sorted(names, key=checks.__contains__)  # human checks last: their stories are cases already
    present = chosen_study()
    usual = present.study.id if present else offered[0]
    if usual in checks and st.session_state.get(PICKED) != usual:  # it was made of such stories
        usual = offered[0]
    st.session_state[BOX] = usual if st.session_state.get(PICKED) != OURS or OURS not in names else OURS
    left, right = st.columns(2)
    picked = left.selectbox(
        "Stories of", offered, key=BOX, format_func=lambda i: names.get(i, "(deleted)"), on_change=_picked
    )
    if picked == OURS:
        return ChosenStories(len(human_stories(_ours())))
    into_address(next(summary.study for summary in summaries if summary.study.id == picked))
    groups = [system for system in story_list.systems(viewer, picked) if system != Source.NEGATIVE]
    groups.sort(key=lambda group: group != Source.HUMAN)
    if not groups:
        st.info("This study has no stories yet: import some, or take Fabula's own.")
        st.page_link("import_data.py", label="Import", icon=":material/upload:")
        return None
    if st.session_state.get(GROUP, groups[0]) not in groups:
        del st.session_state[GROUP]
    group = right.selectbox("Written by", groups, key=GROUP, bind="query-params")
    if group != Source.HUMAN:
        st.caption("Test sets are made of human stories, which count as coherent; these are by others.")
    return ChosenStories(story_list.stories(viewer, picked, group, most=1)[1], picked, names[picked], group)


def _picked() -> None:
    picked = st.session_state[BOX]
    st.session_state[PICKED] = picked
    if picked != OURS:
        remember(picked)


@st.cache_resource(show_spinner=False)
def _ours() -> tuple[StoryRecord, ...]:
    return demonstration().stories
