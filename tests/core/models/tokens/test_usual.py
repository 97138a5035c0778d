"""The numbers that a text's are held against are those of the demonstration, read by the bundled model."""

import json
from dataclasses import astuple
from pathlib import Path

import pytest

from core.models.tokens.table import read_tokens
from core.models.tokens.usual import OF_PEOPLE, SAMPLED, STORIES, UsualNumbers, comparable
from core.tokens import summarise

FOLDER = Path(__file__).resolve().parents[4] / "data" / "demonstration"


@pytest.mark.slow
@pytest.mark.parametrize(("system", "known"), [("", OF_PEOPLE), ("nucleus-0.9", SAMPLED)])
def test_the_usual_numbers_are_those_of_the_demonstration(system: str, known: UsualNumbers) -> None:
    lines = (FOLDER / "stories.jsonl").read_text(encoding="utf-8").splitlines()
    stories = [story for story in map(json.loads, lines) if (story["system"] or "") == system]
    tables = read_tokens([story["text"] for story in stories], device="cpu")
    assert len(tables) == STORIES
    assert all(map(comparable, tables))
    read = [summarise(table) for table in tables]
    for (least, most), values in zip(
        astuple(known),
        ([one.shares[0] for one in read if one.shares], [one.fp for one in read], [one.perplexity for one in read]),
        strict=True,
    ):
        numbers = [value for value in values if value is not None]
        assert (min(numbers), max(numbers)) == pytest.approx((least, most), rel=0.03)
