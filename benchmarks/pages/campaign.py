"""A campaign in rough weather: annotators fill a study on PostgreSQL through two processes behind Caddy, while one of
these after the other is killed and started again. Whether anything that was acknowledged is lost, or counted twice.

`python -m benchmarks.pages.campaign --annotators 40 --minutes 30 --every 45`.
"""

import argparse
import random
import signal
import threading
import time
from collections import Counter
from dataclasses import dataclass

from benchmarks.pages import load
from benchmarks.pages.crowd import crowd, fill
from benchmarks.pages.served import Served
from benchmarks.pages.stored import Stored, stored
from benchmarks.pages.visits import Report, Work

INTERVAL = 2.0
DOWN = (0.5, 6.0)
"""Seconds, from and to, until what was killed is started again."""
TURNS = ("the proxy", "the database", "the first process", "the second process")


@dataclass(frozen=True)
class Campaign:
    """What came of it; `kills`: how often each was killed."""

    annotators: int
    report: Report
    kills: Counter[str]
    lost: int
    double: int
    ratings: Counter[int]

    def __str__(self) -> str:
        result = self.report
        return (
            f"{self.annotators} annotators, {result.ended_at - result.begun_at:.0f} s; killed: "
            + ", ".join(f"{name} {number}x" for name, number in self.kills.items())
            + f"; {len(result.saves):,} answers acknowledged, {result.in_vain} sent in vain, "
            f"{result.lost_connections} connections lost, {result.handed_in} panels handed in; saved within "
            f"{load.share(result.saves, 0.5):.2f} s (half), {load.share(result.saves, 0.95):.2f} s (95 %), "
            f"{load.share(result.saves, 1):.1f} s (all); lost {self.lost}, double {self.double}; ratings a story: "
            + ", ".join(f"{number}: {stories}" for number, stories in sorted(self.ratings.items()))
        )


class Weather(threading.Thread):
    """Kills one after the other, and starts it again."""

    def __init__(self, app: Served, storage: Stored, every: float) -> None:
        super().__init__()
        self.kills: Counter[str] = Counter()
        self.failure: Exception | None = None
        self._app = app
        self._storage = storage
        self._every = every
        self._over = threading.Event()
        self._draw = random.Random(0)

    def run(self) -> None:
        number = 0
        try:
            while not self._over.wait(self._every * self._draw.uniform(0.7, 1.3)):
                what = TURNS[number % len(TURNS)]
                number += 1
                self.kills[what] += 1
                self._strike(what)
        except Exception as error:  # of a thread, which nobody else hears of
            self.failure = error

    def _strike(self, what: str) -> None:
        down = self._draw.uniform(*DOWN)
        if what == "the proxy":
            self._app.kill_proxy()
            time.sleep(down)
            self._app.start_proxy()
        elif what == "the database":
            self._storage.kill()
            time.sleep(down)
            self._storage.restart()
        else:
            process = int(what == "the second process")
            self._app.kill(process, signal.SIGKILL)
            time.sleep(down)
            self._app.restart(process)

    def clear(self) -> None:
        """End it; raises what it could not do."""
        self._over.set()
        self.join()
        if self.failure is not None:
            raise self.failure


def run(annotators: int = 40, minutes: float = 30, every: float = 45, interval: float = INTERVAL) -> Campaign:
    """Serve, let everybody work for so many minutes with something killed `every` so many seconds, then have the study
    filled.
    """
    with stored("postgresql") as storage:
        study, _, quality = load.open_planted("campaign", load.enough("mans", annotators, 60 * minutes, interval))
        people = [(*load.invited(study, annotator), annotator) for annotator in crowd(annotators, annotators // 10)]
        with Served(storage.home, 2) as app:
            weather = Weather(app, storage, every)
            weather.start()
            try:
                links = [(token, annotator) for token, _, annotator in people]
                report = load.visit(Work(app.address, links, quality, 60 * minutes, interval, returns=True))
            finally:
                weather.clear()
        missing, extra = load.lost(study.id, report), load.double(study.id, report)
        reserve = [(load.invited(study, annotator)[1], annotator) for annotator in crowd(2 * load.WANTED, seed=1)]
        fill([(person, annotator) for _, person, annotator in people] + reserve, quality)
        return Campaign(annotators, report, weather.kills, missing, extra, load.ratings_an_item(study.id))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--annotators", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--every", type=float, default=45, help="seconds from one kill to the next")
    options = parser.parse_args()
    result = run(options.annotators, options.minutes, options.every)
    print(result)
    for problem, times in Counter(result.report.errors).most_common(10):
        print(f"  {times}x {problem}")
