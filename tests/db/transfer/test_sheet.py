"""The ratings as one sheet: those that count, a column a criterion, and back in."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from core.annotation.builtin import HANNA
from core.errors import InputError, NotAllowed
from core.formats.exports.reading import read_export
from core.people import TERMINAL
from core.stories import RatingRecord, Source
from db.annotation import assignments, panel_submission, settings
from db.ratings import ratings
from db.studies import studies
from db.transfer import exports, imports
from tests.db.annotation.assignments import begin, rate, save, sources
from tests.db.conftest import make_annotator, make_study, small_corpus


def sheet_of(study_id: int) -> bytes:
    return b"".join(exports.sheet(TERMINAL, study_id))


def rows_of(sheet: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(sheet.decode("utf-8-sig"), newline="")))


def test_of_mans_what_counts_and_no_controls(database: str) -> None:
    study = make_study()
    careful, careless = make_annotator(study), make_annotator(study, "careless")
    panel = begin(careful)
    rate(careful, panel)
    deducted = study.scheme.error_types[0]
    of_system = [token for token, source in sources(panel).items() if source == "system"]
    save(careful, of_system[0], 3, {deducted.name: deducted.points[0]})
    panel_submission.submit(careful, panel.token)
    rejected = begin(careless)
    rate(careless, rejected, human=1, negative=5)
    panel_submission.submit(careless, rejected.token)
    rows = rows_of(sheet_of(study.id))
    assert [(row["source"], row["overall"], row["raters"]) for row in rows] == [("system", "3", "1")] * len(of_system)
    column = deducted.name.replace(" ", "_")
    assert sorted(row[column] for row in rows) == [*["0"] * (len(rows) - 1), str(deducted.points[0])]
    with pytest.raises(NotAllowed):
        exports.sheet(careful, study.id)


@pytest.mark.parametrize(("deductions", "cells"), [((), {""}), ((("other", 0),), {"0", "1"})])
def test_of_imports_error_types_are_0_where_some_rating_has_one(
    database: str, deductions: tuple[tuple[str, int], ...], cells: set[str]
) -> None:
    plain = small_corpus(2)
    systems = [story.key for story in plain.stories if story.source is Source.SYSTEM]
    given = [RatingRecord(key, "r1", 0.0) for key in systems]
    given[0] = replace(given[0], deductions=deductions)
    study = imports.import_corpora(TERMINAL, "s", [replace(plain, scheme="union", ratings=tuple(given))])
    assert {row["other"] for row in rows_of(sheet_of(study.id))} == cells


def test_criteria_are_columns_that_come_in_again(database: str, tmp_path: Path) -> None:
    study = studies.create(TERMINAL, "six", "hanna")
    settings.set_form(TERMINAL, study.id, replace(HANNA, comments=True))
    imports.import_corpora(TERMINAL, study.name, [small_corpus(2)])
    studies.open_study(TERMINAL, study.id)
    who = make_annotator(study)
    panel = assignments.turn(who, claim=True).panel
    assert panel is not None
    given = {name: 1 + number % 5 for number, name in enumerate(HANNA.names)}
    for name, value in given.items():
        ratings.save_value(who, panel.token, value, name)
    ratings.save_comment(who, panel.token, "=1+1")
    panel_submission.submit(who, panel.token)
    (row,) = rows_of(sheet_of(study.id))
    assert list(row)[7:] == [*HANNA.names, "raters", "comment"]
    assert {name: int(row[name]) for name in HANNA.names} == given
    assert row["comment"] == "'=1+1"
    path = tmp_path / "ratings.csv"
    path.write_bytes(sheet_of(study.id))
    (brought,) = read_export(path).ratings
    assert (brought.values, brought.comment) == (given, "=1+1")


def test_without_a_rating_and_of_pairs(database: str) -> None:
    empty = studies.create(TERMINAL, "empty", "mans")
    assert rows_of(sheet_of(empty.id)) == []
    assert sheet_of(empty.id).decode("utf-8-sig").startswith("prompt_id,prompt,story_id,source,system,story,annotator,")
    pairs = studies.create(TERMINAL, "pairs", "preferences")
    with pytest.raises(InputError, match="export judgments of pairs as preferences"):
        exports.sheet(TERMINAL, pairs.id)
