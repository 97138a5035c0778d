"""Streaming 100,000 stories through the worker's own function, the memory on the way; and scoring what is stored."""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import Any

import psutil

from benchmarks.corpus import SENTENCES
from core.home import ROOT
from core.people import TERMINAL
from core.stories import Corpus, Source, StoryRecord

WORDS, EMBEDDINGS = ["bleu", "rouge-l", "rouge-l-google"], ["bertscore-f1"]
RUNS = ((WORDS, 100_000), (EMBEDDINGS, 20_000))
STORED = 10_000


def _corpus(number: int) -> Corpus:
    rng = random.Random(0)
    records = []
    for i in range(number // 5):
        prompt = f"It was day {i}."
        human = f"{' '.join(rng.choices(SENTENCES, k=4))} {i}"
        records.append(StoryRecord(f"h{i}", f"p{i}", prompt, human, Source.HUMAN))
        records += [
            StoryRecord(f"s{i}-{k}", f"p{i}", prompt, f"{' '.join(rng.choices(SENTENCES, k=4))} {i} {k}")
            for k in range(5)
        ]
    return Corpus("", tuple(records))


def _score(study_id: int, metrics: Sequence[str]) -> dict[str, Any]:
    """What a worker does with one job: seconds, scores reused, memory (MB) at each tenth. In a process of its own."""
    import worker
    from db.jobs import jobs

    process, curve, reached = psutil.Process(), [], -1

    def watch(done: int, total: int, _what: str) -> None:
        nonlocal reached
        if total and done * 10 // total > reached:
            reached = done * 10 // total
            curve.append(round(process.memory_info().rss / 2**20))

    settings = {"metrics": list(metrics), "precision": "bfloat16"}
    begun = time.perf_counter()
    ended = worker.run_job(jobs.add(TERMINAL, "score", study_id, settings, runner="bench"), watch)
    seconds = time.perf_counter() - begun
    rows = (ended.result or {"rows": []})["rows"]
    return {"seconds": seconds, "reused": sum(row["reused"] for row in rows), "memory": curve}


def _in_a_process(study_id: int, metrics: Sequence[str]) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "benchmarks.pages.storing", str(study_id), *metrics],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def run() -> str:
    """Stories a second, memory at each tenth, and the time of a second run."""
    from db.migrate import migrate
    from db.transfer import imports

    lines = []
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        os.environ["FABULA_HOME"] = folder
        migrate()
        for metrics, number in RUNS:
            new_study = imports.import_corpora(TERMINAL, f"bench {number}", [_corpus(number)])
            result = _in_a_process(new_study.id, metrics)
            lines.append(
                f"{number:,} stories, {', '.join(metrics)}: {result['seconds']:.0f} s, "
                f"{number * len(metrics) / result['seconds']:,.0f} scores stored a second; "
                f"memory at each tenth, MB: {' '.join(map(str, result['memory']))}."
            )
        small = imports.import_corpora(TERMINAL, "stored", [_corpus(STORED)])
        _in_a_process(small.id, WORDS)
        again = _in_a_process(small.id, WORDS)
        lines.append(
            f"Scoring {STORED:,} stored stories again with {len(WORDS)} metrics: {again['seconds']:.2f} s, "
            f"{again['reused']:,} scores reused."
        )
    return "\n\n".join(lines)


if __name__ == "__main__":
    print(json.dumps(_score(int(sys.argv[1]), sys.argv[2:])))
