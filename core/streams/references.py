"""The different references of files of any size."""

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np

from core.streams.partition import Partition
from core.streams.stories import Reader

_UNSORTED = 100_000


class Seen:
    """Texts that have come by, at 8 bytes each."""

    def __init__(self) -> None:
        self._sorted = np.zeros(0, np.int64)
        self._new: set[int] = set()

    def add(self, text: str) -> bool:
        """Whether it is new."""
        mark = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), signed=True)
        at = np.searchsorted(self._sorted, mark)
        if mark in self._new or (at < len(self._sorted) and self._sorted[at] == mark):
            return False
        self._new.add(mark)
        if len(self._new) == _UNSORTED:
            self._sorted = np.sort(np.concatenate([self._sorted, np.fromiter(self._new, np.int64)]))
            self._new.clear()
        return True


def references(reader: Reader, partitions: Iterable[Partition]) -> Iterator[str]:
    """Each once, in the order in which they come."""
    seen = Seen()
    for partition in partitions:
        for story in reader.read(partition).stories:
            yield from (text for text in story.references if seen.add(text))
