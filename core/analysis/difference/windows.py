"""Overlapping windows of stories, ordered by human judgment; OpenMEVA (2021) section 4.2."""

from dataclasses import dataclass

import numpy as np

from core.arrays import Bools, Floats, Ints

SIZE, STRIDE = 200, 10
"""The paper's: stories in a set, and from one set to the next."""
PAPER_STORIES, PAPER_SETS, MOST_SETS = 1000, 80, 200


@dataclass(frozen=True)
class Plan:
    """`number` sets of `size` stories, each beginning `stride` stories after the last."""

    size: int
    stride: int
    number: int

    @property
    def pairs(self) -> int:
        """The number of ordered pairs of sets, each set with itself included."""
        return self.number**2

    @property
    def starts(self) -> Ints:
        """The first story of each set."""
        return np.arange(self.number) * self.stride

    @property
    def as_published(self) -> bool:
        """Whether sets and strides are as long as the paper's."""
        return (self.size, self.stride) == (SIZE, STRIDE)

    def words(self, n: int) -> str:
        """How `n` (50 or more) stories were divided, and how that differs from the paper."""
        step = f"{self.stride} {'story' if self.stride == 1 else 'stories'}"
        sentence = f"{n:,} rated stories: {self.number} sets of {self.size}, each begins {step} after the one before; "
        sentence += f"{self.pairs:,} ordered pairs, each set with itself too, as in the paper."
        if n < PAPER_STORIES:
            return (
                f"{sentence} The paper's 1,000 stories make {PAPER_SETS} sets of {SIZE}, {STRIDE} apart; size and "
                "step are scaled down to whole stories."
            )
        if self.stride > STRIDE:
            return f"{sentence} The paper's are {STRIDE} apart; these further, so that there are {MOST_SETS} at most."
        return sentence


def plan(n: int) -> Plan:
    """The sets for `n` stories; from 1,000 stories on the paper's sets of 200 every 10, without the last.

    Fewer stories scale both down in proportion: a fifth of them a set, one set every hundredth. Steps are whole
    stories, so there are not always the paper's 80 sets: 66 to 100 from 200 stories on, below 40 (of 50) to 120 (of
    149). More than 2,200 stretch the stride, so that there are never more than 200 sets.
    """
    if n < PAPER_STORIES:
        size, stride = SIZE * n // PAPER_STORIES, max(1, (STRIDE * n + PAPER_STORIES // 2) // PAPER_STORIES)
    else:
        size, stride = SIZE, max(STRIDE, -(-(n - SIZE) // MOST_SETS))
    return Plan(size, stride, max(0, (n - size) // stride))


@dataclass(frozen=True)
class Sets:
    """The sets behind a result. `human`, `metric` (sets): mean rating, mean score. `human_apart`, `metric_apart`
    (sets x sets): whether a two-sample t-test gives p < 0.01 for that pair. `order`: the stories that the sets are cut
    from, the lowest rating first, by their numbers among all rated ones.
    """

    human: Floats
    metric: Floats
    human_apart: Bools
    metric_apart: Bools
    order: Ints

    def members(self, cut: Plan, number: int) -> Ints:
        """The stories of a set, numbered from 1, by their numbers among all rated ones."""
        start = (number - 1) * cut.stride
        return self.order[start : start + cut.size]


@dataclass(frozen=True)
class SetPairs:
    """Each unordered pair of sets once, as the set that people rate higher (`first`) less the other (`second`).

    `human`, `metric`: differences of means. `human_apart`, `metric_apart`: whether the t-tests give p < 0.01.
    """

    first: Ints
    second: Ints
    human: Floats
    metric: Floats
    human_apart: Bools
    metric_apart: Bools


def pairs_of(sets: Sets) -> SetPairs:
    """All pairs of different sets; a pair's other order is its mirror image through the origin."""
    second, first = np.triu_indices(len(sets.human), 1)  # sets are in the order of their ratings
    return SetPairs(
        first,
        second,
        sets.human[first] - sets.human[second],
        sets.metric[first] - sets.metric[second],
        sets.human_apart[first, second],
        sets.metric_apart[first, second],
    )
