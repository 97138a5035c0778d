"""The curves of docs/performance.md: stories 1,000 to 1,000,000 through import, score, correlate, export and pages.

`python -m benchmarks.curves [--most 1000000] [--out docs/results/curves.json] [--picture docs/images/curves.png]`
measures every step as a command in a process of its own, and every page as the first that a server shows, and draws the
picture. Stories have 65 words, a reference and one rating each; perplexity is measured on few.
"""

import argparse
import asyncio
import json
import random
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.corpus import SENTENCES
from benchmarks.curves.drawing import draw
from benchmarks.curves.steps import Cost, run
from benchmarks.pages.analysis_pages import visit
from benchmarks.pages.served import Served
from benchmarks.pages.stored import DATABASES, stored
from core.home import ROOT
from core.people import TERMINAL, Role
from db.people import people
from db.studies import studies

SIZES = (1_000, 10_000, 100_000, 1_000_000)
SYSTEMS = 10
STUDY = "curves"
SCORE = "score with BLEU and length"
PAGES = ("Judgments", "Correlation")
READ_BY_A_MODEL = 2_000
"""Stories that perplexity is measured on."""
ENGINES = {
    "local": (),
    "two processes": ("--workers", "2"),
    "Ray, one worker": ("--engine", "ray", "--workers", "1"),
    "Ray, two workers": ("--engine", "ray", "--workers", "2"),
}


def write_stories(path: Path, number: int) -> None:
    """JSON lines with an id, a prompt, a system, a text, a reference and a rating."""
    rng = random.Random(0)
    with path.open("w", encoding="utf-8") as stream:
        for place in range(number):
            prompt = place // SYSTEMS
            row = {
                "id": f"s{place}",
                "prompt_id": f"p{prompt}",
                "prompt": f"It was day {prompt} of the long winter.",
                "system": f"system {place % SYSTEMS}",
                "text": " ".join(rng.choices(SENTENCES, k=7)),
                "reference": " ".join(rng.choices(SENTENCES, k=7)),
                "overall": rng.randint(1, 5),
            }
            stream.write(json.dumps(row) + "\n")


class Curves:
    """The points of all curves, kept in a file after every one."""

    def __init__(self, out: Path) -> None:
        self.rows: list[dict[str, Any]] = []
        self._out = out

    def add(self, step: str, stories: int, cost: Cost, database: str = "") -> None:
        """A step with so many stories, and the database that it used, if any."""
        self.rows.append({"step": step, "stories": stories, "database": database, **asdict(cost)})
        self._out.write_text(json.dumps(self.rows, indent=1) + "\n", encoding="utf-8")
        print(f"{step}, {stories:,} stories {database}: {cost.seconds:.1f} s, {cost.megabytes:.0f} MB", flush=True)


def score_files(curves: Curves, source: Path, number: int) -> Path:
    """Score a file on every engine. Returns the folder of the local one's scores."""
    home = source.parent / "home"
    home.mkdir()
    for engine, words in ENGINES.items():
        out = source.parent / engine.replace(" ", "-")
        score = ("score", "--in", str(source), "--out", str(out), "--metric", "bleu", "--metric", "words", *words)
        curves.add(f"{SCORE}, {engine}", number, run(score, home))
    return source.parent / "local"


def read_by_a_model(curves: Curves, folder: Path) -> None:
    """Perplexity of few stories: its seconds a story do not depend on how many there are."""
    source = folder / "few.jsonl"
    write_stories(source, READ_BY_A_MODEL)
    score = ("score", "--in", str(source), "--out", str(folder / "perplexity"), "--metric", "perplexity")
    curves.add("score with perplexity", READ_BY_A_MODEL, run(score, folder))


def work_with(curves: Curves, source: Path, scores: Path, number: int, database: str) -> None:
    """Everything that a study goes through, in a database of its own."""
    with stored(database) as where:

        def step(name: str, *words: str) -> None:
            curves.add(name, number, run(words, where.home, where.url), database)

        out = source.parent / f"{database}.zip"
        step("import stories", "import", "stories", str(source), "--study", "stories")
        step("import stories and ratings", "import", "ratings", str(source), "--study", STUDY, "--scale", "1-5")
        step("correlate", "correlate", "--study", STUDY, "--scores", str(scores), "--json", "/dev/null")
        step("export", "export", "--study", STUDY, "--format", "jsonl", "--out", str(out))
        step("score a study with its length", "score", "--study", STUDY, "--metric", "words")
        token = people.invite(TERMINAL, Role.OWNER, name="curves")
        study = next(summary.study for summary in studies.summaries(TERMINAL) if summary.study.name == STUDY)
        for page in PAGES:
            with Served(where.home) as app:
                opened = asyncio.run(visit(app, token, f"/{page.lower()}?study={study.id}"))
                curves.add(f"page {page}", number, Cost(opened.seconds, opened.processor, app.memory()), database)


def main() -> None:
    """Measure everything and draw it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "results" / "curves.json")
    parser.add_argument("--picture", type=Path, default=ROOT / "docs" / "images" / "curves.png")
    given = parser.parse_args()
    curves = Curves(given.out)
    for size in (size for size in SIZES if size <= given.most):
        with tempfile.TemporaryDirectory(prefix="fabula-curves-") as name:
            stories = Path(name) / "stories.jsonl"
            write_stories(stories, size)
            if size == min(SIZES):
                read_by_a_model(curves, Path(name))
            local = score_files(curves, stories, size)
            for kind in DATABASES:
                work_with(curves, stories, local, size, kind)
    draw(curves.rows, given.picture)


if __name__ == "__main__":
    main()
