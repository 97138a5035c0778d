"""What has become of submissions on Prolific: decisions still to be sent, and what is kept of those that were.

The log is the ledger of decisions: it cannot be changed, and names annotators by number alone.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, select, update

from core.annotation.quality import Payment
from core.annotation.studies import Study
from core.errors import InputError, NotFound
from core.formats.prolific import Decision, Submission
from core.people import Person, Role
from db.audit import record
from db.engine import reading, writing
from db.monitor import crowd_review, payments
from db.people import people
from db.schema import assignment, event, person
from db.studies import studies

APPROVED, REJECTED = "submission approved", "submission rejected"
REJECTED_THERE = "Prolific has rejected the submission."
"""The reason for which pay is withheld of what was due until then."""


def to_send(by: Person, study_id: int) -> tuple[Submission, ...]:
    """The decisions that Prolific does not have yet, in the order of arrival. Raises InputError where the study is not
    on Prolific.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        decided = _decided(connection, study_id)
        known = crowd_review.by_annotator(connection, studies.locked(connection, study_id, lock=False))
    return tuple(
        submission
        for who, submission in known.items()
        if who not in decided and submission.decision is not Decision.NOT_YET
    )


def check_shown(by: Person, study_id: int, shown: Sequence[Submission]) -> None:
    """Raise InputError where something else is to be sent by now than what somebody was shown."""
    if to_send(by, study_id) != tuple(shown):
        raise InputError("Something has come in or was decided meanwhile. Nothing was sent; look again.")


def keep(by: Person, study_id: int, submission: Submission) -> None:
    """Keep that Prolific has a decision: approved, its panels that are due are paid. A second time changes nothing."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        study = studies.locked(connection, study_id)
        mine = (person.c.study_id == study_id) & (person.c.submission == submission.submission_id)
        who = connection.scalars(select(person.c.id).where(mine, person.c.crowd_hash.is_not(None))).first()
        if who is None:
            raise NotFound("Nobody with this submission is in the study any more.")
        if submission.decision is Decision.APPROVE:
            approve(connection, by, study, who)
        else:
            reject(connection, by, study, who, submission.category)


def approve(connection: Connection, by: Person | None, study: Study, annotator: int) -> None:
    """Say that Prolific has approved somebody's submission; the study is locked.

    What is due of it is paid then, and where it had been rejected before, what was withheld as well.
    """
    before = _decided(connection, study.id).get(annotator)
    if before == APPROVED:
        return
    theirs = assignment.c.person_id == annotator
    paid = theirs & payments.panels_due(study.id)
    if before == REJECTED:
        handed_in = (assignment.c.study_id == study.id) & assignment.c.state.in_(("submitted", "surplus"))
        paid = theirs & handed_in & (assignment.c.payment != Payment.PAID)
    panels = connection.execute(select(assignment.c.id, assignment.c.submitted_at).where(paid)).all()
    values = {"payment": Payment.PAID, "payment_reason": "", "payment_category": ""}
    connection.execute(update(assignment).where(paid).values(values))
    record(
        connection,
        APPROVED,
        by,
        study.id,
        annotator=annotator,
        assignments=[row.id for row in panels],
        hundredths=sum(study.payment.hundredths(row.submitted_at) for row in panels),
        currency=study.payment.currency,
    )


def reject(connection: Connection, by: Person | None, study: Study, annotator: int, category: str = "") -> None:
    """Say that Prolific has rejected somebody's submission; the study is locked. What was due of it is withheld."""
    if annotator in _decided(connection, study.id):
        return
    due = (assignment.c.person_id == annotator) & payments.panels_due(study.id)
    panels = connection.scalars(select(assignment.c.id).where(due)).all()
    values = {"payment": Payment.WITHHELD, "payment_reason": REJECTED_THERE}
    connection.execute(update(assignment).where(due).values(values))
    record(connection, REJECTED, by, study.id, annotator=annotator, assignments=list(panels), category=category)


def _decided(connection: Connection, study_id: int) -> dict[int, str]:
    """Annotator -> the kind of the last decision that Prolific has about their submission."""
    kinds = (event.c.study_id == study_id) & event.c.kind.in_((APPROVED, REJECTED))
    rows = connection.execute(select(event.c.kind, event.c.detail).where(kinds).order_by(event.c.id))
    return {int(row.detail["annotator"]): row.kind for row in rows}
