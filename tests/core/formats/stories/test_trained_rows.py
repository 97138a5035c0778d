"""Which rows of a table are trained on, and what is said of the others."""

from dataclasses import replace

import pytest

from core.errors import InputError
from core.formats.stories.trained_rows import LeftOut, TableStories, table_stories
from core.formats.tables import Table
from core.stories import LONGEST_STORY

TEXT = {"text": "story", "prompt": "opening"}


def table(*rows: tuple[str, str], unit: str = "row") -> Table:
    return Table("my.csv", ("opening", "story"), tuple({"opening": a, "story": b} for a, b in rows), unit)


def test_rows_that_are_left_out_are_named() -> None:
    rows = (("Once.", "It rained."), ("Once.", " "), ("Once.", "x" * (LONGEST_STORY + 1)), ("", "Once. It rained."))
    result = table_stories(table(*rows, ("", "It snowed.")), TEXT)
    assert (result.file, result.texts, result.rows) == (
        "my.csv",
        ("Once. It rained.", "It snowed."),
        (1, 5),
    )
    assert result.left_out == (
        LeftOut(2, "no story"),
        LeftOut(3, "longer than 100,000 characters"),
        LeftOut(4, "the same as row 1"),
    )


def test_systems_beside_people_are_left_out() -> None:
    rows = ({"story": "By Ada.", "by": "human"}, {"story": "By a model.", "by": "system"})
    result = table_stories(Table("my.jsonl", ("story", "by"), rows, "line"), {"text": "story", "source": "by"})
    assert (result.texts, result.left_out) == (("By Ada.",), (LeftOut(2, "not by a person, as others are"),))


def test_references_are_the_stories_by_people() -> None:
    rows = ({"story": "By a model.", "gold": "By Ada."},)
    result = table_stories(Table("my.csv", ("story", "gold"), rows), {"text": "story", "reference": "gold"})
    assert (result.texts, result.rows, len(result.left_out)) == (("By Ada.",), (0,), 1)


def test_a_table_without_a_story() -> None:
    result = table_stories(table(("Once.", "")), TEXT)
    assert (result.texts, result.left_out) == ((), (LeftOut(1, "no story"),))


def test_a_faulty_row_is_refused() -> None:
    with pytest.raises(InputError, match=r"my\.csv, row 2: the text holds a NUL byte"):
        table_stories(table(("", ""), ("", "a\0b")), TEXT)


def test_the_first_few_are_named_and_the_others_counted() -> None:
    some = tuple(LeftOut(number, "no story") for number in (1, 2, 3, 5, 6, 7))
    result = TableStories("my.csv", "row", (), (), some[:1])
    assert result.left_out_sentence() == "1 row of my.csv left out (row 1: no story)."
    sentence = replace(result, left_out=some).left_out_sentence([LeftOut(4, "short")])
    assert sentence.startswith("7 rows of my.csv left out (row 1: no story; row 2: no story; ")
    assert sentence.endswith("row 4: short; row 5: no story; and 2 more).")
    assert replace(result, left_out=()).left_out_sentence() == ""
