"""Every layout of ratings leaves in the database what it has always left there; a long file takes little memory."""

import gc
import json
import re
import tracemalloc
from pathlib import Path

import pytest

from core.errors import InputError
from core.formats.exports.reading import read_export
from core.people import TERMINAL
from db.transfer import brought_stories, panel_imports, placed_ratings, rating_imports
from tests.db.transfer.rating_layouts import LAYOUTS, imported, stored

GOLDEN = Path(__file__).parent / "layouts"


@pytest.mark.both_databases
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_layout_leaves_the_same_rows(database: str, tmp_path: Path, layout: str) -> None:
    found = json.loads(json.dumps(imported(layout, tmp_path)))
    expected = json.loads((GOLDEN / f"{layout}.json").read_text(encoding="utf-8"))
    assert found == expected


def _long(path: Path, number: int, **last: object) -> Path:
    """So many ratings, three of a story, with texts and references; the `last` one is otherwise."""
    with path.open("w", encoding="utf-8") as stream:
        for place in range(number):
            rated, prompt = place // 3, place // 30
            row = {"story_id": f"s{rated}", "prompt": f"Day {prompt}.", "story": f"He said {rated}. " * 8, "overall": 3}
            row |= {"reference": f"She said {rated}. " * 8, "annotator": f"A{place % 3}", "system": f"m{rated % 10}"}
            stream.write(json.dumps(row | (last if place == number - 1 else {})) + "\n")
    return path


def _peak(path: Path) -> int:
    """The most memory that an import of a file takes, in bytes; as in a command and a server, what was there before is
    left out of the collection, which would else come too rarely.
    """
    gc.collect()
    gc.freeze()
    tracemalloc.start()
    try:
        rating_imports.import_ratings(TERMINAL, path.stem, read_export(path))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.unfreeze()


def in_blocks(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """So many are stored at once, so that a shorter file is a long one."""
    for module in (brought_stories, panel_imports, placed_ratings, rating_imports):
        monkeypatch.setattr(module, "BLOCK", rows)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_blocks(monkeypatch, 250)
    few, *many = (_long(tmp_path / f"{number}.jsonl", rows) for number, rows in enumerate((1_000, 7_000, 7_000)))
    _peak(_long(tmp_path / "first.jsonl", 300))  # what is loaded once
    before = _peak(few)
    # One of two may take more, as whatever else the process does is traced too; of 1,000 bytes that a row has.
    assert any((_peak(path) - before) / 6_000 < 300 for path in many)


@pytest.mark.slow
def test_a_bad_row_at_the_end_of_a_long_file_changes_nothing(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_blocks(monkeypatch, 250)
    _peak(_long(tmp_path / "s.jsonl", 90))
    before = stored("s")
    for last, words in (
        ({"overall": "good"}, "line 1200, column 'overall': 'good' is not a number."),
        ({"annotator": "A1"}, "line 1200, column 'story_id': 'A1' rates 's399' twice"),
        ({"story": "Other."}, "line 1200, column 'story_id': 's399' has another text, prompt, source or system"),
        ({"prompt": "Day 0.", "prompt_id": "Day 1."}, "line 1200, column 'story_id': 's399' has another text"),
        ({"story_id": "new", "prompt_id": "Day 1."}, "line 1200, column 'prompt': the prompt 'Day 1.' has another"),
        ({"overall": 9}, "line 1200, column 'overall': A rating of 9 is outside the scale 1 to 5."),
        ({"story_id": "gone", "story": ""}, "line 1200, column 'story_id': there is no story 'gone'"),
        ({"deductions": {"dull": 1}}, "line 1200, column 'deductions': There is no error type 'dull'"),
    ):
        path = _long(tmp_path / "long.jsonl", 1_200, **last)
        with pytest.raises(InputError, match=re.escape(words)):
            rating_imports.import_ratings(TERMINAL, "s", read_export(path))
        assert stored("s") == before
