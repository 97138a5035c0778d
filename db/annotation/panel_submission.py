"""Handing in a panel: is it complete, do its controls let it count; and what an annotator replies to a rejection."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from core.annotation.panel import Answer, Doubt
from core.annotation.quality import PanelVerdict, Payment, judge_pairs, judge_panel, preferred_to_damaged
from core.annotation.studies import Study
from core.annotation.submission import check_complete, doubts_about
from core.errors import InputError, NotAllowed
from core.languages.words import told
from core.people import Person
from core.stories import Source
from db.annotation import pauses, slots
from db.annotation.assignments import answers, by_letter, held_with, rated_of, renew, study_of
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
        verdict = _verdict(connection, study, held, given) if study.scheme.controls else PanelVerdict(True)
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


def _drop_reasons(
    connection: Connection, study: Study, held: Row[Any], given: Mapping[tuple[int, int], Answer]
) -> None:
    """Reasons ticked before the rating was changed to one that has none do not stand; the log still has them."""
    stale = [
        story_id
        for (story_id, _), answer in given.items()
        if answer.deductions and not study.scheme.takes_reasons_for(answer.values)
    ]
    if not stale:
        return
    ratings = select(rating.c.id).where(rating.c.assignment_id == held.id, rating.c.story_id.in_(stale))
    connection.execute(delete(deduction).where(deduction.c.rating_id.in_(ratings)))


def _verdict(
    connection: Connection, study: Study, held: Row[Any], given: Mapping[tuple[int, int], Answer]
) -> PanelVerdict:
    """What the controls say: the human and the negative story's ratings on the criteria that controls are judged by, or
    what was preferred to a damaged story.
    """
    members = [story_id for story_id, _ in held.stories]
    rows = connection.execute(select(story.c.id, story.c.source).where(story.c.id.in_(members)))
    sources = {row.id: Source(row.source) for row in rows}
    on = study.rules.judging(study.scheme)
    rated = [(item, given.get(item[:2], Answer()).values) for item in rated_of(study.scheme.unit, held)]
    if study.scheme.unit.of_pairs:
        compared = [
            (sources[item.story_id], sources[item.against_id], float(values[name]))
            for item, values in rated
            for name in on
            if item.against_id is not None and name in values
        ]
        return judge_pairs(preferred_to_damaged(compared), study.rules)
    human, negative = (
        [
            float(values[name])
            for item, values in rated
            if sources[item.story_id] is source
            for name in on
            if name in values
        ]
        for source in (Source.HUMAN, Source.NEGATIVE)
    )
    return judge_panel(human, negative, study.rules)


def appeal(annotator: Person, note: str) -> None:
    """Keep what an annotator says to the rejection of their newest panel; the study's owner reads it.

    Raises NotAllowed where it was not rejected, InputError for a note that is empty or too long.
    """
    if not note.strip() or len(note) > LONGEST_APPEAL or "\0" in note:
        raise told(InputError, "errors.note_length", most=LONGEST_APPEAL, number=len(note))
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
            raise told(NotAllowed, "errors.no_appeal")
        connection.execute(update(assignment).where(assignment.c.id == newest.id).values(appeal=note.strip()))
        # Not the note itself: the log is for good, and a person's words are theirs to have erased.
        record(connection, "appeal", annotator, study_id, assignment=newest.id, characters=len(note.strip()))
