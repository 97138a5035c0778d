"""Panels of annotators: claim one, take it up again, submit it.

Everything that decides who may hold a slot is evaluated inside the transaction that takes it (see `studies.locked`).
"""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from core.annotation.panel import Answer, Panel, PanelStory, Turn, Waiting, balanced_order, letter
from core.annotation.quality import judge_panel
from core.errors import InputError, NotAllowed
from core.people import Person
from core.stories import Source
from core.studies import State, Study
from db import people, studies
from db.audit import inserted_id, now, record
from db.engine import reading, writing
from db.schema import assignment, deduction, person, prompt, rating, story
from db.version import APP_VERSION

LEASE = timedelta(minutes=60)
"""How long a slot is held without any activity."""


def _study_id(annotator: Person) -> int:
    if annotator.study_id is None or annotator.id is None:
        raise NotAllowed("This link belongs to no study; ask for an annotator's link.")
    return annotator.study_id


def turn(annotator: Person, *, claim: bool = False) -> Turn:
    """Where this annotator stands: the panel they hold, or why there is none for them, or neither if they may begin.

    With `claim` they begin: a slot is taken in the same transaction that finds it open.
    """
    study_id = _study_id(annotator)
    with writing() as connection:
        people.check(connection, annotator)
        found = studies.locked(connection, study_id)
        mine = connection.execute(
            select(assignment)
            .where(assignment.c.person_id == annotator.id, assignment.c.study_id == study_id)
            .order_by(assignment.c.submitted_at)
        ).all()
        done = [row for row in mine if row.state != "open"]
        last_rejected = bool(done) and done[-1].valid is False
        held = next((row for row in mine if row.state == "open"), None)
        seen = {row.prompt_id for row in mine}
        if held is not None:
            renew(connection, held)
        elif claim and found.state is State.OPEN:
            held = _claim(connection, found, annotator, seen)
        if held is not None:
            return Turn(_panel(connection, held), None, len(done), last_rejected)
        return Turn(None, _waiting(connection, found, seen), len(done), last_rejected)


def _waiting(connection: Connection, found: Study, seen: set[int]) -> Waiting | None:
    """Why a person who has had the prompts `seen` cannot begin another panel, or None if they can."""
    if found.state is not State.OPEN:
        return Waiting.CLOSED
    if not _candidates(connection, found.id, seen):
        return Waiting.COMPLETE
    return None if _free(connection, found, seen) else Waiting.FULL


def renew(connection: Connection, held: Row[Any]) -> None:
    """Activity renews a lease. One that has run out comes back only if nobody has taken its slot since."""
    if held.lease_until is None or held.lease_until <= now():
        found = studies.locked(connection, held.study_id)
        if _taken(connection, held.study_id, held.id).get(held.prompt_id, 0) >= found.rules.ratings_wanted:
            return
    connection.execute(update(assignment).where(assignment.c.id == held.id).values(lease_until=now() + LEASE))


def _candidates(connection: Connection, study_id: int, seen: set[int]) -> list[int]:
    """Prompts with stories to rate that this person has not had, in order."""
    rows = connection.scalars(
        select(prompt.c.id)
        .where(
            prompt.c.study_id == study_id,
            select(story.c.id).where(story.c.prompt_id == prompt.c.id, story.c.source == Source.SYSTEM).exists(),
        )
        .order_by(prompt.c.position)
    )
    return [prompt_id for prompt_id in rows if prompt_id not in seen]


def _taken(connection: Connection, study_id: int, besides: int | None = None) -> dict[int, int]:
    """Slots of each prompt that are filled by a valid panel or held by a live lease, `besides` one assignment."""
    filled = assignment.c.valid.is_(True) & (assignment.c.state != "surplus")
    held = (assignment.c.state == "open") & (assignment.c.lease_until > now())
    query = (
        select(assignment.c.prompt_id, func.count())
        .where(assignment.c.study_id == study_id, filled | held, assignment.c.id != (besides or 0))
        .group_by(assignment.c.prompt_id)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def _free(connection: Connection, found: Study, seen: set[int]) -> list[int]:
    """Prompts with an open slot for a person who has had those `seen`, the furthest from done first."""
    taken = _taken(connection, found.id)
    free = [p for p in _candidates(connection, found.id, seen) if taken.get(p, 0) < found.rules.ratings_wanted]
    return sorted(free, key=lambda p: taken.get(p, 0))


def _claim(connection: Connection, found: Study, annotator: Person, seen: set[int]) -> Row[Any] | None:
    """Take a slot of the prompt that is furthest from done, the first such one."""
    free = _free(connection, found, seen)
    if not free:
        return None
    chosen = free[0]
    members = _panel_members(connection, chosen)
    earlier = connection.scalar(
        select(func.count()).where(assignment.c.study_id == found.id, assignment.c.state != "imported")
    )
    order = [members[i] for i in balanced_order(len(members), earlier or 0)]
    made = connection.execute(
        insert(assignment).values(
            study_id=found.id,
            prompt_id=chosen,
            person_id=annotator.id,
            rater="",
            state="open",
            stories=[[story_id, secrets.token_urlsafe(9)] for story_id in order],
            started_at=now(),
            lease_until=now() + LEASE,
            reason="",
            guideline_version=found.guideline_version,
            app_version=APP_VERSION,
        )
    )
    assignment_id = inserted_id(made)
    record(connection, "panel claimed", annotator, found.id, assignment=assignment_id, prompt=chosen)
    return connection.execute(select(assignment).where(assignment.c.id == assignment_id)).one()


def _panel_members(connection: Connection, prompt_id: int) -> list[int]:
    """Every system's story, one human story and one negative of the prompt, in import order."""
    rows = connection.execute(
        select(story.c.id, story.c.source).where(story.c.prompt_id == prompt_id).order_by(story.c.position)
    ).all()
    controls = [
        next((row.id for row in rows if row.source == source), None) for source in (Source.HUMAN, Source.NEGATIVE)
    ]
    return [row.id for row in rows if row.source == Source.SYSTEM] + [c for c in controls if c is not None]


def answers(connection: Connection, assignment_id: int) -> dict[int, Answer]:
    """The saved answers of an assignment by story."""
    rows = connection.execute(select(rating).where(rating.c.assignment_id == assignment_id)).all()
    deducted: dict[int, dict[str, int]] = {row.id: {} for row in rows}
    for row in connection.execute(select(deduction).where(deduction.c.rating_id.in_(deducted))):
        deducted[row.rating_id][row.error_type] = row.points
    return {
        row.story_id: Answer(None if row.overall is None else int(row.overall), deducted[row.id], row.updated_at)
        for row in rows
    }


def _panel(connection: Connection, held: Row[Any]) -> Panel:
    texts = {
        row.id: row.text
        for row in connection.execute(select(story).where(story.c.id.in_([s for s, _ in held.stories])))
    }
    given = answers(connection, held.id)
    opening = connection.scalar(select(prompt.c.text).where(prompt.c.id == held.prompt_id)) or ""
    return Panel(
        token=held.stories[0][1],
        prompt=opening,
        stories=tuple(
            PanelStory(token, letter(position), texts[story_id], given.get(story_id, Answer()))
            for position, (story_id, token) in enumerate(held.stories)
        ),
    )


def held_with(connection: Connection, annotator: Person, token: str) -> tuple[Row[Any], int]:
    """The annotator's own panel that holds this story token, locked until the transaction ends, and the story.

    Raises NotAllowed for any other token.
    """
    query = select(assignment).where(assignment.c.person_id == annotator.id).with_for_update()
    for row in connection.execute(query).all():
        for story_id, known in row.stories:
            if secrets.compare_digest(known.encode(), token.encode()):
                return row, story_id
    raise NotAllowed("This story is not in a panel of yours; reload the page.")


def submit(annotator: Person, panel_token: str) -> None:
    """Hand in a panel. In one transaction its controls are judged; a rejected one voids its ratings and reopens its
    slot, since slots are counted by valid panels. Submitting twice changes nothing.

    Raises InputError naming the stories that have no rating yet.
    """
    study_id = _study_id(annotator)
    with writing() as connection:
        people.check(connection, annotator)
        found = studies.locked(connection, study_id)
        held, _ = held_with(connection, annotator, panel_token)
        if held.state != "open":
            return
        given = answers(connection, held.id)
        missing = [
            letter(position)
            for position, (story_id, _) in enumerate(held.stories)
            if given.get(story_id, Answer()).overall is None
        ]
        if missing:
            raise InputError(f"Please give an overall rating to {_listed(missing)} first.")
        verdict = judge_panel(*_controls(connection, held, given), found.rules)
        state = "submitted"
        if verdict.valid and _taken(connection, study_id, held.id).get(held.prompt_id, 0) >= found.rules.ratings_wanted:
            state = "surplus"  # the lease had run out and another filled the slot: kept, never counted
        connection.execute(
            update(assignment)
            .where(assignment.c.id == held.id)
            .values(state=state, submitted_at=now(), lease_until=None, valid=verdict.valid, reason=verdict.reason)
        )
        record(
            connection,
            "panel submitted",
            annotator,
            study_id,
            assignment=held.id,
            state=state,
            valid=verdict.valid,
            reason=verdict.reason,
        )


def _listed(letters: Sequence[str]) -> str:
    if len(letters) == 1:
        return f"story {letters[0]}"
    return f"stories {', '.join(letters[:-1])} and {letters[-1]}"


def _controls(connection: Connection, held: Row[Any], given: dict[int, Answer]) -> tuple[list[float], list[float]]:
    """Overall ratings of the panel's human and of its negative stories."""
    members = [story_id for story_id, _ in held.stories]
    sources = {
        r.id: r.source for r in connection.execute(select(story.c.id, story.c.source).where(story.c.id.in_(members)))
    }
    rated: dict[str, list[float]] = {Source.HUMAN: [], Source.NEGATIVE: []}
    for story_id, answer in given.items():
        if sources.get(story_id) in rated and answer.overall is not None:
            rated[sources[story_id]].append(float(answer.overall))
    return rated[Source.HUMAN], rated[Source.NEGATIVE]


def panels_of(study_id: int) -> list[tuple[str, str, bool | None, str]]:
    """Live panels of a study for its owner: annotator's name, state, validity and reason, newest first."""

    with reading() as connection:
        rows = connection.execute(
            select(
                person.c.name, person.c.role, person.c.id, assignment.c.state, assignment.c.valid, assignment.c.reason
            )
            .join(person, person.c.id == assignment.c.person_id)
            .where(assignment.c.study_id == study_id)
            .order_by(assignment.c.id.desc())
        ).all()
    return [(f"{row.name} ({row.role} {row.id})", row.state, row.valid, row.reason) for row in rows]
