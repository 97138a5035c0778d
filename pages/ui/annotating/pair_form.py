"""Two stories side by side and which is better, a fragment of its own."""

import streamlit as st

from core.annotation.panel import PanelPair, PanelStory
from core.annotation.scheme import Scheme
from core.annotation.studies import Study
from pages.ui.annotating.answer_form import rating_control, saved_line
from pages.ui.annotating.desk import Desk
from pages.ui.annotating.story_answer import fill, key_of, present, save, save_asked
from pages.ui.annotating.story_form import comment_field
from pages.ui.annotating.story_reader import story_reader
from pages.ui.shared.text import escaped, story_text


@st.fragment
def pair_form(desk: Desk, study: Study, pair: PanelPair, heading: str = "") -> None:
    """The two stories and one answer about both; under a `heading` with their own opening, where there are several."""
    scheme, main = study.scheme, study.scheme.main
    both = PanelStory(pair.token, heading, "", pair.answer)  # what is answered is kept as of one story
    if key_of(both, main.name) not in st.session_state:
        fill(both, scheme)
    with st.container(key=key_of(both, "story"), border=bool(heading)):
        if heading:
            st.markdown(f"**{heading}**")
            if scheme.shows_prompt:
                st.caption(scheme.unit.wording.opening)
                story_text(pair.prompt)
        _texts(desk, scheme, pair, both)
        rating_control(
            main,
            escaped(scheme.question),
            key_of(both, main.name),
            dict(scheme.scale),
            save,
            (desk, scheme, both, main.name),
            named=True,
        )
        if scheme.comments:
            comment_field(desk, scheme, both)
        with st.container(key=key_of(both, "saved")):
            saved_line(desk, scheme, present(both), st.session_state.get(key_of(both, ":problem")), [])


def _texts(desk: Desk, scheme: Scheme, pair: PanelPair, both: PanelStory) -> None:
    """The two stories beside each other; on a phone one below the other."""
    answer = present(both)
    given = answer.values.get(scheme.main.name)
    for story, column in zip(pair.stories, st.columns(2, gap="medium"), strict=True):
        with column.container(border=True, height="stretch"):
            st.markdown(f"**Story {story.letter}**")
            story_reader(
                story.text,
                f"Story {story.letter}",
                key_of(story, "reader"),
                error_types=(),
                spans={},
                stored=[-1 if given is None else scheme.main.steps.index(given)],
                done=st.session_state.get(key_of(both, ":done"), 0),
                on_asked=lambda: save_asked(desk, scheme, both),  # the browser asks the first of the two
                comment=answer.comment,
            )
