"""Decisions sent to a stand-in and kept as they come: once each, whatever breaks in between."""

import pytest

from core.annotation.quality import Payment
from core.errors import InputError, NotAllowed, StorageError
from core.formats.prolific import Submission
from core.people import TERMINAL, Role
from core.prolific.client import Prolific
from core.prolific.review import Outcome, Sending, send
from db.monitor import panels, personal_data
from db.people import people
from db.prolific import review
from tests.db.conftest import make_annotator
from tests.db.prolific.participants import (
    PIDS,
    REMOTE,
    WHY,
    arrived,
    events,
    on_prolific,
    paid_states,
    submission_of,
    work,
)
from tests.prolific.server import Fault, ProlificServer

KINDS = ("submission approved", "submission rejected")


def send_all(study_id: int) -> Sending:
    shown = review.to_send(TERMINAL, study_id)
    with Prolific(patience=2, wait=lambda _: None) as prolific:
        return send(prolific, shown, lambda one: review.keep(TERMINAL, study_id, one), lambda _: None)


@pytest.mark.both_databases
def test_decisions_are_sent_and_kept(database: str, prolific_server: ProlificServer) -> None:
    study = on_prolific()
    good, bad, absent = (arrived(study, pid) for pid in PIDS[:3])
    for pid in PIDS[:3]:
        prolific_server.submit(REMOTE, submission_of(pid))
    work(good, 2)
    for panel_id in work(bad):
        panels.pay(TERMINAL, panel_id, Payment.WITHHELD, WHY, "LOW_EFFORT")
    assert absent.id is not None
    sending = send_all(study.id)
    assert [one.outcome for one in sending.decisions] == [Outcome.SENT, Outcome.SENT]
    assert sending.stopped == ""
    statuses = [prolific_server.submissions[submission_of(pid)]["status"] for pid in PIDS[:3]]
    assert statuses == ["APPROVED", "REJECTED", "AWAITING REVIEW"]
    assert paid_states(study) == {"paid": 2, "withheld": 1}
    approved, rejected = events(study, *KINDS)
    assert len(approved[1].pop("assignments")) == 2
    assert approved[1] == {"annotator": good.id, "hundredths": 300, "currency": "GBP"}
    assert rejected[1] == {"annotator": bad.id, "assignments": [], "category": "LOW_EFFORT"}
    assert WHY not in str(events(study, *KINDS))
    assert review.to_send(TERMINAL, study.id) == ()
    assert send_all(study.id) == Sending(())


@pytest.mark.parametrize(
    "fault",
    [
        Fault("POST /submissions", status=401),
        Fault("GET /submissions", status=401),
        Fault("POST /submissions", status=429, retry_after="600"),
    ],
)
def test_it_goes_on_where_it_broke_off(database: str, prolific_server: ProlificServer, fault: Fault) -> None:
    study = on_prolific()
    for pid in PIDS[:3]:
        prolific_server.submit(REMOTE, submission_of(pid))
        work(arrived(study, pid))
    with Prolific() as prolific:
        shown = review.to_send(TERMINAL, study.id)
        count: list[int] = []

        def keep(one: Submission) -> None:
            review.keep(TERMINAL, study.id, one)
            prolific_server.faults.clear()
            prolific_server.faults.append(fault)

        sending = send(prolific, shown, keep, count.append)
    assert (len(sending.decisions), count) == (1, [1])
    assert "Prolific" in sending.stopped
    assert paid_states(study) == {"paid": 1, "due": 2}
    left = [one.submission_id for one in review.to_send(TERMINAL, study.id)]
    assert left == [submission_of(pid) for pid in PIDS[1:3]]
    prolific_server.faults.clear()
    assert send_all(study.id).number(Outcome.SENT) == 2
    assert paid_states(study) == {"paid": 3}
    assert sum(said.endswith("/transition/") for said in prolific_server.asked) <= 4


def test_what_was_done_and_not_kept_is_kept_the_next_time(database: str, prolific_server: ProlificServer) -> None:
    study = on_prolific()
    prolific_server.submit(REMOTE, submission_of(PIDS[0]))
    work(arrived(study, PIDS[0]))

    def full(_one: Submission) -> None:
        raise StorageError("The disk is full.")

    with Prolific() as prolific:
        sending = send(prolific, review.to_send(TERMINAL, study.id), full, lambda _: None)
    assert sending == Sending((), "The disk is full.")
    assert prolific_server.submissions[submission_of(PIDS[0])]["status"] == "APPROVED"
    assert paid_states(study) == {"due": 1}
    assert [one.outcome for one in send_all(study.id).decisions] == [Outcome.WAS_SO]
    assert paid_states(study) == {"paid": 1}
    assert sum(said.endswith("/transition/") for said in prolific_server.asked) == 1


def test_an_answer_that_was_lost_sends_nothing_twice(database: str, prolific_server: ProlificServer) -> None:
    study = on_prolific()
    prolific_server.submit(REMOTE, submission_of(PIDS[0]))
    work(arrived(study, PIDS[0]))
    prolific_server.faults.extend([Fault("POST /submissions", status=0, after=True)] * 9)
    assert "did not answer" in send_all(study.id).stopped
    assert paid_states(study) == {"due": 1}
    prolific_server.faults.clear()
    assert [one.outcome for one in send_all(study.id).decisions] == [Outcome.WAS_SO]
    assert paid_states(study) == {"paid": 1}


def test_one_that_cannot_be_decided_is_left_and_the_rest_goes_on(
    database: str, prolific_server: ProlificServer
) -> None:
    study = on_prolific()
    for pid, status in zip(PIDS, ("ACTIVE", "REJECTED", ""), strict=False):
        work(arrived(study, pid))
        if status:
            prolific_server.submit(REMOTE, submission_of(pid), status)
    work(arrived(study, PIDS[3]))
    prolific_server.submit(REMOTE, submission_of(PIDS[3]))
    sending = send_all(study.id)
    assert [one.outcome for one in sending.decisions] == [Outcome.LEFT] * 3 + [Outcome.SENT]
    remarks = [one.remark for one in sending.decisions]
    assert [
        word in remark for word, remark in zip(("is active", "is rejected", "knows nothing"), remarks, strict=False)
    ] == [True] * 3
    assert paid_states(study) == {"due": 3, "paid": 1}
    assert len(review.to_send(TERMINAL, study.id)) == 3


def test_something_else_than_was_shown_is_not_sent(database: str) -> None:
    study = on_prolific()
    work(arrived(study, PIDS[0]))
    shown = review.to_send(TERMINAL, study.id)
    review.check_shown(TERMINAL, study.id, shown)
    work(arrived(study, PIDS[1]))
    with pytest.raises(InputError, match="Nothing was sent"):
        review.check_shown(TERMINAL, study.id, shown)


@pytest.mark.both_databases
def test_the_rights_are_asked_and_a_person_s_own_data_has_it(database: str) -> None:
    study = on_prolific()
    who = arrived(study, PIDS[0])
    work(who)
    (shown,) = review.to_send(TERMINAL, study.id)
    stranger = people.by_token(people.invite(TERMINAL, Role.RESEARCHER))
    assert stranger is not None
    for other in (stranger, make_annotator(study)):
        with pytest.raises(NotAllowed):
            review.to_send(other, study.id)
        with pytest.raises(NotAllowed):
            review.keep(other, study.id, shown)
    review.keep(TERMINAL, study.id, shown)
    review.keep(TERMINAL, study.id, shown)
    assert len(events(study, *KINDS)) == 1
    assert who.id is not None
    kinds = [entry["kind"] for entry in personal_data.exported(TERMINAL, who.id)["events"]]
    assert kinds.count("submission approved") == 1
    personal_data.erase(TERMINAL, who.id, keep_ratings=True)
    assert shown.submission_id not in str(events(study, *KINDS))
