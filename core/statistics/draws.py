"""The bootstrap behind every interval of the judgments: whole prompts drawn with replacement.

Stories of one prompt are not independent, so prompts are the units. A draw is how often each prompt is in it; a
statistic that is made of sums over stories is then a matrix product, and no draw is ever built.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from core.arrays import Floats, Ints


@dataclass(frozen=True)
class Draws:
    """`copies` (draws x prompts): how often each draw holds each prompt. `numbers`: a prompt's column."""

    copies: Floats
    numbers: dict[str, int]

    def of(self, prompts: Sequence[str]) -> Ints:
        """Numbers of these prompts; raises KeyError for one that was not there when they were drawn."""
        return np.array([self.numbers[prompt] for prompt in prompts], dtype=np.intp)

    def by_prompt(self, rows: Floats, prompts: Ints) -> Floats:
        """Sums (prompts x columns) of `rows` (one a story, say, by columns) whose prompts have these numbers."""
        where = (np.ones(len(prompts)), (prompts, np.arange(len(prompts))))
        return np.asarray(csr_array(where, shape=(len(self.numbers), len(prompts))) @ rows)

    def sums(self, rows: Floats, prompts: Ints) -> Floats:
        """Sums (draws x columns) of `rows` in each draw."""
        return np.asarray(self.copies @ self.by_prompt(rows, prompts))


def draw_prompts(prompts: Sequence[str], *, seed: int = 0, resamples: int = 1000) -> Draws:
    """Draw as many prompts as there are different ones in `prompts`, `resamples` times."""
    numbers = {prompt: number for number, prompt in enumerate(sorted(set(prompts)))}
    if not numbers:
        return Draws(np.empty((0, 0)), numbers)
    equal = np.full(len(numbers), 1 / len(numbers))
    copies = np.random.default_rng(seed).multinomial(len(numbers), equal, size=resamples)
    return Draws(copies.astype(np.float64), numbers)
