"""One practice item: what is shown, the question with the same answers as later, and answers in words."""

from collections.abc import Sequence

import streamlit as st

from core.annotation.criterion import Criterion
from core.annotation.onboarding import PracticeItem, PracticeStep, asked
from core.annotation.scheme import Scheme
from core.annotation.studies import Study
from core.errors import FabulaError
from pages.ui.annotating.answer_form import FEW_STEPS, ends, rating_control
from pages.ui.annotating.desk import Desk
from pages.ui.annotating.navigator import practice_keys
from pages.ui.shared.annotators_words import explained, minus, named, say, titled, words
from pages.ui.shared.text import escaped, problem, story_text

_ABOVE = {
    (False, False): ("practice.begins", "practice.goes_on"),
    (False, True): ("practice.begin_several", "practice.go_on_several"),
    (True, False): ("practice.written_for", "practice.reads"),
    (True, True): ("practice.written_for_several", "practice.read_several"),
}
"""By whether prompts are tasks, and whether there are several texts: what stands above the prompt, and below it."""


def shown_item(scheme: Scheme, prompt: str, texts: Sequence[str]) -> None:
    """The opening, where there is one, and the text, or two beside each other."""
    if scheme.shows_prompt:
        before, behind = _ABOVE[scheme.of_tasks, len(texts) > 1]
        st.caption(say(before))
        with st.container(border=True):
            story_text(prompt, say("story.empty"))
        st.caption(say(behind))
    if len(texts) == 1:
        with st.container(border=True):
            story_text(texts[0], say("story.empty"))
        return
    for letter, text, column in zip("AB", texts, st.columns(2, gap="medium"), strict=True):
        with column.container(border=True, height="stretch"):
            st.markdown(f"**{say('story.name', letter=letter)}**")
            story_text(text, say("story.empty"))


@st.fragment
def item_form(desk: Desk, study: Study, step: PracticeStep) -> None:
    """The item, its question, and a button that keeps and judges the answer."""
    scheme, key = asked(study.scheme, step.criterion), f"practice-{step.attempt}-{step.token}"
    practice_keys(scheme, step.token, list(names(scheme).values()))
    with st.container(key=f"story-{step.token}"):
        shown_item(scheme, step.prompt, step.texts)
        rating_control(scheme.main, _question(scheme.main), f"{key}-overall", names(scheme), _changed, ())
        overall: int | None = st.session_state[f"{key}-overall"]
        given = _error_types(scheme, key) if scheme.takes_reasons(overall) else {}
    if st.button(say("practice.check"), type="primary", icon=":material/check:", key=f"{key}-check", shortcut="N"):
        try:
            desk.answer_item(step.attempt, step.token, overall, given)
        except FabulaError as error:
            problem(explained(error))
        else:
            st.rerun()
    if desk.stores:
        st.caption(say("practice.kept"))


def _changed() -> None:
    """Nothing is kept until the answer is checked; the rerun offers the reasons that go with the rating."""


def _question(criterion: Criterion) -> str:
    """The question, with the ends of a scale that shows numbers."""
    return f"{escaped(criterion.question)} {ends(criterion)}".strip()


def _error_types(scheme: Scheme, key: str) -> dict[str, int]:
    """The error types as on the real form; gives the points of those chosen, 0 where a type has none."""
    if scheme.reasons_for:
        st.caption(say("story.what_is_wrong"))
    given = {}
    with st.container(horizontal=True, gap="small"):
        for error_type in scheme.error_types:
            name, about = escaped(titled(error_type.name)), escaped(error_type.description) or None
            if error_type.points:
                points = st.segmented_control(
                    name,
                    error_type.points,
                    format_func=minus,
                    key=f"{key}-{error_type.name}",
                    help=about,
                    width=max(145, 60 * len(error_type.points)),
                )
            else:
                points = 0 if st.checkbox(name, key=f"{key}-{error_type.name}", help=about) else None
            if points is not None:
                given[error_type.name] = points
    return given


def names(scheme: Scheme) -> dict[int, str]:
    """The steps of the scale and their labels."""
    return dict(scheme.scale)


def rating_text(scheme: Scheme, steps: Sequence[int], error_types: Sequence[str] = ()) -> str:
    """Ratings in words, with the error types that go with them; ready for Markdown."""
    known = names(scheme)
    few = len(known) <= FEW_STEPS or scheme.unit.of_pairs
    shown = [say("instructions.quoted", words=known[step]) if few else str(step) for step in steps]
    rating = words().listed(shown, "or")
    if not error_types:
        return escaped(rating)
    return escaped(say("practice.with", rating=rating, types=words().listed([named(name) for name in error_types])))


def right_answer(scheme: Scheme, item: PracticeItem) -> str:
    """What is right for an item, in words; ready for Markdown."""
    scheme = asked(scheme, item.criterion)
    rating = rating_text(scheme, item.accepted, item.needed)
    if not item.forbidden:
        return rating
    if {error_type.name for error_type in scheme.error_types} <= set(item.forbidden):
        return say(f"practice.nothing_{'deducted' if scheme.deducts else 'wrong'}", rating=rating)
    types = words().listed([escaped(named(name)) for name in item.forbidden], "or")
    return say("practice.but_not", rating=rating, types=types)
