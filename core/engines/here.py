"""The engine of one process: this one."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice

from core.engines.work import Died, Item, Ready, Result, Work


class HereEngine:
    """Works in this process; the next item is read meanwhile."""

    def results(self, work: Work[Item, Ready, Result], items: Sequence[Item]) -> Iterator[Result | Died[Item]]:
        """See `Engine`; in the order of the items."""
        if not items:
            return
        do = work.make()
        with ThreadPoolExecutor(1, thread_name_prefix="read") as ahead:
            coming = ahead.submit(work.read, items[0])
            for following in chain(islice(items, 1, None), (None,)):
                ready = coming.result()
                if following is not None:
                    coming = ahead.submit(work.read, following)
                yield do(ready)
