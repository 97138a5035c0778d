"""The review of Prolific's submissions: what becomes of each, and the file."""

import csv
import io

import pytest

from core.errors import InputError
from core.formats.cells import text_of
from core.formats.prolific import COLUMNS, Decision, PayablePanel, Submission, decide, write_review
from core.recruitment import REJECTIONS, Recruitment

GOOD = PayablePanel(False)
PROLIFIC, MTURK = Recruitment("prolific", secured=False), Recruitment("mturk")
WHY = "The same rating was given to every story within a few seconds, so that nobody can have read them. " * 2


@pytest.mark.parametrize(
    ("panels", "at_work", "decision"),
    [
        ([], False, "NOT YET"),
        ([GOOD], True, "NOT YET"),
        ([GOOD], False, "APPROVE"),
        ([GOOD, PayablePanel(True, WHY, "LOW_EFFORT")], False, "APPROVE"),
        ([PayablePanel(True, WHY, "LOW_EFFORT")], False, "REJECT"),
        ([PayablePanel(True, WHY, "LOW_EFFORT")] * 2, True, "NOT YET"),
    ],
)
def test_a_submission_is_rejected_only_if_all_its_panels_are_withheld(
    panels: list[PayablePanel], at_work: bool, decision: str
) -> None:
    submission = decide("61" * 12, panels, PROLIFIC, at_work=at_work)
    assert submission.decision == decision
    assert bool(submission.reason) == bool(submission.category) == (decision == "REJECT")


def test_reasons_stand_once_and_the_commonest_category_stays() -> None:
    panels = [
        PayablePanel(True, "a" * 100, "OTHER"),
        PayablePanel(True, WHY, "LOW_EFFORT"),
        PayablePanel(True, WHY, "LOW_EFFORT"),
    ]
    submission = decide("61" * 12, panels, PROLIFIC, at_work=False)
    assert submission.reason == "a" * 100 + " " + WHY
    assert (submission.category, submission.panels, submission.withheld) == ("LOW_EFFORT", 3, 3)


@pytest.mark.parametrize(
    ("panels", "says"),
    [
        ([PayablePanel(True, "bad", "LOW_EFFORT")], "these are 3"),
        ([PayablePanel(True, WHY, "")], "wants a category"),
        ([PayablePanel(True, "", "")], "wants a category"),
    ],
)
def test_what_the_platform_would_refuse_is_not_yet_decided(panels: list[PayablePanel], says: str) -> None:
    submission = decide("61" * 12, panels, PROLIFIC, at_work=False)
    assert (submission.decision, submission.category, submission.withheld) == (Decision.NOT_YET, "", 1)
    assert says in submission.reason
    assert decide("61" * 12, panels, MTURK, at_work=False).decision is Decision.REJECT  # MTurk asks for neither


def test_a_category_is_found_among_those_that_are_given() -> None:
    panels = [PayablePanel(True, "x", ""), PayablePanel(True, "x", ""), PayablePanel(True, WHY, "LOW_EFFORT")]
    submission = decide("61" * 12, panels, PROLIFIC, at_work=False)
    assert (submission.decision, submission.category) == (Decision.REJECT, "LOW_EFFORT")


def test_the_file_is_read_as_it_was_written_and_runs_no_formula() -> None:
    rows = [
        Submission("61" * 12, Decision.REJECT, '=HYPERLINK("http://x", "y")\nand "more", ' + WHY, "OTHER", 2, 2),
        Submission("62" * 12, Decision.APPROVE, "", "", 1, 0),
        Submission("63" * 12, Decision.NOT_YET, "", "", 0, 0),
    ]
    out = io.StringIO(newline="")
    assert write_review(rows, out) == 3
    assert "\"'=HYPERLINK" in out.getvalue()
    lines = list(csv.reader(io.StringIO(out.getvalue(), newline="")))
    assert tuple(lines.pop(0)) == COLUMNS
    written = [(*map(text_of, line[:4]), int(line[4]), int(line[5])) for line in lines]
    assert written == [(r.submission_id, r.decision, r.reason, r.category, r.panels, r.withheld) for r in rows]


def test_a_rejection_prolific_would_refuse_is_refused_here() -> None:
    settings = Recruitment("prolific", secured=False)
    with pytest.raises(InputError, match="wants a category"):
        settings.category_for(WHY, "")
    with pytest.raises(InputError, match="wants a category"):
        settings.category_for(WHY, "BORING")
    with pytest.raises(InputError, match="100 characters or more; these are 99"):
        settings.category_for("x" * 99, "LOW_EFFORT")
    assert settings.category_for("x" * 100, "LOW_EFFORT") == "LOW_EFFORT"
    assert Recruitment("mturk").category_for("short", "") == ""
    assert all(len(category) <= 20 for category in REJECTIONS)  # as the database keeps it
