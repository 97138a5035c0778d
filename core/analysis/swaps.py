"""PERM-BOTH, the paired permutation test of two metrics' correlations with people (Deutsch, Dror and Roth 2021, 3.2).

Both metrics are standardised, then exchange their scores at random; if they are equally good, the difference of the
two correlations is as large as the observed one often enough. Here whole prompts are swapped: the stories of one
prompt are not independent, and to swap them one by one would find differences where there are none.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from core.analysis.paired import NUMBERS_A_BLOCK, Floats, Ints, Paired, pair_sums, signs, square

ENOUGH = 50
"""So many permutations at least as extreme as the data, and a pair is done: as exact as 1,000 of them at p = .05."""
ROUNDING = 1e-9
"""Differences of correlations that are this close are equal."""
Statistic = Callable[[Floats], Floats]
"""Swaps (permutations x prompts, 1 where the metrics change places) to differences (permutations x pairs)."""


@dataclass(frozen=True)
class Permuted:
    """By pair: the two-sided p, and after how many permutations it was settled."""

    p: Floats
    drawn: Ints


def permute(data: Paired, coefficient: str, pairs: Ints, observed: Floats, *, permutations: int, seed: int) -> Permuted:
    """Test the pairs (pairs x 2, columns of the scores), whose differences are `observed`; two prompts or more."""
    p, drawn = np.empty(len(pairs)), np.empty(len(pairs), dtype=np.intp)
    for mine, statistic in _statistics(data, coefficient, pairs):
        p[mine], drawn[mine] = _sequential(statistic, np.abs(observed[mine]), data.prompts, permutations, seed)
    return Permuted(p, drawn)


def _sequential(
    statistic: Statistic, extreme: Floats, prompts: int, permutations: int, seed: int
) -> tuple[Floats, Ints]:
    """Besag and Clifford's (1991) sequential p, which is valid whenever it stops.

    A pair whose `ENOUGH`-th permutation as extreme as the data is the l-th has p = ENOUGH / l; one that never has so
    many, but g, has (g + 1) / (permutations + 1). Blocks only decide when work ends, never what p is. A permuted
    correlation that is undefined counts as extreme: p can only be too large.
    """
    count, drawn = np.zeros(len(extreme)), np.full(len(extreme), permutations, dtype=np.intp)
    done = 0
    for swaps in _swaps(prompts, permutations, seed):
        reached = count + np.cumsum(~(np.abs(statistic(swaps)) < extreme - ROUNDING), axis=0)
        settled = (count < ENOUGH) & (reached[-1] >= ENOUGH)
        drawn[settled] = done + 1 + np.argmax(reached[:, settled] >= ENOUGH, axis=0)
        count = reached[-1]
        done += len(swaps)
        if (count >= ENOUGH).all():
            break
    return np.where(count >= ENOUGH, ENOUGH / drawn, (count + 1) / (permutations + 1)), drawn


def _swaps(prompts: int, permutations: int, seed: int) -> Iterator[Floats]:
    """Fair coins (permutations x prompts) in blocks, the first small: most pairs need no more."""
    rng = np.random.default_rng(seed)
    width = -(-prompts // 64) * 8  # whole words of the generator: the coins do not depend on the blocks
    largest = max(1, NUMBERS_A_BLOCK // prompts)
    begin, block = 0, min(2 * ENOUGH, largest)
    while begin < permutations:
        size = min(block, permutations - begin)
        bits = np.frombuffer(rng.bytes(size * width), dtype=np.uint8).reshape(size, width)
        yield np.unpackbits(bits, axis=1, count=prompts).astype(np.float64)
        begin, block = begin + size, min(2 * block, largest)


def _statistics(data: Paired, coefficient: str, pairs: Ints) -> Iterator[tuple[Ints, Statistic]]:
    """Statistics with the pairs that each is about; together they cover all pairs."""
    if coefficient == "pearson":
        yield np.arange(len(pairs)), _pearson(data, pairs)
        return
    gains, tied = (_spearman_gains if coefficient == "spearman" else _kendall_gains)(data, pairs)
    plain = np.flatnonzero(~tied)
    if len(plain):
        yield plain, _linear(gains[:, plain])
    by_pair = _spearman if coefficient == "spearman" else _kendall
    for number in np.flatnonzero(tied):
        yield np.array([number]), by_pair(data, *data.scores[:, pairs[number]].T)


def _pearson(data: Paired, pairs: Ints) -> Statistic:
    z, n = data.scores, data.stories
    columns = data.by_prompt(np.hstack([z, z * z, z * data.human[:, None]]))
    products = data.scores.T @ data.human
    first, second = pairs.T

    def differences(swaps: Floats) -> Floats:
        parts = np.split(swaps @ columns, 3, axis=1)
        # What the first metric gains, and the second loses, by the swaps: its sum, sum of squares, and product.
        total, squares, product = (part[:, second] - part[:, first] for part in parts)
        shift = total * total / n
        with np.errstate(invalid="ignore", divide="ignore"):
            own = (products[first] + product) / np.sqrt(n * (n + squares - shift))
            other = (products[second] - product) / np.sqrt(n * (n - squares - shift))
        return np.asarray(own - other)

    return differences


def _linear(gains: Floats) -> Statistic:
    """Differences that are a constant (the last row of `gains`) and a sum over the swapped prompts (the others)."""
    constant, parts = gains[-1], np.ascontiguousarray(gains[:-1])
    return lambda swaps: np.asarray(constant + swaps @ parts)


# In both rank correlations the numerator is a quadratic form in the swaps, w'Mw for the one metric and
# (1-w)'M(1-w) for the other; their difference is linear. So where no two scores of the pair are equal, and the
# denominators therefore fixed, all permutations of all pairs are one matrix product.


def _spearman_gains(data: Paired, pairs: Ints) -> tuple[Floats, np.typing.NDArray[np.bool_]]:
    n, ranks = data.stories, _mid_ranks(data.human)
    own = ranks - n / 2
    scale = np.sqrt((own * own).sum() * (n**3 - n) / 12)
    gains, tied = np.empty((data.prompts + 1, len(pairs))), np.empty(len(pairs), dtype=bool)
    for number, (first, second) in enumerate(pairs):
        _, group = np.unique(data.scores[:, [first, second]].T, return_inverse=True)
        group = group.ravel()
        sizes = np.bincount(group)
        tied[number] = len(sizes) < 2 * n
        middle, weight = np.cumsum(sizes) - sizes / 2, np.tile(own, 2)
        sums = np.bincount(group, weights=weight)
        gain = weight * middle[group] + (sums / 2 - np.cumsum(sums))[group]
        gains[:-1, number] = data.by_prompt(gain[n:] - gain[:n]) / scale
        gains[-1, number] = (gain[:n].sum() - sums @ middle) / scale
    return gains, tied


def _mid_ranks(values: Floats) -> Floats:
    """Ranks less a half, ties sharing their mean."""
    _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(sizes) - sizes / 2)[group])


@dataclass(frozen=True)
class _Tied:
    """The different scores of two metrics together, from the lowest: sums over the stories of each (scores x prompts).

    `mine`, `whole` (scores): sums of the first metric, and of both, before any swap; `moved`: what a swap of each
    prompt adds to the first's.
    """

    mine: Floats
    whole: Floats
    moved: csr_array

    def after(self, swaps: Floats) -> tuple[Floats, Floats]:
        """The sums of either metric (scores x permutations)."""
        first = self.mine[:, None] + self.moved @ np.ascontiguousarray(swaps.T)
        return first, self.whole[:, None] - first


def _tied(data: Paired, one: Floats, other: Floats, values: Floats) -> _Tied:
    """Sums of `values` (one a story)."""
    n = data.stories
    _, group = np.unique(np.concatenate([one, other]), return_inverse=True)
    prompt = np.repeat(np.arange(data.prompts), np.diff(data.starts, append=n))
    number = int(group.max()) + 1
    mine, theirs = (
        np.bincount(part, weights=values, minlength=number).astype(np.float64) for part in (group[:n], group[n:])
    )
    where = (group, np.tile(prompt, 2))
    moved = csr_array((np.concatenate([-values, values]), where), shape=(number, data.prompts))
    return _Tied(mine, mine + theirs, moved)


def _spearman(data: Paired, one: Floats, other: Floats) -> Statistic:
    """Of a pair with ties: ranks follow from how many stories have each score after the swaps."""
    human = _mid_ranks(data.human) - data.stories / 2
    scale = (human * human).sum()
    sizes, products = (_tied(data, one, other, values) for values in (np.ones(data.stories), human))

    def correlation(size: Floats, product: Floats) -> Floats:
        middle = np.cumsum(size, axis=0) - (size + data.stories) / 2
        spread = np.einsum("gb,gb,gb->b", size, middle, middle)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.einsum("gb,gb->b", product, middle) / np.sqrt(spread * scale))

    def differences(swaps: Floats) -> Floats:
        first, second = map(correlation, sizes.after(swaps), products.after(swaps))
        return (first - second)[:, None]

    return differences


def _kendall_gains(data: Paired, pairs: Ints) -> tuple[Floats, np.typing.NDArray[np.bool_]]:
    n, order = data.stories, signs(data.human, data.human)
    scale = np.sqrt(np.abs(order).sum(dtype=np.int64) * n * (n - 1.0))
    rows = [(signs(one, one) * order).sum(1, dtype=np.int64) for one in data.scores.T]
    gains, tied = np.empty((data.prompts + 1, len(pairs))), np.empty(len(pairs), dtype=bool)
    for number, (first, second) in enumerate(pairs):
        tied[number] = len(np.unique(data.scores[:, [first, second]])) < 2 * n
        if not tied[number]:
            cross = signs(data.scores[:, first], data.scores[:, second]) * order
            gain = cross.sum(0, dtype=np.int64) - cross.sum(1, dtype=np.int64) + rows[second] - rows[first]
            gains[:-1, number] = 2 * data.by_prompt(gain) / scale
            gains[-1, number] = (rows[first].sum() - rows[second].sum()) / scale
    return gains, tied


def _kendall(data: Paired, one: Floats, other: Floats) -> Statistic:
    """Of a pair with ties: concordant less discordant pairs of stories as quadratic forms in the swaps."""
    order = signs(data.human, data.human)
    own, others, cross = (pair_sums(data, signs(*two) * order) for two in ((one, one), (other, other), (one, other)))
    whole, sizes = own + others - 2 * cross, _tied(data, one, other, np.ones(data.stories))
    linear = [2 * (cross.sum(0) - own.sum(1)), 2 * (cross.sum(1) - others.sum(1))]
    totals, n = [own.sum(), others.sum()], data.stories
    scale = np.abs(order).sum(dtype=np.int64)

    def differences(swaps: Floats) -> Floats:
        both = square(swaps, whole)
        tau = []
        for total, part, size in zip(totals, linear, sizes.after(swaps), strict=True):
            with np.errstate(invalid="ignore", divide="ignore"):
                tau.append((total + swaps @ part + both) / np.sqrt((n * n - (size * size).sum(0)) * scale))
        return np.asarray(tau[0] - tau[1])[:, None]

    return differences
