"""Differences of rank correlations when two metrics swap their scores: Spearman's and Kendall's.

In both, the numerator is a quadratic form in the swaps, w'Mw for the one metric and (1-w)'M(1-w) for the other, so the
difference of the two numerators is linear. Where no two scores of the pair are equal, the denominators are fixed, and
all permutations of all pairs are one matrix product. Ties move the denominators, but only within bounds: most
permutations are still settled by the linear part, more of them by their own denominators, which the numbers of equal
scores give, and only the others are worked out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, partial

import numpy as np
from scipy.sparse import csr_array

from core.arrays import Bools, Floats, Ints, Singles
from core.statistics.paired import NUMBERS_A_BLOCK, PairedScores, pair_sums, signs, square
from core.statistics.pairwise import concordance
from core.statistics.permutation.tables import Statistic, cells, kendall_by_table

ROUNDING = 1e-9
"""Differences of correlations that are this close are equal."""
CELLS_A_STORY = 8
"""Of a table of scores and ratings: with more of them, the pairs of prompts are quicker."""
FEW_SCORES = 64
"""Up to so many, a matrix product over all prompts is quicker than a sparse one."""
NUMBERS_KEPT = 16_000_000
"""In single precision: 64 MB."""


def rank_statistics(
    data: PairedScores, coefficient: str, pairs: Ints, observed: Floats
) -> Iterator[tuple[Ints, Statistic]]:
    """Statistics, each with its pairs; together they cover all pairs.

    Of a pair with ties, a difference that is surely smaller than the `observed` one in size may be 0, and one that is
    surely larger infinite; none is where that is NaN.
    """
    spearman = coefficient == "spearman"
    n, power = data.stories, 3 if spearman else 2
    human = _mid_ranks(data.human) - n / 2
    spread = (human * human).sum() / 12 if spearman else n**2 - float((np.bincount(_dense(data.human)) ** 2).sum())
    gains = (_spearman_gains if spearman else _kendall_gains)(data, pairs)
    sums = _kept_sums(data)
    tied = np.array([len(np.unique(data.scores[:, pair])) < 2 * n for pair in pairs], dtype=bool)
    plain = np.flatnonzero(~tied)
    if len(plain):
        yield plain, linear(gains[:, plain] / np.sqrt(spread * (n**power - n)))
    for number in np.flatnonzero(tied):
        left, right = data.scores[:, pairs[number]].T
        ties = _tied(data, left, right, np.ones(n))
        ends = [np.sqrt(spread * max(0.0, n**power - (size**power).sum())) for size in ties.ends()]
        roots = _Roots(ties.shared(), n, power, float(spread))
        width = 2 * n
        if spearman:
            makes = partial(_spearman, data, left, right)
        elif (width := cells(data, left, right)) <= CELLS_A_STORY * n:
            makes = partial(kendall_by_table, data, left, right, gains[:, number], roots)
        else:
            makes, width = partial(_kendall, data, pairs[number], sums, roots), 2 * n
        statistic = _screened(gains[:, number], (ends[1], ends[0]), roots, cache(makes), width, abs(observed[number]))
        yield np.array([number]), statistic


def linear(gains: Floats) -> Statistic:
    """Differences that are a constant (the last row of `gains`) and a sum over the swapped prompts (the others)."""
    constant, parts = gains[-1], np.ascontiguousarray(gains[:-1])
    return lambda swaps: np.asarray(constant + swaps @ parts)


@dataclass(frozen=True)
class _Roots:
    """The denominators of both metrics' correlations after swaps, from the numbers of stories with `shared` scores."""

    shared: "_Tied"
    stories: int
    power: int
    spread: float

    def __call__(self, swaps: Floats) -> tuple[Floats, Floats]:
        """The difference in each permutation."""
        n, power = self.stories, self.power
        first, second = (n**power - n - (size**power - size).sum(0) for size in self.shared.after(swaps))
        return np.sqrt(np.maximum(0.0, first) * self.spread), np.sqrt(np.maximum(0.0, second) * self.spread)


def _screened(
    gains: Floats, ends: tuple[float, float], roots: _Roots, exact: Callable[[], Statistic], width: int, extreme: float
) -> Statistic:
    """Work out only those differences which bounds of the denominators leave open: `ends` of all permutations', and
    then each one's own (`roots`).

    `width`: numbers that working out a permutation takes.
    """
    block = max(1, NUMBERS_A_BLOCK // width)

    def differences(swaps: Floats) -> Floats:
        gained = np.abs(gains[-1] + swaps @ gains[:-1])
        surely, unsure = _settled(gained, ends[0], ends[1], extreme)
        screened = np.where(surely, np.inf, 0.0)
        rows = np.flatnonzero(unsure)
        if len(rows):
            own = np.sort(roots(swaps[rows]), axis=0)
            surely, unsure = _settled(gained[rows], own[0], own[1], extreme)
            screened[rows[surely]] = np.inf
            rows = rows[unsure]
        for begin in range(0, len(rows), block):
            some = rows[begin : begin + block]
            screened[some] = exact()(swaps[some])[:, 0]
        return screened[:, None]

    return differences


def _settled(gained: Floats, low: Floats | float, high: Floats | float, extreme: float) -> tuple[Bools, Bools]:
    """Which differences are surely larger than `extreme`, and which may be or not, of numerators that are `gained`
    apart over denominators from `low` to `high`.

    a/x - b/y = (a - b)/x + (b/y)(y/x - 1), and b/y is a correlation: at most 1 in size.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        slack = np.divide(high, low) - 1
        surely = gained / high - slack > extreme
        return surely, ~surely & ~(np.divide(gained, low) + slack < extreme - 2 * ROUNDING)


def _spearman_gains(data: PairedScores, pairs: Ints) -> Floats:
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


def _kendall_gains(data: PairedScores, pairs: Ints) -> Floats:
    """Differences of the numerators (prompts and a constant, by pairs); see `linear`."""
    n, human = data.stories, np.tile(data.human, 2)
    totals = [concordance(scores, data.human).sign.sum() for scores in data.scores.T]
    gains = np.empty((data.prompts + 1, len(pairs)))
    for number, (first, second) in enumerate(pairs):
        # Of each score in the pool of both metrics': what it gains there for one metric, it would lose for the other.
        pooled = concordance(data.scores[:, [first, second]].T.ravel(), human).sign
        gains[:-1, number] = 2 * data.by_prompt(pooled[n:] - pooled[:n])
        gains[-1, number] = totals[first] - totals[second]
    return gains


def _mid_ranks(values: Floats) -> Floats:
    """Ranks minus a half, ties sharing their mean."""
    group = _dense(values)
    sizes = np.bincount(group)
    return np.asarray((np.cumsum(sizes) - sizes / 2)[group])


def _dense(values: Floats) -> Ints:
    """The dense rank of each value, from the lowest."""
    return np.unique(values, return_inverse=True)[1]


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
        """The lowest and highest possible sums of either metric."""
        negative = np.asarray(self.moved.minimum(0).sum(1)).ravel()
        least = np.maximum(0.0, self.mine + negative)
        return least, self.whole - least

    def shared(self) -> "_Tied":
        """Only scores of two stories or more, in either metric: the others' sums are 0 or 1 after any swap."""
        keep = self.whole > 1
        return _Tied(self.mine[keep], self.whole[keep], self.moved[keep])

    def after(self, swaps: Floats) -> tuple[Floats, Floats]:
        """The sums of either metric (scores x permutations)."""
        if len(self.mine) <= FEW_SCORES:  # spares turning the swaps around
            first = self.mine[:, None] + self.moved.toarray() @ swaps.T
        else:
            first = self.mine[:, None] + self.moved @ np.ascontiguousarray(swaps.T)
        return first, self.whole[:, None] - first


def _tied(data: PairedScores, left: Floats, right: Floats, values: Floats) -> _Tied:
    """Sums of `values` (one per story) over the stories of each score."""
    n = data.stories
    _, group = np.unique(np.concatenate([left, right]), return_inverse=True)
    prompt = np.repeat(np.arange(data.prompts), np.diff(data.starts, append=n))
    number = int(group.max()) + 1
    mine, theirs = (
        np.bincount(part, weights=values, minlength=number).astype(np.float64) for part in (group[:n], group[n:])
    )
    where = (group, np.tile(prompt, 2))
    moved = csr_array((np.concatenate([-values, values]), where), shape=(number, data.prompts))
    return _Tied(mine, mine + theirs, moved)


def _spearman(data: PairedScores, left: Floats, right: Floats) -> Statistic:
    """For a pair with ties: ranks follow from how many stories have each score after the swaps."""
    human = _mid_ranks(data.human) - data.stories / 2
    scale = (human * human).sum()
    sizes, products = (_tied(data, left, right, values) for values in (np.ones(data.stories), human))

    def correlation(size: Floats, product: Floats) -> Floats:
        middle = np.cumsum(size, axis=0) - (size + data.stories) / 2
        spread = np.einsum("gb,gb,gb->b", size, middle, middle)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.einsum("gb,gb->b", product, middle) / np.sqrt(spread * scale))

    def differences(swaps: Floats) -> Floats:
        first, second = map(correlation, sizes.after(swaps), products.after(swaps))
        return (first - second)[:, None]

    return differences


def _kept_sums(data: PairedScores) -> Callable[[int], Singles]:
    """A metric's concordant minus discordant pairs of stories (prompts x prompts); kept in memory for few prompts."""

    @lru_cache(max(2, NUMBERS_KEPT // data.prompts**2))
    def of(metric: int) -> Singles:
        scores = data.scores[:, metric]
        return pair_sums(data, signs(scores, scores) * signs(data.human, data.human))

    return of


def _kendall(data: PairedScores, pair: Ints, sums: Callable[[int], Singles], roots: _Roots) -> Statistic:
    """For a pair with ties: concordant minus discordant pairs of stories as quadratic forms in the swaps."""
    order = signs(data.human, data.human)
    left, right = data.scores[:, pair].T
    own, others = (sums(metric) for metric in pair.tolist())
    cross = pair_sums(data, signs(left, right) * order)
    whole = own + others - 2 * cross
    linear = [2 * (cross.sum(0) - own.sum(1)), 2 * (cross.sum(1) - others.sum(1))]
    totals = [own.sum(), others.sum()]

    def differences(swaps: Floats) -> Floats:
        both = square(swaps, whole)
        tau = []
        for total, part, root in zip(totals, linear, roots(swaps), strict=True):
            with np.errstate(invalid="ignore", divide="ignore"):
                tau.append((total + swaps @ part + both) / root)
        return np.asarray(tau[0] - tau[1])[:, None]

    return differences
