"""Differences of rank correlations when two metrics swap their scores: Spearman's and Kendall's.

In both, the numerator is a quadratic form in the swaps, w'Mw for the one metric and (1-w)'M(1-w) for the other, so the
difference of the two numerators is linear. Where no two scores of the pair are equal, the denominators are fixed, and
all permutations of all pairs are one matrix product. Ties move the denominators, but only within bounds: most
permutations are still settled by the linear part, and only the others are worked out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, partial

import numpy as np
from scipy.sparse import csr_array

from core.analysis.paired import NUMBERS_A_BLOCK, Floats, Ints, Paired, Singles, pair_sums, signs, square

ROUNDING = 1e-9
"""Differences of correlations that are this close are equal."""
NUMBERS_KEPT = 16_000_000
"""In single precision: 64 MB."""
Statistic = Callable[[Floats], Floats]
"""Swaps (permutations x prompts, 1 where the metrics change places) to differences (permutations x pairs)."""


def rank_statistics(data: Paired, coefficient: str, pairs: Ints, observed: Floats) -> Iterator[tuple[Ints, Statistic]]:
    """Statistics with the pairs that each is about; together they cover all pairs.

    Of a pair with ties, a difference that is surely smaller than the `observed` one in size may be 0, and one that is
    surely larger infinite; none is where that is NaN.
    """
    spearman = coefficient == "spearman"
    n, power = data.stories, 3 if spearman else 2
    human = _mid_ranks(data.human) - n / 2
    spread = (human * human).sum() / 12 if spearman else np.abs(signs(data.human, data.human)).sum(dtype=np.int64)
    gains = (_spearman_gains if spearman else _kendall_gains)(data, pairs)
    sums = _kept_sums(data)
    tied = np.array([len(np.unique(data.scores[:, pair])) < 2 * n for pair in pairs], dtype=bool)
    plain = np.flatnonzero(~tied)
    if len(plain):
        yield plain, linear(gains[:, plain] / np.sqrt(spread * (n**power - n)))
    for number in np.flatnonzero(tied):
        one, other = data.scores[:, pairs[number]].T
        ties = _tied(data, one, other, np.ones(n))
        ends = [np.sqrt(spread * max(0.0, n**power - (size**power).sum())) for size in ties.ends()]
        makes = partial(_spearman, data, one, other) if spearman else partial(_kendall, data, pairs[number], sums)
        exact = cache(makes)
        yield np.array([number]), _screened(gains[:, number], (ends[1], ends[0]), exact, 2 * n, abs(observed[number]))


def linear(gains: Floats) -> Statistic:
    """Differences that are a constant (the last row of `gains`) and a sum over the swapped prompts (the others)."""
    constant, parts = gains[-1], np.ascontiguousarray(gains[:-1])
    return lambda swaps: np.asarray(constant + swaps @ parts)


def _screened(
    gains: Floats, ends: tuple[float, float], exact: Callable[[], Statistic], width: int, extreme: float
) -> Statistic:
    """Work out only those differences which the bounds of the denominators, `ends`, leave open.

    a/x - b/y = (a - b)/x + (b/y)(y/x - 1), and b/y is a correlation: at most 1 in size.
    """
    low, high = ends
    slack = high / low - 1 if low > 0 else np.inf
    block = max(1, NUMBERS_A_BLOCK // width)

    def differences(swaps: Floats) -> Floats:
        top = np.abs(gains[-1] + swaps @ gains[:-1])
        surely = top / high - slack > extreme
        surely_not = top / max(low, 1e-300) + slack < extreme - 2 * ROUNDING
        unsure = np.flatnonzero(~surely & ~surely_not)
        found = np.where(surely, np.inf, 0.0)
        for begin in range(0, len(unsure), block):
            rows = unsure[begin : begin + block]
            found[rows] = exact()(swaps[rows])[:, 0]
        return found[:, None]

    return differences


def _spearman_gains(data: Paired, pairs: Ints) -> Floats:
    """Differences of the numerators (prompts and a constant, by pairs); see `linear`."""
    n, own = data.stories, _mid_ranks(data.human) - data.stories / 2
    gains = np.empty((data.prompts + 1, len(pairs)))
    for number, pair in enumerate(pairs):
        _, group = np.unique(data.scores[:, pair].T.ravel(), return_inverse=True)
        sizes = np.bincount(group)
        middle, weight = np.cumsum(sizes) - sizes / 2, np.tile(own, 2)
        sums = np.bincount(group, weights=weight)
        gain = weight * middle[group] + (sums / 2 - np.cumsum(sums))[group]
        gains[:-1, number] = data.by_prompt(gain[n:] - gain[:n])
        gains[-1, number] = gain[:n].sum() - sums @ middle
    return gains


def _kendall_gains(data: Paired, pairs: Ints) -> Floats:
    """Differences of the numerators (prompts and a constant, by pairs); see `linear`."""
    order = signs(data.human, data.human)
    rows = [(signs(one, one) * order).sum(1, dtype=np.int64) for one in data.scores.T]
    gains = np.empty((data.prompts + 1, len(pairs)))
    for number, (first, second) in enumerate(pairs):
        cross = signs(data.scores[:, first], data.scores[:, second]) * order
        gain = cross.sum(0, dtype=np.int64) - cross.sum(1, dtype=np.int64) + rows[second] - rows[first]
        gains[:-1, number] = 2 * data.by_prompt(gain)
        gains[-1, number] = rows[first].sum() - rows[second].sum()
    return gains


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

    def ends(self) -> tuple[Floats, Floats]:
        """The least and the most that either metric's sums can be."""
        negative = np.asarray(self.moved.minimum(0).sum(1)).ravel()
        least = np.maximum(0.0, self.mine + negative)
        return least, self.whole - least

    def shared(self) -> "_Tied":
        """Only scores of two stories or more, in either metric: the others' sums are 0 or 1 after any swap."""
        keep = self.whole > 1
        return _Tied(self.mine[keep], self.whole[keep], self.moved[keep])

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


def _kept_sums(data: Paired) -> Callable[[int], Singles]:
    """Of a metric, concordant less discordant pairs of stories (prompts x prompts); those of few prompts are kept."""

    @lru_cache(max(2, NUMBERS_KEPT // data.prompts**2))
    def of(metric: int) -> Singles:
        one = data.scores[:, metric]
        return pair_sums(data, signs(one, one) * signs(data.human, data.human))

    return of


def _kendall(data: Paired, pair: Ints, sums: Callable[[int], Singles]) -> Statistic:
    """Of a pair with ties: concordant less discordant pairs of stories as quadratic forms in the swaps."""
    order = signs(data.human, data.human)
    one, other = data.scores[:, pair].T
    own, others = (sums(metric) for metric in pair.tolist())
    cross = pair_sums(data, signs(one, other) * order)
    whole, sizes = own + others - 2 * cross, _tied(data, one, other, np.ones(data.stories)).shared()
    linear = [2 * (cross.sum(0) - own.sum(1)), 2 * (cross.sum(1) - others.sum(1))]
    totals, n = [own.sum(), others.sum()], data.stories
    scale = np.abs(order).sum(dtype=np.int64)

    def differences(swaps: Floats) -> Floats:
        both = square(swaps, whole)
        tau = []
        for total, part, size in zip(totals, linear, sizes.after(swaps), strict=True):
            with np.errstate(invalid="ignore", divide="ignore"):
                untied = n * (n - 1) - (size * (size - 1)).sum(0)
                tau.append((total + swaps @ part + both) / np.sqrt(untied * scale))
        return np.asarray(tau[0] - tau[1])[:, None]

    return differences
