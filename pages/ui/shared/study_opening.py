"""The button that opens a study, without controls only after a confirmation; and where people are invited, why."""

from typing import Literal

import streamlit as st

from core.annotation.criterion import OVERALL
from core.annotation.scheme import QualityRules
from core.annotation.studies import Study, StudyState, StudySummary, WithoutReferences
from core.errors import FabulaError
from core.people import Person
from core.wording import so_many
from db.studies import studies
from pages.ui.components.scrolled import scrolled
from pages.ui.shared.damaged_stories import read_damaged, say_weak_stories
from pages.ui.shared.text import escaped, notice, problem

ASKED, PRESSED, PRESSES, FAILED = "opening_asked", "opening_pressed", "opening_presses", "opening_failed"
"""Of the session's state: the study that is asked about, the one being opened, how often something of this was to be
brought into sight, what failed.
"""
NOTICES = "drawn-study-notices"
"""There too, with the study: what is said until another page is opened, since a page draws itself anew at any time."""
BOX, OPENED = "opening-asked", "study-opened"
PANEL = "A panel is the stories of one prompt, which one person rates together."
REJECTED = "All ratings of a panel are rejected if"
NOW_OPEN = "The study is open now: whoever follows a link can rate."
NOT_OPEN = {
    StudyState.DRAFT: "This study is not open yet: whoever follows a link is told so, and can rate once you open it.",
    StudyState.CLOSED: "This study is closed: whoever follows a link is told so, and can rate once you open it again.",
}


def open_first(viewer: Person, summary: StudySummary) -> None:
    """Where people are invited to a study that is not open: say so, with the button that opens it; in its place what
    is to be known once it was opened.
    """
    study = summary.study
    with st.container():  # always there, so that what is typed below keeps its place
        notices(study)
        if study.state is StudyState.OPEN:
            return
        with st.container(border=True, key="not-open"):
            st.markdown(NOT_OPEN[study.state])
            if summary.stories:
                say_controls(viewer, study)
                opening(viewer, study, "secondary")
                confirmation(study)
            else:
                st.markdown("It cannot be opened before it has stories to rate.")
                query = {"study": str(study.id)}
                st.page_link("import_data.py", label="Import stories", icon=":material/upload:", query_params=query)


def say_controls(viewer: Person, study: Study) -> None:
    """Where a study is opened: which controls its panels will hold, and what rejects a panel by them."""
    if not study.scheme.controls:
        return
    if study.scheme.unit.of_pairs:
        said = _of_pairs(study.rules)
    else:
        said = _of_stories(study, studies.without_references(study.id))
    say_weak_stories(viewer, study, said)
    query = {"study": str(study.id), "form-tab": "Quality rules"}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        read_damaged(viewer, study)
        st.page_link("form.py", label="Quality rules", icon=":material/rule:", query_params=query)


def _of_stories(study: Study, lacking: WithoutReferences) -> str:
    """`lacking`: the prompts whose panels will have no human reference."""
    rules = study.rules
    judging = [name for name in study.rules.judging(study.scheme) if name != OVERALL]
    on = f" ({escaped(', '.join(judging))})" if judging else ""
    human, negative = f"below **{rules.human_least}**", f"above **{rules.negative_most}**{on}"
    damaged = "damaged (*negative*) story" + (" that Fabula makes" if lacking.negative else "")
    if lacking.human and lacking.human == lacking.prompts:
        return (
            f"{PANEL} Each also holds a {damaged}, its only control: no prompt has a human reference. {REJECTED} the "
            f"damaged story is rated {negative}."
        )
    holds = f"Each also holds two controls, a human reference and a {damaged}."
    if lacking.human:
        holds = (
            f"Each also holds a {damaged} and, where its prompt has one, a human reference: {lacking.human:,} of "
            f"{so_many(lacking.prompts, 'prompt')} {'has' if lacking.human == 1 else 'have'} none."
        )
    return f"{PANEL} {holds} {REJECTED} the human reference is rated {human} or the damaged story {negative}."


def _of_pairs(rules: QualityRules) -> str:
    if rules.human_least > 1:
        fails = f"the undamaged story is not found better by at least **{rules.human_least}**"
    else:
        fails = "the damaged story is found better" + (" or as good" if rules.human_least else "")
    return (
        "A panel is the pairs of stories that one person compares in one go. Each also holds control pairs, of which "
        f"one story is damaged. {REJECTED} {fails}."
    )


def notices(study: Study) -> None:
    """What a study's owner should know once it was opened."""
    about, messages = st.session_state.get(NOTICES, (None, ()))
    if about == study.id and study.state is StudyState.OPEN:
        with st.container(key=OPENED):
            notice(" ".join(messages))
        scrolled(str(st.session_state.get(PRESSES, 0)), to=OPENED)


def opening(viewer: Person, study: Study, kind: Literal["primary", "secondary", "tertiary"]) -> None:
    """Open the study at a press, or ask first where its panels would lack a control: then the question stands here."""
    under_way = st.session_state.get(PRESSED) == study.id
    if under_way or st.session_state.get(ASKED) != study.id:
        # A callback runs before the page is drawn, so that no press is lost or made twice while the study is opened.
        st.button(
            "Open for annotation",
            type=kind,
            icon=":material/lock_open:",
            disabled=under_way,
            on_click=_press,
            args=(study.id,),
        )
    if message := st.session_state.pop(FAILED, ""):
        problem(message)
    if under_way:
        _open(viewer, study)


def _press(study_id: int) -> None:
    if studies.without_references(study_id).sentence:
        st.session_state[ASKED] = study_id
        st.session_state[PRESSES] = st.session_state.get(PRESSES, 0) + 1
    else:
        st.session_state[PRESSED] = study_id


def confirmation(study: Study) -> None:
    """The question, once the button was pressed: what is missing, and what it means."""
    if st.session_state.get(ASKED) != study.id or st.session_state.get(PRESSED) == study.id:
        return
    message = studies.without_references(study.id).sentence
    if not message:
        del st.session_state[ASKED]
        st.rerun()
    with st.container(border=True, key=BOX):
        st.warning(escaped(message), icon=":material/warning:")
        sure = st.checkbox("I want to collect ratings without human references", key=f"opening-sure-{study.id}")
        with st.container(horizontal=True):
            st.button(
                "Open without them",
                icon=":material/lock_open:",
                disabled=not sure,
                on_click=_confirm,
                args=(study.id,),
            )
            st.button("Not yet", on_click=_not_yet)
    scrolled(str(st.session_state.get(PRESSES, 0)), to=BOX)


def _confirm(study_id: int) -> None:
    st.session_state[PRESSED] = study_id


def _not_yet() -> None:
    st.session_state.pop(ASKED, None)


def _open(viewer: Person, study: Study) -> None:
    """Open it, confirmed where it was asked; who presses something else meanwhile finds it opened all the same."""
    with st.spinner("Opening the study"):
        try:
            confirmed = st.session_state.get(ASKED) == study.id
            told = studies.open_study(viewer, study.id, confirmed=confirmed)
        except FabulaError as error:
            st.session_state[FAILED] = str(error)
        else:
            st.session_state[NOTICES] = (study.id, [NOW_OPEN, *told])
            st.session_state[PRESSES] = st.session_state.get(PRESSES, 0) + 1
            st.session_state.pop(ASKED, None)
        del st.session_state[PRESSED]
    st.rerun()
