"""What an engine is given to do: items that are read anywhere, and then worked on where the models are."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from core.errors import FabulaError

Item = TypeVar("Item")
Ready = TypeVar("Ready")
Result = TypeVar("Result")


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


class DeviceLostError(FabulaError):
    """A process's GPU does not answer any more; its work is another's."""


class Engine(Protocol):
    """Who does it: this process, several of this machine, or a Ray cluster."""

    def results(self, work: Work[Item, Ready, Result], items: Sequence[Item]) -> Iterator[Result | Died[Item]]:
        """One result an item, in the order in which they are done. Raises FabulaError as the work does."""
