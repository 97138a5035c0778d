"""How many of a system's ratings stand where on the scale."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import Floats, Ints

MOST_VALUES = 21
"""Values that are shown each for itself where ratings lie between the form's steps: half points of 1 to 11."""
DIGITS = 4
"""Decimal places by which two ratings differ: means that others rounded otherwise are one."""


class Step(NamedTuple):
    """A rating that is counted, or all from `low` to below `high`; `last`: with those at `high`."""

    low: float
    high: float
    last: bool = False

    @property
    def text(self) -> str:
        """What it is called: "1.5", "1 to under 2", "4 to 5"."""
        if self.low == self.high:
            return f"{self.low:.10g}"
        return f"{self.low:.10g} to {'' if self.last else 'under '}{self.high:.10g}"


@dataclass(frozen=True)
class Distribution:
    """The ratings of each system at each of the steps, from the lowest; `between`: how many ratings stand between two
    steps of the form, so that the steps are not the form's.
    """

    steps: tuple[Step, ...]
    counts: Mapping[str, tuple[int, ...]]
    between: int

    @property
    def ranges(self) -> bool:
        """Whether ratings are so many different ones that ranges of them are counted."""
        return any(step.low < step.high for step in self.steps)

    @property
    def by_system(self) -> dict[str, dict[str, int]]:
        """System -> step, as it is called -> number of ratings."""
        names = [step.text for step in self.steps]
        return {name: dict(zip(names, row, strict=True)) for name, row in self.counts.items()}


def distribution_of(values: Floats, groups: Ints, names: Sequence[str], scale: Sequence[int]) -> Distribution:
    """Count ratings, of the `groups` that have these names. Where all are steps of the form's `scale` those are what is
    counted; else the values that occur too, or, of more than `MOST_VALUES`, the ranges between the form's steps.
    """
    values = np.round(values, DIGITS)
    between = int((~np.isin(values, scale)).sum())
    single = np.union1d(values, np.asarray(scale, np.float64))
    if not between or len(single) <= MOST_VALUES:
        steps = tuple(Step(value, value) for value in single.tolist())
    else:
        ends = [float(step) for step in scale]
        ends[0], ends[-1] = min(ends[0], float(values.min())), max(ends[-1], float(values.max()))
        last = len(ends) - 2
        steps = tuple(Step(ends[i], ends[i + 1], i == last) for i in range(last + 1))
    places = np.searchsorted([step.low for step in steps], values, side="right") - 1
    counts = np.bincount(groups * len(steps) + places, minlength=len(names) * len(steps))
    rows = counts.reshape(len(names), len(steps)).tolist()
    return Distribution(steps, {name: tuple(row) for name, row in zip(names, rows, strict=True)}, between)
