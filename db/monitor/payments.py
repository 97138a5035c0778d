"""Payments: the rate per panel, bonuses, all that is due at once, and a row per person for the payer's books.

Fabula moves no money here: it keeps what was said to be paid, or what Prolific has paid (`db.prolific`). The log is the
ledger of bonuses paid: it cannot be changed.
"""

from collections import Counter

from sqlalchemy import ColumnElement, Connection, and_, select, update

from core.annotation.quality import Payment
from core.errors import InputError
from core.payments import Sums, check_currency, in_hundredths
from core.people import Person, Role
from db.audit import now, record
from db.engine import writing
from db.people import people
from db.ratings.ratings import OWN_TRY
from db.schema import assignment, event, person, study
from db.studies import studies

LONGEST_REASON = 1_000
PAID = "payments made"
BEGUN, BY_PLATFORM, NOT_PAID = "bonuses begun", "bonuses paid", "bonuses not paid"
"""Bonuses that Prolific is asked to pay, and has paid, or has not: see `db.prolific.bonuses`."""
OPEN = "Say first whether Prolific has paid the bonuses that it was asked to pay."


def set_bonus(by: Person, person_id: int, amount: str, reason: str) -> None:
    """Say what somebody gets beside the pay of their panels, in all; replaces what was said before.

    Raises InputError for no amount, one without a reason, and one below what was paid of it already.
    """
    by.must_be(Role.RESEARCHER)
    bonus = in_hundredths(amount, "bonus")
    if (bonus and not reason.strip()) or len(reason) > LONGEST_REASON or "\0" in reason:
        raise InputError(f"Give a reason of 1 to {LONGEST_REASON:,} characters: it is kept with the bonus.")
    with writing() as connection:
        study_id = connection.scalar(select(person.c.study_id).where(person.c.id == person_id))
        people.check(connection, by, study_id)
        if study_id is None:
            raise InputError("There is no such annotator.")
        study_row = studies.locked(connection, study_id)
        if not study_row.payment.currency:
            raise InputError("Say first what a panel is paid, and in which currency.")
        row = connection.execute(select(person).where(person.c.id == person_id)).one()
        if being_paid(connection, study_id):
            raise InputError(OPEN)
        if row.erased_at is not None:
            raise InputError("This person has been erased; there is nobody to give a bonus to.")
        paid = bonuses_paid(connection, study_id).get(person_id, 0)
        if bonus < paid:
            raise InputError(
                f"{study_row.payment.text(paid)} of this bonus is paid already; it cannot be less than that."
            )
        connection.execute(
            update(person).where(person.c.id == person_id).values(bonus=bonus, bonus_reason=reason.strip())
        )
        record(connection, "bonus set", by, study_id, annotator=person_id, before=row.bonus, after=bonus)


def set_payment(by: Person, study_id: int, amount: str, currency: str, *, earlier: bool = False) -> None:
    """Say what a panel is paid: those handed in from now on, or with `earlier` everything handed in before as well.

    The first rate is for everything. Raises InputError for no amount or currency, and where something was paid already
    for another currency or with `earlier`: what was paid stays what it was.
    """
    by.must_be(Role.RESEARCHER)
    hundredths, code = in_hundredths(amount, "pay"), check_currency(currency)
    with writing() as connection:
        people.check(connection, by, study_id)
        before = studies.locked(connection, study_id).payment
        is_paid = (assignment.c.study_id == study_id) & (assignment.c.payment == Payment.PAID)
        panels_paid = connection.scalar(select(assignment.c.id).where(is_paid).limit(1)) is not None
        has_bonus = (person.c.study_id == study_id) & (person.c.bonus > 0)
        bonus = connection.scalar(select(person.c.id).where(has_bonus).limit(1)) is not None
        if before.currency not in ("", code) and (panels_paid or bonus):
            raise InputError(f"Something is paid or promised in {before.currency}; the currency can no longer change.")
        if earlier and panels_paid:
            raise InputError("Panels are paid already at the old rate; a new one holds for what comes in from now on.")
        anew = earlier or not before.rates or before.currency != code
        after = before.changed(hundredths, code, None if anew else now())
        connection.execute(update(study).where(study.c.id == study_id).values(payment=after.as_dict()))
        record(connection, "pay set", by, study_id, before=before.as_dict(), after=after.as_dict())


def bonuses_paid(connection: Connection, study_id: int) -> Counter[int]:
    """What was paid of each person's bonus, in hundredths, by the log."""
    paid: Counter[int] = Counter()
    made = (event.c.study_id == study_id) & event.c.kind.in_((PAID, BY_PLATFORM))
    for detail in connection.scalars(select(event.c.detail).where(made)):
        paid.update({int(who): amount for who, amount in detail["bonuses"].items()})
    return paid


def being_paid(connection: Connection, study_id: int) -> str:
    """The id of a payment that Prolific was asked for while nobody knows yet whether it has paid; "" for none."""
    kinds = event.c.kind.in_((BEGUN, BY_PLATFORM, NOT_PAID))
    query = select(event.c.kind, event.c.detail).where(event.c.study_id == study_id, kinds).order_by(event.c.id.desc())
    row = connection.execute(query.limit(1)).one_or_none()
    return str(row.detail["payment"]) if row is not None and row.kind == BEGUN else ""


def pay_all(by: Person, study_id: int, expected: int) -> Sums:
    """Mark every panel that is due, and every bonus, as paid, in one transaction; returns what that was.

    `expected`: the sum in hundredths that `by` means to pay. What is withheld stays so. Raises InputError where another
    sum is due, where nothing is, and where nobody has said what a panel is paid.
    """
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        study_row = studies.locked(connection, study_id)
        if being_paid(connection, study_id):
            raise InputError(OPEN)
        due = panels_due(study_id)
        panels = connection.execute(select(assignment.c.id, assignment.c.submitted_at).where(due)).all()
        bonuses = bonuses_due(connection, study_id)
        if not panels and not bonuses:
            raise InputError("Nothing is due.")
        if panels and study_row.payment.amount is None:
            raise InputError("Say first what a panel is paid.")
        owed = sum(study_row.payment.hundredths(row.submitted_at) for row in panels)
        if (total := owed + sum(bonuses.values())) != expected:
            raise InputError(
                f"Something has come in or was changed meanwhile: {study_row.payment.text(total)} is due now, not "
                f"{study_row.payment.text(expected)}. Nothing was marked; look again."
            )
        connection.execute(update(assignment).where(due).values(payment=Payment.PAID))
        record(
            connection,
            PAID,
            by,
            study_id,
            panels=len(panels),
            hundredths=owed,
            currency=study_row.payment.currency,
            assignments=[row.id for row in panels],
            bonuses={str(who): amount for who, amount in bonuses.items()},
        )
    return Sums(paid_panels=len(panels), paid=owed, bonus_paid=sum(bonuses.values()))


def panels_due(study_id: int) -> ColumnElement[bool]:
    """Of panels that were handed in, and are neither paid nor withheld; who runs studies pays themself nothing."""
    return and_(
        assignment.c.study_id == study_id,
        assignment.c.payment.not_in((Payment.PAID, Payment.WITHHELD)),
        assignment.c.state.in_(("submitted", "surplus")),
        ~OWN_TRY.correlate(assignment),
    )


def bonuses_due(connection: Connection, study_id: int) -> dict[int, int]:
    """What is still to be paid of each person's bonus; nothing of those who were erased."""
    paid = bonuses_paid(connection, study_id)
    present = (person.c.study_id == study_id) & person.c.erased_at.is_(None)
    promised = connection.execute(select(person.c.id, person.c.bonus).where(present))
    return {row.id: row.bonus - paid[row.id] for row in promised if row.bonus > paid[row.id]}
