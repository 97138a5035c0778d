"""What several tests of jobs share."""

import subprocess
import sys
import time
from collections.abc import Callable

from core.home import ROOT
from core.stories import Corpus, Source, StoryRecord

SLOW = """
import time
from core.metrics.base import Card, Kind, Metric, Scores

class Slow(Metric):
    name = "slow"
    kind = Kind.UNREFERENCED
    needs = frozenset()
    card = Card("nothing", "none", "everything")

    def score(self, stories, on_progress=None):
        values = []
        for story in stories:
            time.sleep(0.002)
            values.append(len(story.text))
            on_progress(1)
        return Scores.collect(values)
"""
"""A metric slow enough that a process can be killed in the middle of it."""


def big_corpus(number: int = 1500) -> Corpus:
    records = [StoryRecord(f"h{i}", f"p{i}", "Go.", f"A human story number {i}.", Source.HUMAN) for i in range(number)]
    text = "It went on and on, and then it ended. "
    records += [StoryRecord(f"s{i}", f"p{i}", "Go.", text * 20 + str(i)) for i in range(number)]
    return Corpus("", tuple(records))


def wait_for(holds: Callable[[], bool], seconds: float = 40) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def start_worker() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "worker.py"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def stop(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.communicate()
