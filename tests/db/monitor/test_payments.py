"""Pay, bonuses, and everything due at once: what was promised holds, and nothing is paid twice."""

from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import func, select, update

from core.annotation.monitor.overview import Overview, overview
from core.annotation.quality import Payment
from core.annotation.studies import Study
from core.errors import InputError, NotAllowed
from core.payments import Sums
from core.people import Person, Role
from db.engine import reading, writing
from db.monitor import monitor, panels, payments, personal_data
from db.people import people
from db.schema import assignment, event
from db.schema import person as person_table
from db.studies import studies
from tests.db.conftest import TERMINAL, Clock, make_annotator, make_study
from tests.db.crowd import at_once, failures
from tests.db.monitor.panels import events, hand_in, hand_in_as


def seen(study: Study) -> Overview:
    return overview(monitor.read(study.id), study.rules)


def total(study: Study) -> Sums:
    return seen(study).sums


def pay_all(study: Study) -> Sums:
    """Everything that is due at this moment."""
    return payments.pay_all(TERMINAL, study.id, total(study).due)


def bonus_of(who: Person) -> tuple[int, str]:
    with reading() as connection:
        row = connection.execute(select(person_table).where(person_table.c.id == who.id)).one()
    return row.bonus, row.bonus_reason


def test_a_new_rate_holds_for_what_comes_in_from_then_on(database: str, clock: Clock) -> None:
    study = make_study(prompts=3, wanted=1)
    hand_in(study, "early")
    payments.set_payment(TERMINAL, study.id, "1.50", "eur")
    clock.move(minutes=1)
    payments.set_payment(TERMINAL, study.id, "2", "EUR")
    clock.move(minutes=1)
    hand_in(study, "late")
    assert total(study) == Sums(owed_panels=2, owed=350)
    payments.set_payment(TERMINAL, study.id, "3.00", "EUR", earlier=True)
    assert total(study).owed == 600
    assert studies.get(study.id).payment.currency == "EUR"
    assert [e["after"]["rates"][-1][0] for e in events("pay set")] == [150, 200, 300]  # type: ignore[index]


def test_everything_due_is_paid_once(database: str) -> None:
    study = make_study(prompts=3, wanted=1)
    payments.set_payment(TERMINAL, study.id, "1.50", "EUR")
    first, second, third = (hand_in(study, name) for name in ("a", "b", "c"))
    panels.pay(TERMINAL, second.id, Payment.WITHHELD, "copied")
    payments.set_bonus(TERMINAL, third.person_id or 0, "0.75", "careful work")
    assert total(study) == Sums(2, 0, 1, 300, 0, 150, 75, 0)
    results = at_once(*[partial(payments.pay_all, TERMINAL, study.id, 375)] * 4)
    assert [str(error) for error in failures(results)] == ["Nothing is due."] * 3
    (paid,) = (result for result in results if isinstance(result, Sums))
    assert paid == Sums(paid_panels=2, paid=300, bonus_paid=75)
    assert total(study) == Sums(0, 2, 1, 0, 300, 150, 75, 75)
    (entry,) = events("payments made")
    assert (entry["assignments"], entry["bonuses"]) == ([first.id, third.id], {str(third.person_id): 75})
    payments.set_bonus(TERMINAL, third.person_id or 0, "1.00", "more of it")
    assert total(study).due == 25
    assert pay_all(study) == Sums(bonus_paid=25)
    assert total(study).due == 0


def test_who_runs_studies_is_owed_nothing(database: str) -> None:
    study = make_study(prompts=3, wanted=1)
    payments.set_payment(TERMINAL, study.id, "1.50", "EUR")
    hand_in(study, "paid")
    owner = people.by_token(people.invite(TERMINAL, Role.OWNER, name="me"))
    assert owner is not None
    mine = hand_in_as(replace(owner, study_id=study.id), study, human=1)
    assert total(study) == Sums(owed_panels=1, owed=150)
    assert (seen(study).rejected, seen(study).own_tries(owner.id)) == (0, 1)
    assert [row.member.called for row in monitor.exported(TERMINAL, study.id)[1]] == ["paid (annotator 1)"]
    assert pay_all(study) == Sums(paid_panels=1, paid=150)
    assert {panel.id: panel.payment for panel in monitor.read(study.id).panels}[mine.id] != "paid"
    panels.pay(TERMINAL, mine.id, Payment.PAID)  # said by hand, it is in the books
    assert total(study).paid == 300
    assert len(monitor.exported(TERMINAL, study.id)[1]) == 2


def test_a_rejected_panel_is_owed_until_it_is_withheld(database: str) -> None:
    study = make_study()
    payments.set_payment(TERMINAL, study.id, "1", "USD")
    refused = hand_in(study, "careless", human=1)
    assert total(study).owed == 100
    panels.pay(TERMINAL, refused.id, Payment.WITHHELD, "did not read")
    assert (total(study).owed, total(study).withheld) == (0, 100)


@pytest.mark.parametrize(
    ("amount", "currency", "sentence"),
    [("x", "EUR", "The pay is a number"), ("-1", "EUR", "The pay lies between"), ("1", "=CMD", "three letters")],
)
def test_what_is_no_pay_is_refused(study: Study, amount: str, currency: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        payments.set_payment(TERMINAL, study.id, amount, currency)
    assert studies.get(study.id).payment.amount is None
    assert not events("pay set")


def test_what_was_paid_stays_what_it_was(database: str) -> None:
    study = make_study()
    with pytest.raises(InputError, match="Nothing is due"):
        pay_all(study)
    whole_panel = hand_in(study, "one")
    with pytest.raises(InputError, match="Say first what a panel is paid"):
        pay_all(study)
    with pytest.raises(InputError, match="in which currency"):
        payments.set_bonus(TERMINAL, whole_panel.person_id or 0, "1", "good")
    payments.set_payment(TERMINAL, study.id, "1", "USD")
    payments.set_payment(TERMINAL, study.id, "1", "EUR")  # nothing is paid yet
    payments.set_bonus(TERMINAL, whole_panel.person_id or 0, "2", "good")
    with pytest.raises(InputError, match="promised in EUR"):
        payments.set_payment(TERMINAL, study.id, "1", "USD")
    pay_all(study)
    with pytest.raises(InputError, match="paid already at the old rate"):
        payments.set_payment(TERMINAL, study.id, "5", "EUR", earlier=True)
    with pytest.raises(InputError, match=r"2\.00 EUR of this bonus is paid already"):
        payments.set_bonus(TERMINAL, whole_panel.person_id or 0, "1.99", "less")
    payments.set_payment(TERMINAL, study.id, "5", "EUR")
    assert total(study) == Sums(paid_panels=1, paid=100, bonus=200, bonus_paid=200)


@pytest.mark.both_databases
def test_a_bonus_needs_a_reason_that_stays_out_of_the_log(database: str) -> None:
    study = make_study()
    payments.set_payment(TERMINAL, study.id, "1", "EUR")
    who = make_annotator(study)
    for reason in (" ", "a\0b", "x" * 1_001):
        with pytest.raises(InputError, match="Give a reason"):
            payments.set_bonus(TERMINAL, who.id or 0, "1", reason)
    with pytest.raises(InputError, match="no such annotator"):
        payments.set_bonus(TERMINAL, 999, "1", "good")
    payments.set_bonus(TERMINAL, who.id or 0, "1.25", " Her notes ")
    assert bonus_of(who) == (125, "Her notes")
    payments.set_bonus(TERMINAL, who.id or 0, "0", "")
    assert bonus_of(who) == (0, "")
    assert [(e["before"], e["after"]) for e in events("bonus set")] == [(0, 125), (125, 0)]
    assert "Her notes" not in str(events("bonus set"))


@pytest.mark.both_databases
def test_only_researchers_pay(study: Study, annotator: Person) -> None:
    who = annotator.id or 0
    for forbidden in (
        lambda: payments.set_payment(annotator, study.id, "9", "EUR"),
        lambda: payments.set_bonus(annotator, who, "9", "me"),
        lambda: payments.pay_all(annotator, study.id, 0),
        lambda: monitor.exported(annotator, study.id),
    ):
        with pytest.raises(NotAllowed):
            forbidden()
    with reading() as connection:
        assert connection.scalar(select(func.count()).where(event.c.kind.in_(("pay set", "bonus set")))) == 0
    people.revoke(TERMINAL, who)


def test_the_export_has_a_row_a_person(database: str) -> None:
    study = make_study()
    payments.set_payment(TERMINAL, study.id, "1.50", "EUR")
    whole_panel = hand_in(study, "=cmd()")
    payments.set_bonus(TERMINAL, whole_panel.person_id or 0, "2", "=good()")
    make_annotator(study, "idle")
    pay, rows = monitor.exported(TERMINAL, study.id)
    assert pay.currency == "EUR"
    assert [(row.member.person.name, row.panels, row.sums.due) for row in rows] == [("=cmd()", 1, 350), ("idle", 0, 0)]


@pytest.mark.parametrize("others", [True, False])
def test_what_erased_people_are_owed_is_shown_exported_and_paid(database: str, others: bool) -> None:
    study = make_study(prompts=3, wanted=1)
    payments.set_payment(TERMINAL, study.id, "1.50", "EUR")
    if others:
        hand_in(study, "stays")
    first = hand_in(study, "goes").person_id or 0
    payments.set_bonus(TERMINAL, first, "0.50", "careful")
    pay_all(study)
    second = hand_in(study, "goes too").person_id or 0
    payments.set_bonus(TERMINAL, first, "2", "very careful")
    payments.set_bonus(TERMINAL, second, "2", "careful as well")
    for who in (first, second):
        personal_data.erase(TERMINAL, who, keep_ratings=True)
    # The bonus that was promised is nobody's any more, what was paid of it stays, and the panels are owed as before.
    assert total(study) == Sums(1, 1 + others, 0, 150, 150 + 150 * others, 0, 50, 50)
    _, rows = monitor.exported(TERMINAL, study.id)
    result = {row.member.called: (row.member.state, row.panels, row.sums.due, row.sums.bonus) for row in rows}
    assert result.pop(f"erased {first}") == ("erased", 1, 0, 50)
    assert result.pop(f"erased {second}") == ("erased", 1, 150, 0)
    assert len(result) == others
    with pytest.raises(InputError, match="has been erased"):
        payments.set_bonus(TERMINAL, second, "3", "more")
    assert pay_all(study) == Sums(paid_panels=1, paid=150)
    assert total(study).due == 0


@pytest.mark.both_databases
def test_whoever_is_no_member_has_a_row(database: str) -> None:
    study = make_study(prompts=3, wanted=1)
    payments.set_payment(TERMINAL, study.id, "1.50", "EUR")
    for name in ("one", "two"):
        hand_in(study, name)
    staff = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, name="Rae"))
    assert staff is not None
    with writing() as connection:  # a researcher who has rated before they became one
        mine = assignment.c.id == max(row.id for row in seen(study).panels)
        connection.execute(update(assignment).where(mine).values(person_id=staff.id))
    personal_data.erase(TERMINAL, staff.id or 0, keep_ratings=True)
    rows = seen(study).people
    assert [row.panels for row in rows] == [1, 0, 1]
    assert (rows[-1].member.called, rows[-1].member.person.id) == (f"erased {staff.id}", None)
    assert total(study).owed == 300 == sum(row.sums.owed for row in rows)


def test_another_sum_than_was_shown_is_not_paid(database: str) -> None:
    study = make_study(prompts=3, wanted=1)
    payments.set_payment(TERMINAL, study.id, "1.50", "EUR")
    hand_in(study, "early")
    shown = total(study).due
    late = hand_in(study, "late")
    with pytest.raises(InputError, match=r"3\.00 EUR is due now, not 1\.50 EUR"):
        payments.pay_all(TERMINAL, study.id, shown)
    assert total(study) == Sums(owed_panels=2, owed=300)
    assert not events("payments made")
    panels.pay(TERMINAL, late.id, Payment.WITHHELD, "copied")
    assert payments.pay_all(TERMINAL, study.id, shown).paid == 150


def test_the_log_adds_up_to_what_is_paid(database: str) -> None:
    study = make_study(prompts=3, wanted=1)
    payments.set_payment(TERMINAL, study.id, "1.50", "EUR")
    first, second = hand_in(study, "a"), hand_in(study, "b")

    def ledger() -> int:
        return sum(int(str(e["hundredths"])) for kind in ("payments made", "payment set") for e in events(kind))

    pay_all(study)
    assert ledger() == total(study).paid == 300
    panels.pay(TERMINAL, first.id, Payment.DUE)
    assert ledger() == total(study).paid == 150
    pay_all(study)
    assert ledger() == total(study).paid == 300
    for payment, paid in ((Payment.PAID, 300), (Payment.WITHHELD, 150), (Payment.DUE, 150), (Payment.PAID, 300)):
        panels.pay(TERMINAL, second.id, payment, "as said")
        assert ledger() == total(study).paid == paid
