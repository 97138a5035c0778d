"""The texts and the names of a large study's stories, read when they are looked at: most analyses need none of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from core.arrays import Ints
from core.stories import word_count

BLOCK = 5_000
"""Strings that are in memory at once while all of them are gone through."""


class Stored(Sequence[str]):
    """Strings that stand elsewhere, one a story, equal to the tuple of them. `read`: those of these places, in that
    order; `places`: which of these this sequence is of, a range where it is of all.
    """

    def __init__(self, places: "Ints | range", read: Callable[[Ints], Sequence[str]]) -> None:
        self._places, self._read = places, read

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return self.take(np.arange(len(self))[place])
        return self._read(self._at(np.array([range(len(self))[place]])))[0]

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), BLOCK):
            yield from self._read(np.asarray(self._places[start : start + BLOCK]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stored | tuple):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # equal to a tuple, whose hash would take all of them

    def take(self, places: Ints) -> "Stored":
        """Those at these places of this sequence."""
        return Stored(self._at(places), self._read)

    def _at(self, places: Ints) -> Ints:
        return places if isinstance(self._places, range) else self._places[places]


class StoredTexts(Stored):
    """Texts that stand elsewhere. `count`: of every text that there is, what a function says, which may be known under
    its name.
    """

    def __init__(
        self,
        places: "Ints | range",
        read: Callable[[Ints], Sequence[str]],
        count: Callable[[str, Callable[[str], int]], Ints],
    ) -> None:
        super().__init__(places, read)
        self._count = count

    def take(self, places: Ints) -> "StoredTexts":
        """Those at these places of this sequence."""
        return StoredTexts(self._at(places), self._read, self._count)

    def counted(self, what: str, count: Callable[[str], int]) -> Ints:
        """`count` of each text; `what` it counts, in one word."""
        every = self._count(what, count)
        return every if isinstance(self._places, range) else every[self._places]


class Shared(Sequence[str]):
    """Names that stories share, one a story, equal to the tuple of them. `codes`: of each story the number of its name
    among `names`, which are in order, none twice; some may be of no story.
    """

    def __init__(self, codes: NDArray[Any], names: Sequence[str]) -> None:
        self.codes, self.names = codes, names

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> "Shared": ...

    def __getitem__(self, place: int | slice) -> "str | Shared":
        if isinstance(place, slice):
            return Shared(self.codes[place], self.names)
        return self.names[int(self.codes[place])]

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), BLOCK):
            different, of = np.unique(self.codes[start : start + BLOCK], return_inverse=True)
            names = tuple(strings_at(self.names, different))
            yield from (names[number] for number in of.tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shared | tuple):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as above


def counted(texts: Sequence[str], what: str, count: Callable[[str], int]) -> Ints:
    """`count` of each text, which is kept of stored ones; `what` it counts, in one word."""
    if isinstance(texts, StoredTexts):
        return texts.counted(what, count)
    return np.fromiter(map(count, texts), dtype=np.intp, count=len(texts))


def words_of(texts: Sequence[str]) -> Ints:
    """The number of words of each text, as white space separates them."""
    return counted(texts, "words", word_count)


def strings_at(strings: Sequence[str], places: Ints) -> Sequence[str]:
    """Those at these places; stored ones are read together where they are looked at, if at all."""
    if isinstance(strings, Shared):
        return Shared(strings.codes[places], strings.names)
    return strings.take(places) if isinstance(strings, Stored) else tuple(strings[place] for place in places.tolist())
