"""Ratings out of Fabula."""

import csv
import io
import json
from dataclasses import asdict, fields, replace

import pytest

from core.errors import InputError
from core.formats.ratings import ExportedRating, write_ratings

RATING = ExportedRating(
    study="my study",
    scheme="mans",
    demonstration=False,
    prompt_id="7",
    prompt="It rained.",
    story_id="7-s2s",
    source="system",
    system="s2s",
    story='We got "wet",\nall of us. 😀',
    annotator="",
    position=None,
    overall=4.0,
    deductions={"chaotic scenes": 2},
    implied=3,
    state="submitted",
    valid=None,
    reason="",
    overridden=False,
    payment="",
    payment_reason="",
    appeal="",
    started_at="2026-01-01T00:00:00+00:00",
    submitted_at="",
    guideline_version="1",
    app_version="0.1.0",
)
NAMES = [field.name for field in fields(ExportedRating)]


def written(export: str, *rows: ExportedRating) -> tuple[int, str]:
    out = io.StringIO()
    number = write_ratings(iter(rows), out, export)
    return number, out.getvalue()


def cells(*rows: ExportedRating) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(written("csv", *rows)[1])))


def test_csv_has_a_row_a_rating() -> None:
    number, text = written("csv", RATING, replace(RATING, overall=2.5, valid=True, position=3))
    assert number == 2
    assert text.splitlines()[0] == ",".join(NAMES)
    assert text.count("\r\n") == 3
    first, second = csv.DictReader(io.StringIO(text))
    assert first["story"] == RATING.story
    assert (first["overall"], first["position"], first["valid"], first["implied"]) == ("4.0", "", "", "3")
    assert (second["overall"], second["position"], second["valid"]) == ("2.5", "3", "True")
    assert json.loads(first["deductions"]) == {"chaotic scenes": 2}


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", pytest.param("\r")])
def test_csv_cells_do_not_run_as_formulas(start: str) -> None:
    text = f"{start}SUM(A1:A9)"
    (row,) = cells(replace(RATING, story=text, system=text, annotator=text, study=text))
    assert row["story"] == row["system"] == row["annotator"] == row["study"] == "'" + text


@pytest.mark.parametrize("text", ["1=1", " =1", "'=1", "", "a-b", "(−1)"])
def test_other_csv_cells_are_left_alone(text: str) -> None:
    assert cells(replace(RATING, story=text))[0]["story"] == text


def test_a_carriage_return_stays_in_its_cell() -> None:
    text = written("csv", replace(RATING, story="one\rtwo"))[1]
    assert [row["story"] for row in csv.DictReader(io.StringIO(text, newline=""))] == ["one\rtwo"]


def test_a_negative_number_is_no_formula() -> None:
    assert cells(replace(RATING, overall=-1.0))[0]["overall"] == "-1.0"


def test_jsonl_is_exact() -> None:
    strange = replace(RATING, story="=1+1 <b> \u2028 😀 é", deductions={}, position=0)
    number, text = written("jsonl", RATING, strange)
    assert number == 2
    assert text.endswith("\n")
    lines = text.removesuffix("\n").split("\n")
    assert [json.loads(line) for line in lines] == [asdict(RATING), asdict(strange)]
    assert "😀 é" in lines[1]
    assert list(json.loads(lines[0])) == NAMES


def test_nothing_to_write() -> None:
    assert written("csv") == (0, ",".join(NAMES) + "\r\n")
    assert written("jsonl") == (0, "")


def test_an_unknown_format_names_those_there_are() -> None:
    with pytest.raises(InputError, match=r"There is no export format 'xlsx'; choose csv or jsonl\."):
        written("xlsx", RATING)
