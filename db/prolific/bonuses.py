"""Bonuses that Prolific pays: which are due, which it was asked to pay, and what came of that.

Prolific pays as often as it is asked. So that it is being asked is in the log before it is, and nothing is sent until
it is known what came of the last time.
"""

from sqlalchemy import Connection, select

from core.errors import InputError
from core.people import Person, Role
from core.prolific.bonuses import Bonus, BonusPayment
from db.audit import record
from db.engine import reading, writing
from db.monitor import payments
from db.people import people
from db.schema import event, person
from db.studies import studies


def due(by: Person, study_id: int) -> tuple[Bonus, ...]:
    """What is still to be paid to participants from Prolific. Raises InputError while an earlier payment is open."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        if payments.being_paid(connection, study_id):
            raise InputError(payments.OPEN)
        return _due(connection, study_id)


def _due(connection: Connection, study_id: int) -> tuple[Bonus, ...]:
    amounts = payments.bonuses_due(connection, study_id)
    theirs = (person.c.study_id == study_id) & person.c.crowd_hash.is_not(None) & (person.c.submission != "")
    rows = connection.execute(select(person.c.id, person.c.submission).where(theirs).order_by(person.c.id))
    return tuple(Bonus(row.id, row.submission, amounts[row.id]) for row in rows if row.id in amounts)


def is_open(by: Person, study_id: int) -> bool:
    """Whether Prolific was asked to pay bonuses and nobody knows whether it has."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        return bool(payments.being_paid(connection, study_id))


def begin(by: Person, study_id: int, payment: BonusPayment) -> None:
    """Keep that Prolific is being asked to pay. Raises InputError where anything else is due by now."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        study = studies.locked(connection, study_id)
        if payments.being_paid(connection, study_id):
            raise InputError(payments.OPEN)
        if not set(payment.bonuses) <= set(_due(connection, study_id)):
            raise InputError("A bonus was changed or paid meanwhile. Nothing was paid; look again.")
        record(
            connection,
            payments.BEGUN,
            by,
            study_id,
            payment=payment.id,
            currency=study.payment.currency,
            bonuses={str(bonus.annotator): bonus.hundredths for bonus in payment.bonuses},
        )


def end(by: Person, study_id: int, *, paid: bool) -> None:
    """Keep what came of it, by Prolific or by somebody who looked there. Raises InputError where nothing is open."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        studies.locked(connection, study_id)
        number = payments.being_paid(connection, study_id)
        if not number:
            raise InputError("No payment of bonuses is open.")
        begun = (event.c.study_id == study_id) & (event.c.kind == payments.BEGUN)
        details = connection.scalars(select(event.c.detail).where(begun).order_by(event.c.id.desc())).all()
        detail = next(known for known in details if known["payment"] == number)
        if paid:
            record(connection, payments.BY_PLATFORM, by, study_id, **detail)
        else:
            record(connection, payments.NOT_PAID, by, study_id, payment=number)
