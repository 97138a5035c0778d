"""Threads that share a device and its models: first come, first served, and nothing is loaded twice."""

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from types import TracebackType
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class FairLock:
    """A lock that its waiters get in the order in which they came; its holder may take it again.

    Python's own locks go to whoever asks at the right moment: a thread that works off batch after batch would have the
    device again before another one that waits has woken up.
    """

    def __init__(self) -> None:
        self._inner = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._holder: int | None = None
        self._depth = 0

    def __enter__(self) -> None:
        me = threading.get_ident()
        with self._inner:
            if self._holder in (None, me):
                self._holder = me
                self._depth += 1
                return
            mine = threading.Event()
            self._waiting.append(mine)
        mine.wait()
        self._holder = me  # `__exit__` left it to nobody else

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        with self._inner:
            self._depth -= 1
            if self._depth:
                return
            if self._waiting:
                self._holder, self._depth = 0, 1  # of the one that wakes up; no thread has the number 0
                self._waiting.popleft().set()
            else:
                self._holder = None


def loaded_once(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the latest `most` results of a function, as `lru_cache` does, and never work out one in two threads at once.

    What fails is not kept. Arguments are hashable.
    """

    def decorate(load: Callable[P, R]) -> Callable[P, R]:
        kept: OrderedDict[Hashable, Future[R]] = OrderedDict()
        keeping = threading.Lock()

        def loaded(*args: P.args, **kwargs: P.kwargs) -> R:
            key = (args, tuple(sorted(kwargs.items())))
            with keeping:
                future = kept.get(key)
                mine = future is None
                if future is None:
                    future = kept[key] = Future()
                    while len(kept) > most:
                        kept.popitem(last=False)
                kept.move_to_end(key)
            if mine:
                try:
                    future.set_result(load(*args, **kwargs))
                except BaseException as error:
                    with keeping:
                        if kept.get(key) is future:
                            del kept[key]
                    future.set_exception(error)
            return future.result()

        return loaded

    return decorate
