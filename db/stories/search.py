"""A study's stories, found by what they hold, a page of them at a time."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, false, func, or_, select

from core.analysis.stories.listing import ListedRow, StoryFilter, StoryIndex
from core.annotation.target import usual_target
from core.people import Person, Role
from core.stories import Source, group_of, word_count
from db.engine import reading
from db.people import people
from db.plain_rows import numbers_of, rows_of
from db.rating_values import values_of
from db.ratings.ratings import COUNTED
from db.schema import assignment, deduction, prompt, rating, selected_story, story, story_note
from db.studies import studies

OPENING = 160
"""Characters of a prompt and of a story that a list shows."""


def index_of(by: Person, study_id: int) -> StoryIndex:
    """All stories of a study, in import order."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        rows = rows_of(
            connection,
            select(story.c.id, story.c.source).where(story.c.study_id == study_id).order_by(story.c.position),
        )
    ids = np.array([row[0] for row in rows], dtype=np.int64)
    scored = np.array([row[1] == Source.SYSTEM for row in rows], dtype=bool)
    return StoryIndex(ids, np.where(scored, np.cumsum(scored) - 1, -1).astype(np.intp))


def matching(by: Person, study_id: int, chosen: StoryFilter) -> NDArray[np.int64]:
    """The ids of the stories that meet every condition, in import order."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        wanted = [story.c.study_id == study_id]
        if chosen.groups:
            wanted.append(_of_groups(connection, study_id, chosen.groups))
        if chosen.prompt:
            prompts = select(prompt.c.id).where(prompt.c.study_id == study_id, _holds(prompt.c.text, chosen.prompt))
            wanted.append(story.c.prompt_id.in_(prompts))
        if chosen.text:
            wanted.append(or_(_holds(story.c.text, chosen.text), story.c.key == chosen.text))
        if chosen.selection is not None:
            kept = select(selected_story.c.story_id).where(selected_story.c.selection_id == chosen.selection)
            wanted.append(story.c.id.in_(kept))
        if chosen.every_type:
            wanted += [_given(study_id, {name}) for name in sorted(chosen.error_types)]
        elif chosen.error_types:
            wanted.append(_given(study_id, chosen.error_types))
        (ids,) = numbers_of(connection, select(story.c.id).where(*wanted).order_by(story.c.position))
    return ids.astype(np.int64)


def _holds(column: ColumnElement[str], words: str) -> ColumnElement[bool]:
    return column.icontains(words, autoescape=True)


def _given(study_id: int, error_types: Collection[str]) -> ColumnElement[bool]:
    """A rating that counts gives the story one of these error types."""
    faulted = (
        select(rating.c.story_id)
        .join(deduction, deduction.c.rating_id == rating.c.id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(assignment.c.study_id == study_id, COUNTED, deduction.c.error_type.in_(error_types))
    )
    return story.c.id.in_(faulted)


def _of_groups(connection: Connection, study_id: int, groups: frozenset[str]) -> ColumnElement[bool]:
    pairs = connection.execute(select(story.c.source, story.c.system).where(story.c.study_id == study_id).distinct())
    theirs = [(row.source, row.system) for row in pairs if group_of(row.source, row.system) in groups]
    return or_(*((story.c.source == source) & (story.c.system == system) for source, system in theirs), false())


def listed(by: Person, study_id: int, ids: Sequence[int]) -> list[ListedRow]:
    """These stories of a study, a page of them, in the given order; those that are not there any more are left out."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        rows = connection.execute(
            select(story.c.id, story.c.key, story.c.source, story.c.system, story.c.text)
            .add_columns(func.substr(prompt.c.text, 1, OPENING).label("prompt"))
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.study_id == study_id, story.c.id.in_(ids))
        ).all()
        noted = set(connection.scalars(select(story_note.c.story_id).where(story_note.c.story_id.in_(ids))))
        given = values_of(usual_target(studies.locked(connection, study_id, lock=False).scheme))
        judged = {
            row.story_id: (int(row.number), float(row.total) / int(row.number))
            for row in connection.execute(
                select(given.c.story_id, func.sum(rating.c.raters).label("number"))
                .add_columns(func.sum(given.c.value * rating.c.raters).label("total"))
                .join(rating, rating.c.id == given.c.rating_id)
                .join(assignment, assignment.c.id == rating.c.assignment_id)
                .where(given.c.story_id.in_(ids), COUNTED)
                .group_by(given.c.story_id)
            )
        }
    by_id = {
        row.id: ListedRow(
            row.id,
            row.key,
            group_of(row.source, row.system),
            row.prompt,
            row.text[:OPENING],
            word_count(row.text),
            number,
            mean,
            row.id in noted,
        )
        for row in rows
        for number, mean in [judged.get(row.id, (0, None))]
    }
    return [by_id[number] for number in ids if number in by_id]
