"""The human stories of a table by their prompts: their texts in a file, their places in memory."""

import json
import tempfile
from array import array
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from core.files import discard, no_scratch
from core.formats.tables import reference_of

NEAR = 1_000
"""References that are remembered to see at once that one comes again."""
PARTS_BITS = 6
"""Hashes are compared in so many halvings: what is at work at once is a small part of them."""
Numbers = npt.NDArray[np.int64]


def numbers_of(kept: "array[int]") -> Numbers:
    """What was appended, as an array that takes no memory of its own."""
    return np.frombuffer(kept, dtype=np.int64) if kept else np.zeros(0, dtype=np.int64)


def first_places(hashes: Numbers) -> Numbers:
    """Of each of these 64-bit hashes the place where it stands first."""
    result = np.empty(len(hashes), dtype=np.int64)
    part = (hashes >> (64 - PARTS_BITS)).astype(np.int8)
    for number in range(-(2 ** (PARTS_BITS - 1)), 2 ** (PARTS_BITS - 1)):
        places = np.flatnonzero(part == number)
        _, first, which = np.unique(hashes[places], return_index=True, return_inverse=True)
        result[places] = places[first][which]
    return result


class References:
    """Those that are rows of the table, and those that stand in a column: the latter come in as stories of their own.

    Each takes 32 bytes of memory; its text lies in a temporary file. Raises StorageError where that has no room.
    """

    def __init__(self) -> None:
        self._stream = tempfile.TemporaryFile()  # noqa: SIM115  closed with the block that this begins
        self._prompts, self._marks, self._keys, self._places = (array("q") for _ in range(4))
        self._near: dict[int, None] = {}
        self._known: dict[str, tuple[str, ...]] = {}
        self._by_prompt = self._at = self._own = np.zeros(0, dtype=np.int64)
        self.key_hashes = self._own
        """Of the keys of those in a column, in the file's order."""

    def __enter__(self) -> "References":
        """Kept until the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Forget the texts."""
        discard(self._stream)

    def __len__(self) -> int:
        """How many come in as stories of their own."""
        return len(self._own)

    def add_row(self, prompt_key: str, prompt: str, text: str) -> None:
        """Take in a human story that is a row of the table."""
        self._add(prompt_key, prompt, text, 0, 0)

    def add(self, prompt_key: str, prompt: str, text: str) -> None:
        """Take in what stands in a column, each once a prompt."""
        mark = hash((prompt_key, text))
        if mark in self._near:
            return
        self._near[mark] = None
        if len(self._near) > NEAR:
            self._near.pop(next(iter(self._near)))
        self._add(prompt_key, prompt, text, mark, hash(reference_of(prompt_key, prompt, text).key))

    def _add(self, prompt_key: str, prompt: str, text: str, mark: int, key: int) -> None:
        self._prompts.append(hash(prompt_key))
        self._marks.append(mark)
        self._keys.append(key)
        self._places.append(self._stream.tell())
        try:
            self._stream.write(json.dumps([prompt_key, prompt, text]).encode() + b"\n")
        except OSError as error:
            raise no_scratch(error) from error

    def settle(self) -> None:
        """Leave out what a column has twice, and sort by prompt, so that `of` finds it."""
        try:
            self._stream.flush()
        except OSError as error:
            raise no_scratch(error) from error
        marks, places = numbers_of(self._marks), numbers_of(self._places)
        kept = np.flatnonzero((marks == 0) | (first_places(marks) == np.arange(len(marks))))
        prompts = numbers_of(self._prompts)[kept]
        order = np.argsort(prompts, kind="stable")
        self._by_prompt, self._at = prompts[order], places[kept][order]
        own = kept[marks[kept] != 0]
        self._own, self.key_hashes = places[own], numbers_of(self._keys)[own]

    def of(self, prompt_key: str) -> tuple[str, ...]:
        """The texts of a prompt's human stories, in the file's order."""
        if not len(self._by_prompt):
            return ()
        known = self._known.get(prompt_key)
        if known is None:
            begin, end = (int(np.searchsorted(self._by_prompt, hash(prompt_key), side)) for side in ("left", "right"))
            entries = [self._entry(int(place)) for place in self._at[begin:end]]
            known = tuple(text for key, _, text in entries if key == prompt_key)
            if len(self._known) > NEAR:
                self._known.clear()
            self._known[prompt_key] = known
        return known

    def own(self) -> Iterator[tuple[str, str, str]]:
        """Prompt's key, prompt and text of each that comes in as a story of its own, in the file's order."""
        for place in self._own:
            yield self._entry(int(place))

    def _entry(self, place: int) -> Any:
        self._stream.seek(place)
        return json.loads(self._stream.readline())
