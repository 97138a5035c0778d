"""RUBER's training data: the beginnings of human stories, each with its own continuation and with another story's."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Ints
from core.errors import InputError
from core.training.engine.held_out import number_of
from core.training.ruber.settings import RuberSettings
from core.training.union.pairs import FEWEST


@dataclass(frozen=True)
class Continuations:
    """Stories in two: `contexts[i]` goes on with `rests[i]`; `corpus[i]` is the number of its corpus."""

    contexts: tuple[str, ...]
    rests: tuple[str, ...]
    corpus: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.contexts)

    @property
    def hash(self) -> str:
        """SHA-256 of all texts in their order, and of where each belongs."""
        digest = hashlib.sha256()
        for row in zip(self.contexts, self.rests, self.corpus, strict=True):
            for part in row:
                digest.update(hashlib.sha256(str(part).encode("utf-8", "surrogatepass")).digest())
        return digest.hexdigest()

    def held_out(self, share: float, seed: int) -> NDArray[np.bool_]:
        """Which stories are kept for evaluation: this share of each corpus, but two at least, so that each has another
        one's continuation. Told by the story's text, whatever its place.
        """
        numbers = np.array([number_of(f"{seed} {a} {b}") for a, b in zip(self.contexts, self.rests, strict=True)])
        corpus, held = np.array(self.corpus), np.zeros(len(self), dtype=bool)
        for number in np.unique(corpus):
            mine = np.flatnonzero(corpus == number)
            most = max(np.quantile(numbers[mine], share), np.sort(numbers[mine])[1])
            held[mine[numbers[mine] <= most]] = True
        return held

    def others(self, rows: Ints, seed: str) -> Ints:
        """For each of these stories another one of them, from the same corpus, whose continuation it is given: never
        its own, and each once. A corpus has two of the rows at least, or none.
        """
        corpus, given = np.array(self.corpus)[rows], np.empty_like(rows)
        for number in np.unique(corpus):
            places = np.flatnonzero(corpus == number).tolist()
            random.Random(f"{seed}/{number}").shuffle(places)
            given[places] = rows[places[1:] + places[:1]]  # one cycle through all: nobody stays where he was
        return given


def parted(corpora: Mapping[str, Sequence[str]], settings: RuberSettings) -> Continuations:
    """The stories of two sentences or more; equal continuations count once, so that none is its own negative.

    Raises InputError where a corpus has fewer than 10, or none is given.
    """
    if not any(corpora.values()):
        raise InputError("RUBER is trained on human stories, and none is given.")
    contexts: list[str] = []
    rests: list[str] = []
    corpus: list[int] = []
    for number, (name, stories) in enumerate(corpora.items()):
        unique = list(dict.fromkeys(stories))
        by_hash: dict[str, str] = {}
        for story in unique:
            if parts := settings.parted(story):
                by_hash.setdefault(parts[1], parts[0])
        if len(by_hash) < FEWEST:
            raise InputError(
                f"{name}: RUBER is trained on {FEWEST} stories at least of two sentences or more; of these "
                f"{len(unique)} there are {len(by_hash)}: give it more stories."
            )
        contexts += by_hash.values()
        rests += by_hash
        corpus += [number] * len(by_hash)
    return Continuations(tuple(contexts), tuple(rests), tuple(corpus))
