"""Correlations of so many stories that what is worked out of each must not stay in memory: sums by prompt, in blocks.

Exact, like `concordance` and `complete_cases`, and equal to them but for the last digits of sums. Of each story its two
ranks are kept, in four bytes each, and of each distinct value how often it comes; concordances are counted for a range
of one variable's values at a time, against how often the other's stand below and above that range.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Bools, Floats, Ints
from core.statistics.moments import RunningPearson, weighted_pearson
from core.statistics.pairwise import Pairwise, concordance
from core.statistics.resamples import LinearRanks, Part, PromptMoments, Ranks, ranks_resampled

Whole = NDArray[np.int32 | np.int64]
"""Whole numbers in as few bytes as they need."""
LARGEST_AT_ONCE = 200_000
"""Stories; of more every one must take little memory, which costs a little time."""
BLOCK = 65_536
"""Stories that are worked on at a time."""


@dataclass(frozen=True)
class Tied:
    """The ties of a variable: tied `pairs`; over all stories, of the others that share a value m (m - 1) in `threes`
    and m (2 m + 7) in `spreads`, which Kendall's variance needs.
    """

    pairs: float
    threes: float
    spreads: float

    @classmethod
    def of(cls, counts: Whole) -> "Tied":
        """By how often each distinct value comes."""
        times = counts.astype(np.float64)
        pairs = times * (times - 1)
        return cls(pairs.sum() / 2, (pairs * (times - 2)).sum(), (pairs * (2 * times + 5)).sum())


@dataclass(frozen=True)
class ManyStories:
    """A metric and people's judgments of many stories: what `Correlation` says of them, and the `part` to resample.

    `pearson`: r and p; `rho`: Spearman's; `sign`: concordances less discordances, each pair twice; `metric`, `human`:
    the ties; `both`: pairs that are tied in both.
    """

    n: int
    pearson: tuple[float, float]
    rho: float
    sign: float
    metric: Tied
    human: Tied
    both: float
    part: Part

    @property
    def pairwise(self) -> Pairwise:
        """Accuracy on pairs, as `Concordance.pairwise` of one group."""
        pairs = self.n * (self.n - 1) / 2
        metric, human = self.metric.pairs, self.human.pairs
        untied = pairs - metric - human + self.both
        right = (untied + self.sign / 2) / 2 + self.both
        return Pairwise(right / pairs, int(pairs), int(metric - self.both), int(human - self.both), int(self.both))


def many_stories(x: Floats, y: Floats, clusters: Whole, number: int, of: int = 0) -> ManyStories:
    """`x`, `y`: the scores and judgments, without gaps and neither constant; `clusters`: of each story the number of
    its prompt among `number` that are drawn; `of`: the stories of the whole study.
    """
    there = np.bincount(clusters, minlength=number) > 0
    own = np.flatnonzero(there)
    prompts = _Prompts(clusters, np.cumsum(there) - 1, len(own))
    how = ranks_resampled(len(x), len(own), of)
    test = pearson_in_blocks(x, y)
    if test is None:
        raise ValueError("constant scores or judgments have no correlation")
    moments = _moments(x, y, prompts)
    a, b = _Side(x), _Side(y)
    sign, both, sign_sums = _signs(a, b, prompts)
    kendall, kendall_sums = _kendall(a, b, sign, sign_sums, prompts)
    rho, spearman, spearman_sums = _spearman(a, b, prompts)
    linear = LinearRanks([spearman, kendall], np.column_stack([spearman_sums, kendall_sums]))
    part = Part(own, how, len(x), 1, moments, linear if how is Ranks.LINEARISED else None)
    ties = Tied.of(a.counts), Tied.of(b.counts)
    return ManyStories(len(x), test, rho, sign, *ties, (both - len(x)) / 2, part)


def pearson_in_blocks(x: Floats, y: Floats) -> tuple[float, float] | None:
    """r and p of the stories that have both; None where there are too few, or one side is constant."""
    running = RunningPearson()
    for block in _blocks(len(x)):
        running.add(x[block], y[block])
    return running.test()


def _blocks(number: int) -> Iterator[slice]:
    return (slice(begin, min(begin + BLOCK, number)) for begin in range(0, number, BLOCK))


@dataclass(frozen=True)
class _Prompts:
    """Of each story the number of its prompt, by way of `compact`, among the `number` that have one of these."""

    clusters: Whole
    compact: Ints
    number: int

    def add(self, sums: Floats, rows: "slice | Ints", values: Floats) -> None:
        """Add the values of these stories to the sums of their prompts."""
        np.add.at(sums, self.compact[self.clusters[rows]], values)


class _Side:
    """One variable: each story's dense `ranks` from 0; of each rank how many have it, and up to it (`ends`)."""

    def __init__(self, values: Floats) -> None:
        order = np.argsort(values)
        kind = np.dtype(np.int32 if len(values) < 2**31 else np.int64)
        self.ranks: Whole = np.empty(len(values), dtype=kind)
        reached, last = -1, np.nan  # which equals nothing
        for block in _blocks(len(values)):
            places = order[block]
            mine = values[places]
            ranks = reached + np.cumsum(mine != np.append(last, mine[:-1]))
            self.ranks[places] = ranks
            reached, last = int(ranks[-1]), mine[-1]
        del order
        self.counts: Whole = np.zeros(reached + 1, dtype=kind)
        for block in _blocks(len(values)):
            np.add.at(self.counts, self.ranks[block], 1)
        self.ends: Whole = np.cumsum(self.counts, dtype=kind)

    def same(self, rows: "slice | Ints") -> Floats:
        """How many stories have the value of each of these, itself among them."""
        return self.counts[self.ranks[rows]].astype(np.float64)

    def middle(self, rows: "slice | Ints") -> Floats:
        """The mid-rank of each of these, less a half."""
        return np.asarray(self.ends[self.ranks[rows]] - self.same(rows) / 2)

    def cubes(self) -> float:
        """Over all stories, the square of how many have the same value."""
        return float((self.counts.astype(np.float64) ** 3).sum())

    def squares(self) -> float:
        """Over all stories, how many have the same value."""
        return float((self.counts.astype(np.float64) ** 2).sum())


def _moments(x: Floats, y: Floats, prompts: _Prompts) -> PromptMoments:
    sums = np.zeros((6, prompts.number))
    about = [(values.mean(), np.ptp(values)) for values in (x, y)]

    def scaled(rows: "slice | Ints") -> list[Floats]:
        return [(values[rows] - mean) / width for values, (mean, width) in zip((x, y), about, strict=True)]

    for block in _blocks(len(x)):
        mine, judged = scaled(block)
        rows = (np.ones(len(mine)), judged, judged * judged, mine, mine * mine, mine * judged)
        for row, own in zip(sums, rows, strict=True):
            prompts.add(row, block, own)
    n, total_y, square_y, total_x, square_x, _ = sums.sum(1)
    spreads = [square / n - (total / n) ** 2 for square, total in ((square_x, total_x), (square_y, total_y))]

    def exactly(_: int, copies: Floats) -> float:
        weights = copies[prompts.compact[prompts.clusters]]
        return float(weighted_pearson(weights[None], *scaled(slice(None)))[0])

    return PromptMoments(sums.T, spreads[:1], spreads[1], exactly)


def _signs(x: _Side, y: _Side, prompts: _Prompts) -> tuple[float, float, Floats]:
    """Over all stories, those that each is ordered alike with less those it is not, and those it is the same as in
    both; and the first by prompt.
    """
    a, b = (x, y) if len(x.counts) >= len(y.counts) else (y, x)
    by_prompt, total, both = np.zeros(prompts.number), 0.0, 0.0
    below = np.zeros_like(b.counts)  # up to each value, how many stories there are in lower ranges of the other
    for low, high in _ranges(a):
        here = np.zeros_like(b.counts)
        for rows in _rows_between(a.ranks, low, high):
            np.add.at(here, b.ranks[rows], 1)
        up_to = np.cumsum(here, dtype=here.dtype)
        lower, upper = int(below[-1]), int(b.ends[-1] - below[-1] - up_to[-1])
        for rows in _rows_between(a.ranks, low, high):
            mine = b.ranks[rows]
            before, until = (np.where(mine > 0, of[mine - 1], 0).astype(np.float64) for of in (below, b.ends - up_to))
            # Of lower ranges: those below less those above; of upper ranges the other way round.
            under = before - (lower - below[mine])
            others_below = until - before
            others_up_to = (b.ends[mine] - up_to[mine] - below[mine]).astype(np.float64)
            sign = under + (upper - others_up_to) - others_below
            if high - low > 1:
                within = concordance(a.ranks[rows].astype(np.float64), mine.astype(np.float64))
                sign += within.sign
                both += float(within.same_both.sum())
            total += float(sign.sum())
            prompts.add(by_prompt, rows, sign)
        if high - low == 1:
            both += float((here.astype(np.float64) ** 2).sum())
        below += up_to
    return total, both, by_prompt


def _ranges(side: _Side) -> Iterator[tuple[int, int]]:
    """Its ranks in ranges of at most a block of stories, or of a single rank."""
    low = 0
    while low < len(side.ends):
        before = int(side.ends[low] - side.counts[low])
        high = max(low + 1, int(np.searchsorted(side.ends, before + BLOCK, side="right")))
        yield low, high
        low = high


def _rows_between(ranks: Whole, low: int, high: int) -> Iterator[Ints]:
    """The stories of these ranks, all at once where they are several, else in blocks."""
    if high - low > 1:
        yield np.flatnonzero((ranks >= low) & (ranks < high))
        return
    for block in _blocks(len(ranks)):
        found: Bools = ranks[block] == low
        if found.any():
            yield block.start + np.flatnonzero(found)


def _kendall(x: _Side, y: _Side, sign: float, sign_sums: Floats, prompts: _Prompts) -> tuple[float, Floats]:
    """Tau-b and its stories' influences by prompt, as `kendall_influence` has them."""
    total = float(len(x.ranks))
    untied = [total**2 - side.squares() for side in (x, y)]
    scale = np.sqrt(untied[0] * untied[1])
    value = sign / scale
    sums = 2 * sign_sums / scale
    for block in _blocks(len(x.ranks)):
        for side, pairs in zip((x, y), untied, strict=True):
            prompts.add(sums, block, -value * (total - side.same(block)) / pairs)
    return float(value), np.asarray(sums)


def _spearman(x: _Side, y: _Side, prompts: _Prompts) -> tuple[float, float, Floats]:
    """Rho by the ranks' moments; rho as it is resampled, and its stories' influences by prompt, as
    `spearman_influence` has them.
    """
    total = float(len(x.ranks))
    products = np.zeros(4, dtype=np.longdouble)
    above = [np.zeros(len(side.counts)) for side in (x, y)]
    for block in _blocks(len(x.ranks)):
        a, b = x.middle(block), y.middle(block)
        np.add.at(above[0], x.ranks[block], b)
        np.add.at(above[1], y.ranks[block], a)
        mine, judged = a - total / 2, b - total / 2
        products += [(a * b).sum(), (mine * judged).sum(), (mine * mine).sum(), (judged * judged).sum()]
    for sums in above:  # what stands above each value, and half of what stands at it
        own = sums / 2
        np.cumsum(sums, out=sums)
        np.subtract(sums[-1], sums, out=sums)
        sums += own
    rooms = [(total**3 - side.cubes()) / 12 for side in (x, y)]
    scale = np.sqrt(rooms[0] * rooms[1])
    value = float((products[0] - total**3 / 4) / scale)
    by_prompt = np.zeros(prompts.number)
    for block in _blocks(len(x.ranks)):
        slope = x.middle(block) * y.middle(block) - 3 * total**2 / 4
        for side, sums, room in zip((x, y), above, rooms, strict=True):
            slope += sums[side.ranks[block]]
            slope -= value * scale * ((total**2 - side.same(block) ** 2) / 4) / (2 * room)
        prompts.add(by_prompt, block, slope / scale)
    return float(products[1] / np.sqrt(products[2] * products[3])), value, by_prompt
