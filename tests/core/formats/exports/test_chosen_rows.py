"""Rows of a file of judgments that do not count: they are counted, and what stands there is named."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.chosen_rows import rejected_sentence
from core.formats.exports.preferences import read_preferences
from core.formats.exports.reading import read_export

BATCH = (
    "story,rating,AssignmentStatus\nHe ran.,1,Approved\nHe ran.,5,Rejected\nShe sat.,2,Approved\nShe sat.,4,Rejected\n"
)
APPROVED = ColumnChoice(rows=(("AssignmentStatus", "Approved"),))


def batch(folder: Path, text: str = BATCH) -> Path:
    path = folder / "batch.csv"
    path.write_text(text)
    return path


def test_what_was_left_out_is_counted_with_what_it_was_left_out_for(tmp_path: Path) -> None:
    brought = read_export(batch(tmp_path), choice=APPROVED)
    assert len(brought.ratings) == 2
    assert brought.left_out == ("2 rows left out: only rows where AssignmentStatus is “Approved” came in.",)
    assert read_export(batch(tmp_path)).left_out == ()


def test_rejected_work_is_counted_where_all_rows_come_in(tmp_path: Path) -> None:
    assert read_export(batch(tmp_path)).rejected == 2
    assert read_export(batch(tmp_path), choice=APPROVED).rejected == 0
    assert read_export(batch(tmp_path, BATCH.replace("AssignmentStatus", "state of mind"))).rejected == 0
    assert rejected_sentence(0, "do") == ""
    assert rejected_sentence(1, "do") == (
        "1 row holds work that was rejected on MTurk, and would count like the others: do."
    )


@pytest.mark.parametrize(
    ("states", "said"),
    [
        ("Approved,Rejected,,Approved", "; AssignmentStatus is “Approved”, “Rejected” or empty there."),
        ("Approved,Approved,Approved,Approved", "; AssignmentStatus is “Approved” there."),
        ("a,b,c,d,e,f,g", "; AssignmentStatus is “a”, “b”, “c”, “d”, “e” or another value there."),
    ],
)
def test_a_value_that_no_row_has_is_answered_with_those_there_are(tmp_path: Path, states: str, said: str) -> None:
    rows = "".join(f"Story {place}.,3,{state}\n" for place, state in enumerate(states.split(",")))
    path = batch(tmp_path, f"story,rating,AssignmentStatus\n{rows}")
    with pytest.raises(InputError) as caught:
        read_export(path, choice=ColumnChoice(rows=(("AssignmentStatus", "approved"),)))
    assert str(caught.value) == f"batch.csv holds no ratings with AssignmentStatus=approved{said}"


def test_preferences_are_chosen_so_too(tmp_path: Path) -> None:
    path = batch(tmp_path, "prompt,chosen,rejected,AssignmentStatus\nA.,One.,Two.,Rejected\nA.,Two.,One.,Approved\n")
    assert read_preferences(path).rejected == 1
    brought = read_preferences(path, where={"AssignmentStatus": "Approved"})
    assert brought.left_out == ("1 row left out: only rows where AssignmentStatus is “Approved” came in.",)
