"""How many prompts and ratings it takes to see a difference between two systems.

Both systems continue the same prompts, so their stories are compared prompt by prompt with a paired t-test, and what a
prompt adds cancels. Of r ratings a story the difference of a prompt's two means varies by

    2 (story² + rating² / r),  and by 2 rater² / r more where other raters rate the one than the other.

Power is that of the noncentral t with a degree of freedom less than there are prompts.
"""

from dataclasses import dataclass

import numpy as np

from core.analysis.planning.design import RATINGS, Design, Setup, design, with_cheapest
from core.analysis.planning.spread import Spread
from core.errors import InputError
from core.statistics.power import detectable, pairs_needed

POINTS = 40
"""Of a curve."""


@dataclass(frozen=True)
class SystemsPlan:
    """`difference`: between two systems' mean ratings, in points of the scale. `level`: the alpha of one pair."""

    difference: float
    level: float
    designs: tuple[Design, ...]


@dataclass(frozen=True)
class SeenCurve:
    """Of so many `ratings` a story: the least difference `seen` with each number of `prompts`."""

    ratings: int
    prompts: tuple[int, ...]
    seen: tuple[float, ...]


def seen_curves(plan: SystemsPlan, spread: Spread, setup: Setup) -> tuple[SeenCurve, ...]:
    """What every design sees, from few prompts to half more than any of them needs, or than there are."""
    needed = [one.prompts for one in plan.designs if one.prompts is not None]
    most = max(20, round(1.5 * max([*needed, setup.prompts or 0], default=0)))
    steps = tuple(np.unique(np.geomspace(5, most, POINTS).round().astype(int)).tolist())
    curves = []
    for one in plan.designs:
        variance = spread.difference(one.ratings, shared=setup.unit.of_prompt)
        seen = tuple(detectable(prompts, variance, setup.power, setup.level) for prompts in steps)
        curves.append(SeenCurve(one.ratings, steps, seen))
    return tuple(curves)


def plan_systems(difference: float, spread: Spread, setup: Setup) -> SystemsPlan:
    """Designs that see the difference; raises InputError for one that is not above 0."""
    if not np.isfinite(difference) or difference <= 0:
        raise InputError(f"The difference between two systems is a number above 0, not {difference:g}.")
    setup.checked()
    designs = []
    for ratings in RATINGS:
        variance = spread.difference(ratings, shared=setup.unit.of_prompt)
        prompts = pairs_needed(difference, variance, setup.power, setup.level)
        seen = None if setup.prompts is None else detectable(setup.prompts, variance, setup.power, setup.level)
        designs.append(design(setup, ratings, prompts, seen))
    return SystemsPlan(difference, setup.level, with_cheapest(designs))
