"""Work on many columns at once, and different work at once, on all processors."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
LARGE = 20_000
"""Stories; with fewer the threads would wait for one another longer than they would save."""
SEVERAL = 5_000
"""Stories from which on whole analyses, which take longer, are worked on side by side."""


def each(work: Callable[[Item], Result], items: Sequence[Item], stories: int) -> list[Result]:
    """`work` of each item, in their order; on all processors at the same time where there are many `stories`.

    NumPy lets other threads run while it sorts and multiplies.
    """
    if stories < LARGE or len(items) < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as pool:
        return list(pool.map(work, items))


class _AtOnce(Executor):
    """Does what it is given before it gives the result back."""

    def submit(self, fn: Callable[..., Result], /, *args: Any, **kwargs: Any) -> "Future[Result]":
        future: Future[Result] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@contextmanager
def side_by_side(stories: int) -> Iterator[Executor]:
    """What takes analyses of so many `stories`: with many it does two at the same time, as each of them takes room."""
    with ThreadPoolExecutor(2) if stories >= SEVERAL else _AtOnce() as executor:
        yield executor
