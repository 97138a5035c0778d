"""Pairs of stories: how often a metric orders two stories as people do, ties included.

Deutsch, Foster and Freitag (2023), "Ties Matter": a pair is right where both order it alike, and where both call it a
tie. No tolerance: two scores are a tie only where they are equal. Everything here is exact and takes O(n log n).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.annotation.concordance import ranks_within

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


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


NO_PAIRS = Pairwise(None)


@dataclass(frozen=True)
class Concordance:
    """Of each story, over the stories of its own group: `sign`, those it is ordered alike with less those it is not;
    `same_metric`, `same_human`, `same_both`: those with an equal score, rating, both, itself among them.

    `groups`: the number of each story's group, from 0.
    """

    groups: Ints
    sign: Floats
    same_metric: Floats
    same_human: Floats
    same_both: Floats

    def pairwise(self) -> Pairwise:
        """Over all groups: the mean of the groups' accuracies, and the sums of their pairs."""
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

    def tau_b(self) -> Floats:
        """Kendall's tau-b of each group, NaN where its scores or its ratings are all equal."""
        size, sign, metric, human, _ = self.sums()
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sign / np.sqrt((size**2 - metric) * (size**2 - human)))

    def sums(self) -> tuple[Floats, ...]:
        """Of each group: stories, and the sums of the four numbers of its stories."""
        columns = (None, self.sign, self.same_metric, self.same_human, self.same_both)
        return tuple(np.bincount(self.groups, weights).astype(np.float64) for weights in columns)


def concordance(x: Floats, y: Floats, groups: Ints | None = None) -> Concordance:
    """Compare each story with every other of its group (all stories where None); `x`, `y` without gaps."""
    number = len(x)
    own = np.zeros(number, dtype=np.intp) if groups is None else np.unique(groups, return_inverse=True)[1]
    size = np.bincount(own, minlength=1)[own].astype(np.float64)
    # By group first: two stories of different groups are then always ordered alike, which is taken off again.
    a, b = _dense(own, x), _dense(own, y)
    same_a, same_b = np.bincount(a, minlength=1)[a], np.bincount(b, minlength=1)[b]
    joint = _dense(a, b.astype(np.float64))
    same_both = np.bincount(joint, minlength=1)[joint]
    below_a, below_b = _below(a), _below(b)
    both_below = _below_in_both(a, b)
    # Ranked among the ties of the other: mid-rank = below + (tied + 1) / 2.
    equal_a_below_b = ranks_within(a, b.astype(np.float64))[0] - (same_both + 1) / 2
    equal_b_below_a = ranks_within(b, a.astype(np.float64))[0] - (same_both + 1) / 2
    below_above = below_a - both_below - equal_b_below_a
    above_below = below_b - both_below - equal_a_below_b
    equal_above = same_a - same_both - equal_a_below_b
    above_above = (number - below_b - same_b) - below_above - equal_above
    sign = both_below + above_above - below_above - above_below - (number - size)
    return Concordance(
        own, sign.astype(np.float64), same_a.astype(np.float64), same_b.astype(np.float64), same_both.astype(np.float64)
    )


def _dense(groups: Ints, values: Floats) -> Ints:
    """Place of each story among the different (group, value) there are, from 0, groups first."""
    order = np.lexsort((values, groups))
    new = (np.diff(groups[order], prepend=-1) != 0) | (np.diff(values[order], prepend=np.nan) != 0)
    found = np.empty(len(values), dtype=np.intp)
    found[order] = np.cumsum(new) - 1
    return found


def _below(ranks: Ints) -> Ints:
    """How many stories have a lower rank."""
    counts = np.bincount(ranks, minlength=1)
    return np.asarray((np.cumsum(counts) - counts)[ranks])


def _below_in_both(a: Ints, b: Ints) -> Ints:
    """Of each story, how many are below it in `a` and in `b`; a level a bit of the variable with fewer values.

    Where two stories are told apart at a bit of their rank, the one with a 0 is below; in the order of the other
    variable those before it are counted by running sums.
    """
    if a.max(initial=0) > b.max(initial=0):
        a, b = b, a
    order = np.lexsort((-a, b))  # equal in b: the higher in a first, so that it is not counted
    ranks = a[order]
    found = np.zeros(len(a), dtype=np.intp)
    for bit in range(int(a.max(initial=0)).bit_length()):
        above = ranks >> (bit + 1)
        kind = np.uint16 if above.max(initial=0) < 2**16 else np.intp  # NumPy sorts 16 bits in linear time
        place = np.argsort(above.astype(kind), kind="stable")
        above, upper = above[place], (ranks[place] >> bit) & 1
        before = np.cumsum(1 - upper) - (1 - upper)
        begins = np.flatnonzero(np.diff(above, prepend=-1))
        base = np.repeat(before[begins], np.diff(begins, append=len(above)))
        found[place] += upper * (before - base)
    counts = np.empty(len(a), dtype=np.intp)
    counts[order] = found
    return counts
