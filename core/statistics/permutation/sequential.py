"""PERM-BOTH, the paired permutation test of two metrics' correlations with people (Deutsch, Dror and Roth 2021, 3.2).

Both metrics are standardised, then exchange their scores at random; if they are equally good, the difference of the
two correlations is as large as the observed one often enough. Here whole prompts are swapped: the stories of one
prompt are not independent, and to swap them one by one would find differences where there are none.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints
from core.statistics.moments import pearson_of_sums
from core.statistics.paired import NUMBERS_A_BLOCK, PairedScores, linearised
from core.statistics.permutation.linearised import linear_gains
from core.statistics.permutation.ranks import ROUNDING, linear, rank_statistics
from core.statistics.permutation.tables import Statistic

ENOUGH = 50
"""So many permutations at least as extreme as the data, and a pair is done: as exact as 1,000 of them at p = .05."""


@dataclass(frozen=True)
class Permuted:
    """For each pair: the two-sided p, and after how many permutations it was settled."""

    p: Floats
    drawn: Ints


def permute(
    data: PairedScores,
    coefficient: str,
    pairs: Ints,
    observed: Floats,
    *,
    permutations: int,
    seed: int,
    enough: int = ENOUGH,
) -> Permuted:
    """Test the pairs (pairs x 2, score columns), whose differences are `observed`; needs two or more prompts. `enough`:
    permutations at least as extreme as the data, after which a pair is done.
    """
    p, drawn = np.empty(len(pairs)), np.empty(len(pairs), dtype=np.intp)
    for mine, statistic in _statistics(data, coefficient, pairs, observed):
        # A linearised statistic is compared with itself where nothing is swapped: only so is the test valid.
        unswapped = (
            statistic(np.zeros((1, data.prompts)))[0] if linearised(coefficient, data.stories) else observed[mine]
        )
        p[mine], drawn[mine] = _sequential(statistic, np.abs(unswapped), data.prompts, permutations, seed, enough)
    return Permuted(p, drawn)


def _sequential(
    statistic: Statistic, extreme: Floats, prompts: int, permutations: int, seed: int, enough: int
) -> tuple[Floats, Ints]:
    """Besag and Clifford's (1991) sequential p, which is valid whenever it stops.

    A pair whose `enough`-th permutation as extreme as the data is the l-th has p = enough / l; one that never has so
    many, but g, has (g + 1) / (permutations + 1). Blocks only decide when work ends, never what p is. A permuted
    correlation that is undefined counts as extreme: p can only be too large.
    """
    count, drawn = np.zeros(len(extreme)), np.full(len(extreme), permutations, dtype=np.intp)
    done = 0
    for swaps in _swaps(prompts, permutations, seed):
        reached = count + np.cumsum(~(np.abs(statistic(swaps)) < extreme - ROUNDING), axis=0)
        settled = (count < enough) & (reached[-1] >= enough)
        drawn[settled] = done + 1 + np.argmax(reached[:, settled] >= enough, axis=0)
        count = reached[-1]
        done += len(swaps)
        if (count >= enough).all():
            break
    return np.where(count >= enough, enough / drawn, (count + 1) / (permutations + 1)), drawn


def _swaps(prompts: int, permutations: int, seed: int) -> Iterator[Floats]:
    """Fair coin tosses (permutations x prompts) in blocks, the first one small, as most pairs need no more."""
    rng = np.random.default_rng(seed)
    width = -(-prompts // 64) * 8  # whole words of the generator: the coins do not depend on the blocks
    largest = max(1, NUMBERS_A_BLOCK // prompts)
    begin, block = 0, min(2 * ENOUGH, largest)
    while begin < permutations:
        size = min(block, permutations - begin)
        bits = np.frombuffer(rng.bytes(size * width), dtype=np.uint8).reshape(size, width)
        yield np.unpackbits(bits, axis=1, count=prompts).astype(np.float64)
        begin, block = begin + size, min(2 * block, largest)


def _statistics(
    data: PairedScores, coefficient: str, pairs: Ints, observed: Floats
) -> Iterator[tuple[Ints, Statistic]]:
    """Statistics, each with its pairs; together they cover all pairs."""
    if coefficient == "pearson":
        yield np.arange(len(pairs)), _pearson(data, pairs)
    elif linearised(coefficient, data.stories):
        yield np.arange(len(pairs)), linear(linear_gains(data, pairs))
    else:
        yield from rank_statistics(data, coefficient, pairs, observed)


def _pearson(data: PairedScores, pairs: Ints) -> Statistic:
    z, n = data.scores, data.stories
    columns = data.by_prompt(np.hstack([z, z * z, z * data.human[:, None]]))
    products = data.scores.T @ data.human
    first, second = pairs.T

    def differences(swaps: Floats) -> Floats:
        parts = np.split(swaps @ columns, 3, axis=1)
        # What the first metric gains, and the second loses, by the swaps: its sum, sum of squares, and product.
        total, squares, product = (part[:, second] - part[:, first] for part in parts)
        shift = total * total / n
        own = pearson_of_sums(products[first] + product, n, n + squares - shift)
        other = pearson_of_sums(products[second] - product, n, n - squares - shift)
        return np.asarray(own - other)

    return differences
