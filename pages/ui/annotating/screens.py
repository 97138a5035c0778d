"""The screens that an annotator comes to, one after the other: consent, practice, panels, the end."""

from dataclasses import replace
from functools import partial

import streamlit as st

from core.annotation.localized import localized_scheme, localized_step
from core.annotation.panel import AnnotatorTurn, Panel
from core.annotation.studies import Study
from core.errors import FabulaError
from core.languages.words import sentence
from pages.ui.annotating.desk import BETWEEN, WANTS_PANEL, Desk
from pages.ui.annotating.end_screens import between_panels, consent_screen, end_screen
from pages.ui.annotating.onboarding import practice_screen
from pages.ui.annotating.page_language import page_language
from pages.ui.annotating.pair_form import pair_forms
from pages.ui.annotating.panel_bar import panel_bar
from pages.ui.annotating.panel_submission import hand_in_button, settled
from pages.ui.annotating.story_form import story_form
from pages.ui.components.scrolled import scrolled
from pages.ui.shared.annotators_words import named, say, speak, titled
from pages.ui.shared.text import escaped, problem, story_text


def show(desk: Desk) -> None:
    """The screen whose turn it is.

    It returns and never stops the script: only after a script that has come to its end does Streamlit forget the forms
    of the screen before. It would draw one again, over this screen, for a click that came late.
    """
    try:
        turn = desk.turn(claim=bool(st.session_state.pop(desk.key(WANTS_PANEL), False)))
        study = desk.study()
    except FabulaError as error:
        spoken = speak(None)
        problem(sentence(spoken, error))
        return
    spoken = speak(study)
    study = replace(study, form=localized_scheme(study.scheme, spoken))
    if turn.practice is not None:
        turn = replace(turn, practice=localized_step(turn.practice, spoken))
    with st.container(key="annotators-screen"):
        page_language(spoken)
        _screen(desk, study, turn)


def _screen(desk: Desk, study: Study, turn: AnnotatorTurn) -> None:
    """The screen itself, in the language that is spoken."""
    if practice_screen(desk, study, turn):
        return
    if turn.end is not None:
        end_screen(desk, turn, turn.end)
    elif turn.consent:
        consent_screen(desk, turn)
    elif turn.panel is None or st.session_state.get(desk.key(BETWEEN)):
        between_panels(desk, study, turn)
    else:
        panel_screen(desk, study, turn, turn.panel)


def panel_screen(desk: Desk, study: Study, turn: AnnotatorTurn, panel: Panel) -> None:
    """The panel: its bar, its prompt, its stories' forms, and the button that hands it in."""
    scheme = study.scheme
    scrolled(panel.token)  # another panel begins at its top, wherever the last one was left
    number = turn.finished + 1
    unit = titled(scheme.unit.wording.noun)
    with st.container(key="screen-heading"):
        st.title(say("panel.heading", unit=unit, number=number, most=max(turn.most, number)))
    panel_bar(scheme, panel)
    if scheme.shows_prompt and not scheme.unit.of_pairs:
        st.caption(named(scheme.wording.opening))
        with st.container(border=True, key="prompt"):
            story_text(panel.prompt, say("story.empty"))
    if scheme.unit.of_prompt:
        single = len(scheme.criteria) == 1
        every = say("panel.rate_every")
        st.markdown(f"**{escaped(scheme.question)}** {every}" if single else f"**{every}**")
    if scheme.unit.of_pairs:
        pair_forms(desk, study, panel, partial(settled, scheme, panel))
    else:
        for place, story in enumerate(panel.stories):
            form = scheme.form_at(place, len(panel.stories))
            then = partial(settled, scheme, panel)
            story_form(desk, replace(study, form=form), story, then, alone=scheme.unit.single)
    hand_in_button(desk, study, panel, last=turn.finished + 1 >= turn.most)
