"""UNION's training data: human stories, and a negative of each."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.perturb.negatives.sampler import Sampler
from core.training.engine.held_out import held_out

FEWEST = 10
"""Stories: with fewer there is nothing to hold out."""


@dataclass(frozen=True)
class StoryPairs:
    """Stories in pairs: text 2i is a human's, text 2i + 1 its negative, made by `techniques[i]`."""

    texts: tuple[str, ...]
    techniques: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.techniques)

    @property
    def human(self) -> NDArray[np.bool_]:
        """One value per text."""
        return np.tile([True, False], len(self))

    @property
    def hash(self) -> str:
        """SHA-256 of all texts in their order."""
        digest = hashlib.sha256()
        for text in self.texts:
            digest.update(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
        return digest.hexdigest()

    def held_out(self, share: float, seed: int) -> NDArray[np.bool_]:
        """Which pairs are kept for evaluation, one at least; told by the human story's text, whatever its place."""
        return held_out(self.texts[::2], share, seed)


def make_pairs(
    stories: Sequence[str], sampler: Sampler, seed: int, done: Callable[[int], None] | None = None
) -> tuple[StoryPairs, int]:
    """Pairs of the stories of which negatives can be made, and how many stories there were of which none can.

    Equal stories count once. `done` counts stories. Raises InputError where fewer than 10 pairs are left.
    """
    unique = list(dict.fromkeys(stories))
    texts: list[str] = []
    techniques = []
    for story in unique:
        perturbed = sampler.negative(story, f"{seed}/{story}")
        if perturbed:
            texts += [story, perturbed.text]
            techniques.append(tuple(step.technique for step in perturbed.steps))
        if done:
            done(1)
    if len(techniques) < FEWEST:
        raise InputError(too_few(len(unique), len(techniques)))
    return StoryPairs(tuple(texts), tuple(techniques)), len(unique) - len(techniques)


def too_few(stories: int, fit: int) -> str:
    """The sentence for a corpus of so many different stories, of which so many have a negative."""
    return (
        f"UNION is trained on {FEWEST} stories at least of which a negative can be made, which needs two sentences "
        f"or more; of these {stories} there are {fit}: give it more stories."
    )
