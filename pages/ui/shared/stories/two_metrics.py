"""Why two metrics disagree about a story: both ranks beside people's, what each looks at, what lifts or lowers it."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from core.analysis.stories.disagreement import furthest_apart, in_words, ordinal
from core.analysis.stories.overlap import overlap
from core.analysis.stories.standing import Standing, in_upper_half, ranked_so_far, standings
from core.analysis.stories.view import StoryView
from core.analysis.verdict.likeness import likeness
from core.checks import FindingKind
from core.checks.degenerate import degenerate
from core.figures.style import number
from core.metrics import registered
from core.metrics.base import Kind, Metric
from core.metrics.custom import described, is_of_own
from core.metrics.perplexity import reads_prompt
from core.models.tokens.settings import TokenRequest
from core.people import Person
from core.scores import IMPORTED, ScoreColumn, ScoreTable
from db.jobs import jobs
from pages.ui.components.marked_story import marked_words
from pages.ui.shared.stories.inside_story import inside_story, of_likely_words
from pages.ui.shared.stories.wanted_stories import FIRST, SECOND
from pages.ui.shared.text import escaped

KEPT = "kept_two_metrics"


def two_metrics(viewer: Person, study_id: int, table: ScoreTable, story: StoryView) -> list[TokenRequest]:
    """Nothing for a story that fewer than two metrics rank. Begins with the two that were chosen here last, else with
    those that the page compares, else with those that place this story furthest apart. Returns the readings of the
    story's tokens that are wanted for it.
    """
    if story.place is None:
        return []
    people, *every = standings(table, story.place)
    ranked = {one.name: (one, place) for place, one in enumerate(every) if one.rank}
    usual = furthest_apart(tuple(one for one, _ in ranked.values()))
    if usual is None:
        return []
    names = list(ranked)
    asked = st.session_state.get(KEPT) or (st.session_state.get(FIRST), st.session_state.get(SECOND))
    chosen = [str(name) for name in asked if name in names]
    begun = chosen if len(set(chosen)) == 2 else [names[place] for place in usual]
    st.markdown("**Why two metrics disagree**")
    said = st.container()
    first, second = _pair(names, begun, story.id)
    (one, at), (other, other_at) = ranked[first], ranked[second]
    columns = {first: table.columns[at], second: table.columns[other_at]}
    kinds = {name: kind for name, column in columns.items() if (kind := _kind(column)) is not None}
    by_people = None if people.rank is None else (people.rank, people.among)
    with said:
        st.markdown(f"{escaped(in_words(_ranked(one), _ranked(other), by_people))}.")
        if so_far := ranked_so_far((one, other)):
            st.caption(escaped(so_far))
        alike = likeness(table, (first, second), at, other_at)
        if alike:
            st.caption(escaped(alike.text))
        if degenerate(story.text) is FindingKind.REPETITION:
            likely = (
                " A language model finds repeated words likely." if any(map(of_likely_words, kinds.values())) else ""
            )
            st.caption(f"This story repeats itself.{likely}")
    _beside_reference(story, kinds, columns, {one.name: one, other.name: other})
    high = [standing.name for standing in (one, other) if in_upper_half(standing)]
    prompted = [name for name, column in columns.items() if reads_prompt(column.signature)]
    readings = inside_story(viewer, story, kinds, high, prompted)
    with st.expander("What each of the two looks at", icon=":material/compare_arrows:", key=f"two-look-{story.id}"):
        for name, column in columns.items():
            st.markdown(f"**{escaped(name)}**: {escaped(_measures(study_id, column))}")
        if any(kind.kind is Kind.REFERENCED for kind in kinds.values()):
            _shared_words(story)
    return readings


def _beside_reference(
    story: StoryView,
    kinds: Mapping[str, type[Metric]],
    columns: Mapping[str, ScoreColumn],
    standing: Mapping[str, Standing],
) -> None:
    """Of those that compare with what a person wrote: how many different words both share, or how close in meaning they
    are to a model, as stories go.
    """
    for name, kind in kinds.items():
        if kind.kind is not Kind.REFERENCED:
            continue
        if kind.role is None and (found := overlap(story.text, story.references)) is not None:
            st.markdown(
                f"**{escaped(name)}**: a person wrote {found.theirs:,} different words for the prompt, the story has "
                f"{found.own:,}; {found.share:,} are in both. That is {found.share / found.theirs:.0%} of the person's "
                f"words and {found.share / found.own:.0%} of the story's. By this metric the story is "
                f"{ordinal(standing[name].rank or 0.0)} of {standing[name].among:,}."
            )
        elif kind.role is not None:
            side = "closer" if in_upper_half(standing[name]) else "less close"
            middle = float(np.nanmedian(columns[name].values))
            st.markdown(
                f"**{escaped(name)}**: by the vectors of a model the story is {side} in meaning to what a person wrote "
                f"for the prompt than most are: {number(standing[name].value or 0.0, '.3g')}, where the middle of all "
                f"stories is {number(middle, '.3g')}."
            )


def _pair(names: list[str], begun: list[str], story_id: int) -> tuple[str, str]:
    """Two boxes; what is chosen by hand stays from story to story."""
    left, right = st.columns(2)
    keys = f"two-first-{story_id}", f"two-second-{story_id}"
    with left:
        first = str(st.selectbox("One metric", names, names.index(begun[0]), key=keys[0], on_change=_picked, args=keys))
    others = [name for name in names if name != first]
    place = others.index(begun[1]) if begun[1] in others else 0
    with right:
        second = str(st.selectbox("Another", others, place, key=keys[1], on_change=_picked, args=keys))
    return first, second


def _picked(first: str, second: str) -> None:
    st.session_state[KEPT] = (st.session_state[first], st.session_state[second])


def _ranked(one: Standing) -> tuple[str, float, int]:
    return one.name, one.rank or 0.0, one.among


def _kind(column: ScoreColumn) -> type[Metric] | None:
    """The metric, where Fabula computed the scores."""
    return None if column.signature.startswith(IMPORTED) else registered(column.metric)


def _measures(study_id: int, column: ScoreColumn) -> str:
    kind = _kind(column)
    if kind is not None:
        return kind.card.measures
    if column.signature.startswith(IMPORTED) or not is_of_own(column.signature):
        return "its scores came from a file, which does not say."
    measures = described(column.signature, jobs.named_metrics(study_id))
    if measures is None:
        return "a metric of your own, which was run here: its Python file is gone or has changed, and its card with it."
    return measures or "a metric of your own: its Python file says what."


def _shared_words(story: StoryView) -> None:
    """The story and the nearest reference with the words that both have."""
    found = overlap(story.text, story.references)
    if found is None:
        return
    st.caption("The story")
    marked_words(story.text, found.in_story, key=f"shared-story-{story.id}")
    st.caption("What a person wrote" + (", the nearest of several texts" if len(story.references) > 1 else ""))
    marked_words(found.reference, found.in_reference, key=f"shared-reference-{story.id}")
