"""Two stories side by side and which is better, a fragment of its own."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from core.annotation.panel import Answer, PanelPair
from core.annotation.scheme import Scheme
from core.annotation.studies import Study
from core.errors import FabulaError
from pages.ui.annotating.answer_form import rating_control, saved_line
from pages.ui.annotating.desk import Desk
from pages.ui.annotating.story_reader import reader_events, story_reader
from pages.ui.shared.text import escaped, story_text

SIDES = {-1: "A is better", 0: "Equally good", 1: "B is better"}
"""The answers beside the human story, whose scale says how the system's compares."""


def sides(scheme: Scheme) -> Mapping[int, str]:
    """What can be answered about two stories, as the form shows it."""
    return dict(scheme.scale) if scheme.unit.of_pairs else SIDES


def _key(pair: PanelPair, part: str) -> str:
    return f"{part}-{pair.token}"


def _present(pair: PanelPair) -> Answer:
    saved: Answer = st.session_state.get(_key(pair, ":saved"), pair.answer)
    return saved


def _given(scheme: Scheme, pair: PanelPair) -> int | None:
    return _present(pair).values.get(scheme.main.name)


def _save(desk: Desk, scheme: Scheme, pair: PanelPair) -> None:
    """Store which side is better. If that fails the form goes back to what is stored, and says so."""
    key = _key(pair, "answer")
    try:
        answer = desk.save_value(pair.token, st.session_state.get(key), scheme.main.name)
    except FabulaError as error:
        st.session_state[_key(pair, ":problem")] = str(error)
    else:
        st.session_state[_key(pair, ":saved")] = answer
        st.session_state.pop(_key(pair, ":problem"), None)
    st.session_state[key] = _given(scheme, pair)


def _save_asked(desk: Desk, scheme: Scheme, pair: PanelPair, reader: str) -> None:
    """The browser asks whether what the form shows is stored; if it is not, it is stored now."""
    done = _key(pair, ":done")
    for wish in reader_events(reader, (), st.session_state.get(done, 0)):
        st.session_state[done] = wish.id
        if st.session_state.get(_key(pair, "answer")) != _given(scheme, pair):
            _save(desk, scheme, pair)


@st.fragment
def pair_form(desk: Desk, study: Study, pair: PanelPair, heading: str = "") -> None:
    """The two stories and one answer about both; under a `heading` with their own opening, where there are several."""
    scheme = study.scheme
    answers = sides(scheme)
    if _key(pair, "answer") not in st.session_state:
        st.session_state[_key(pair, "answer")] = pair.answer.values.get(scheme.main.name)
    with st.container(key=_key(pair, "story"), border=bool(heading)):
        if heading:
            st.markdown(f"**{heading}**")
            if scheme.shows_prompt:
                st.caption(scheme.unit.wording.opening)
                story_text(pair.prompt)
        given = _given(scheme, pair)
        for story, column in zip(pair.stories, st.columns(2, gap="medium"), strict=True):
            with column.container(border=True, height="stretch"):
                st.markdown(f"**Story {story.letter}**")
                story_reader(
                    story.text,
                    f"Story {story.letter}",
                    f"reader-{story.token}",
                    error_types=(),
                    spans={},
                    stored=[-1 if given is None else list(answers).index(given)],
                    done=st.session_state.get(_key(pair, ":done"), 0),
                    on_asked=partial(_save_asked, desk, scheme, pair, f"reader-{story.token}"),
                )
        question = escaped(scheme.question)
        rating_control(scheme.main, question, _key(pair, "answer"), answers, _save, (desk, scheme, pair), named=True)
        with st.container(key=_key(pair, "saved")):
            saved_line(desk, scheme, _present(pair), st.session_state.get(_key(pair, ":problem")), [])
