"""A batch's results from MTurk: read, filled in, written back with everything else as it was."""

from typing import Any

import pytest

from core.errors import InputError
from core.formats.mturk import Batch, RowDecision, as_csv, read_batch, review
from tests.core.formats.mturk import CODE, HEADER, content, row


def verdict(_worker: str, _assignment: str, code: str) -> RowDecision:
    return {"GOOD": RowDecision(approve=True), "BAD": RowDecision(reject="=no work")}.get(
        code, RowDecision(remark="who is that?")
    )


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_what_is_not_ours_comes_back_byte_for_byte(line_end: str, mark: bytes) -> None:
    hostile = '=cmd|" /C calc"!A0, "quoted"\nsecond line, ümlaut 🙂'
    given = mark + content(row(**{"Answer.comment": hostile}), row("A3", "NONE"), line_end=line_end)
    assert as_csv(read_batch(given)) == given
    reviewed = review(read_batch(given), CODE, verdict)
    assert as_csv(reviewed.batch) == mark + content(
        row(**{"Answer.comment": hostile, "Approve": "X"}), row("A3", "NONE"), line_end=line_end
    )


def test_rows_are_approved_rejected_or_left_to_a_person() -> None:
    given = content(
        row("A1"),
        row("A2", "BAD"),
        row("A3", "???"),
        row("A4", Approve="X"),
        row("A5", Reject="mine"),
        row("A6", AssignmentStatus="Approved"),
        row("A1", "GOOD"),
    )
    reviewed = review(read_batch(given), CODE, verdict)
    ends = [cells[-2:] for cells in reviewed.batch.rows]
    # A reason that would run as a formula in a spreadsheet is made harmless; it is ours.
    assert ends == [("X", ""), ("", "'=no work"), ("", ""), ("X", ""), ("", "mine"), ("", ""), ("", "")]
    assert (reviewed.approved, reviewed.rejected, reviewed.before) == (1, 1, 3)
    assert [(number, worker) for number, worker, _ in reviewed.left] == [(4, "A3"), (8, "A1")]
    assert "further up" in reviewed.left[1][2]
    again = review(reviewed.batch, CODE, verdict)
    assert (again.approved, again.rejected) == (0, 0)
    assert again.batch == reviewed.batch


def test_the_last_cells_may_be_missing_as_in_mturks_own_files() -> None:
    reviewed = review(read_batch(content(row()[:-2], row("A2", "BAD")[:-1])), CODE, verdict)
    assert [cells[-2:] for cells in reviewed.batch.rows] == [("X", ""), ("", "'=no work")]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (b"", "no column AssignmentId, WorkerId, Approve, Reject"),
        (content(row(), header=tuple("Approved" if name == "Approve" else name for name in HEADER)), "column Approve"),
        (content(header=HEADER), "no assignments"),
        (content(row()[:-3]), "Line 2 has 10 cells and line 1 13"),
        (content([*row(), "y"]), "Line 2 has 14 cells"),
        (content(row(), header=(*HEADER[:-3], "Comment", "Approve", "Reject")), "begins with Answer."),
        (content(row(), header=("HITId", *HEADER[:-1])), "no column Reject"),
        (content([*row(), ""], header=("HITId", *HEADER)), "a column twice"),
        (b'"AssignmentId","WorkerId","Approve","Reject","Answer.x"\n"a"b,\n', "Line 2"),
        (b"PK\x03\x04\xff\xfe", "not UTF-8"),
    ],
)
def test_another_file_is_refused_by_line_or_column(given: bytes, says: str) -> None:
    if says == "begins with Answer.":
        given = given.replace(b"Answer.comment", b"Answers")
    with pytest.raises(InputError, match=says):
        read_batch(given)


def test_the_column_of_the_codes_is_one_of_the_answers() -> None:
    batch = read_batch(content(row()))
    assert batch.answers == ("Answer.comment", CODE)
    with pytest.raises(InputError, match=r"choose one of Answer\.comment, Answer\.surveycode"):
        review(batch, "WorkerId", verdict)


def test_ten_thousand_rows_take_no_time() -> None:
    rows: list[Any] = [row(f"A{number}") for number in range(10_000)]
    reviewed = review(read_batch(content(*rows)), CODE, verdict)
    assert reviewed.approved == 10_000
    assert isinstance(reviewed.batch, Batch)
