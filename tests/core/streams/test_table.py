"""A folder of scores beside a study's stories."""

from pathlib import Path

import numpy as np
import pytest

from core.engines.here import HereEngine
from core.errors import InputError
from core.metrics import build
from core.metrics.base import Settings
from core.stories import Story
from core.streams.run import score_files
from core.streams.table import columns_of
from tests.core.streams.stories import rows_of, settings, write_jsonl

ROWS = rows_of(30)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [dict(row) for row in ROWS]
    rows[5]["text"] = ""
    source = write_jsonl(tmp_path / "s.jsonl", rows)
    run = settings("words", "bleu")
    score_files([str(source)], tmp_path / "out", run, HereEngine(), mapping={}, rows=7)
    return tmp_path / "out"


def test_columns_in_the_order_of_the_stories(folder: Path) -> None:
    order = [29, 3, 5, 17]
    keys = [ROWS[place]["id"] for place in order] + ["another"]
    texts = [ROWS[place]["text"] for place in order] + ["It rained."]
    texts[2] = ""
    words, bleu = columns_of(folder, keys, texts)
    stories = [Story(ROWS[place]["text"], ROWS[place]["prompt"], (ROWS[place]["reference"],)) for place in order]
    for column, name in ((words, "words"), (bleu, "bleu")):
        metric = build(name, Settings())
        expected = metric.score(stories).values
        expected[2] = np.nan
        np.testing.assert_array_equal(column.values, [*expected, np.nan])
        assert (column.metric, column.signature) == (name, metric.signature)
        assert column.reasons == {2: "the story is empty"}


def test_folders_that_cannot_be_used(folder: Path, tmp_path: Path) -> None:
    keys, texts = [row["id"] for row in ROWS], [row["text"] for row in ROWS]
    texts[5] = ""
    columns_of(folder, keys, texts)
    with pytest.raises(InputError, match="another text of the story 's7'"):
        columns_of(folder, keys, [*texts[:7], "Another.", *texts[8:]])
    with pytest.raises(InputError, match="No story of the study has an id"):
        columns_of(folder, ["x"], ["x"])
    with pytest.raises(InputError, match="is no folder of scores"):
        columns_of(tmp_path / "nothing", keys, texts)
    (folder / "part-000002.parquet").unlink()
    with pytest.raises(InputError, match="not finished: 4 of 5 partitions"):
        columns_of(folder, keys, texts)


def test_a_story_that_stands_twice(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "s.jsonl", [*ROWS[:4], ROWS[1]])
    score_files([str(source)], tmp_path / "out", settings("words"), HereEngine(), mapping={})
    with pytest.raises(InputError, match="scores of the story 's1' twice"):
        columns_of(tmp_path / "out", [row["id"] for row in ROWS], [row["text"] for row in ROWS])
