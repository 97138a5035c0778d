"""What an engine is given to do: items that are read anywhere, and then worked on where the models are."""

import pickle
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from core.errors import FabulaError

Item = TypeVar("Item")
Ready = TypeVar("Ready")
Result = TypeVar("Result")
Meanwhile = Callable[[], None]
DIED = "the process that scored this story crashed, twice"
"""Why a story has no score that no process outlives."""


@dataclass(frozen=True)
class Work(Generic[Item, Ready, Result]):
    """`read` prepares an item, on any processor; `make` is called once in each process that works, loads what it needs
    there, and returns what turns a prepared item into a result. Both can be pickled, and keep nothing from one item to
    the next that a result depends on: whichever process works on an item, the result is the same.
    """

    read: Callable[[Item], Ready]
    make: Callable[[], Callable[[Ready], Result]]


@dataclass(frozen=True)
class Died(Generic[Item]):
    """In the place of a result: the processes that worked on this item ended, each time without a word."""

    item: Item


def nothing() -> None:
    """Nobody wants to do anything meanwhile."""


class Engine(Protocol):
    """Who does it: this process, several of this machine, or a Ray cluster."""

    def results(
        self, work: Work[Item, Ready, Result], items: Iterable[Item], meanwhile: Meanwhile = nothing
    ) -> Iterator[Result | Died[Item]]:
        """One result an item, in the order in which they are done. Raises FabulaError as the work does.

        `meanwhile` is called again and again, here, while others work; what it raises ends the work.
        """


def packed(do: Callable[[Any], Any], given: Any) -> bytes:
    """What `do` makes of it, or the error that it raises, for another process: see `unpacked`."""
    try:
        return pickle.dumps((do(given), None))
    except Exception as error:
        if not isinstance(error, FabulaError):  # nobody else will see where it came from
            error.add_note(traceback.format_exc())
        try:
            answer = pickle.dumps((None, error))
            pickle.loads(answer)
        except Exception:  # an error of somebody's own that pickle cannot make again
            answer = pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}\n{traceback.format_exc()}")))
        return answer


def unpacked(answer: bytes) -> Any:
    """The result. Raises the error that is in its place."""
    result, error = pickle.loads(answer)
    if error is not None:
        raise error
    return result
