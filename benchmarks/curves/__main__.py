"""The curves of docs/performance.md: stories 1,000 to 1,000,000 through import, score, correlate and export.

`python -m benchmarks.curves [--most 1000000] [--database sqlite|postgresql] [--out docs/results/curves.json]` measures
every step as a command in a process of its own and draws docs/images/curves.png. Stories have 65 words, a reference and
one rating each; perplexity is measured on few and said to be extrapolated.
"""

import argparse
import json
import random
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.corpus import SENTENCES
from benchmarks.curves.drawing import draw
from benchmarks.curves.steps import Cost, run
from benchmarks.pages.stored import DATABASES, stored
from core.home import ROOT

SIZES = (1_000, 10_000, 100_000, 1_000_000)
SYSTEMS = 10
STUDY = "curves"
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


def measure(number: int, database: str) -> list[dict[str, Any]]:
    """A row a step: its name, how many stories, and what it cost."""
    rows = []

    def note(step: str, stories: int, cost: Cost) -> None:
        rows.append({"step": step, "stories": stories, "database": database, **asdict(cost)})
        print(f"{step}, {stories:,} stories, {database}: {cost.seconds:.1f} s, {cost.megabytes:.0f} MB", flush=True)

    with tempfile.TemporaryDirectory(prefix="fabula-curves-") as name, stored(database) as where:
        folder, url = Path(name), where.url
        source = folder / "stories.jsonl"
        write_stories(source, number)

        def cost(*words: str) -> Cost:
            return run(words, where.home, url)

        note("import stories", number, cost("import", "stories", str(source), "--study", "stories"))
        note("import ratings", number, cost("import", "ratings", str(source), "--study", STUDY, "--scale", "1-5"))
        for engine, words in ENGINES.items() if database == "sqlite" else [("local", ())]:
            out = folder / engine.replace(" ", "-")
            score = ("score", "--in", str(source), "--out", str(out), "--metric", "bleu", "--metric", "words", *words)
            note(f"score with BLEU, {engine}", number, cost(*score))
        scores = folder / "local"
        note("correlate", number, cost("correlate", "--study", STUDY, "--scores", str(scores), "--json", "/dev/null"))
        out = folder / "out.zip"
        note("export", number, cost("export", "--study", STUDY, "--format", "jsonl", "--out", str(out)))
        if number == min(SIZES) and database == "sqlite":
            few = folder / "few.jsonl"
            write_stories(few, READ_BY_A_MODEL)
            score = ("score", "--in", str(few), "--out", str(folder / "perplexity"), "--metric", "perplexity")
            note("score with perplexity", READ_BY_A_MODEL, cost(*score))
    return rows


parser = argparse.ArgumentParser()
parser.add_argument("--most", type=int, default=SIZES[-1])
parser.add_argument("--database", choices=DATABASES, action="append")
parser.add_argument("--out", type=Path, default=ROOT / "docs" / "results" / "curves.json")
given = parser.parse_args()
found: list[dict[str, Any]] = []
for wanted in given.database or DATABASES:
    for size in (size for size in SIZES if size <= given.most):
        found += measure(size, wanted)
        given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
draw(found, ROOT / "docs" / "images" / "curves.png")
