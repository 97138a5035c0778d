"""Practice as annotators see it: an introduction, a screen per item, what was right and why, the result."""

import streamlit as st

from core.annotation.onboarding import Outcome, PracticeStep, ReviewedItem, asked
from core.annotation.panel import AnnotatorTurn
from core.annotation.studies import Study
from pages.ui.annotating.answer_form import not_stored, saved_sign
from pages.ui.annotating.desk import Desk, begin_panel
from pages.ui.annotating.instructions import instructions, placeholder_of, task
from pages.ui.annotating.onboarding_item import item_form, rating_text, right_answer, shown_item
from pages.ui.components.scrolled import scrolled
from pages.ui.shared.annotators_words import say
from pages.ui.shared.text import escaped


def practice_screen(desk: Desk, study: Study, turn: AnnotatorTurn) -> bool:
    """Show the next screen of the practice; False where nothing of it is left to show, and the page goes on.

    An answer is kept when it is checked. What this browser has read since is not: a reload shows the answer again.
    """
    step = turn.practice
    if step is None:
        return False
    seen = st.session_state.get(_key(desk, study))
    last = step.reviewed
    if last is not None and seen not in (_mark(last, "review"), _mark(last, "result")):
        scrolled(_mark(last, "review"))
        _review(desk, study, step, last)
    elif (
        last is not None and last.ends_attempt and step.outcome is not Outcome.FAILED and seen != _mark(last, "result")
    ):
        scrolled(_mark(last, "result"))
        _result(desk, study, step, last)
    elif step.outcome is not None:
        return False
    elif last is None and seen != "introduction":
        _introduction(desk, study, step)
    else:
        scrolled(f"{step.attempt}/{step.place}")
        _heading(study, step.place, step.size)
        item_form(desk, study, step)
    return True


def _key(desk: Desk, study: Study) -> str:
    return desk.key(f"practice-seen-{study.id}")


def _mark(reviewed: ReviewedItem, screen: str) -> str:
    return f"{reviewed.answer.attempt}/{reviewed.answer.item}/{screen}"


def _go_on(desk: Desk, study: Study, seen: str) -> None:
    """This screen has been read."""
    st.session_state[_key(desk, study)] = seen


def _begin(desk: Desk, study: Study, seen: str) -> None:
    """The result has been read, and the viewer wants a panel."""
    _go_on(desk, study, seen)
    begin_panel(desk)


def _heading(study: Study, place: int, size: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="screen-heading"):
        st.title(say("practice.heading", place=place, size=size))
        with st.popover(say("instructions.title"), icon=":material/help:", key="instructions"):
            instructions(study.scheme, placeholder_of(study))


def _introduction(desk: Desk, study: Study, step: PracticeStep) -> None:
    st.title(say("practice.title"))
    st.markdown(task(study.scheme))
    st.markdown(say("practice.introduction", size=step.size))
    st.markdown(_wanted(step))
    instructions(study.scheme, placeholder_of(study))
    st.button(say("practice.begin"), type="primary", shortcut="B", on_click=_go_on, args=(desk, study, "introduction"))


def _wanted(step: PracticeStep) -> str:
    if not step.pass_mark:
        return say("practice.nobody_fails")
    few = {1: "once", 2: "twice"}.get(step.attempts)
    tries = say(f"practice.{few}") if few else say("practice.times", number=step.attempts)
    return say("practice.wanted", mark=step.pass_mark, size=step.size, tries=tries)


def _review(desk: Desk, study: Study, step: PracticeStep, last: ReviewedItem) -> None:
    """Right or not, and why; the text again below it."""
    _heading(study, last.answer.item + 1, step.size)
    if last.answer.correct:
        st.success(f"**{say('practice.right')}** {escaped(last.item.explanation)}", icon=":material/check:")
    else:
        st.warning(f"**{say('practice.not_quite')}** {escaped(last.item.explanation)}", icon=":material/school:")
    scheme = asked(study.scheme, last.item.criterion)
    if last.item.criterion:
        st.caption(escaped(scheme.question))
    given = rating_text(scheme, (last.answer.overall,), tuple(last.answer.error_types))
    st.markdown(
        f"{say('practice.your_answer', answer=given)} {saved_sign() if desk.stores else not_stored()}  \n"
        + say("practice.was_right", answer=right_answer(study.scheme, last.item))
    )
    mark = _mark(last, "review")
    label = say("practice.result" if last.ends_attempt else "practice.next")
    st.button(
        label, type="primary", key=f"practice-next-{mark}", shortcut="N", on_click=_go_on, args=(desk, study, mark)
    )
    if not study.scheme.shows_prompt:
        st.caption(say("practice.what_you_read"))
    shown_item(study.scheme, last.item.prompt, last.item.texts)


def _result(desk: Desk, study: Study, step: PracticeStep, last: ReviewedItem) -> None:
    """Passed, or another attempt; who has failed the last comes to the end instead (see `ends`)."""
    mark = _mark(last, "result")
    if step.outcome is Outcome.PASSED:
        st.title(say("practice.passed" if step.pass_mark else "practice.over"))
        st.write(score(step))
        st.write(say("practice.now_real"))
        st.button(say("between.begin"), type="primary", shortcut="B", on_click=_begin, args=(desk, study, mark))
        return
    st.title(say("practice.not_yet"))
    st.write(score(step))
    left = step.attempts - last.answer.attempt
    st.write(say("practice.once_more") if left == 1 else say("practice.more", number=left))
    instructions(study.scheme, placeholder_of(study))
    st.button(say("practice.again"), type="primary", shortcut="B", on_click=_go_on, args=(desk, study, mark))


def score(step: PracticeStep) -> str:
    """How many items of the last attempt were right, and how many had to be."""
    right = step.reviewed.right if step.reviewed else 0
    if step.pass_mark:
        return say("practice.score_needed", right=right, size=step.size, mark=step.pass_mark)
    return say("practice.score", right=right, size=step.size)
