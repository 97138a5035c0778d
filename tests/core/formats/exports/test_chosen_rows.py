"""Rows of a file of judgments that do not count: they are counted, and what stands there is named."""

from pathlib import Path

import pytest

from core.annotation.past_imports import RowsLeftOut
from core.errors import InputError
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.chosen_rows import rejected_sentence
from core.formats.exports.preferences import read_preferences
from core.formats.exports.reading import read_export
from core.formats.tables import RowFilter

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
    sentence = "2 rows left out: only rows where AssignmentStatus is “Approved” came in."
    assert brought.left_out == (RowsLeftOut(sentence, 2, "rejected on MTurk"),)
    assert brought.said[0] == sentence
    assert read_export(batch(tmp_path)).left_out == ()


def test_rejected_work_is_counted_where_all_rows_come_in(tmp_path: Path) -> None:
    assert read_export(batch(tmp_path)).rejected == 2
    assert read_export(batch(tmp_path), choice=APPROVED).rejected == 0
    assert read_export(batch(tmp_path, BATCH.replace("AssignmentStatus", "state of mind"))).rejected == 0
    assert read_export(batch(tmp_path, BATCH.replace("Rejected", "rejected "))).rejected == 2
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
        read_export(path, choice=ColumnChoice(rows=(("AssignmentStatus", "paid"),)))
    assert str(caught.value) == f"batch.csv holds no ratings with AssignmentStatus=paid{said}"


def test_capitals_and_outer_blanks_do_not_matter_and_several_values_may_stand(tmp_path: Path) -> None:
    path = batch(tmp_path, "story,rating,AssignmentStatus\nA.,1,approved \nB.,2,SUBMITTED\nC.,3,Rejected\nD.,4,\n")
    rows = (("AssignmentStatus", "Approved"), ("AssignmentStatus", " submitted"))
    brought = read_export(path, choice=ColumnChoice(rows=rows))
    assert [given.values["overall"] for given in brought.ratings] == [1, 2]
    words = "AssignmentStatus is “Approved” or “ submitted”"
    (left,) = brought.left_out
    assert (left.sentence, left.why) == (f"2 rows left out: only rows where {words} came in.", f"only where {words}")


def test_rejected_work_is_named_once(tmp_path: Path) -> None:
    assert read_export(batch(tmp_path)).notices == ()
    preferences = batch(tmp_path, "prompt,chosen,rejected,AssignmentStatus\nA.,One.,Two.,Rejected\n")
    assert not any("not used" in message for message in read_preferences(preferences).notices)


def test_preferences_are_chosen_so_too(tmp_path: Path) -> None:
    path = batch(tmp_path, "prompt,chosen,rejected,AssignmentStatus\nA.,One.,Two.,Rejected\nA.,Two.,One.,Approved\n")
    assert read_preferences(path).rejected == 1
    brought = read_preferences(path, where=RowFilter((("AssignmentStatus", "Approved"),)))
    assert [one.rows for one in brought.left_out] == [1]
