"""Bonuses: set up, paid once, and never again while nobody knows what came of it."""

import pytest

from core.errors import InputError, NotAllowed, PlatformError
from core.people import TERMINAL
from core.prolific.bonuses import BonusPayment, pay, set_up
from core.prolific.client import Prolific
from db.engine import reading
from db.monitor import payments, personal_data
from db.prolific import bonuses
from tests.db.conftest import make_annotator
from tests.db.prolific.participants import PIDS, REMOTE, arrived, events, on_prolific, submission_of, work
from tests.prolific.server import Fault, ProlificServer

KINDS = ("bonuses begun", "bonuses paid", "bonuses not paid")


def owed(study_id: int) -> dict[int, int]:
    with reading() as connection:
        return payments.bonuses_due(connection, study_id)


def send(study_id: int, payment: BonusPayment) -> None:
    with Prolific(patience=2, wait=lambda _: None) as prolific:
        pay(
            prolific,
            payment,
            lambda made: bonuses.begin(TERMINAL, study_id, made),
            lambda paid: bonuses.end(TERMINAL, study_id, paid=paid),
        )


def prepared(study_id: int) -> BonusPayment:
    with Prolific() as prolific:
        return set_up(prolific, bonuses.due(TERMINAL, study_id))


@pytest.mark.both_databases
def test_bonuses_are_paid_once(database: str, prolific_server: ProlificServer) -> None:
    study = on_prolific()
    first, second = (arrived(study, pid) for pid in PIDS[:2])
    mine = make_annotator(study)  # by a personal link: nobody of Prolific's
    for who, amount in ((first, "1.25"), (second, "0.10"), (mine, "9")):
        work(who)
        payments.set_bonus(TERMINAL, who.id or 0, amount, "careful")
    for pid in PIDS[:2]:
        prolific_server.submit(REMOTE, submission_of(pid), "APPROVED")
    payment = prepared(study.id)
    wanted = [(first.id, submission_of(PIDS[0]), 125), (second.id, submission_of(PIDS[1]), 10)]
    assert [(one.annotator, one.submission_id, one.hundredths) for one in payment.bonuses] == wanted
    assert (payment.amount, payment.total, payment.later) == (135, 189, 0)
    assert prolific_server.paid == {}
    send(study.id, payment)
    assert prolific_server.paid == {submission_of(PIDS[0]): [125], submission_of(PIDS[1]): [10]}
    assert owed(study.id) == {mine.id: 900}
    assert bonuses.due(TERMINAL, study.id) == ()
    with pytest.raises(InputError, match="meanwhile"):
        send(study.id, payment)
    assert [kind for kind, _ in events(study, *KINDS)] == ["bonuses begun", "bonuses paid"]
    assert submission_of(PIDS[0]) not in str(events(study, *KINDS))
    entries = personal_data.exported(TERMINAL, first.id or 0)["events"]
    assert [entry["detail"]["bonus"] for entry in entries if entry["kind"] == "bonuses paid"] == [125]


def test_more_is_paid_when_more_is_promised(database: str, prolific_server: ProlificServer) -> None:
    study = on_prolific()
    who = arrived(study, PIDS[0])
    prolific_server.submit(REMOTE, submission_of(PIDS[0]), "APPROVED")
    for amount in ("1", "1.50"):
        payments.set_bonus(TERMINAL, who.id or 0, amount, "careful")
        send(study.id, prepared(study.id))
    assert prolific_server.paid == {submission_of(PIDS[0]): [100, 50]}


@pytest.mark.parametrize("fault", [Fault("POST /bulk", status=0, after=True), Fault("POST /bulk", status=502)])
def test_where_nobody_knows_a_person_says(database: str, prolific_server: ProlificServer, fault: Fault) -> None:
    study = on_prolific()
    who = arrived(study, PIDS[0])
    prolific_server.submit(REMOTE, submission_of(PIDS[0]), "APPROVED")
    payments.set_bonus(TERMINAL, who.id or 0, "1", "careful")
    prolific_server.faults.append(fault)
    payment = prepared(study.id)
    with pytest.raises(PlatformError, match="is not known"):
        send(study.id, payment)
    assert sum(said.endswith("/pay/") for said in prolific_server.asked) == 1
    assert bonuses.is_open(TERMINAL, study.id)
    for call in (
        lambda: bonuses.due(TERMINAL, study.id),
        lambda: send(study.id, payment),
        lambda: payments.pay_all(TERMINAL, study.id, 100),
        lambda: payments.set_bonus(TERMINAL, who.id or 0, "0.50", "careful"),
    ):
        with pytest.raises(InputError, match="Say first whether Prolific has paid"):
            call()
    assert sum(said.endswith("/pay/") for said in prolific_server.asked) == 1
    paid = fault.after
    bonuses.end(TERMINAL, study.id, paid=paid)
    assert owed(study.id) == ({} if paid else {who.id: 100})
    assert not bonuses.is_open(TERMINAL, study.id)
    with pytest.raises(InputError, match="is open"):
        bonuses.end(TERMINAL, study.id, paid=True)
    if not paid:
        send(study.id, prepared(study.id))
    assert prolific_server.paid == {submission_of(PIDS[0]): [100]}


def test_what_prolific_refuses_is_still_due(database: str, prolific_server: ProlificServer) -> None:
    study = on_prolific()
    who = arrived(study, PIDS[0])
    prolific_server.submit(REMOTE, submission_of(PIDS[0]), "APPROVED")
    payments.set_bonus(TERMINAL, who.id or 0, "1", "careful")
    prolific_server.balance = 5
    with pytest.raises(PlatformError, match="enough balance"):
        send(study.id, prepared(study.id))
    assert owed(study.id) == {who.id: 100}
    assert [kind for kind, _ in events(study, *KINDS)] == ["bonuses begun", "bonuses not paid"]
    prolific_server.balance = 500
    send(study.id, prepared(study.id))
    assert owed(study.id) == {}


def test_another_study_s_bonuses_come_later_and_other_sums_are_refused(
    database: str, prolific_server: ProlificServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = on_prolific()
    for pid, remote in zip(PIDS[:2], (REMOTE, "71" * 12), strict=True):
        who = arrived(study, pid)
        prolific_server.submit(remote, submission_of(pid), "APPROVED")
        payments.set_bonus(TERMINAL, who.id or 0, "1", "careful")
    payment = prepared(study.id)
    assert (len(payment.bonuses), payment.later) == (1, 1)
    send(study.id, payment)
    send(study.id, prepared(study.id))
    assert [sum(amounts) for amounts in prolific_server.paid.values()] == [100, 100]
    with pytest.raises(InputError, match="No bonus"):
        prepared(study.id)
    payments.set_bonus(TERMINAL, who.id or 0, "2", "careful")
    wrong = b'{"id": "000000000000000000000009", "amount": 200.0, "total_amount": 300.0}'
    prolific_server.faults.append(Fault("POST /submissions/bonus", status=201, body=wrong))
    with pytest.raises(InputError, match=r"2\.00 in all, not 1\.00"):
        prepared(study.id)


def test_the_rights_are_asked(database: str) -> None:
    study = on_prolific()
    other = make_annotator(study)
    for call in (
        lambda: bonuses.due(other, study.id),
        lambda: bonuses.is_open(other, study.id),
        lambda: bonuses.begin(other, study.id, BonusPayment("1", (), 0)),
        lambda: bonuses.end(other, study.id, paid=True),
    ):
        with pytest.raises(NotAllowed):
            call()
