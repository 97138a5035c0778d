"""Correlations of so many stories that what is worked out of each must not stay in memory: sums by prompt, in blocks.

Exact, like `concordance` and `complete_cases`, and equal to them but for the last digits of sums. Of each story its two
ranks are kept, and of each distinct value how often it comes, on disk; concordances are counted for a range of one
variable's values at a time, against how often the other's stand below and above that range.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.arrays import BLOCK, Floats, Ints, Whole, blocks, room, running_sums
from core.statistics.large.prompts import Prompts
from core.statistics.large.ranks import Side
from core.statistics.moments import RunningPearson, pearson_of_sums
from core.statistics.pairwise import Pairwise, concordance
from core.statistics.resamples import LinearRanks, Part, PromptMoments, Ranks, ranks_resampled

FLAT = 1e-12
"""A draw whose deviations are this part of its stories, or less, is constant, as `weighted_pearson` has it."""


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
        sums = np.zeros(3)
        for block in blocks(len(counts)):
            times = counts[block].astype(np.float64)
            pairs = times * (times - 1)
            sums += [pairs.sum() / 2, (pairs * (times - 2)).sum(), (pairs * (2 * times + 5)).sum()]
        return cls(*sums.tolist())


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
    prompts = Prompts(clusters, number)
    how = ranks_resampled(len(x), prompts.number, of)
    test = pearson_in_blocks(x, y).test()
    if test is None:
        raise ValueError("constant scores or judgments have no correlation")
    moments = _moments(x, y, prompts)
    a, b = Side(x), Side(y)
    sign, both, sign_sums = _signs(a, b, prompts)
    influences = prompts.zeros(2)
    rho, spearman = _spearman(a, b, prompts, influences[0])
    kendall = _kendall(a, b, sign, sign_sums, prompts, influences[1])
    linear = LinearRanks([spearman, kendall], influences.T)
    part = Part(prompts.own, how, len(x), 1, moments, linear if how is Ranks.LINEARISED else None)
    ties = Tied.of(a.counts), Tied.of(b.counts)
    return ManyStories(len(x), test, rho, sign, *ties, (both - len(x)) / 2, part)


def pearson_in_blocks(x: Floats, y: Floats) -> RunningPearson:
    """Pearson's r of the stories that have both."""
    running = RunningPearson()
    for block in blocks(len(x)):
        running.add(x[block], y[block])
    return running


def _moments(x: Floats, y: Floats, prompts: Prompts) -> PromptMoments:
    sums = prompts.zeros(6)
    about = [(values.mean(), np.ptp(values)) for values in (x, y)]

    def scaled(rows: slice) -> list[Floats]:
        return [(values[rows] - mean) / width for values, (mean, width) in zip((x, y), about, strict=True)]

    for block in blocks(len(x)):
        mine, judged = scaled(block)
        rows = (np.ones(len(mine)), judged, judged * judged, mine, mine * mine, mine * judged)
        for row, own in zip(sums, rows, strict=True):
            prompts.add(row, block, own)
    n, total_y, square_y, total_x, square_x, _ = sums.sum(1)
    spreads = [square / n - (total / n) ** 2 for square, total in ((square_x, total_x), (square_y, total_y))]

    def exactly(_: int, copies: Floats) -> Floats:
        return np.array([of_draw(draw) for draw in copies])

    def of_draw(copies: Floats) -> float:
        """`weighted_pearson`, in two passes."""
        total, products = np.zeros(3), np.zeros(3)
        for block in blocks(len(x)):
            weights, columns = copies[prompts.of[block]].astype(np.float64), scaled(block)
            total += [weights.sum(), *((weights * own).sum() for own in columns)]
        for block in blocks(len(x)):
            weights = copies[prompts.of[block]].astype(np.float64)
            mine, judged = (own - mean for own, mean in zip(scaled(block), total[1:] / total[0], strict=True))
            products += [
                (weights * left * right).sum() for left, right in ((mine, mine), (judged, judged), (mine, judged))
            ]
        defined = bool(np.sqrt(products[0] * products[1]) > FLAT * total[0])
        return float(np.clip(pearson_of_sums(products[2], products[0], products[1], defined), -1, 1))

    return PromptMoments(sums.T, spreads[:1], spreads[1], exactly)


def _signs(x: Side, y: Side, prompts: Prompts) -> tuple[float, float, Floats]:
    """Over all stories, those that each is ordered alike with less those it is not, and those it is the same as in
    both; and the first by prompt.
    """
    a, b = (x, y) if len(x.counts) >= len(y.counts) else (y, x)
    by_prompt, total, both = prompts.zeros(), 0.0, 0.0
    below: Whole = room(len(b.counts), b.counts.dtype)  # up to each value, how many there are in lower ranges of a
    here: Whole = room(len(b.counts), b.counts.dtype)
    for low, high in _ranges(a):
        for values in blocks(len(here)):
            here[values] = 0
        for rows in _rows_between(a.ranks, low, high):
            np.add.at(here, b.ranks[rows], 1)
        if high - low == 1:
            both += float(sum((here[values].astype(np.float64) ** 2).sum() for values in blocks(len(here))))
        up_to = running_sums(here)
        lower, upper = int(below[-1]), int(b.ends[-1] - below[-1] - up_to[-1])
        for rows in _rows_between(a.ranks, low, high):
            mine = b.ranks[rows]
            last = np.maximum(mine - 1, 0)
            before, until = (
                np.where(mine > 0, values, 0).astype(np.float64) for values in (below[last], b.ends[last] - up_to[last])
            )
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
        for values in blocks(len(below)):
            below[values] += up_to[values]
    return total, both, by_prompt


def _ranges(side: Side) -> Iterator[tuple[int, int]]:
    """Its ranks in ranges of at most a block of stories, or of a single rank."""
    low = 0
    while low < len(side.ends):
        wanted = min(int(side.ends[low] - side.counts[low]) + BLOCK, int(side.ends[-1]))
        # Of another kind it would have all of them copied.
        high = max(low + 1, int(np.searchsorted(side.ends, side.ends.dtype.type(wanted), side="right")))
        yield low, high
        low = high


def _rows_between(ranks: Whole, low: int, high: int) -> Iterator[Ints]:
    """The stories of these ranks, all at once where they are several, else in blocks."""
    found = (
        block.start + np.flatnonzero((ranks[block] >= low) & (ranks[block] < high)) for block in blocks(len(ranks))
    )
    some = (rows for rows in found if len(rows))
    if high - low > 1:
        yield np.concatenate(list(some))
    else:
        yield from some


def _kendall(x: Side, y: Side, sign: float, sign_sums: Floats, prompts: Prompts, sums: Floats) -> float:
    """Tau-b; `sums` become its stories' influences by prompt, as `kendall_influence` has them."""
    total = float(len(x.ranks))
    untied = [total**2 - side.powers(2) for side in (x, y)]
    scale = np.sqrt(untied[0] * untied[1])
    value = sign / scale
    for block in blocks(len(sums)):
        sums[block] = 2 * sign_sums[block] / scale
    for block in blocks(len(x.ranks)):
        for side, pairs in zip((x, y), untied, strict=True):
            prompts.add(sums, block, -value * (total - side.same(block)) / pairs)
    return float(value)


def _spearman(x: Side, y: Side, prompts: Prompts, by_prompt: Floats) -> tuple[float, float]:
    """Rho by the ranks' moments, and rho as it is resampled; `by_prompt` become its stories' influences by prompt, as
    `spearman_influence` has them.
    """
    total = float(len(x.ranks))
    products = np.zeros(4, dtype=np.longdouble)
    above: list[Floats] = [room(len(side.counts)) for side in (x, y)]
    for block in blocks(len(x.ranks)):
        a, b = x.middle(block), y.middle(block)
        np.add.at(above[0], x.ranks[block], b)
        np.add.at(above[1], y.ranks[block], a)
        mine, judged = a - total / 2, b - total / 2
        products += [(a * b).sum(), (mine * judged).sum(), (mine * mine).sum(), (judged * judged).sum()]
    for sums in above:  # what stands above each value, and half of what stands at it
        left = float(sums.sum())
        for block in blocks(len(sums)):
            up_to = np.cumsum(sums[block])
            sums[block] = left - up_to + sums[block] / 2
            left -= up_to[-1]
    spreads = [(total**3 - side.powers(3)) / 12 for side in (x, y)]
    scale = np.sqrt(spreads[0] * spreads[1])
    value = float((products[0] - total**3 / 4) / scale)
    for block in blocks(len(x.ranks)):
        slope = x.middle(block) * y.middle(block) - 3 * total**2 / 4
        for side, sums, spread in zip((x, y), above, spreads, strict=True):
            slope += sums[side.ranks[block]]
            slope -= value * scale * ((total**2 - side.same(block) ** 2) / 4) / (2 * spread)
        prompts.add(by_prompt, block, slope / scale)
    return float(products[1] / np.sqrt(products[2] * products[3])), value
