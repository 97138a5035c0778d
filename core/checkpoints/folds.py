"""Cross-fitting: each story is scored by the one of several models that was trained without its prompt.

A prompt's fold follows from its text alone, so that nothing has to be kept to find it again, and a prompt that nobody
has seen has one too.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Bools, Ints
from core.checkpoints.overlap import plain
from core.errors import InputError

FEWEST, MOST = 2, 20
"""Folds."""
PROMPTS_A_FOLD = 2
"""At least so many, on average."""


@dataclass(frozen=True, slots=True)
class Folds:
    """`number` of them; another `seed` puts the prompts into other ones. Raises InputError for a number that is none.

    Model f of them is trained without the stories of fold f, which are those that it scores.
    """

    number: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        if not FEWEST <= self.number <= MOST:
            raise InputError(f"There can be {FEWEST} to {MOST} folds, not {self.number}.")

    def of(self, prompt: str, text: str) -> int:
        """The fold of a story, from 0: its prompt's, or its own where it has none."""
        return int(share_of(unit(prompt, text), f"fold {self.seed}") * self.number)

    def each(self, prompts: Sequence[str], texts: Sequence[str]) -> Ints:
        """The fold of each story. Raises InputError where there are too few different prompts, or one fold has all."""
        units = {unit(prompt, text) for prompt, text in zip(prompts, texts, strict=True)}
        if len(units) < (needed := PROMPTS_A_FOLD * self.number):
            raise InputError(
                f"{self.number} folds need {needed} different prompts at least, but there are {len(units)}: give more "
                "stories, or take fewer folds."
            )
        result = np.array([self.of(*part) for part in zip(prompts, texts, strict=True)], dtype=np.intp)
        if len(np.unique(result)) == 1:
            raise InputError("All of these prompts are in one fold: take another seed, or give more stories.")
        return result


def unit(prompt: str, text: str) -> str:
    """What stays together: a prompt as it is compared with others, or a story's text where there is no prompt."""
    return plain(prompt) or plain(text)


def share_of(unit: str, what: str) -> float:
    """A number in 0..1 that looks random, always the same for the same two texts."""
    digest = hashlib.sha256(f"{what} {unit}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:6]) / 2**48  # exact, and so never 1


def unseen(folds: Ints, fold: int, texts: Sequence[str]) -> Bools:
    """Which stories the model of a fold may learn from: those of other folds, but for copies of one of this fold."""
    mine = {plain(text) for text, item in zip(texts, folds, strict=True) if item == fold}
    return np.array([item != fold and plain(text) not in mine for text, item in zip(texts, folds, strict=True)])


def held_out(units: Sequence[str], allowed: Bools, sides: Sequence[Bools], share: float, seed: int) -> Bools:
    """Which of the allowed stories are kept to tell the best weights: whole units, this share of those of each side,
    and one of each at least.
    """
    numbers = np.array([share_of(name, f"held out {seed}") for name in units])
    held = np.zeros(len(units), dtype=np.bool_)
    for side in sides:
        mine = np.unique(numbers[allowed & side])
        if len(mine):
            held |= allowed & (numbers <= max(np.quantile(mine, share), mine[0]))
    return held


def folds_text(number: int, judged: Mapping[str, int]) -> str:
    """What a card says of the stories trained on, of which so many are `judged`, by their study."""
    each = ", ".join(f"{count:,} of {study}" for study, count in sorted(judged.items()))
    first = f"Trained also on stories of rated studies: {each}. " if judged else ""
    return (
        f"{first}One of {number} models scores each story, the one that has seen neither its prompt nor its text: the "
        "scores of these stories are evidence as long as they keep their prompts."
    )
