"""Box plots of human judgments as in OpenMEVA's (2021) Figure 3: exactly the numbers that a figure needs."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats

FEW = 12
"""Up to so many stories each of them is drawn: a box would promise more than they can tell."""
REACH = 1.5
"""Whiskers end at the last story within so many interquartile ranges of the box (Tukey 1977)."""


@dataclass(frozen=True)
class Box:
    """The box of `n` stories' mean ratings; `sd` is the sample standard deviation, None for a single story.

    `q1`, `median`, `q3`: quartiles, by linear interpolation between the order statistics (numpy's default, type 7 of
    Hyndman and Fan 1996). `low`, `high`: ends of the whiskers. `points`: values to draw one by one, to two decimals,
    and how many stories have each: all of up to `FEW` stories, else those beyond the whiskers. There are as many as
    there are hundredths on the scale, at most.
    """

    n: int
    mean: float
    sd: float | None
    low: float
    q1: float
    median: float
    q3: float
    high: float
    points: tuple[tuple[float, int], ...]


def box(values: Floats) -> Box:
    """The box of one or more mean ratings. Raises ValueError for none."""
    if not len(values):
        raise ValueError("a box needs at least one story")
    q1, median, q3 = (float(q) for q in np.quantile(values, [0.25, 0.5, 0.75]))
    reach = REACH * (q3 - q1) + 1e-9  # so that a story at the very end is within it
    near = values[(values >= q1 - reach) & (values <= q3 + reach)]
    low, high = float(near.min()), float(near.max())
    drawn = values if len(values) <= FEW else values[(values < low) | (values > high)]
    return Box(
        n=len(values),
        mean=float(values.mean()),
        sd=float(values.std(ddof=1)) if len(values) > 1 else None,
        # Interpolated quartiles of few stories can lie beyond the last story that a whisker could reach.
        low=min(low, q1),
        q1=q1,
        median=median,
        q3=q3,
        high=max(high, q3),
        points=tuple(sorted(Counter(np.round(drawn, 2).tolist()).items())),
    )
