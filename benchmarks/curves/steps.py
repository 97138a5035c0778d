"""Commands as their users run them, each in a process of its own: seconds, processor seconds and memory."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from core.home import ROOT

_LOOK = 0.2


@dataclass(frozen=True)
class Cost:
    """What a command took: seconds on the clock, seconds of processors, and the most memory that it and all that it
    started held together, in MB (shared pages count once a process).
    """

    seconds: float
    processor: float
    megabytes: float


class StepFailed(RuntimeError):
    """A command of a bench ended badly: its last words."""


def run(words: Sequence[str], home: Path, database: str | None = None) -> Cost:
    """Run `cli.py` with these words. Raises StepFailed."""
    surroundings = dict(os.environ, FABULA_HOME=str(home), RAY_USAGE_STATS_ENABLED="0")
    surroundings.pop("DATABASE_URL", None)
    if database:
        surroundings["DATABASE_URL"] = database
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "cli.py", *words],
        cwd=ROOT,
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    most, processor = 0, dict[int, float]()
    watched = psutil.Process(process.pid)
    while process.poll() is None:
        held = 0
        for one in _family(watched):
            try:
                held += one.memory_info().rss
                times = one.cpu_times()
                processor[one.pid] = times.user + times.system
            except psutil.Error:
                continue  # it has ended meanwhile
        most = max(most, held)
        time.sleep(_LOOK)
    seconds = time.perf_counter() - begun
    said = process.stdout.read() if process.stdout else ""
    if process.returncode:
        raise StepFailed(f"cli.py {' '.join(words)}: {said[-2000:]}")
    return Cost(seconds, sum(processor.values()), most / 2**20)


def _family(first: psutil.Process) -> list[psutil.Process]:
    try:
        return [first, *first.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []
