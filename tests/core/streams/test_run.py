"""Files scored into a folder: the same files however often a run is stopped, whoever does the work."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet

from core.engines.here import HereEngine
from core.engines.processes import Place, ProcessEngine
from core.engines.work import Died
from core.errors import FabulaError, InputError, StorageError
from core.formats.tables import RowFilter
from core.metrics import build
from core.metrics.base import Settings
from core.streams import folder as folders
from core.streams.run import Summary, score_files
from core.streams.scoring import DIED, Piece
from tests.core.streams.stories import rows_of, settings, write_jsonl


def score(source: Path, out: Path, *metrics: str, rows: int = 8, **more: Any) -> Summary:
    run = more.pop("run", None) or settings(*(metrics or ("bleu", "words")))
    given = {"mapping": {}} | more
    return score_files([str(source)], out, run, given.pop("engine", HereEngine()), rows=rows, **given)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "s.jsonl", rows_of(50))


def test_every_story_has_the_score_that_it_has_alone(source: Path, tmp_path: Path) -> None:
    summary = score(source, tmp_path / "out")
    assert (summary.stories, summary.scored, summary.partitions, summary.aside) == (50, 50, 7, 0)
    table = parquet.read_table(tmp_path / "out").to_pydict()
    rows = rows_of(50)
    assert table["id"] == [row["id"] for row in rows]
    assert table["row"] == list(range(1, 51))
    assert table["system"] == [row["system"] for row in rows]
    from core.stories import Story

    stories = [Story(row["text"], row["prompt"], (row["reference"],)) for row in rows]
    for name in ("bleu", "words"):
        np.testing.assert_array_equal(table[name], build(name, Settings()).score(stories).values)
        assert table[f"{name}.reason"] == [None] * 50
    about = folders.about_of(tmp_path / "out" / "part-000003.parquet")
    assert about.signatures == summary.signatures
    assert (about.first, about.rows, about.stories) == (24, 8, 8)


def test_a_second_run_scores_nothing_and_one_with_a_part_gone_that_part(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    score(source, out)
    before = contents(out)
    assert (score(source, out).scored, contents(out)) == (0, before)
    (out / "part-000002.parquet").unlink()
    cut = out / "part-000004.parquet"
    cut.write_bytes(cut.read_bytes()[:-20])  # as after a power cut
    (out / f"part-000005.parquet.1{folders.PARTIAL}").write_bytes(b"half")
    assert score(source, out).scored == 16
    assert contents(out) == before


def test_undefined_scores_and_rows_set_aside_are_counted_also_in_a_run_that_goes_on(tmp_path: Path) -> None:
    rows = rows_of(20)
    rows[3]["text"] = rows[12]["text"] = ""
    source = write_jsonl(tmp_path / "s.jsonl", rows)
    source.write_text(source.read_text() + "{not a row\n")
    out = tmp_path / "out"
    first = score(source, out)
    again = score(source, out)
    for summary in (first, again):
        assert (summary.stories, summary.aside) == (20, 1)
        assert dict(summary.undefined["bleu"]) == {"the story is empty": 2}
    (line,) = (out / "_aside-000002.jsonl").read_text().splitlines()
    assert json.loads(line)["row"] == 21
    assert json.loads(line)["file"] == str(source)
    assert "this is not JSON" in json.loads(line)["reason"]
    table = parquet.read_table(out).to_pydict()
    assert table["bleu"][3] is None
    assert table["bleu.reason"][3] == "the story is empty"


SLOW = """
import time
from core.metrics.base import Card, Kind, Metric, Scores

class Slow(Metric):
    name = "slow"
    kind = Kind.UNREFERENCED
    needs = frozenset()
    card = Card("x", "x", "x")

    def score(self, stories, on_progress=None):
        time.sleep(0.02)
        return Scores.collect([float(len(story.text)) for story in stories])
"""
RUN = """
import sys
from pathlib import Path
from core.engines.here import HereEngine
from core.streams.run import score_files
from tests.core.streams.stories import settings
run = settings("bleu", sys.argv[3])
print(score_files([sys.argv[1]], Path(sys.argv[2]), run, HereEngine(), mapping={}, rows=8).scored)
"""


@pytest.mark.slow
def test_a_run_that_is_killed_at_any_moment_gives_the_same_files(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "s.jsonl", rows_of(400))
    metric = tmp_path / "own.py"
    metric.write_text(SLOW)
    out, whole = tmp_path / "out", tmp_path / "whole"
    named = f"{metric}:Slow"
    score(source, whole, run=settings("bleu", named))
    rng = random.Random(5)
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", RUN, str(source), str(out), named], stdout=subprocess.PIPE)
        wanted = len(list(out.glob("part-*.parquet"))) + rng.randint(3, 12)
        until = time.monotonic() + 60
        while len(list(out.glob("part-*.parquet"))) < wanted and time.monotonic() < until:
            time.sleep(0.001)
        time.sleep(rng.random() * 0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert 9 <= len(list(out.glob("part-*.parquet"))) < 50
    summary = score(source, out, run=settings("bleu", named))
    assert summary.stories == 400
    assert 0 < summary.scored < 400
    assert contents(out) == contents(whole)


@pytest.mark.slow
def test_processes_score_what_one_does(source: Path, tmp_path: Path) -> None:
    score(source, tmp_path / "one")
    score(source, tmp_path / "two", engine=ProcessEngine([Place(), Place()]))
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


class Deadly:
    """An engine in which some stories end whatever works on them."""

    def __init__(self, deadly: set[str]) -> None:
        self._deadly = deadly
        self.begun: list[Piece] = []

    def results(self, work: Any, items: Sequence[Any]) -> Iterator[Any]:
        do = work.make()
        for item in items:
            self.begun.append(item)
            ready = work.read(item)
            yield Died(item) if self._deadly & set(ready[1].ids) else do(ready)


def test_a_story_that_no_process_outlives_stands_alone(source: Path, tmp_path: Path) -> None:
    summary = score(source, tmp_path / "out", engine=Deadly({"s9", "s14", "s49"}))
    assert dict(summary.undefined["words"]) == {DIED: 3}
    table = parquet.read_table(tmp_path / "out").to_pydict()
    assert table["id"] == [f"s{place}" for place in range(50)]
    assert [place for place, value in enumerate(table["words"]) if value is None] == [9, 14, 49]


def test_stories_are_not_blamed_where_everything_crashes(source: Path, tmp_path: Path) -> None:
    engine = Deadly({f"s{place}" for place in range(50)})
    with pytest.raises(FabulaError, match="whatever the stories"):
        score(source, tmp_path / "out", engine=engine)
    assert len(engine.begun) < 20


def test_a_partition_without_a_story_that_no_process_outlives(source: Path, tmp_path: Path) -> None:
    class Dead(Deadly):
        def results(self, work: Any, items: Any, meanwhile: Any = None) -> Iterator[Any]:
            for item in items:
                yield Died(item) if item.partition.number == 1 else work.make()(work.read(item))

    chosen = RowFilter((("system", "System 0"),))
    summary = score(source, tmp_path / "out", engine=Dead(set()), where=chosen, rows=2)
    assert summary.stories == 17
    kept = folders.read_run(tmp_path / "out")
    assert kept is not None
    assert kept.where == chosen
    before = json.loads(kept.encoded()) | {"where": {"system": "System 0"}}  # as runs of before have it
    assert folders.Run.of(json.dumps(before)) == kept


def test_bad_folders(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    score(source, out)
    with pytest.raises(InputError, match="other signatures"):
        score(source, out, "bleu", "sentences")
    with pytest.raises(InputError, match=r"other columns \(--map\)"):
        score(source, out, mapping={"text": "reference"})
    with pytest.raises(InputError, match="other rows"):
        score(source, out, where=RowFilter((("system", "system 1"),)))
    with pytest.raises(InputError, match="was not among its files"):
        score(write_jsonl(tmp_path / "t.jsonl", rows_of(3)), out)
    source.write_text(source.read_text() + "\n")
    with pytest.raises(InputError, match="has changed since"):
        score(source, out)
    (out / folders.RUN).write_text("{")
    with pytest.raises(InputError, match="is damaged"):
        score(source, out)
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "me.jpg").write_bytes(b"")
    with pytest.raises(InputError, match=r"holds other files \(me.jpg\)"):
        score(source, tmp_path / "photos")
    with folders.claimed(tmp_path / "taken"), pytest.raises(InputError, match="Another run writes into"):
        score(source, tmp_path / "taken")
    with pytest.raises(InputError, match="at least one row"):
        score(source, tmp_path / "new", rows=0)
    assert not (tmp_path / "new").exists()


def test_the_folder_may_lie_among_the_files(source: Path, tmp_path: Path) -> None:
    for scored_now in (50, 0):
        summary = score_files([str(tmp_path)], tmp_path / "out", settings("words"), HereEngine(), mapping={})
        assert (summary.stories, summary.scored) == (50, scored_now)


def test_a_file_that_changes_under_way(source: Path, tmp_path: Path) -> None:
    def change(done: int, _total: int, _what: str) -> None:
        if done == 16:
            source.write_text(source.read_text().replace("Ida", "Eva"))

    with pytest.raises(InputError, match="has changed since"):
        score(source, tmp_path / "out", tell=change)


def test_nothing_is_begun_in_vain(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", rows_of(3))
    write_jsonl(tmp_path / "b.jsonl", [{"text": "x"}])
    with pytest.raises(InputError, match=r"b\.jsonl has no column"):
        score_files([str(tmp_path / "*.jsonl")], tmp_path / "out", settings("bleu"), HereEngine(), mapping={})
    assert list((tmp_path / "out").iterdir()) == []


def test_a_disk_that_fills_in_the_middle(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    written = parquet.write_table
    count = 0

    def full(*args: Any, **more: Any) -> None:
        nonlocal count
        count += 1
        if count == 4:
            args[1].write_bytes(b"half of it")
            raise OSError(28, os.strerror(28))
        written(*args, **more)

    monkeypatch.setattr(parquet, "write_table", full)
    with pytest.raises(StorageError, match="is full; free some space"):
        score(source, out)
    assert sorted(path.name for path in out.iterdir()) == [folders.RUN, *(f"part-{n:06}.parquet" for n in range(3))]
    assert score(source, out).scored == 26


def test_a_table_of_frequencies_is_fitted_on_all_files(tmp_path: Path) -> None:
    """Whatever the partitions: the signature names the different references of all of them."""
    source = write_jsonl(tmp_path / "s.jsonl", rows_of(24) + rows_of(6))
    run = settings("bertscore-f1", options={"bertscore-f1": {"idf": "references"}})
    runs = [score(source, tmp_path / f"out{rows}", run=run, rows=rows) for rows in (30, 4)]
    references = list(dict.fromkeys(row["reference"] for row in rows_of(24)))
    metric = build("bertscore-f1", Settings(options={"idf": "references"}, corpus=lambda: references))
    assert [list(summary.signatures.values()) for summary in runs] == [[metric.signature]] * 2


def test_progress_says_how_far_it_is(source: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    score(source, tmp_path / "out", tell=lambda *now: told.append(now))
    assert "looking through s.jsonl" in told[0][2]
    assert [(done, total) for done, total, _ in told[1:]] == [(done, 50) for done in (0, 8, 16, 24, 32, 40, 48, 50)]


def test_what_the_metric_says_is_wrong_comes_out(source: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(SLOW.replace("Scores.collect([float(len(story.text)) for story in stories])", "[1.0]"))
    for engine in (HereEngine(), ProcessEngine([Place()])):
        with pytest.raises(FabulaError, match="gave list instead of Scores"):
            score(source, tmp_path / "out", run=settings(f"{own}:Slow"), engine=engine)
