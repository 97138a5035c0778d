"""What an annotator is asked to do, from the scheme."""

import streamlit as st

from core.annotation.criterion import Criterion
from core.annotation.panel import placeholder_in
from core.annotation.scale import step_words
from core.annotation.scheme import Scheme
from core.annotation.studies import Study
from core.languages.words import joined
from db.studies import story_texts
from pages.ui.annotating.answer_form import FEW_STEPS
from pages.ui.shared.annotators_words import lowered, minus, named, say, titled, words
from pages.ui.shared.text import escaped

LOOKED_AT = 1000
"""Stories in which placeholders are looked for, spread over all of a study."""


def task(scheme: Scheme) -> str:
    """What annotators will do, in a sentence."""
    wording = scheme.wording
    return named(wording.task if len(scheme.criteria) == 1 else wording.task_of_criteria)


def beforehand(scheme: Scheme, most: int, placeholder: str) -> None:
    """What is told before the first panel; `most`: how many of them one person may do; `placeholder`: see below."""
    unit = scheme.unit
    st.markdown(task(scheme))
    up_to = say("between.most", most=words().number(most), units=named(unit.wording.plural))
    panel = say("between.panel_of_task" if scheme.of_tasks else "between.panel_is")
    st.markdown(f"{up_to} {panel}" if unit.of_prompt else up_to)
    instructions(scheme, placeholder)


def placeholder_of(study: Study) -> str:
    """What stands for names in a study's stories, such as `[MALE]`; "" where names do."""
    return _placeholder(study.id, story_texts.version(study.id))


@st.cache_data(max_entries=32, show_spinner=False)
def _placeholder(study_id: int, version: str) -> str:
    del version  # what the result is kept under
    return placeholder_in(story_texts.spread(study_id, LOOKED_AT))


def instructions(scheme: Scheme, placeholder: str, *, lower_case: bool = False) -> None:
    """The question, the scale, and every error type with an example; `placeholder`: what stands for names in the
    stories, "" for nothing; `lower_case`: whether they are so.
    """
    read = "both_stories" if scheme.unit.of_pairs else "whole_story"
    read += "_of_task" if scheme.of_tasks else ""
    whole = say(f"instructions.{read}" if scheme.shows_prompt else "instructions.whole_text")
    if len(scheme.criteria) > 1:
        number = say("instructions.questions", number=len(scheme.criteria))
        st.markdown(f"{number} {whole} {say('instructions.each_by_itself')}")
        _criteria(scheme)
    else:
        st.markdown(f"**{escaped(scheme.question)}** {whole}")
        if scheme.unit.of_pairs:
            much = "much_" if scheme.highest > 1 else ""
            st.markdown(say(f"instructions.pairs_{much}{'equal' if 0 in scheme.main.steps else 'close'}"))
        else:
            st.markdown("\n".join(f"- {step}" for step in _steps(scheme.main)))
            if scheme.main.example:
                st.markdown(f"*{escaped(scheme.main.example)}*")
    _error_types(scheme)
    if lower_case:
        st.markdown(say("instructions.lower_case"))
    if placeholder:
        st.markdown(say("instructions.placeholders", placeholder=escaped(placeholder)))


def _steps(criterion: Criterion) -> list[str]:
    """The steps of a scale, as the form shows them."""
    numbered = len(criterion.scale) > FEW_STEPS
    return [
        f"**{value}** {escaped(step_words(value, label))}".rstrip() if numbered else f"**{escaped(label)}**"
        for value, label in criterion.scale
    ]


def _criteria(scheme: Scheme) -> None:
    """Every criterion with its question, its scale where that is another than the one before, and its example."""
    before: tuple[tuple[int, str], ...] = ()
    for criterion in scheme.criteria:
        line = f"- **{escaped(criterion_title(criterion))}** {escaped(criterion.question)}"
        if criterion.scale != before:
            line += f"  \n  {joined(words(), _steps(criterion), 'lists.comma', 'lists.comma')}"
        before = criterion.scale
        st.markdown(line + (f"  \n  *{escaped(criterion.example)}*" if criterion.example else ""))


def criterion_title(criterion: Criterion) -> str:
    """What a criterion is called at the beginning of a line."""
    shown = named(criterion.name)
    return shown[:1].upper() + shown[1:]


def _error_types(scheme: Scheme) -> None:
    if not scheme.error_types:
        return
    if scheme.reasons_for:
        ratings = [
            say("instructions.quoted", words=escaped(lowered(scheme.label(value)))) for value in scheme.reasons_for
        ]
        st.markdown(say("instructions.if_it_is", ratings=joined(words(), ratings, "lists.or", "lists.or")))
    else:
        st.markdown(say("instructions.deducted"))
    for error_type in scheme.error_types:
        line = f"- **{escaped(titled(error_type.name))}**"
        if error_type.points:
            points = [minus(points) for points in error_type.points]
            line += f" ({joined(words(), points, 'lists.or', 'lists.or')})"
        if error_type.description:
            line += f": {escaped(error_type.description)}"
        example = f"  \n  {say('instructions.example')} *{escaped(error_type.example)}*" if error_type.example else ""
        why = f"  \n  {escaped(error_type.why)}" if error_type.why else ""
        st.markdown(line + example + why)
    st.markdown(say("instructions.select"))
    if scheme.deducts:
        st.markdown(say("instructions.own_judgment", highest=scheme.highest))
