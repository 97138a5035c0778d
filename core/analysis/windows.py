"""How stories in the order of their human judgment become overlapping sets; OpenMEVA (2021) section 4.2."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SIZE, STRIDE = 200, 10
"""The paper's: stories in a set, and from one set to the next."""
PAPER_STORIES, FEWEST_SETS, MOST_SETS = 1000, 20, 200


@dataclass(frozen=True)
class Plan:
    """`number` sets of `size` stories, each beginning `stride` stories after the one before."""

    size: int
    stride: int
    number: int

    @property
    def pairs(self) -> int:
        """Ordered pairs of sets, each with itself too."""
        return self.number**2

    @property
    def starts(self) -> NDArray[np.intp]:
        """The first story of each set."""
        return np.arange(self.number) * self.stride

    @property
    def as_published(self) -> bool:
        """Whether sets and steps are as long as the paper's."""
        return (self.size, self.stride) == (SIZE, STRIDE)


def plan(n: int) -> Plan:
    """The sets of `n` stories: the paper's 200 and 10, the last set dropped, from 400 stories on (20 sets and more).

    Fewer stories scale both down in proportion to the paper's 1,000; more than 2,200 stretch the stride, so that there
    are never more than 200 sets.
    """
    if n < SIZE + FEWEST_SETS * STRIDE:
        size, stride = SIZE * n // PAPER_STORIES, max(1, STRIDE * n // PAPER_STORIES)
    else:
        size, stride = SIZE, max(STRIDE, -(-(n - SIZE) // MOST_SETS))
    return Plan(size, stride, max(0, (n - size) // stride))
