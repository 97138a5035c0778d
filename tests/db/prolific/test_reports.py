"""Reports of Prolific's: places given back at once, decisions made there, and nothing for anybody else's."""

from functools import partial

import pytest
from sqlalchemy import func, select

from core.annotation.quality import Payment
from core.errors import NotAllowed
from core.people import TERMINAL
from core.prolific.hooks import Report, Status
from core.recruitment import Recruitment
from core.serving.sessions import OpenedBy
from db.annotation import assignments, panel_submission, recruitment, slots
from db.engine import reading
from db.monitor import monitor, panels
from db.people import sessions
from db.prolific import reports, review
from db.ratings import ratings
from db.schema import rating
from tests.db.annotation.assignments import begin, overtaken, save
from tests.db.conftest import make_annotator
from tests.db.crowd import at_once, failures
from tests.db.prolific.participants import (
    PIDS,
    WHY,
    arrived,
    events,
    on_prolific,
    paid_states,
    submission_of,
    work,
)

PID = PIDS[0]


def report(status: Status, pid: str = PID, submission: str = "") -> None:
    reports.take(Report(submission or submission_of(pid), pid, status))


@pytest.mark.both_databases
@pytest.mark.parametrize("status", [Status.RETURNED, Status.TIMED_OUT])
def test_a_place_is_free_at_once_and_what_was_answered_stays(database: str, status: Status) -> None:
    study = on_prolific(prompts=1, wanted=1)
    who = arrived(study, PID)
    key = sessions.begin(who, OpenedBy.PLATFORM, "Firefox")
    panel = begin(who)
    save(who, panel.stories[0].token, 3, {})
    other = make_annotator(study)
    assert assignments.turn(other).end is not None  # full
    report(status)
    with reading() as connection:
        assert connection.scalar(select(func.count()).select_from(rating)) == 1
    assert begin(other).prompt == panel.prompt
    for call in (
        lambda: ratings.save_value(who, panel.stories[0].token, 4),
        lambda: assignments.turn(who, claim=True),
        lambda: arrived(study, PID),
    ):
        with pytest.raises(NotAllowed, match="returned this study"):
            call()
    assert sessions.by_key(key) is None
    (entry,) = events(study, "submission returned")
    assert entry[1]["annotator"] == who.id
    assert entry[1]["status"] == status
    states = {row.member.person.id: row.member.state for row in monitor.exported(TERMINAL, study.id)[1]}
    assert states[who.id] == "returned"
    report(status)
    assert len(events(study, "submission returned")) == 1
    assert slots.progress(study.id).open == 1


@pytest.mark.both_databases
def test_who_returned_comes_again_by_another_submission_alone(database: str) -> None:
    study = on_prolific()
    who = arrived(study, PID)
    work(who)
    report(Status.RETURNED)
    with pytest.raises(NotAllowed, match="returned this study"):
        arrived(study, PID)
    again = arrived(study, PID, "6a" * 12)
    assert again.id == who.id
    assert [one.submission_id for one in review.to_send(TERMINAL, study.id)] == ["6a" * 12]
    report(Status.RETURNED)  # the first one's report, come once more and late
    assert begin(again)
    with pytest.raises(NotAllowed, match="begun this study already"):  # unsigned: an id that anybody can make up
        recruitment.admit(study.id, "prolific", PID, "6b" * 12, signed=False)


def test_reports_of_anybody_else_change_nothing(database: str) -> None:
    study = on_prolific()
    who = arrived(study, PID)
    begin(who)
    report(Status.RETURNED, PIDS[1], submission_of(PID))  # another participant's id with this submission
    report(Status.RETURNED, PID, "6f" * 12)
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment())
    report(Status.RETURNED)
    assert slots.progress(study.id).open == 1
    assert events(study, "submission returned") == []
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", secured=False))
    report(Status.RETURNED)
    assert slots.progress(study.id).open == 0


@pytest.mark.both_databases
def test_decisions_made_there_are_kept_and_not_sent_again(database: str) -> None:
    study = on_prolific()
    for pid in PIDS[:2]:
        work(arrived(study, pid))
    panels.pay(TERMINAL, work(arrived(study, PIDS[2]))[0], Payment.WITHHELD, WHY, "LOW_EFFORT")
    report(Status.APPROVED, PIDS[0])
    report(Status.APPROVED, PIDS[0])
    report(Status.REJECTED, PIDS[1])
    report(Status.REJECTED, PIDS[2])
    assert paid_states(study) == {"paid": 1, "withheld": 2}
    assert review.to_send(TERMINAL, study.id) == ()
    kinds = [kind for kind, _ in events(study, "submission approved", "submission rejected")]
    assert kinds == ["submission approved", "submission rejected", "submission rejected"]
    report(Status.APPROVED, PIDS[1])  # overturned there
    assert paid_states(study) == {"paid": 2, "withheld": 1}


@pytest.mark.both_databases
def test_a_report_and_an_answer_at_the_same_moment(database: str) -> None:
    study = on_prolific(prompts=1, wanted=1)
    who = arrived(study, PID)
    panel = begin(who)
    calls = [partial(ratings.save_value, who, shown.token, 3) for shown in panel.stories]
    result = at_once(*calls, partial(report, Status.RETURNED), *calls)
    assert all(isinstance(error, NotAllowed) for error in failures(result))
    assert slots.progress(study.id).open == 0  # whoever came first: nobody holds it


def test_work_in_surplus_takes_the_place(database: str) -> None:
    study = on_prolific(prompts=1, wanted=1)
    slow = make_annotator(study, "slow")
    panel, _ = overtaken(slow, arrived(study, PID))
    panel_submission.submit(slow, panel.token)
    assert (slots.progress(study.id).surplus, slots.progress(study.id).valid) == (1, 0)
    report(Status.TIMED_OUT)
    assert (slots.progress(study.id).surplus, slots.progress(study.id).valid) == (0, 1)
