"""The review of Prolific's submissions: what becomes of each, and the file out and in again."""

import io

import pytest

from core.errors import InputError
from core.formats.prolific import COLUMNS, Decision, Judged, Submission, judged, read_review, write_review
from core.recruitment import REJECTIONS, Recruitment

GOOD = Judged(False)
WHY = "The same rating was given to every story within a few seconds, so that nobody can have read them. " * 2


@pytest.mark.parametrize(
    ("panels", "at_work", "decision"),
    [
        ([], False, "NOT YET"),
        ([GOOD], True, "NOT YET"),
        ([GOOD], False, "APPROVE"),
        ([GOOD, Judged(True, WHY, "LOW_EFFORT")], False, "APPROVE"),
        ([Judged(True, WHY, "LOW_EFFORT")], False, "REJECT"),
        ([Judged(True, WHY, "LOW_EFFORT")] * 2, True, "NOT YET"),
    ],
)
def test_a_submission_is_rejected_only_if_all_its_panels_are_withheld(
    panels: list[Judged], at_work: bool, decision: str
) -> None:
    found = judged("61" * 12, panels, at_work=at_work)
    assert found.decision == decision
    assert bool(found.reason) == bool(found.category) == (decision == "REJECT")


def test_reasons_stand_once_and_the_commonest_category_stays() -> None:
    panels = [Judged(True, "a" * 100, "OTHER"), Judged(True, WHY, "LOW_EFFORT"), Judged(True, WHY, "LOW_EFFORT")]
    found = judged("61" * 12, panels, at_work=False)
    assert found.reason == "a" * 100 + " " + WHY
    assert (found.category, found.panels, found.withheld) == ("LOW_EFFORT", 3, 3)


def test_the_file_is_read_as_it_was_written_and_runs_no_formula() -> None:
    rows = [
        Submission("61" * 12, Decision.REJECT, '=HYPERLINK("http://x", "y")\nand "more", ' + WHY, "OTHER", 2, 2),
        Submission("62" * 12, Decision.APPROVE, "", "", 1, 0),
        Submission("63" * 12, Decision.NOT_YET, "", "", 0, 0),
    ]
    out = io.StringIO(newline="")
    assert write_review(rows, out) == 3
    assert "\"'=HYPERLINK" in out.getvalue()
    assert read_review(io.StringIO(out.getvalue(), newline="")) == rows


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Line 1"),
        ("a,b\n", "Line 1"),
        (",".join(COLUMNS) + "\n1,2\n", "Line 2"),
        (",".join(COLUMNS) + "\nx,MAYBE,,,1,0\n", "Line 2"),
        (",".join(COLUMNS) + '\nx,"APPROVE,,,1,0\n', "Line 2"),
    ],
)
def test_another_file_is_refused_by_line(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_review(io.StringIO(text, newline=""))


def test_a_rejection_prolific_would_refuse_is_refused_here() -> None:
    settings = Recruitment("prolific")
    with pytest.raises(InputError, match="wants a category"):
        settings.category_for(WHY, "")
    with pytest.raises(InputError, match="wants a category"):
        settings.category_for(WHY, "BORING")
    with pytest.raises(InputError, match="100 characters or more; these are 99"):
        settings.category_for("x" * 99, "LOW_EFFORT")
    assert settings.category_for("x" * 100, "LOW_EFFORT") == "LOW_EFFORT"
    assert Recruitment("mturk").category_for("short", "") == ""
    assert all(len(category) <= 20 for category in REJECTIONS)  # as the database keeps it
