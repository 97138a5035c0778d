"""A model's cache of the texts that it read last, within a limit."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Generic, TypeVar
from weakref import WeakSet

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
_OF_TEXTS: "WeakSet[Memory[Any, Any]]" = WeakSet()


class Memory(Generic[K, V]):
    """Least recently used entries go first; `limit` and the entries' sizes are in any one unit. For several threads.

    `of_texts`: what it holds is of texts that were read, and goes with `forget_texts`.
    """

    def __init__(self, limit: int, *, of_texts: bool = True) -> None:
        self.limit = limit
        self.used = 0
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._changing = threading.Lock()
        if of_texts:
            _OF_TEXTS.add(self)

    def get(self, key: K) -> V | None:
        """The value, which is now the latest used, or None."""
        with self._changing:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def put(self, key: K, value: V, size: int = 1) -> None:
        """Keep a value; one larger than the limit is not kept."""
        with self._changing:
            if key in self._entries or size > self.limit:
                return
            self._entries[key] = (value, size)
            self.used += size
            while self.used > self.limit:
                _, (_, freed) = self._entries.popitem(last=False)
                self.used -= freed

    def clear(self) -> None:
        """Forget everything."""
        with self._changing:
            self._entries.clear()
            self.used = 0


def forget_texts() -> None:
    """Forget every text that was read in this process.

    In which batch a text was read shows in the last bits of what was made of it: scores that must not depend on what
    was scored before begin here.
    """
    for memory in list(_OF_TEXTS):
        memory.clear()
