"""Perception Scores of a study's systems: what each training's critics said, text by text."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select

from core.errors import InputError, NotFound
from core.people import Person, Role
from core.stories import NAMELESS, Source, StoryRecord
from core.training.perception.order import PerceptionOrder
from core.training.perception.pairs import pairs_of
from core.training.perception.scores import CriticScores, Trained
from db.audit import inserted_id, now, record
from db.engine import reading, writing
from db.people import people
from db.ratings.ratings import COUNTED
from db.schema import assignment, perception, prompt, rating, story
from db.studies.studies import locked


@dataclass(frozen=True)
class Perceived:
    """One training of critics for a study: how it was asked for, and when it was done, in UTC."""

    id: int
    settings: Mapping[str, Any]
    created_at: datetime


def add(by: Person, study_id: int, settings: Mapping[str, Any], trained: Sequence[Trained]) -> int:
    """Keep what critics said; returns its id. Raises NotFound where the study has been deleted meanwhile."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        locked(connection, study_id)
        row = {"study_id": study_id, "settings": dict(settings), "trained": [asdict(item) for item in trained]}
        number = inserted_id(connection.execute(insert(perception).values(**row, created_at=now())))
        record(connection, "perception scores added", by, study_id, perception=number)
        return number


def listed(by: Person, study_id: int) -> list[Perceived]:
    """A study's trainings, newest first."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        query = select(perception.c.id, perception.c.settings, perception.c.created_at)
        rows = connection.execute(query.where(perception.c.study_id == study_id).order_by(perception.c.id.desc()))
        return [Perceived(row.id, row.settings, row.created_at) for row in rows]


def trained(by: Person, number: int) -> tuple[Trained, ...]:
    """What the critics of a training said. Raises NotFound where it has been deleted."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        query = select(perception.c.study_id, perception.c.trained).where(perception.c.id == number)
        row = connection.execute(query).one_or_none()
        people.check(connection, by, row.study_id if row else None)
    if row is None:
        raise NotFound("These Perception Scores are not there any more; choose others.")
    return tuple(trained_from(item) for item in row.trained)


def trained_from(data: Mapping[str, Any]) -> Trained:
    """Read one critic's result from its JSON."""
    judged = tuple(
        CriticScores(
            item["group"], *(tuple(item[name]) for name in ("keys", "contexts", "generated", "confidence", "certainty"))
        )
        for item in data["judged"]
    )
    return Trained(**{**data, "judged": judged})


def remove(by: Person, number: int) -> None:
    """Delete a training's scores."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        study_id = connection.scalar(select(perception.c.study_id).where(perception.c.id == number))
        people.check(connection, by, study_id)
        if study_id is not None:
            connection.execute(delete(perception).where(perception.c.id == number))
            record(connection, "perception scores deleted", by, study_id, perception=number)


def check(by: Person, order: PerceptionOrder) -> None:
    """Raises InputError in one sentence where an order cannot be trained: before it waits for a worker, not after."""
    if not order.systems:
        raise InputError("Choose a system: a Perception Score is trained for one at a time.")
    loaded_records, rated = records(by, order.study)
    for system in order.systems:
        pairs_of(system, loaded_records, order.plan, rated)


def records(by: Person, study_id: int) -> tuple[list[StoryRecord], frozenset[str]]:
    """All stories of a study in import order, and the keys of the prompts that people have rated a story of."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        rows = connection.execute(
            select(story.c.key, prompt.c.key.label("prompt_key"), prompt.c.text.label("prompt"), story.c.text)
            .add_columns(story.c.source, story.c.system)
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.study_id == study_id)
            .order_by(story.c.position)
        ).all()
        rated = connection.scalars(
            select(prompt.c.key)
            .join(story, story.c.prompt_id == prompt.c.id)
            .join(rating, rating.c.story_id == story.c.id)
            .join(assignment, assignment.c.id == rating.c.assignment_id)
            .where(assignment.c.study_id == study_id, COUNTED)
            .distinct()
        ).all()
    results = [
        StoryRecord(row.key, row.prompt_key, row.prompt, row.text, Source(row.source), row.system or NAMELESS)
        for row in rows
    ]
    return results, frozenset(rated)
