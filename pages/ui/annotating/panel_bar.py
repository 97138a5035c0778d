"""What stays in reach however long a panel is: its stories' letters, the instructions, two stories side by side."""

import streamlit as st

from core.annotation.panel import Panel, PanelStory, in_lower_case, placeholder_in
from core.annotation.scheme import Scheme
from core.languages.words import joined
from pages.ui.annotating.comparison import comparison
from pages.ui.annotating.instructions import instructions
from pages.ui.annotating.navigator import navigator
from pages.ui.annotating.pair_form import of_both
from pages.ui.annotating.story_answer import present
from pages.ui.shared.annotators_words import named, say, words
from pages.ui.shared.text import story_text


def panel_bar(scheme: Scheme, panel: Panel) -> None:
    """The bar of a panel, a story or a pair."""
    names = [label for _, label in scheme.scale]
    with st.container(key="panel-bar"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            with st.popover(say("instructions.title"), icon=":material/help:", key="instructions"):
                texts = [story.text for story in panel.stories]
                instructions(scheme, placeholder_in(texts), lower_case=in_lower_case(texts))
            if panel.prompt and len(panel.stories) > 1:
                with st.popover(
                    say("panel.prompt" if scheme.of_tasks else "panel.opening"), icon=":material/menu_book:"
                ):
                    story_text(panel.prompt, say("story.empty"))
            if scheme.unit.of_prompt and len(panel.stories) > 1:
                compare_button(scheme, panel)
        left = [not present(of_both(pair)).values for pair in panel.pairs]
        navigator(scheme, panel, names, left.index(True) if True in left else 0)


@st.fragment
def compare_button(scheme: Scheme, panel: Panel) -> None:
    """Opens two stories beside each other; a fragment, so that the panel is not drawn again for it."""
    if st.button(say("panel.compare"), icon=":material/compare:", key="compare-two"):
        st.dialog(say("panel.compared"), width="large")(_compare)(scheme, panel)


def _compare(scheme: Scheme, panel: Panel) -> None:
    if scheme.shows_prompt:
        st.caption(say("panel.written_for" if scheme.of_tasks else "panel.begin_so"))
        story_text(panel.prompt, say("story.empty"))
    comparison([(story.letter, story.text, _answered(scheme, story)) for story in panel.stories])


def _answered(scheme: Scheme, story: PanelStory) -> str:
    answer = present(story)
    given = [(name, answer.values[name]) for name in scheme.names if name in answer.values]
    several = len(scheme.criteria) > 1
    if not given:
        return say("panel.not_rated")
    ratings = [f"{named(name)} {value}" if several else f"{value}" for name, value in given]
    values = joined(words(), ratings, "lists.comma", "lists.comma")
    points = sum(answer.deductions.values())
    if scheme.deducts and points:
        return say("panel.rated_deducted", values=values, points=points)
    return say("panel.rated", values=values)
