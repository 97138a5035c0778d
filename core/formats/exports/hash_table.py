"""What has been seen of the rows of a large file, by hashes: a dictionary of a million keys takes ten times as much."""

from array import array

_FIRST = 2**10


PLAIN, COUNTS, HASHES = "b", "i", "q"
"""What a table holds of each hash: nothing, up to 2³¹, or another hash."""


class HashTable:
    """Numbers by 64-bit hashes: each takes 12 to 27 bytes, 24 to 48 where the numbers are hashes too. Two different
    keys among a million have the same hash with a probability of 3 in 100 millions.
    """

    def __init__(self, numbers: str = PLAIN) -> None:
        self._numbers = numbers
        self._clear(_FIRST)
        self._count = 0

    def _clear(self, size: int) -> None:
        self._hashes, self._values = array("q", [0]) * size, array(self._numbers, [0]) * size
        self._mask = size - 1

    def __len__(self) -> int:
        """How many different hashes."""
        return self._count

    def _slot(self, hashed: int) -> int:
        """Where a hash stands, or would."""
        hashes, mask = self._hashes, self._mask
        slot = hashed & mask
        while hashes[slot] != hashed and hashes[slot]:
            slot = (slot + 1) & mask
        return slot

    def get(self, hashed: int) -> int | None:
        """The number of a hash, None where there is none."""
        slot = self._slot(hashed or 1)
        return self._values[slot] if self._hashes[slot] else None

    def setdefault(self, hashed: int, value: int) -> int:
        """The number of a hash, which is `value` from now on where there was none."""
        hashed = hashed or 1  # an empty slot holds 0
        slot = self._slot(hashed)
        if self._hashes[slot]:
            return self._values[slot]
        self._hashes[slot], self._values[slot] = hashed, value
        self._count += 1
        if self._count * 3 > len(self._hashes) * 2:
            self._grow()
        return value

    def __contains__(self, hashed: int) -> bool:
        return self._hashes[self._slot(hashed or 1)] != 0

    def add(self, hashed: int, value: int = 0) -> bool:
        """Remember a hash, and its number; whether it is new."""
        before = self._count
        self.setdefault(hashed, value)
        return self._count > before

    def count(self, hashed: int) -> int:
        """Add 1 to the number of a hash, which begins at 0; the sum."""
        self.setdefault(hashed, 0)
        slot = self._slot(hashed or 1)
        self._values[slot] += 1
        return self._values[slot]

    def _grow(self) -> None:
        hashes, values = self._hashes, self._values
        self._clear(2 * len(hashes))
        for hashed, value in zip(hashes, values, strict=True):
            if hashed:
                slot = self._slot(hashed)
                self._hashes[slot], self._values[slot] = hashed, value
