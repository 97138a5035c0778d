"""Spearman's differences when two metrics swap their scores, linearised: for more stories than can be ranked anew.

In the pool of both metrics' scores, every story's two scores have an influence on rho (the first term of its expansion
in the weights, see `core.statistics.resamples`); the difference of two influences is what a swap changes. The pool is
the same whatever is swapped, so the permutation test of their sum is as valid as that of the difference itself. Where
no two scores are equal the two are the same but for a part of about 1/n²; ties add a part of about 1/n.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from core.arrays import Floats, Ints
from core.statistics.paired import PairedScores


@dataclass(frozen=True)
class _Side:
    """One metric's scores from the lowest, and whose they are. `own`, `prompts`: of these stories, in that order.

    `sums` (stories + 1): of `own` before each; `below`, `upto`: how many of the metric's scores are less than each, and
    less or equal.
    """

    values: Floats
    own: Floats
    prompts: Ints
    sums: Floats
    below: Ints
    upto: Ints

    def gain(self, own: Floats, below: Ints, upto: Ints) -> Floats:
        """What stories at these places among the scores add to the covariance with their `own` numbers."""
        return np.asarray((own * (below + upto) - self.sums[below] - self.sums[upto]) / 2)


def linear_gains(data: PairedScores, pairs: Ints) -> Floats:
    """The differences as a sum over swapped prompts and a constant (prompts and the constant, by pairs)."""
    n = data.stories
    own = stats.rankdata(data.human) - (n + 1) / 2
    prompts = np.repeat(np.arange(data.prompts), np.diff(data.starts, append=n))
    sides = [_side(scores, own, prompts) for scores in data.scores.T]
    alone = [side.gain(side.own, side.below, side.upto) for side in sides]
    squares = (own * own).sum() / 12
    gains = np.empty((data.prompts + 1, len(pairs)))
    for number, (first, second) in enumerate(pairs.tolist()):
        left, right = sides[first], sides[second]
        below, upto, back_below, back_upto = _places(left.values, right.values)
        sizes = (_sizes(left, below, upto), _sizes(right, back_below, back_upto))
        # Half of each metric's scores: sizes halve, and n stories are left.
        room = n**3 - sum((size * size).sum() for size in sizes) / 8
        scale = np.sqrt(squares * room)
        ranks = (left.below + left.upto + below + upto, right.below + right.upto + back_below + back_upto)
        rho = ((left.own * ranks[0]).sum() + (right.own * ranks[1]).sum()) / 8 / scale
        by_prompt = []
        crossed = (right.gain(left.own, below, upto), left.gain(right.own, back_below, back_upto))
        for metric, side, size, cross in zip((first, second), (left, right), sizes, crossed, strict=True):
            influence = (alone[metric] + cross) / scale + 0.75 * rho * size * size / room
            by_prompt.append(np.bincount(side.prompts, influence, minlength=data.prompts))
        gains[:-1, number] = by_prompt[1] - by_prompt[0]
        gains[-1, number] = -gains[:-1, number].sum() / 2
    return gains


def _side(values: Floats, own: Floats, prompts: Ints) -> _Side:
    order = np.argsort(values)
    values, own = values[order], own[order]
    begins = np.flatnonzero(np.append(True, values[1:] > values[:-1]))
    sizes = np.diff(begins, append=len(values))
    below = np.repeat(begins, sizes)
    return _Side(values, own, prompts[order], np.append(0.0, np.cumsum(own)), below, below + np.repeat(sizes, sizes))


def _sizes(side: _Side, below: Ints, upto: Ints) -> Ints:
    """How many of both metrics' scores equal each of the side's; its places among the other's are given."""
    return side.upto - side.below + upto - below


def _places(left: Floats, right: Floats) -> tuple[Ints, Ints, Ints, Ints]:
    """For each of `left`, how many of `right` are less, and less or equal; then the same the other way round.

    Both from the lowest.
    """
    below = np.searchsorted(right, left, "left")
    tied = np.append(right, np.nan)[below] == left
    upto = np.searchsorted(right, left, "right") if tied.any() else below
    # A number of `left` is at most the j-th of `right` if at most j of those are less.
    back = [np.cumsum(np.bincount(places, minlength=len(right) + 1))[:-1] for places in (upto, below)]
    return below, upto, back[0], back[1]
