"""The bootstrap behind every interval: whole prompts drawn with replacement, since stories of one are not independent.

A draw is how often each prompt is in it; a statistic that is made of sums over stories is then a matrix product, and
no draw is ever built.

Prompts are drawn in two ways, whose numbers differ for the same seed, and intervals of both have been printed and
stored. `draw_prompts` draws from the multinomial distribution, unless there are more than 2,000, and keeps all draws:
judgments, test sets and critics share them between many figures. `copies_of` counts drawn prompts, which is several
times as fast, and gives them block by block, so that memory grows neither with the draws nor with the prompts:
correlations, systems and drift.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack

from core.arrays import Floats, Ints, are_many
from core.statistics.large.draws import copies_on_disk

CELLS_A_BLOCK = 4_000_000
"""Stories (or prompts) times draws held at once: memory must not grow with either."""
CELLS_DRAWN = 1_000_000
"""Prompts times draws that are drawn at once where they are not kept."""
MOST_KEPT = 10_000_000
"""Prompts times draws of which the latest sets are kept, in a byte each as a rule."""
MOST_AS_FLOATS = 6_000_000
"""Prompts times draws of which the latest set is ready to be multiplied, in 48 MB."""
SETS_KEPT = 6
"""A metric's report draws from all prompts, and from those of each error type's stories."""
CELLS_COUNTED = 100_000
"""Prompts times draws that are counted at once where all are kept: so many stay near the processor."""
MOST_MULTINOMIAL = 2_000
"""Prompts that are drawn from the multinomial distribution, which takes a second for five thousand."""
SPARSE = 4
"""Times fewer stories than cells (prompts x systems) from which on empty cells are not stored."""


@dataclass(frozen=True)
class Draws:
    """`copies` (draws x prompts): how often each draw holds each prompt. `numbers`: a prompt's column."""

    copies: Floats
    numbers: dict[str, int]

    def of(self, prompts: Sequence[str]) -> Ints:
        """Indices of these prompts; raises KeyError for a prompt that was not among those drawn from."""
        return np.array([self.numbers[prompt] for prompt in prompts], dtype=np.intp)

    def by_prompt(self, rows: Floats, prompts: Ints) -> Floats:
        """Sums by prompt (prompts x columns) of `rows` (e.g. one per story), whose prompts have these indices."""
        where = (np.ones(len(prompts)), (prompts, np.arange(len(prompts))))
        return np.asarray(csr_array(where, shape=(len(self.numbers), len(prompts))) @ rows)

    def sums(self, rows: Floats, prompts: Ints) -> Floats:
        """Sums (draws x columns) of `rows` in each draw."""
        return np.asarray(self.copies @ self.by_prompt(rows, prompts))


def draw_prompts(prompts: Sequence[str], *, seed: int = 0, resamples: int = 1000) -> Draws:
    """Draw as many prompts as there are different ones in `prompts`, `resamples` times, and keep all draws."""
    numbers = {prompt: number for number, prompt in enumerate(sorted(set(prompts)))}
    if not numbers:
        return Draws(np.empty((0, 0)), numbers)
    if len(numbers) > MOST_MULTINOMIAL:
        counted: Floats = np.empty((resamples, len(numbers)))
        begin = 0
        for block in copies_of(len(numbers), 4 * len(numbers), seed, resamples):
            counted[begin : begin + len(block)] = block
            begin += len(block)
        return Draws(counted, numbers)
    return Draws(_multinomial(len(numbers), seed, resamples), numbers)


def drawn_in_blocks(number: int, *, seed: int = 0, resamples: int = 1000) -> Iterator[NDArray[Any]]:
    """What `draw_prompts` draws of so many prompts, in the order of their names; none is kept."""
    if number <= MOST_MULTINOMIAL:
        yield _multinomial(number, seed, resamples)
    elif not are_many(number):
        yield from copies_of(number, number, seed, resamples)
    else:
        yield from copies_on_disk(number, seed, resamples)


def _multinomial(number: int, seed: int, resamples: int) -> Floats:
    return _kept_multinomial(number, seed, resamples).astype(np.float64)


def copies_of(number: int, cells: int, seed: int | np.random.SeedSequence, resamples: int) -> Iterator[Floats]:
    """How often each draw holds each of `number` prompts (draws x prompts), in blocks; nothing of no prompts.

    `cells`: the numbers that a draw takes, which decides how many draws a block has, and nothing else.
    """
    block = max(1, CELLS_A_BLOCK // max(1, cells))
    if isinstance(seed, int) and number * resamples <= MOST_KEPT:
        ready = number * resamples <= MOST_AS_FLOATS
        kept = _as_floats(number, seed, resamples) if ready else _kept(number, seed, resamples)
        yield from (kept[begin : begin + block].astype(np.float64, copy=False) for begin in range(0, len(kept), block))
    else:
        small = max(1, min(block, CELLS_DRAWN // max(1, number)))  # several times as much is at work while it is drawn
        yield from _drawn(number, small, np.random.default_rng(seed), resamples)


@lru_cache(maxsize=1)
def _as_floats(number: int, seed: int, resamples: int) -> Floats:
    """All draws of the latest set as what they are multiplied as; nobody may write to it."""
    numbers = _kept(number, seed, resamples).astype(np.float64)
    numbers.flags.writeable = False
    return numbers


@lru_cache(maxsize=SETS_KEPT)
def _kept(number: int, seed: int, resamples: int) -> NDArray[np.unsignedinteger]:
    """All draws at once as small numbers: a page's analyses ask for the same ones over and over."""
    blocks = _drawn(number, max(1, CELLS_COUNTED // max(1, number)), np.random.default_rng(seed), resamples)
    small = [block.astype(np.min_scalar_type(int(block.max()))) for block in blocks]
    return np.concatenate(small) if small else np.empty((0, number), dtype=np.uint8)


@lru_cache(maxsize=SETS_KEPT)
def _kept_multinomial(number: int, seed: int, resamples: int) -> NDArray[np.unsignedinteger]:
    """The same, from the multinomial distribution."""
    drawn = np.random.default_rng(seed).multinomial(number, np.full(number, 1 / number), size=resamples)
    return drawn.astype(np.min_scalar_type(int(drawn.max(initial=0))))


def _drawn(number: int, block: int, rng: np.random.Generator, resamples: int) -> Iterator[Floats]:
    for begin in range(0, resamples if number else 0, block):
        draws = min(block, resamples - begin)
        # Counting drawn prompts is several times as fast as drawing from the multinomial distribution.
        drawn = rng.integers(0, number, (draws, number))
        drawn += number * np.arange(draws)[:, None]
        counted = np.bincount(drawn.ravel(), minlength=draws * number).reshape(draws, number)
        del drawn  # as large as what is given
        yield counted.astype(np.float64)


def cells(values: Floats, prompts: Ints, systems: Ints, shape: tuple[int, int]) -> "Floats | csr_array":
    """Sums of `values` (one per story) by prompt and system; `shape`: the number of each."""
    if shape[0] * shape[1] > SPARSE * len(values):
        return csr_array((values, (prompts, systems)), shape=shape)
    flat = np.bincount(prompts * shape[1] + systems, values, minlength=shape[0] * shape[1])
    return np.asarray(flat, dtype=np.float64).reshape(shape)


def drawn_sums(matrices: Sequence[Any], *, seed: int = 0, resamples: int = 1000) -> list[Floats]:
    """For each matrix (prompts x columns) the sums of its columns in each draw of as many prompts (draws x columns).

    All are arrays, or all sparse ones.
    """
    prompts, width = matrices[0].shape
    beside = hstack(matrices, format="csr") if isinstance(matrices[0], csr_array) else np.hstack(matrices)
    blocks = [copies @ beside for copies in copies_of(prompts, prompts, seed, resamples)]
    sums = np.concatenate([np.empty((0, beside.shape[1])), *blocks])
    return [sums[:, at : at + width] for at in range(0, sums.shape[1], width)]


def drawn_means(total: Floats, count: Floats, counts: Any) -> Floats:
    """Means in each draw (draws x columns) from sums and counts in them; NaN where a draw has nothing to count.

    `counts` (prompts x columns): a column that a single prompt bears on is NaN too, as that one drawn over and over
    says nothing about others.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        means = total / count
    means[:, np.asarray((counts > 0).sum(0)) < 2] = np.nan
    return means
