"""What stays in reach however long a panel is: its stories' letters, the instructions, two stories side by side."""

import streamlit as st

from core.annotation.panel import Panel, PanelStory
from core.annotation.scheme import Scheme
from pages.ui.annotating.comparison import comparison
from pages.ui.annotating.instructions import instructions
from pages.ui.annotating.navigator import navigator
from pages.ui.annotating.pair_form import of_both
from pages.ui.annotating.story_answer import present
from pages.ui.shared.text import story_text


def panel_bar(scheme: Scheme, panel: Panel) -> None:
    """The bar of a panel, a story or a pair."""
    names = [label for _, label in scheme.scale]
    with st.container(key="panel-bar"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            with st.popover("Instructions", icon=":material/help:", key="instructions"):
                instructions(scheme)
            if panel.prompt and len(panel.stories) > 1:
                with st.popover("Opening", icon=":material/menu_book:"):
                    story_text(panel.prompt)
            if scheme.unit.of_prompt and len(panel.stories) > 1:
                compare_button(scheme, panel)
        left = [not present(of_both(pair)).values for pair in panel.pairs]
        navigator(scheme, panel, names, left.index(True) if True in left else 0)


@st.fragment
def compare_button(scheme: Scheme, panel: Panel) -> None:
    """Opens two stories beside each other; a fragment, so that the panel is not drawn again for it."""
    if st.button("Compare two", icon=":material/compare:", key="compare"):
        _compare(scheme, panel)


@st.dialog("Two stories side by side", width="large")
def _compare(scheme: Scheme, panel: Panel) -> None:
    if scheme.shows_prompt:
        st.caption("They begin like this:")
        story_text(panel.prompt)
    comparison([(story.letter, story.text, _answered(scheme, story)) for story in panel.stories])


def _answered(scheme: Scheme, story: PanelStory) -> str:
    answer = present(story)
    given = [(name, answer.values[name]) for name in scheme.names if name in answer.values]
    several = len(scheme.criteria) > 1
    words = ", ".join(f"{name} {value}" if several else f"{value}" for name, value in given)
    rated = f"rated {words}" if given else "not rated yet"
    points = sum(answer.deductions.values())
    return f"{rated}, {points} deducted" if scheme.deducts and points else rated
