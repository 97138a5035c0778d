"""A story beside its form, a fragment of its own: a change reruns and saves this story alone."""

from collections.abc import Callable, Sequence

import streamlit as st

from core.annotation.criterion import Criterion
from core.annotation.panel import Answer, PanelStory
from core.annotation.scheme import CHECK, Scheme
from core.annotation.studies import Study
from pages.ui.annotating.answer_form import ends, rating_control, saved_line
from pages.ui.annotating.desk import Desk
from pages.ui.annotating.instructions import criterion_title
from pages.ui.annotating.story_answer import COMMENT, fill, key_of, present, save, save_asked
from pages.ui.annotating.story_reader import story_reader
from pages.ui.shared.annotators_words import minus, named, say, titled
from pages.ui.shared.text import escaped


@st.fragment
def story_form(desk: Desk, study: Study, story: PanelStory, then: Callable[[], None], *, alone: bool = False) -> None:
    """One story, its overall rating and its error types; `then`: what follows a change; `alone`: the only one on the
    page.
    """
    scheme = study.scheme
    if key_of(story, scheme.main.name) not in st.session_state:
        fill(story, scheme)
    with st.container(border=True, key=key_of(story, "story")):
        text, form = st.columns([3, 2], gap="medium")
        with text:
            if not alone:
                st.markdown(f"**{say('story.name', letter=story.letter)}**")
            _read(desk, scheme, story)
        with form:
            for criterion in scheme.criteria:
                rating_control(
                    criterion,
                    _question(scheme, criterion, story, alone=alone),
                    key_of(story, criterion.name),
                    dict(criterion.scale),
                    save,
                    (desk, scheme, story, criterion.name),
                )
            if scheme.takes_reasons_for(present(story).values):
                _error_types(desk, scheme, story)
            if scheme.comments:
                comment_field(desk, scheme, story)
            _status(desk, study, story)
    then()


def _read(desk: Desk, scheme: Scheme, story: PanelStory) -> None:
    """The text, in which passages can be marked where error types can be given."""
    answer = present(story)
    types = scheme.error_types if scheme.takes_reasons_for(answer.values) else ()
    story_reader(
        story.text,
        say("story.name", letter=story.letter),
        key_of(story, "reader"),
        types,
        answer.spans,
        _chosen(scheme, answer),
        st.session_state.get(key_of(story, ":done"), 0),
        lambda: save_asked(desk, scheme, story),
        criteria=len(scheme.criteria),
        comment=answer.comment,
    )


def _chosen(scheme: Scheme, answer: Answer) -> list[int]:
    """Return which option of each control is stored: -1 for none."""

    def place(value: int | None, options: Sequence[int]) -> int:
        return options.index(value) if value in options else -1

    chosen = [place(answer.values.get(criterion.name), criterion.steps) for criterion in scheme.criteria]
    if scheme.takes_reasons_for(answer.values):
        chosen += [place(answer.deductions.get(e.name), e.points or (0,)) for e in scheme.error_types]
    return chosen


def _question(scheme: Scheme, criterion: Criterion, story: PanelStory, *, alone: bool) -> str:
    """The question; in a panel, which has a single one on top, only the story it is asked about and the ends of the
    scale. Of several, the ends are said where they are not those of the question before.
    """
    question, of_scale = escaped(criterion.question), ends(criterion)
    if criterion.name == CHECK:
        return question
    if len([other for other in scheme.names if other != CHECK]) > 1:
        place = scheme.criteria.index(criterion)
        again = place and scheme.criteria[place - 1].scale == criterion.scale
        return f"{escaped(criterion_title(criterion))}: {question} {'' if again else of_scale}".strip()
    if not of_scale or alone:
        return f"{question} {of_scale}".strip()
    return say("story.question", letter=story.letter, criterion=escaped(named(criterion.name)), ends=of_scale)


def comment_field(desk: Desk, scheme: Scheme, story: PanelStory) -> None:
    """A line for a reason in the annotator's own words."""
    st.text_area(
        say("story.why"),
        key=key_of(story, COMMENT),
        height=68,
        placeholder=say("story.own_words"),
        on_change=save,
        args=(desk, scheme, story, COMMENT),
    )


def _error_types(desk: Desk, scheme: Scheme, story: PanelStory) -> None:
    """What is wrong with the story: points to deduct, or a tick where the scheme takes no points."""
    if scheme.reasons_for:
        st.caption(say("story.what_is_wrong"))
    # A row that wraps, not columns: on a phone two types still fit side by side.
    with st.container(horizontal=True, gap="small"):
        for error_type in scheme.error_types:
            name, key = escaped(titled(error_type.name)), key_of(story, error_type.name)
            about = escaped(error_type.description) or None
            saving = (desk, scheme, story, error_type.name)
            if error_type.points:
                st.segmented_control(
                    name,
                    error_type.points,
                    format_func=minus,
                    key=key,
                    help=about,
                    width=max(145, 60 * len(error_type.points)),
                    on_change=save,
                    args=saving,
                )
            else:
                st.checkbox(name, key=key, help=about, on_change=save, args=saving)


def _status(desk: Desk, study: Study, story: PanelStory) -> None:
    """Points deducted, and whether the answer is in the database."""
    answer = present(story)
    said = []
    if study.scheme.deducts:
        said.append(say("story.deducted", points=sum(answer.deductions.values())))
        if study.rules.show_implied:
            said.append(say("story.implied", rating=study.scheme.implied_rating(answer.deductions)))
    if st.session_state.get(key_of(story, ":elsewhere")):
        said.append(say("story.elsewhere"))
    with st.container(key=key_of(story, "saved")):
        saved_line(desk, study.scheme, answer, st.session_state.get(key_of(story, ":problem")), said)
