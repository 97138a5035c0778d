"""What Prolific reports of submissions: a place given back at once, a decision made there.

A report may come twice, and late: each says what a submission is, so that a second time changes nothing.
"""

from sqlalchemy import Connection, Row, select, update

from core.annotation.studies import Study
from core.prolific.hooks import Report, Status
from core.recruitment import PROLIFIC
from db.annotation import slots
from db.audit import now, record
from db.engine import reading, writing
from db.people.secret import crowd_hash
from db.prolific import review
from db.schema import assignment, person, study
from db.studies import studies


def take(report: Report) -> None:
    """Do what a report says; nothing where no study of ours has this submission of this participant."""
    mine = (person.c.submission == report.submission_id) & person.c.crowd_hash.is_not(None)
    query = select(person.c.id, person.c.study_id, person.c.crowd_hash)
    query = query.join(study, study.c.id == person.c.study_id).where(mine, studies.THERE)
    with reading() as connection:
        rows = connection.execute(query).all()
    for row in rows:
        if row.crowd_hash == crowd_hash(row.study_id, PROLIFIC, report.participant_id):
            _take(report, row.id, row.study_id)


def _take(report: Report, annotator: int, study_id: int) -> None:
    with studies.in_turn(study_id), writing() as connection:
        study_row = studies.locked(connection, study_id)
        row = connection.execute(select(person).where(person.c.id == annotator)).one()
        if study_row.recruitment.platform != PROLIFIC or row.submission != report.submission_id:
            return
        if report.status is Status.APPROVED:
            review.approve(connection, None, study_row, annotator)
        elif report.status is Status.REJECTED:
            review.reject(connection, None, study_row, annotator)
        else:
            _give_up(connection, study_row, row, report.status)


def _give_up(connection: Connection, study_row: Study, row: Row[tuple[object, ...]], status: Status) -> None:
    """Free the place of a panel in hand; its answers stay. The person is let in no more under this submission."""
    moment = now()
    if row.expires_at is not None and row.expires_at <= moment:
        return
    connection.execute(update(person).where(person.c.id == row.id).values(expires_at=moment))
    held = (assignment.c.person_id == row.id) & (assignment.c.study_id == study_row.id) & slots.live(moment)
    freed = connection.execute(select(assignment).where(held).with_for_update()).all()
    ids = [part.id for part in freed]
    connection.execute(update(assignment).where(assignment.c.id.in_(ids)).values(lease_until=moment))
    record(connection, "submission returned", None, study_row.id, annotator=row.id, status=status, assignments=ids)
    for part in freed:
        slots.promote(connection, study_row, slots.slot_of(part))
