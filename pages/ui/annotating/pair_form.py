"""A panel of pairs: two stories at a time side by side, and which is better."""

from collections.abc import Callable

import streamlit as st

from core.annotation.panel import Panel, PanelPair, PanelStory
from core.annotation.studies import Study
from pages.ui.annotating.answer_form import rating_control
from pages.ui.annotating.desk import Desk
from pages.ui.annotating.pair_reader import pair_reader
from pages.ui.annotating.pair_state import pair_state
from pages.ui.annotating.story_answer import fill, key_of, present, save, save_asked
from pages.ui.annotating.story_form import comment_field
from pages.ui.shared.text import escaped, problem


def of_both(pair: PanelPair) -> PanelStory:
    """The pair as one story, as which its answer is kept."""
    return PanelStory(pair.token, "", "", pair.answer)


def pair_forms(desk: Desk, study: Study, panel: Panel, then: Callable[[], None]) -> None:
    """All pairs with their forms. The browser shows one at a time: whoever goes on to another waits for nothing, and
    the server draws nothing for it. `then`: what follows a change.
    """
    with st.container(key="pairs"):
        pair_reader(study.scheme, panel.pairs)
        for pair in panel.pairs:
            with st.container(key=key_of(of_both(pair), "story")):
                pair_form(desk, study, pair, then)


@st.fragment
def pair_form(desk: Desk, study: Study, pair: PanelPair, then: Callable[[], None]) -> None:
    """What is answered about two stories, a fragment of its own: a change reruns and saves this answer alone."""
    scheme, main = study.scheme, study.scheme.main
    both = of_both(pair)
    if key_of(both, main.name) not in st.session_state:
        fill(both, scheme)
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
    answer, failure = present(both), st.session_state.get(key_of(both, ":problem"))
    given = answer.values.get(main.name)
    pair_state(
        key_of(both, "reader"),
        answer,
        chosen=-1 if given is None else main.steps.index(given),
        done=st.session_state.get(key_of(both, ":done"), 0),
        stores=desk.stores,
        failed=failure is not None,
        on_asked=lambda: save_asked(desk, scheme, both),
    )
    if failure is not None:
        problem(failure)
    then()
