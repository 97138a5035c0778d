"""The engine of one process: this one."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

from core.engines.work import Died, Item, Meanwhile, Ready, Result, Work, nothing


class HereEngine:
    """Works in this process; the next item is read meanwhile."""

    def results(
        self, work: Work[Item, Ready, Result], items: Iterable[Item], meanwhile: Meanwhile = nothing
    ) -> Iterator[Result | Died[Item]]:
        """See `Engine`; in the order of the items."""
        coming = iter(items)
        do = None
        with ThreadPoolExecutor(1, thread_name_prefix="read") as ahead:
            reading = [ahead.submit(work.read, item) for item in _at_most_one(coming)]
            while reading:
                do = do or work.make()
                ready = reading.pop().result()
                reading += [ahead.submit(work.read, item) for item in _at_most_one(coming)]
                yield do(ready)
                meanwhile()


def _at_most_one(items: Iterator[Item]) -> Iterator[Item]:
    for item in items:
        yield item
        return
