"""Handing in a panel: is it complete, do its controls let it count; and what an annotator replies to a rejection."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from core.annotation.panel import Answer, Doubt
from core.annotation.quality import PanelVerdict, Payment, judge_panel
from core.annotation.studies import Study
from core.annotation.submission import check_complete, doubts_about
from core.errors import InputError, NotAllowed
from core.people import Person
from core.stories import Source
from db.annotation import pauses, slots
from db.annotation.assignments import answers, by_letter, held_with, renew, study_of
from db.audit import now, record
from db.engine import writing
from db.people import people
from db.schema import assignment, deduction, rating, story
from db.studies import studies

LONGEST_APPEAL = 2_000


def submit(annotator: Person, panel_token: str) -> None:
    """Hand in a panel. In one transaction its controls are judged; a rejected one voids its ratings and reopens its
    slot, since slots are counted by valid panels. Submitting twice changes nothing.

    Raises InputError naming the stories that have no rating yet, or no reason where the scheme wants one.
    """
    study_id = study_of(annotator)
    with studies.in_turn(study_id), writing() as connection:
        study = studies.locked(connection, study_id)
        people.check(connection, annotator)  # after the lock: whoever returns while they wait hands nothing in
        held, _ = held_with(connection, annotator, panel_token)
        if held.state != "open":
            return
        given = answers(connection, held.id)
        check_complete(study.scheme, by_letter(study, held, given))
        _drop_reasons(connection, study, held, given)
        verdict = PanelVerdict(True)
        if study.scheme.controls:
            verdict = judge_panel(*_controls(connection, study, held, given), study.rules)
        state = "submitted"
        if verdict.valid and slots.is_full(connection, study, slots.slot_of(held), besides=held.id):
            state = "surplus"  # the lease had run out and another filled the slot: kept, never counted
        connection.execute(
            update(assignment)
            .where(assignment.c.id == held.id)
            .values(
                state=state,
                submitted_at=now(),
                lease_until=None,
                valid=verdict.valid,
                reason=verdict.reason,
                payment=Payment.DUE,
            )
        )
        if not verdict.valid:
            slots.promote(connection, study, slots.slot_of(held))
        pauses.settle(connection, study, annotator.id)
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


def doubts(annotator: Person, panel_token: str) -> tuple[Doubt, ...]:
    """The stories of a finished panel whose rating does not go with their deductions (`contradicts`).

    They are to be asked about once: whoever was asked before gets none. Raises InputError where answers are missing.
    """
    study_id = study_of(annotator)
    with writing() as connection:
        people.check(connection, annotator)
        held, _ = held_with(connection, annotator, panel_token)
        study = studies.locked(connection, study_id, lock=False)
        if held.state != "open" or held.asked_at is not None or not study.scheme.deducts:
            return ()
        given = answers(connection, held.id)
        answered = by_letter(study, held, given)
        check_complete(study.scheme, answered)
        far = doubts_about(study.scheme, answered)
        if far:
            connection.execute(update(assignment).where(assignment.c.id == held.id).values(asked_at=now()))
            renew(connection, study, held)
            record(connection, "contradiction asked", annotator, study_id, assignment=held.id)
        return far


def _drop_reasons(connection: Connection, study: Study, held: Row[Any], given: Mapping[int, Answer]) -> None:
    """Reasons ticked before the rating was changed to one that has none do not stand; the log still has them."""
    stale = [
        s for s, answer in given.items() if answer.deductions and not study.scheme.takes_reasons_for(answer.values)
    ]
    if not stale:
        return
    ratings = select(rating.c.id).where(rating.c.assignment_id == held.id, rating.c.story_id.in_(stale))
    connection.execute(delete(deduction).where(deduction.c.rating_id.in_(ratings)))


def _controls(
    connection: Connection, study: Study, held: Row[Any], given: dict[int, Answer]
) -> tuple[list[float], list[float]]:
    """Ratings of the panel's human and of its negative stories, on the criteria that controls are judged by."""
    members = [story_id for story_id, _ in held.stories]
    sources = {
        r.id: r.source for r in connection.execute(select(story.c.id, story.c.source).where(story.c.id.in_(members)))
    }
    rated: dict[str, list[float]] = {Source.HUMAN: [], Source.NEGATIVE: []}
    for story_id, answer in given.items():
        if sources.get(story_id) in rated:
            on = study.rules.judging(study.scheme)
            rated[sources[story_id]] += [float(answer.values[name]) for name in on if name in answer.values]
    return rated[Source.HUMAN], rated[Source.NEGATIVE]


def appeal(annotator: Person, note: str) -> None:
    """Keep what an annotator says to the rejection of their newest panel; the study's owner reads it.

    Raises NotAllowed where it was not rejected, InputError for a note that is empty or too long.
    """
    if not note.strip() or len(note) > LONGEST_APPEAL or "\0" in note:
        raise InputError(f"Write 1 to {LONGEST_APPEAL:,} characters; this note has {len(note):,}.")
    study_id = study_of(annotator)
    with writing() as connection:
        studies.locked(connection, study_id)
        people.check(connection, annotator)  # after the lock: whoever is erased while they wait leaves no note
        newest = connection.execute(
            select(assignment)
            .where(
                assignment.c.person_id == annotator.id, assignment.c.study_id == study_id, assignment.c.state != "open"
            )
            .order_by(assignment.c.submitted_at.desc(), assignment.c.id.desc())
            .limit(1)
        ).one_or_none()
        if newest is None or newest.valid is not False:
            raise NotAllowed("Only a panel that was not accepted can be appealed; reload the page.")
        connection.execute(update(assignment).where(assignment.c.id == newest.id).values(appeal=note.strip()))
        # Not the note itself: the log is for good, and a person's words are theirs to have erased.
        record(connection, "appeal", annotator, study_id, assignment=newest.id, characters=len(note.strip()))
