"""A table whose stories lack a prompt or a system that an unused column may hold."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.formats.exports.reading import read_export
from core.formats.stories.lacking import lacking

ALL: dict[str, Any] = {
    "wp": "Write of a key.",
    "by": "gpt-4o",
    "seconds": 20,
    "word": "x",
    "asked": "2026-01-02T10:00Z",
}
ROWS = [{**ALL, "asked": f"2026-01-02T10:0{minute}Z", "word": str(minute) + "x"} for minute in range(3)]


def found(*fields: str, columns: tuple[str, ...] = tuple(ALL)) -> dict[str, tuple[str, ...]]:
    return {one.field: one.unused for one in lacking(fields, columns, ROWS)}


def test_columns_that_may_hold_what_lacks() -> None:
    assert found("text") == {"prompt": ("wp",), "system": ("wp", "by")}
    assert found("text", "prompt_id") == {"system": ("wp", "by")}
    assert found("text", "system") == {"prompt": ("wp",)}
    assert found("text", "prompt", "system") == {}


def test_no_words_no_warning() -> None:
    assert found("text", columns=()) == {}
    assert found("text", columns=("seconds",)) == {}
    assert found("text", "prompt", columns=("asked", "word")) == {}  # which no two rows share, as they do a system


def test_what_is_lost() -> None:
    (system,) = lacking(["prompt"], ["by"], ROWS)
    assert system.sentence("choose it above") == (
        "No column is taken for the system: who wrote the stories is unknown, so systems cannot be compared, and "
        "people's stories count as systems'. Not used: by. If it holds the system, choose it above."
    )
    (known,) = lacking(["prompt", "source"], ["by", "wp"], ROWS)
    assert "people's" not in known.lost
    assert "If one of them holds the system, " in known.sentence("choose it above")


@pytest.mark.parametrize(("later", "lack"), [({}, ["prompt"]), ({"prompt": "Go."}, [])])
def test_of_ratings_with_their_stories(tmp_path: Path, later: dict[str, str], lack: list[str]) -> None:
    """A line of JSON may be the first that has a prompt."""
    path = tmp_path / "lab.jsonl"
    first = {"text": "One.", "model": "m", "rating": 3, "notes": "so so"}
    path.write_text(f"{json.dumps(first)}\n{json.dumps(first | {'text': 'Two.'} | later)}\n", encoding="utf-8")
    assert [one.field for one in read_export(path).lacking] == lack


def test_ratings_of_stories_that_are_there_lack_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lab.csv"
    path.write_text("story_id,rating,notes\na,3,so so\nb,4,so so\n", encoding="utf-8")
    assert read_export(path).lacking == ()
