"""What engines are given to do here, and a metric of a user's own that ends its process; both are had in other
processes by name.
"""

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.engines.work import Work
from core.errors import InputError

POISON = "this text is poison"
"""A story that no process outlives."""

DEADLY = f'''
"""Counts characters, until its process ends."""
import os
import signal
from contextlib import suppress
from pathlib import Path

from core.metrics.base import Card, Kind, Metric, Scores


class Deadly(Metric):
    name = "my-deadly"
    kind = Kind.UNREFERENCED
    needs = frozenset()
    card = Card("length", "none", "all else")

    def score(self, stories, on_progress=None):
        with suppress(FileNotFoundError):
            Path(__file__).with_name("trap").unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        if any(story.text == "{POISON}" for story in stories):
            os._exit(7)
        return Scores.collect(float(len(story.text)) for story in stories)
'''
"""A metric that its process does not outlive: once where a file `trap` lies beside it, and always with the poison."""


class StrangeError(Exception):
    """One that pickle cannot make again."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(first)


@dataclass(frozen=True)
class Squares:
    """Squares numbers, with a trap: at `at` it does `what`."""

    at: int | None = None
    what: str = ""
    folder: str = ""

    @property
    def work(self) -> Work[int, int, tuple[int, int]]:
        """For an engine; results say in which process they were made."""
        return Work(read, self.make)

    def make(self) -> Callable[[int], tuple[int, int]]:
        """Called once a process."""
        if self.what == "no memory":
            os.kill(os.getpid(), signal.SIGKILL)
        return self.square

    def square(self, number: int) -> tuple[int, int]:
        """Of a number that was read."""
        if number == self.at:
            _DONE[self.what](self.folder)
        return number * number, os.getpid()


def read(text: int) -> int:
    """What is apart from the rest."""
    return int(text)


def _killed_once(folder: str) -> None:
    mark = Path(folder) / "killed"
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def _killed(_folder: str) -> None:
    os._exit(7)


def _raises_input_error(_folder: str) -> None:
    raise InputError("Nobody wants this number.")


def _raises_strange(_folder: str) -> None:
    raise StrangeError(1, 2)


def _raises_os_error(_folder: str) -> None:
    raise PermissionError("of the work, not of its process")


def _node_killed_once(folder: str) -> None:
    """The parent of a worker of Ray is its node's own process."""
    mark = Path(folder) / "killed"
    if not mark.exists():
        mark.touch()
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(600)


def _sleeps(folder: str) -> None:
    """Its process is named there by a file, where there is a folder."""
    if folder:
        (Path(folder) / f"asleep-{os.getpid()}").touch()
    time.sleep(600)


_DONE: dict[str, Callable[[str], None]] = {
    "killed once": _killed_once,
    "killed": _killed,
    "input error": _raises_input_error,
    "strange": _raises_strange,
    "os error": _raises_os_error,
    "node killed once": _node_killed_once,
    "sleep": _sleeps,
}
