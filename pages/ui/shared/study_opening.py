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
from pages.ui.shared.repeating_stories import say_repetition
from pages.ui.shared.text import escaped, notice, problem

ASKED, NOTICES, PRESSES = "opening_asked", "study_notices", "opening_presses"
BOX = "opening-asked"
NOW_OPEN = "The study is open now: whoever follows a link can rate."
NOT_OPEN = {
    StudyState.DRAFT: "This study is not open yet: whoever follows a link is told so, and can rate once you open it.",
    StudyState.CLOSED: "This study is closed: whoever follows a link is told so, and can rate once you open it again.",
}


def open_first(viewer: Person, summary: StudySummary) -> None:
    """Where people are invited to a study that is not open: say so, with the button that opens it."""
    notices()
    study = summary.study
    if study.state is StudyState.OPEN:
        return
    with st.container(border=True, key="not-open"):
        st.markdown(NOT_OPEN[study.state])
        if summary.stories:
            say_controls(study)
            opening(viewer, study, "secondary")
        else:
            st.markdown("It cannot be opened before it has stories to rate.")
            query = {"study": str(study.id)}
            st.page_link("import_data.py", label="Import stories", icon=":material/upload:", query_params=query)
    confirmation(viewer, study)


def say_controls(study: Study) -> None:
    """Where a study is opened: which controls its panels will hold, and what rejects a panel by them."""
    if not study.scheme.controls:
        return
    if study.scheme.unit.of_pairs:
        st.caption(_of_pairs(study.rules))
    else:
        st.caption(_of_stories(study, studies.without_references(study.id)))
    say_repetition(study)
    query = {"study": str(study.id), "form-tab": "Quality rules"}
    st.page_link("form.py", label="Quality rules", icon=":material/rule:", query_params=query)


def _of_stories(study: Study, lacking: WithoutReferences) -> str:
    """`lacking`: the prompts whose panels will have no human reference."""
    rules = study.rules
    judging = [name for name in study.rules.judging(study.scheme) if name != OVERALL]
    on = f" ({escaped(', '.join(judging))})" if judging else ""
    human, negative = f"the human one is rated below **{rules.human_least}**", f"above **{rules.negative_most}**{on}"
    damaged = "damaged (*negative*) story" + (" that Fabula makes" if lacking.negative else "")
    if lacking.human and lacking.human == lacking.prompts:
        return (
            f"Each panel also holds a {damaged}, but no prompt has a human reference. A panel is rejected if the "
            f"damaged one is rated {negative}."
        )
    holds = f"Each panel also holds a human reference and a {damaged}."
    if lacking.human:
        holds = (
            f"Each panel also holds a {damaged} and, where its prompt has one, a human reference: {lacking.human:,} of "
            f"{so_many(lacking.prompts, 'prompt')} {'has' if lacking.human == 1 else 'have'} none."
        )
    fails = f"{human} or the damaged one {negative}"
    return f"{holds} A panel is rejected if {fails}, which a short or plain human text may fail."


def _of_pairs(rules: QualityRules) -> str:
    if rules.human_least > 1:
        fails = f"the undamaged story is not found better by at least **{rules.human_least}**"
    else:
        fails = "the damaged story is found better" + (" or as good" if rules.human_least else "")
    return f"Each panel also holds control pairs, of which one story is damaged. A panel is rejected if {fails}."


def notices() -> None:
    """What a study's owner should know once it was opened, said once."""
    for message in st.session_state.pop(NOTICES, []):
        notice(message)


def opening(viewer: Person, study: Study, kind: Literal["primary", "secondary", "tertiary"]) -> None:
    """Open the study at a press, or ask first where its panels would lack a control."""
    if st.button("Open for annotation", type=kind, icon=":material/lock_open:"):
        if studies.without_references(study.id).sentence:
            st.session_state[ASKED] = study.id
            st.session_state[PRESSES] = st.session_state.get(PRESSES, 0) + 1
        else:
            _open(viewer, study, confirmed=False)


def confirmation(viewer: Person, study: Study) -> None:
    """The question, once the button was pressed: what is missing, and what it means."""
    if st.session_state.get(ASKED) != study.id:
        return
    message = studies.without_references(study.id).sentence
    if not message:
        del st.session_state[ASKED]
        return
    with st.container(border=True, key=BOX):
        st.warning(escaped(message), icon=":material/warning:")
        sure = st.checkbox("I want to collect ratings without these controls", key=f"opening-sure-{study.id}")
        with st.container(horizontal=True):
            if st.button("Open without them", icon=":material/lock_open:", disabled=not sure):
                _open(viewer, study, confirmed=True)
            if st.button("Not yet"):
                del st.session_state[ASKED]
                st.rerun()
    scrolled(str(st.session_state.get(PRESSES, 0)), to=BOX)


def _open(viewer: Person, study: Study, *, confirmed: bool) -> None:
    try:
        st.session_state[NOTICES] = [NOW_OPEN, *studies.open_study(viewer, study.id, confirmed=confirmed)]
    except FabulaError as error:
        problem(str(error))
    else:
        st.session_state.pop(ASKED, None)
        st.rerun()
