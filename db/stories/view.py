"""One story of a study with everything that people said of it."""

from typing import Any

from sqlalchemy import Connection, Row, func, or_, select

from core.analysis.stories.view import GivenDeduction, StoryNote, StoryRating, StoryView
from core.annotation.scheme import Scheme
from core.errors import NotFound
from core.people import Person, Role, called
from core.stories import Source
from db.engine import reading
from db.people import people
from db.ratings.ratings import COUNTED, REJECTED
from db.schema import assignment, deduction, person, prompt, rating, rating_value, story, story_note
from db.studies import studies


def story_view(by: Person, study_id: int, key: str) -> StoryView:
    """The story that is called so in a study. Raises NotFound where there is none (any more), NotAllowed for somebody
    who does not run the study.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        scheme = studies.locked(connection, study_id, lock=False).scheme
        row = connection.execute(
            select(story, prompt.c.key.label("prompt_key"), prompt.c.text.label("prompt"))
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.study_id == study_id, story.c.key == key)
        ).one_or_none()
        if row is None:
            raise NotFound(f"There is no story {key[:100]} in this study (any more).")
        return StoryView(
            row.id,
            row.key,
            Source(row.source),
            row.system,
            row.prompt_key,
            row.prompt,
            row.text,
            tuple((start, end) for start, end in row.sentences),
            _place(connection, row),
            _ratings(connection, scheme, row.id),
            _notes(connection, row.id),
            _references(connection, row),
        )


def _place(connection: Connection, row: Row[Any]) -> int | None:
    if row.source != Source.SYSTEM:
        return None
    before = (story.c.study_id == row.study_id) & (story.c.position < row.position) & (story.c.source == row.source)
    return connection.scalar(select(func.count()).select_from(story).where(before)) or 0


def _ratings(connection: Connection, scheme: Scheme, story_id: int) -> tuple[StoryRating, ...]:
    """Those of panels that were handed in, whether they count or were rejected."""
    rows = connection.execute(
        select(rating.c.id, rating.c.story_id, rating.c.against_id, rating.c.comment, rating.c.raters)
        .add_columns(assignment.c.valid, assignment.c.reason, assignment.c.rater, assignment.c.person_id)
        .add_columns(person.c.name, person.c.role)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .outerjoin(person, person.c.id == assignment.c.person_id)
        .where(or_(rating.c.story_id == story_id, rating.c.against_id == story_id), or_(COUNTED, REJECTED))
        .order_by(assignment.c.valid.desc(), rating.c.id)
    ).all()
    ids = [row.id for row in rows]
    values: dict[int, dict[str, float]] = {}
    for item in connection.execute(select(rating_value).where(rating_value.c.rating_id.in_(ids))):
        values.setdefault(item.rating_id, {})[item.criterion] = item.value
    given: dict[int, list[GivenDeduction]] = {}
    for item in connection.execute(select(deduction).where(deduction.c.rating_id.in_(ids)).order_by(deduction.c.id)):
        spans = tuple((start, end) for start, end in item.spans)
        given.setdefault(item.rating_id, []).append(GivenDeduction(item.error_type, item.points, spans))
    others = _keys(connection, {row.against_id if row.story_id == story_id else row.story_id for row in rows})
    result = []
    for row in rows:
        sign = 1 if row.story_id == story_id else -1
        said = values.get(row.id, {})
        beside = row.against_id if row.story_id == story_id else row.story_id
        result.append(
            StoryRating(
                rater=called(row.name, row.role, row.person_id) if row.name is not None else row.rater or "somebody",
                counts=bool(row.valid),
                values={name: sign * said[name] for name in scheme.names if name in said},
                deductions=tuple(given.get(row.id, ())),
                comment=row.comment,
                raters=row.raters,
                beside=others.get(beside, ""),
                verdict="" if row.valid else row.reason,
            )
        )
    return tuple(result)


def _keys(connection: Connection, ids: set[int | None]) -> dict[int, str]:
    wanted = [number for number in ids if number is not None]
    return {
        row.id: row.key for row in connection.execute(select(story.c.id, story.c.key).where(story.c.id.in_(wanted)))
    }


def _references(connection: Connection, row: Row[Any]) -> tuple[str, ...]:
    written = (
        select(story.c.text)
        .where(story.c.prompt_id == row.prompt_id, story.c.source == Source.HUMAN, story.c.id != row.id)
        .order_by(story.c.position)
    )
    return tuple(connection.scalars(written))


def _notes(connection: Connection, story_id: int) -> tuple[StoryNote, ...]:
    rows = connection.execute(
        select(story_note.c.person_id, story_note.c.at, story_note.c.text, person.c.name, person.c.role)
        .outerjoin(person, person.c.id == story_note.c.person_id)
        .where(story_note.c.story_id == story_id)
        .order_by(story_note.c.at, story_note.c.id)
    ).all()
    return tuple(
        StoryNote(
            row.person_id,
            called(row.name, row.role, row.person_id) if row.name is not None else "somebody",
            row.at,
            row.text,
        )
        for row in rows
    )
