"""Work on many columns at once, on all processors."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
LARGE = 20_000
"""Stories; with fewer the threads would wait for one another longer than they would save."""


def each(work: Callable[[Item], Result], items: Sequence[Item], stories: int) -> list[Result]:
    """`work` of each item, in their order; on all processors at the same time where there are many `stories`.

    NumPy lets other threads run while it sorts and multiplies.
    """
    if stories < LARGE or len(items) < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as pool:
        return list(pool.map(work, items))
