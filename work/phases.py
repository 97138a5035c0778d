"""How far a training of several phases is: each is as much of all as it is expected to take of the time."""

from collections.abc import Mapping, Sequence

from core.durations import ShownSpeed, duration
from core.training.engine.cost import CALLED, NEGATIVES, READING, TRAINING, Work

PHASES = {"Making": NEGATIVES, "Reading": READING, "Training": TRAINING}
"""By the word that what a trainer tells of them begins with."""
MOST_TOLD = 0.99
"""Of a training that is not over: what it has learnt is still measured and kept."""


class Phases:
    """Which of the phases is under way, and how much of all is done, which never falls."""

    def __init__(self, works: Sequence[Work], measured: Mapping[str, ShownSpeed], stories: int) -> None:
        """`works`: the phases in their order; `measured`: the speeds that this machine has shown; `stories`: of all
        corpora, whose negatives are made corpus by corpus.
        """
        self._order = [work.phase for work in works]
        known = [measured.get(work.key) for work in works]
        self._shown = [
            work.characters / speed.latest if speed else None for work, speed in zip(works, known, strict=True)
        ]
        self._seconds = [
            work.characters / work.guess if shown is None else shown
            for work, shown in zip(works, self._shown, strict=True)
        ]
        self._stories = stories
        self._corpora: dict[str, int] = {}
        self._place: int | None = None
        self._share = 0.0

    def reach(self, what: str, done: int, whole: int) -> float | None:
        """How much of all is done once so much of `what` is; None where there are no phases."""
        phase = PHASES.get(what.split()[0], "")
        if phase in self._order:
            self._place = self._order.index(phase)
            if phase == NEGATIVES:
                self._corpora[what] = done
                done, whole = sum(self._corpora.values()), max(self._stories, sum(self._corpora.values()))
            before = sum(self._seconds[: self._place]) + self._seconds[self._place] * done / max(whole, 1)
            self._share = max(self._share, min(MOST_TOLD, before / (sum(self._seconds) or 1.0)))
        return self._share if self._order else None

    @property
    def which(self) -> str:
        """Which of how many phases it is: ` (1 of 3)`; "" where there is one, or none is under way."""
        return "" if self._place is None or len(self._order) < 2 else f" ({self._place + 1} of {len(self._order)})"

    def left_text(self, seconds: float | None) -> str:
        """The end of a message: the time until all is done where the later phases have run here before, else that of
        this phase and what comes then. `seconds`: what is left of this one, None while nobody knows.
        """
        later = [] if self._place is None else self._shown[self._place + 1 :]
        known = [shown for shown in later if shown is not None]
        if seconds is None:
            return ""
        if len(known) == len(later):
            return f", about {duration(seconds + sum(known))} left"
        then = " and ".join(CALLED[phase] for phase in self._order[-len(later) :])
        return f", about {duration(seconds)} left, then {then}"
