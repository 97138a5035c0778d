"""A step of a scoring job: metrics that share a model score in turns, each batch is stored, and the job's row says how
far the step is. Stories of a study and texts of a test set are scored alike.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from core.durations import WorkPace, duration, pace_text
from core.metrics.base import Metric, Progress, Scores
from core.metrics.batches import score_in_turns
from core.metrics.run import ScoringStep
from core.stories import Story
from work.watch import ProgressWriter

Store = Callable[[int, Sequence[str], Scores], None]
"""Receives a metric's place, the content hashes of a batch, and its scores."""
Rounds = Iterable[Sequence[Sequence[tuple[str, Story]]]]
"""In each round one batch per metric: content hashes and stories."""


class Turn(Protocol):
    """What one metric, by its place in the step, has made of one batch, and in how many seconds."""

    @property
    def metric(self) -> int:
        """Its place."""

    @property
    def keys(self) -> Sequence[object]:
        """What the batch was made of."""

    @property
    def seconds(self) -> float:
        """How long it took."""


Taken = TypeVar("Taken", bound=Turn)


class RunningStep:
    """A step under way: its progress, and what each of its metrics has cost so far.

    total: how many scores the step has to make; unit: what is scored; expected: the seconds that it will take by what
    the machine has shown before, None where it never ran here: they are told until the step shows its own pace.
    span: which part of the whole run it is, where it begins and ends, 0 to 1: by the time it takes; None: by counts.
    then: names of the metrics of later steps; later: the seconds that these will take, None where one of them never
    ran here.
    """

    def __init__(
        self,
        metrics: Sequence[Metric],
        total: int,
        progress: ProgressWriter,
        unit: str = "stories",
        *,
        expected: float | None = None,
        span: tuple[float, float] | None = None,
        then: Sequence[str] = (),
        later: float | None = 0.0,
    ) -> None:
        self.seconds = [0.0] * len(metrics)
        self.scored = [0] * len(metrics)
        self._metrics = metrics
        self._total = total
        self._progress = progress
        self._unit = unit
        self._expected = expected
        self._span = span
        self._then = then
        self._later = later
        self._pace = WorkPace()
        self._loads = any(metric.role and not metric.endpoint for metric in metrics)

    def score(self, rounds: Rounds, store: Store) -> None:
        """Score and store; raises Cancelled where somebody stops the job: every finished batch is stored."""
        self.take(
            lambda report: score_in_turns(self._metrics, rounds, report),
            lambda turn: store(turn.metric, turn.keys, turn.scores),
        )

    def take(self, turns: Callable[[Progress], Iterator[Taken]], keep: Callable[[Taken], None]) -> None:
        """Take turn after turn, each kept before the next is made; `turns` is told whom to tell how far the one in
        hand is. Raises Cancelled where somebody stops the job.
        """
        before = self._progress.done
        stored = 0

        def report(within_batch: float) -> None:
            reached = stored + within_batch
            self._progress.done = before + int(reached)
            self._progress.share = self._share(before, reached)
            self._progress.say(lambda: self._message(reached))

        self._progress.say(lambda: self._message(0), now=True)
        for turn in turns(report):
            self.seconds[turn.metric] += turn.seconds
            self.scored[turn.metric] += len(turn.keys)
            keep(turn)
            stored += len(turn.keys)
            report(0)

    def _share(self, before: int, reached: float) -> float:
        if self._span is None:
            return (before + reached) / self._progress.total
        begin, end = self._span
        return begin + (end - begin) * reached / self._total

    def cost(self, step: ScoringStep, characters: int) -> dict[str, Any]:
        """What the step took, from which later runs are estimated."""
        return {"key": step.key, "characters": characters, "seconds": round(sum(self.seconds), 3)}

    def _message(self, done: float) -> str:
        """Which metrics, what they begin with or how many a second, and the time left, in all or until other metrics
        have their turn.
        """
        names = ", ".join(metric.name for metric in self._metrics)
        loading = "loading the model, " if not done and self._loads else ""
        rate = self._pace.rate(done, time.perf_counter())
        if rate is not None:
            each = "story" if self._unit == "stories" else self._unit.removesuffix("s")
            left, pace = (self._total - done) / rate, f"{pace_text(rate / len(self._metrics), self._unit, each)}, "
        elif self._expected:
            left, pace = self._expected * (self._total - done) / self._total, loading
        else:
            return f"{names}: {loading}".rstrip(": ,")
        then = ""
        if self._later is None:
            then = f", then {', '.join(self._then)}"
        else:
            left += self._later
        return f"{names}: {pace}about {duration(left)} left{then}"
