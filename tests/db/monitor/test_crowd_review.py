"""What becomes of crowd work: Prolific's submissions, MTurk's results file."""

import csv
import io

import pytest

from core.annotation.quality import Payment
from core.annotation.studies import Study
from core.errors import InputError, NotAllowed
from core.formats.mturk import as_csv, read_batch
from core.people import TERMINAL, Person
from core.recruitment import Recruitment
from db.annotation import assignments, panel_submission, recruitment
from db.monitor import crowd_review, panels
from db.studies import studies
from tests.core.formats.mturk import CODE, content, row
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator, make_study
from tests.db.slow import whole_panels

WHY = "Every story got the same rating within four seconds, although each has a hundred words and more to read."
PIDS = tuple(f"{number:024x}" for number in range(16, 20))


def on(platform: str, prompts: int = 2, wanted: int = 3) -> Study:
    study = make_study(platform, prompts, wanted)
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment(platform, secured=False))
    return studies.get(study.id)


def arrived(study: Study, crowd_id: str, submission: str = "") -> Person:
    person = recruitment.admit(study.id, study.recruitment.platform, crowd_id, submission)
    assert person is not None
    return person


def work(who: Person, number: int = 1) -> list[int]:
    """Hand in so many panels; gives their ids."""
    for _ in range(number):
        panel = begin(who)
        rate(who, panel)
        panel_submission.submit(who, panel.token)
    return [panel.id for panel in whole_panels(who.study_id or 0) if panel.person_id == who.id]


def test_submissions_are_approved_rejected_or_not_yet(database: str) -> None:
    study = on("prolific")
    good, bad, half, absent = (arrived(study, pid, pid[::-1]) for pid in PIDS)
    work(make_annotator(study), 1)  # by a personal link: no submission of Prolific's
    work(good)
    for panel_id in work(bad, 2):
        panels.pay(TERMINAL, panel_id, Payment.WITHHELD, WHY, "LOW_EFFORT")
    panels.pay(TERMINAL, work(half)[0], Payment.WITHHELD, WHY, "LOW_EFFORT")
    begin(half)
    assert absent.id is not None
    rows = {submission.submission_id: submission for submission in crowd_review.submissions(TERMINAL, study.id)}
    assert [rows[pid[::-1]].decision for pid in PIDS] == ["APPROVE", "REJECT", "NOT YET", "NOT YET"]
    refused = rows[PIDS[1][::-1]]
    assert (refused.reason, refused.category, refused.panels, refused.withheld) == (WHY, "LOW_EFFORT", 2, 2)
    assert not set(PIDS) & {submission.submission_id for submission in rows.values()}
    with pytest.raises(NotAllowed):
        crowd_review.submissions(good, study.id)


def test_pay_is_withheld_as_prolific_wants_it(database: str) -> None:
    study = on("prolific")
    (panel_id,) = work(arrived(study, PIDS[0], PIDS[0]))
    with pytest.raises(InputError, match="category"):
        panels.pay(TERMINAL, panel_id, Payment.WITHHELD, WHY)
    with pytest.raises(InputError, match="100 characters"):
        panels.pay(TERMINAL, panel_id, Payment.WITHHELD, "no", "LOW_EFFORT")
    assert whole_panels(study.id)[0].payment == "due"
    panels.pay(TERMINAL, panel_id, Payment.WITHHELD, WHY, "LOW_EFFORT")
    assert whole_panels(study.id)[0].payment_category == "LOW_EFFORT"
    panels.pay(TERMINAL, panel_id, Payment.PAID)
    assert whole_panels(study.id)[0].payment_category == ""


@pytest.mark.both_databases
def test_what_prolific_would_refuse_is_not_rejected(database: str) -> None:
    study = on("prolific")
    (panel_id,) = work(arrived(study, PIDS[0], PIDS[0]))
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment())
    panels.pay(TERMINAL, panel_id, Payment.WITHHELD, "bad")  # anything goes while the study is on no platform
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", secured=False))
    (row,) = crowd_review.submissions(TERMINAL, study.id)
    assert (row.decision, row.category, row.withheld) == ("NOT YET", "", 1)
    assert "wants a category" in row.reason
    panels.pay(TERMINAL, panel_id, Payment.WITHHELD, WHY, "LOW_EFFORT")
    (row,) = crowd_review.submissions(TERMINAL, study.id)
    assert (row.decision, row.reason, row.category) == ("REJECT", WHY, "LOW_EFFORT")


def code_of(who: Person) -> str:
    """The code that they see at their end."""
    studies.close_study(TERMINAL, who.study_id or 0)
    code = assignments.turn(who).code
    studies.open_study(TERMINAL, who.study_id or 0)
    return code


def test_a_batch_is_filled_in_and_nothing_else_changes(database: str) -> None:
    study = on("mturk", prompts=1, wanted=5)
    workers = [f"A2ZEXAMPLE{number}" for number in range(10, 15)]
    good, bad, idle, thief, late = (arrived(study, worker) for worker in workers)
    work(good)
    panels.pay(TERMINAL, work(bad)[0], Payment.WITHHELD, "=1+1 is what you rated", "")
    work(thief)
    arrived(study, workers[4], "3LATE00000")
    work(late)
    codes = [code_of(person) for person in (good, bad, idle, good, late)]
    given = content(
        row(workers[0], codes[0].lower() + " "),
        row(workers[1], codes[1]),
        row(workers[2], codes[2]),
        row(workers[3], codes[3]),
        row(workers[4], codes[4], AssignmentId="3OTHER0000"),
        row("A2ZSOMEBODYELSE", codes[0]),
        row(workers[0], "=2+2"),
        row(workers[4], codes[4], AssignmentId="3LATE00000"),
    )
    reviewed = crowd_review.mturk_review(TERMINAL, study.id, read_batch(given), CODE)
    lines = list(csv.DictReader(io.StringIO(as_csv(reviewed.batch).decode(), newline="")))
    ends = [(line["Approve"], line["Reject"]) for line in lines]
    assert ends == [("X", ""), ("", "'=1+1 is what you rated"), *[("", "")] * 5, ("X", "")]
    assert [{**line, "Approve": "", "Reject": ""} for line in lines] == list(
        csv.DictReader(io.StringIO(given.decode(), newline=""))
    )
    remarks = {number: remark for number, _, remark in reviewed.left}
    assert sorted(remarks) == [4, 5, 6, 7, 8]
    for number, says in (
        (4, "handed in nothing"),
        (5, "code of another worker"),
        (6, "another assignment"),
        (7, "has not taken part"),
        (8, "no code of this study's"),
    ):
        assert says in remarks[number]


@pytest.mark.both_databases
def test_another_batch_is_refused_whole(database: str) -> None:
    study, other = on("mturk"), make_study("other")
    who = arrived(study, "A2ZEXAMPLE10")
    work(who)
    batch = read_batch(content(row("A2ZSTRANGER1"), row("A2ZSTRANGER2")))
    with pytest.raises(InputError, match="None of the 2 workers"):
        crowd_review.mturk_review(TERMINAL, study.id, batch, CODE)
    with pytest.raises(InputError, match="takes nobody from that platform"):
        crowd_review.mturk_review(TERMINAL, other.id, batch, CODE)
    with pytest.raises(InputError, match="choose one of"):
        crowd_review.mturk_review(TERMINAL, study.id, read_batch(content(row("A2ZEXAMPLE10"))), "Answer.nothing")
    with pytest.raises(NotAllowed):
        crowd_review.mturk_review(who, study.id, batch, CODE)
