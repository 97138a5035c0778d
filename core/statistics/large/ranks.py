"""One variable of many stories: ranks and ties, on disk."""

import numpy as np

from core.arrays import Floats, Ints, Whole, ascending, blocks, room, running_sums, smallest_kind


class Side:
    """Of each story the dense rank of its value, from 0 (`ranks`); of each rank how many have it (`counts`), and how
    many have it or a lower one (`ends`).
    """

    def __init__(self, values: Floats) -> None:
        order, kind = ascending(values), smallest_kind(len(values))
        self.ranks: Whole = room(len(values), kind)
        reached, last = -1, np.nan  # which equals nothing
        for block in blocks(len(values)):
            places = order[block]
            mine = values[places]
            ranks = reached + np.cumsum(mine != np.append(last, mine[:-1]))
            self.ranks[places] = ranks
            reached, last = int(ranks[-1]), mine[-1]
        del order
        self.counts: Whole = room(reached + 1, kind)
        for block in blocks(len(values)):
            np.add.at(self.counts, self.ranks[block], 1)
        self.ends: Whole = running_sums(self.counts)

    def same(self, rows: "slice | Ints") -> Floats:
        """How many stories have the value of each of these, itself among them."""
        return self.counts[self.ranks[rows]].astype(np.float64)

    def middle(self, rows: "slice | Ints") -> Floats:
        """The mid-rank of each of these, less a half."""
        return np.asarray(self.ends[self.ranks[rows]] - self.same(rows) / 2)

    def powers(self, exponent: int) -> float:
        """The sum over all values of how many stories have it, to this power."""
        return float(
            sum((self.counts[block].astype(np.float64) ** exponent).sum() for block in blocks(len(self.counts)))
        )
