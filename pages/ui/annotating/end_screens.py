"""What an annotator sees before, between and after their panels: consent, what became of a panel, every end."""

import streamlit as st

from core.annotation.panel import AnnotatorTurn, End
from core.annotation.studies import Study
from core.errors import FabulaError
from db.annotation import panel_submission
from pages.ui.annotating.desk import Desk, begin_panel
from pages.ui.annotating.instructions import beforehand, placeholder_of
from pages.ui.annotating.onboarding import score
from pages.ui.shared.annotators_words import explained, named, say, titled, words
from pages.ui.shared.text import escaped, markdown, problem, story_text

CODE_WIDTH = 280
"""Pixels: room for the longest code beside the button that copies it."""


def end_screen(desk: Desk, turn: AnnotatorTurn, end: End) -> None:
    """The end a person has come to, with its completion code."""
    heading, explanation = _paused(turn.paused) if turn.paused else _of_end(end)
    st.title(heading)
    st.write(explanation)
    if turn.practice is not None:
        st.write(score(turn.practice))
    if turn.earlier_code:
        st.caption(say("end.earlier_code"))
        st.code(turn.earlier_code, language=None, width=CODE_WIDTH)
    if turn.code:
        st.caption(say("end.own_code" if turn.earlier_code else "end.code"))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.code(turn.code, language=None, width=CODE_WIDTH)
            if turn.back:
                st.link_button(say("end.prolific"), turn.back, type="primary", icon=":material/exit_to_app:")
    if turn.closing_question:
        _closing(desk, turn)
    if end is End.NO_CONSENT:
        st.button(say("consent.again"), on_click=_answer, args=(desk, None))
        _consent_problem()
    if turn.paused or (turn.finished and turn.last_rejected):
        rejected(desk, turn)
    _decided(desk, turn)


def _closing(desk: Desk, turn: AnnotatorTurn) -> None:
    """The study's last question, answered in words or not at all."""
    with st.form("closing", border=False):
        comment = st.text_area(
            escaped(turn.closing_question), turn.closing_comment, placeholder=say("closing.placeholder")
        )
        if st.form_submit_button(say("closing.send")):
            try:
                desk.answer_closing(comment)
            except FabulaError as error:
                problem(explained(error))
            else:
                st.success(say("closing.saved" if desk.stores else "closing.preview"))


def _of_end(end: End) -> tuple[str, str]:
    """The heading and the explanation of an end."""
    return say(f"end.{end.name.lower()}.title"), say(f"end.{end.name.lower()}.text")


def _paused(number: int) -> tuple[str, str]:
    explanation = say("end.paused.one") if number == 1 else say("end.paused.several", number=number)
    return say("end.paused.title"), explanation


def consent_screen(desk: Desk, turn: AnnotatorTurn) -> None:
    """The study's text, and two answers of equal weight."""
    st.title(say("consent.title"))
    with st.container(border=True, key="consent"):
        markdown(turn.consent)
    with st.container(horizontal=True):
        st.button(say("consent.agree"), type="primary", on_click=_answer, args=(desk, True, turn.consent))
        st.button(say("consent.decline"), on_click=_answer, args=(desk, False))
    _consent_problem()


def _consent_problem() -> None:
    if message := st.session_state.pop("consent_problem", None):
        problem(message)


def _answer(desk: Desk, given: bool | None, read: str | None = None) -> None:
    try:
        desk.answer_consent(given=given, read=read)
    except FabulaError as error:
        st.session_state["consent_problem"] = explained(error)


def between_panels(desk: Desk, study: Study, turn: AnnotatorTurn) -> None:
    """Before the first panel and after each: what became of it, and the way on."""
    unit = study.scheme.unit
    noun = titled(unit.wording.noun)
    became = "rejected.title" if turn.last_rejected else "between.handed_in"
    st.title(say(became, unit=noun, number=turn.finished) if turn.finished else say("between.title"))
    if turn.lapsed:
        st.info(say("between.lapsed"))
    if turn.last_rejected:
        rejected(desk, turn, goes_on=True)
    elif turn.finished and not turn.left_out:  # else what became of it is told above
        st.success(say("between.thanks"))
        if turn.finished < turn.most:
            st.markdown(say("between.so_far", done=words().number(turn.finished), most=words().number(turn.most)))
    _decided(desk, turn)
    if not turn.finished:
        beforehand(study.scheme, turn.most, placeholder_of(study))
    st.button(
        say("between.next", unit=named(unit.wording.noun)) if turn.finished else say("between.begin"),
        type="primary",
        shortcut="B",
        on_click=begin_panel,
        args=(desk,),
    )


def _decided(desk: Desk, turn: AnnotatorTurn) -> None:
    """What was decided on the note that they left last, once it was."""
    if turn.reply is None:
        return
    unit = titled(desk.study().scheme.unit.wording.noun)
    if turn.reply.accepted:
        st.success(say("rejected.after_all", unit=unit, number=turn.reply.number))
    else:
        st.info(say("rejected.stands", unit=unit, number=turn.reply.number))
    st.caption(say("rejected.your_note"))
    story_text(turn.reply.note)


def rejected(desk: Desk, turn: AnnotatorTurn, *, goes_on: bool = False) -> None:
    """The newest panel was not accepted: why, and a word to the study's owner. `goes_on`: whether there is another."""
    if not turn.paused:  # else it has been said
        st.warning(" ".join([say("rejected.text"), *([say("rejected.go_on")] if goes_on else [])]))
    if turn.appeal:
        if turn.reply is None or turn.reply.number != turn.finished:  # else it stands with what was decided
            st.caption(say("rejected.kept"))
            story_text(turn.appeal)
        return
    with st.expander(say("rejected.ask")), st.form("appeal", border=False):
        at_most = say("rejected.at_most", most=words().number(panel_submission.LONGEST_APPEAL))
        # No `max_chars`: it would cut a longer note without a word.
        note = st.text_area(say("rejected.note"), placeholder=at_most)
        if st.form_submit_button(say("rejected.send")):
            try:
                desk.appeal(note)
            except FabulaError as error:
                problem(explained(error))
            else:
                st.rerun()
