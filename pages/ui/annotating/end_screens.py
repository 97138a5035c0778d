"""What an annotator sees before, between and after their panels: consent, what became of a panel, every end."""

import streamlit as st

from core.annotation.panel import AnnotatorTurn, End
from core.annotation.studies import Study
from core.errors import FabulaError
from db.annotation import panel_submission
from pages.ui.annotating.desk import Desk, begin_panel
from pages.ui.annotating.instructions import instructions, task
from pages.ui.annotating.onboarding import score
from pages.ui.shared.text import escaped, markdown, problem, story_text

ENDS = {
    End.COMPLETE: ("You are done", "There is nothing more for you to rate here. Thank you for coming."),
    End.FULL: ("No place is free", "All stories of this study are rated or in somebody's hands. Thank you for coming."),
    End.NOT_QUALIFIED: (
        "You cannot take part in this study",
        "Its practice was not passed, or its owner has chosen other annotators. Thank you for your time.",
    ),
    End.EXPIRED: (
        "Your time ran out",
        "You were away for so long that somebody else took your place, and no other is free. What you had answered is "
        "kept.",
    ),
    End.NO_CONSENT: (
        "You did not agree",
        "So nothing is asked of you. What is kept is that answer, and how you came: the name that your link was made "
        "for, or your platform's number of this visit and a code that nobody can read your ID back from.",
    ),
    End.ALREADY_DONE: ("You had finished before", "Your answers from that visit are in. There is nothing to do now."),
    End.CLOSED: (
        "This study is not open",
        "Its owner has not opened it yet, or has closed it. If you had answered anything, it is kept.",
    ),
}

CODE_WIDTH = 280
"""Pixels: room for the longest code beside the button that copies it."""


def end_screen(desk: Desk, turn: AnnotatorTurn, end: End) -> None:
    """The end a person has come to, with its completion code."""
    heading, explanation = _paused(turn.paused) if turn.paused else ENDS[end]
    st.title(heading)
    st.write(explanation)
    if turn.practice is not None:
        st.write(score(turn.practice))
    if turn.earlier_code:
        st.caption("Your completion code, from when you finished:")
        st.code(turn.earlier_code, language=None, width=CODE_WIDTH)
    if turn.code:
        st.caption(
            "This visit has a code of its own, if somebody asks for it:"
            if turn.earlier_code
            else "If you were asked for a completion code, this visit's is:"
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.code(turn.code, language=None, width=CODE_WIDTH)
            if turn.back:
                st.link_button("Go back to Prolific", turn.back, type="primary", icon=":material/exit_to_app:")
    if turn.closing_question:
        _closing(desk, turn)
    if end is End.NO_CONSENT:
        st.button("I want to read it again", on_click=_answer, args=(desk, None))
        _consent_problem()
    if turn.paused or (turn.finished and turn.last_rejected):
        rejected(desk, turn)


def _closing(desk: Desk, turn: AnnotatorTurn) -> None:
    """The study's last question, answered in words or not at all."""
    with st.form("closing", border=False):
        comment = st.text_area(
            escaped(turn.closing_question), turn.closing_comment, placeholder="Optional. Please name nobody."
        )
        if st.form_submit_button("Send"):
            try:
                desk.answer_closing(comment)
            except FabulaError as error:
                problem(str(error))
            else:
                st.success("Thank you. It is saved." if desk.stores else "Thank you. A preview does not store it.")


def _paused(number: int) -> tuple[str, str]:
    last = "Your last panel" if number == 1 else f"Your last {number} panels"
    return (
        "Let us stop here",
        f"{last} could not be accepted, so there is no other for you now. That need not be your fault: the people who "
        "run the study look at it and can let you go on, with the same link. What you have handed in is kept, and "
        "whether it is paid is decided apart from this.",
    )


def consent_screen(desk: Desk, turn: AnnotatorTurn) -> None:
    """The study's text, and two answers of equal weight."""
    st.title("Before you begin")
    with st.container(border=True):
        markdown(turn.consent)
    with st.container(horizontal=True):
        st.button("I agree", type="primary", on_click=_answer, args=(desk, True, turn.consent))
        st.button("I do not agree", on_click=_answer, args=(desk, False))
    _consent_problem()


def _consent_problem() -> None:
    if message := st.session_state.pop("consent_problem", None):
        problem(message)


def _answer(desk: Desk, given: bool | None, read: str | None = None) -> None:
    try:
        desk.answer_consent(given=given, read=read)
    except FabulaError as error:
        st.session_state["consent_problem"] = str(error)


def between_panels(desk: Desk, study: Study, turn: AnnotatorTurn) -> None:
    """Before the first panel and after each: what became of it, and the way on."""
    wording = study.scheme.unit.wording
    unit = wording.noun
    st.title(f"{unit.capitalize()} {turn.finished} is handed in" if turn.finished else "Rate stories")
    if turn.lapsed:
        st.info(
            "You left your last panel for so long that somebody else took its place. What you had answered is kept."
        )
    if turn.last_rejected:
        rejected(desk, turn)
    elif turn.finished:
        st.success("Thank you. Your ratings are saved.")
    if not turn.finished:
        st.markdown(task(study.scheme))
        st.markdown(f"There are up to **{turn.most}** {wording.plural} for you. You can stop after each.")
        instructions(study.scheme)
    st.button(
        f"Begin the next {unit}" if turn.finished else "Begin",
        type="primary",
        shortcut="B",
        on_click=begin_panel,
        args=(desk,),
    )


def rejected(desk: Desk, turn: AnnotatorTurn) -> None:
    """The newest panel was not accepted: why, and a word to the study's owner."""
    if not turn.paused:  # else it has been said
        st.warning("Your last panel could not be accepted. Please read every story to its end before you rate it.")
    if turn.appeal:
        st.caption("Your note to the study's owner is kept:")
        story_text(turn.appeal)
        return
    with st.expander("You think it should count?"), st.form("appeal", border=False):
        at_most = f"At most {panel_submission.LONGEST_APPEAL:,} characters"
        # No `max_chars`: it would cut a longer note without a word.
        note = st.text_area("A note to the study's owner", placeholder=at_most)
        if st.form_submit_button("Send the note"):
            try:
                desk.appeal(note)
            except FabulaError as error:
                problem(str(error))
            else:
                st.rerun()
