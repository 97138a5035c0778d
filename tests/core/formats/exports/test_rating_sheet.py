"""The sheet of ratings: what its cells say of error types, and that its columns are read back."""

import csv
import io
from dataclasses import replace

import pytest

from core.annotation.builtin import MANS, UNION
from core.annotation.builtin_criteria import HANNA
from core.annotation.scheme import Scheme
from core.formats.exports.criterion_columns import found_criteria
from core.formats.exports.rating_sheet import column_meanings, rating_sheet
from core.formats.exports.rows import ExportedRating
from tests.core.formats.exports.conftest import MARKED, PANELS, STORIES, rated


def read(rows: list[ExportedRating], scheme: Scheme, *, asked: bool = False) -> list[dict[str, str]]:
    sheet = b"".join(rating_sheet(rows, scheme, imports_asked=asked))
    return list(csv.DictReader(io.StringIO(sheet.decode("utf-8-sig"))))


@pytest.mark.parametrize(("asked", "of_import"), [(False, ("", "")), (True, ("0", "0"))])
def test_what_was_not_deducted_is_0_and_what_was_never_asked_is_empty(asked: bool, of_import: tuple[str, str]) -> None:
    rows = [rated(PANELS[0], STORIES[0], 2.0, **MARKED), rated(PANELS[0], STORIES[0], 5.0),
            rated(PANELS[2], STORIES[3], 5.0)]  # fmt: skip
    cells = [(row["unrelated_events"], row["repetitive_plots"]) for row in read(rows, MANS, asked=asked)]
    assert cells == [("2", "0"), ("0", "0"), of_import]


def test_where_nothing_is_deducted_an_error_type_is_named_or_not() -> None:
    (row,) = read([rated(PANELS[0], STORIES[0], 0.0, deductions={"poor coherence": 0})], UNION)
    assert (row["poor_coherence"], row["other"]) == ("1", "0")


@pytest.mark.parametrize("scheme", [MANS, UNION, HANNA])
def test_every_column_is_explained(scheme: Scheme) -> None:
    columns = read([rated(PANELS[0], STORIES[0], 1.0)], scheme)[0]
    assert ", ".join(column_meanings(scheme)).split(", ") == list(columns)
    assert not [column for column in columns if " " in column]


def test_a_criterion_of_several_words_is_found_by_its_column() -> None:
    own = replace(HANNA, criteria=(replace(HANNA.main, name="quality of the ending"), *HANNA.criteria[1:]))
    columns = list(read([rated(PANELS[0], STORIES[0], 1.0)], own)[0])
    assert found_criteria(columns, own.names)["quality of the ending"] == ("quality_of_the_ending",)
