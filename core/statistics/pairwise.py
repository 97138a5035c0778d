"""Pairs of stories: how often a metric orders two stories as people do, ties included.

Deutsch, Foster and Freitag (2023), "Ties Matter": a pair is right where both order it alike, and where both call it a
tie. No tolerance: two scores are a tie only where they are equal. Everything here is exact and takes O(n log n).
"""

from dataclasses import dataclass

import numpy as np

from core.arrays import Bools, Floats, Ints
from core.statistics.ranks import dense, integer_order


@dataclass(frozen=True)
class Pairwise:
    """Share of the pairs of stories that a metric gets right, 0..1, None where there is no pair.

    `pairs`: all of them; `tied_metric`, `tied_human`: those tied in that one alone; `tied_both`: in both, so right.
    """

    accuracy: float | None
    pairs: int = 0
    tied_metric: int = 0
    tied_human: int = 0
    tied_both: int = 0

    @property
    def ties(self) -> float:
        """The share that the metric ties."""
        return (self.tied_metric + self.tied_both) / self.pairs if self.pairs else 0.0

    @property
    def chance(self) -> float | None:
        """What a guess with as many ties would get: half of the pairs untied in both, and the ties that meet."""
        if not self.pairs:
            return None
        metric, human = ((alone + self.tied_both) / self.pairs for alone in (self.tied_metric, self.tied_human))
        return metric * human + (1 - metric) * (1 - human) / 2


NO_PAIRS = Pairwise(None)
LARGEST_SMALL = 100
"""Stories of a group in which each is set beside every other: up to there that is quicker than sorting."""


@dataclass(frozen=True)
class Concordance:
    """Of each story, over the stories of its own group: `sign`, those it is ordered alike with less those it is not;
    `same_metric`, `same_human`, `same_both`: those with an equal score, rating, both, itself among them.

    `groups`: the number of each story's group, from 0. `rank_metric`, `rank_human`: its mid-rank in it, from 1.
    """

    groups: Ints
    sign: Floats
    same_metric: Floats
    same_human: Floats
    same_both: Floats
    rank_metric: Floats
    rank_human: Floats

    def pairwise(self) -> Pairwise:
        """Return the mean of the groups' accuracies, and the sums of their pairs."""
        size, sign, metric, human, both = self.sums()
        pairs = size * (size - 1) / 2
        ties = [(tied - size) / 2 for tied in (metric, human, both)]
        untied = pairs - ties[0] - ties[1] + ties[2]
        right = (untied + sign / 2) / 2 + ties[2]
        counted = pairs > 0
        if not counted.any():
            return NO_PAIRS
        totals = [int(tied.sum()) for tied in ties]
        return Pairwise(
            float((right[counted] / pairs[counted]).mean()),
            int(pairs.sum()),
            totals[0] - totals[2],
            totals[1] - totals[2],
            totals[2],
        )

    def among(self, chosen: Bools) -> "Concordance":
        """Return the result for the `chosen` stories alone (a flag each), which must be whole groups."""
        own = np.unique(self.groups[chosen], return_inverse=True)[1]
        columns = (
            self.sign, self.same_metric, self.same_human, self.same_both, self.rank_metric, self.rank_human,
        )  # fmt: skip
        return Concordance(own, *(column[chosen] for column in columns))

    def tau_b(self) -> Floats:
        """Kendall's tau-b of each group, NaN where its scores or its ratings are all equal."""
        size, sign, metric, human, _ = self.sums()
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sign / np.sqrt((size**2 - metric) * (size**2 - human)))

    def sums(self) -> tuple[Floats, ...]:
        """For each group: its stories, and the sums of their four numbers."""
        columns = (None, self.sign, self.same_metric, self.same_human, self.same_both)
        return tuple(np.bincount(self.groups, weights).astype(np.float64) for weights in columns)


def concordance(x: Floats, y: Floats, groups: Ints | None = None) -> Concordance:
    """Compare each story with every other of its group (None: one group of all); `x`, `y` without gaps.

    Quickest where one of them has few different values.
    """
    number = len(x)
    own = np.zeros(number, dtype=np.intp) if groups is None else np.unique(groups, return_inverse=True)[1]
    sizes = np.bincount(own, minlength=1)
    if sizes.max() <= LARGEST_SMALL and len(sizes) * sizes.max() ** 2 <= LARGEST_SMALL * number:
        return _in_small_groups(x, y, own, sizes)
    # By group first: two stories of different groups are then always ordered alike, which is taken off again.
    a, b = _Ordered(_dense(own, x)), _Ordered(_dense(own, y))
    swapped = len(a.counts) > len(b.counts)
    if swapped:
        a, b = b, a
    order, equal_b_below_a = _by_second(a, b)
    same_both, equal_a_below_b = _by_first(a, b, order)
    both_below = _earlier_and_lower(a.ranks[order], order) - equal_b_below_a
    below_above = a.below - both_below - equal_b_below_a
    above_below = b.below - both_below - equal_a_below_b
    equal_above = a.same - same_both - equal_a_below_b
    above_above = (number - b.below - b.same) - below_above - equal_above
    sign = (both_below + above_above - below_above - above_below) - (number - sizes[own])
    begins = (np.cumsum(sizes) - sizes)[own]
    sides = [(side.same, side.below - begins + (side.same + 1) / 2) for side in (a, b)]
    (metric, metric_rank), (human, human_rank) = reversed(sides) if swapped else sides
    columns = (sign, metric, human, same_both, metric_rank, human_rank)
    return Concordance(own, *(column.astype(np.float64) for column in columns))


class _Ordered:
    """One variable: each story's dense `ranks`, how many have each rank (`counts`), and of each story how many have its
    own (`same`) and how many a lower one (`below`).
    """

    def __init__(self, ranks: Ints) -> None:
        # Of a million a dozen such arrays are at work at once.
        kind = np.dtype(np.int32 if len(ranks) < 2**31 else np.int64)
        self.counts, self.ranks = np.bincount(ranks, minlength=1), ranks.astype(kind)
        self.same = self.counts.astype(kind)[ranks]
        self.below = (np.cumsum(self.counts) - self.counts).astype(kind)[ranks]


def _by_second(a: _Ordered, b: _Ordered) -> tuple[Ints, Ints]:
    """The stories in the order of `b`, its ties in that of `a`; and of each, how many equal it in `b` alone that are
    lower in `a`.
    """
    by_b = b.ranks.astype(np.int64) * len(a.counts) + a.ranks
    order = integer_order(by_b)
    return order, _first_places(by_b, order).astype(b.ranks.dtype) - b.below


def _by_first(a: _Ordered, b: _Ordered, order: Ints) -> tuple[Ints, Ints]:
    """Of each story, how many equal it in both, and how many in `a` alone that are lower in `b`; `order`: that of `b`,
    its ties in that of `a`.
    """
    by_a = a.ranks.astype(np.int64) * len(b.counts) + b.ranks
    places = _first_places(by_a, order[integer_order(a.ranks[order])]).astype(a.ranks.dtype)
    return np.bincount(places, minlength=len(places)).astype(places.dtype)[places], places - a.below


def _in_small_groups(x: Floats, y: Floats, own: Ints, sizes: Ints) -> Concordance:
    """`concordance` of groups of these sizes: all stories beside the first of their group, then the second, and so on;
    counts stay below 128.
    """
    order = np.argsort(own, kind="stable")
    place = np.empty(len(own), dtype=np.intp)
    place[order] = np.arange(len(own)) - (np.cumsum(sizes) - sizes)[own[order]]
    tables = [np.full((sizes.max(), len(sizes)), np.nan) for _ in range(2)]  # a row a place, NaN where there is none
    for table, values in zip(tables, (x, y), strict=True):
        table[place, own] = values
    sign, both, below_x, below_y, same_x, same_y = (np.zeros(tables[0].shape, dtype=np.int8) for _ in range(6))
    for other_x, other_y in zip(*tables, strict=True):
        above, equal = [], []
        for table, other, below, same in ((tables[0], other_x, below_x, same_x), (tables[1], other_y, below_y, same_y)):
            higher = (table > other).view(np.int8)
            equal.append((table == other).view(np.int8))
            above.append(higher - (table < other).view(np.int8))
            below += higher
            same += equal[-1]
        sign += above[0] * above[1]
        both += equal[0] & equal[1]
    counts = (sign, same_x, same_y, both, below_x, below_y)
    alike, mine_x, mine_y, mine_both, lower_x, lower_y = (count[place, own].astype(np.float64) for count in counts)
    return Concordance(own, alike, mine_x, mine_y, mine_both, lower_x + (mine_x + 1) / 2, lower_y + (mine_y + 1) / 2)


def _dense(groups: Ints, values: Floats) -> Ints:
    """Each story's dense rank among the distinct (group, value) pairs, from 0, groups first."""
    order = np.argsort(values)
    ranks = np.empty(len(values), dtype=np.intp)
    ranks[order] = dense(values[order])
    if not groups.any():
        return ranks
    return np.asarray(np.unique(groups * (ranks.max(initial=0) + 1) + ranks, return_inverse=True)[1])


def _first_places(values: Ints, order: Ints) -> Ints:
    """How many values are lower than each one; `order` sorts them."""
    begins = np.flatnonzero(np.diff(values[order], prepend=-1))
    places = np.empty(len(values), dtype=np.intp)
    places[order] = np.repeat(begins, np.diff(begins, append=len(values)))
    return places


def _earlier_and_lower(ranks: Ints, order: Ints) -> Ints:
    """For each story, how many before it in `order` have a lower rank; `ranks` are in that order.

    A level a bit: of two stories whose ranks first differ there the one with a 0 is lower, and running sums count
    those before.
    """
    lower = np.zeros(len(ranks), dtype=ranks.dtype)
    for bit in range(int(ranks.max(initial=0)).bit_length()):
        above = ranks >> (bit + 1)
        # NumPy sorts 16 bits in linear time.
        place = np.argsort(above.astype(np.uint16) if above.max(initial=0) < 2**16 else above, kind="stable")
        above, upper = above[place], (ranks[place] >> bit) & 1
        before = np.cumsum(1 - upper, dtype=ranks.dtype) - (1 - upper)
        begins = np.flatnonzero(np.diff(above, prepend=-1))
        before -= np.repeat(before[begins], np.diff(begins, append=len(above)))
        lower[place] += upper * before
    counts = np.empty_like(lower)
    counts[order] = lower
    return counts
