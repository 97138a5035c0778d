"""Thresholds of Fp between human and machine text (Çano and Bojar 2020, sections 3.2 and 3.3).

A text is of class h if its Fp is below the threshold, else m (equation 2); with two thresholds h below the left one,
m from the right one on, and u, unknown, between (equation 3). Both sides weigh the same however many texts they have.
"""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from core.arrays import Floats, Ints

WANTED = 0.9
"""Accuracy on the texts that two thresholds decide, where nothing else is asked for."""
SPREADS = 1.0
"""Standard deviations from a mean, of two thresholds from means and variances."""


class ThresholdRule(StrEnum):
    """How thresholds are found.

    `moments`: from mean and variance of both sides, as the paper says. `search`: those that decide the labelled texts
    best.
    """

    MOMENTS = "moments"
    SEARCH = "search"


class NoThreshold(Exception):
    """Why these texts give no threshold; a sentence without its full stop."""


def find(rule: ThresholdRule, number: int, human: Floats, machine: Floats, wanted: float = WANTED) -> tuple[float, ...]:
    """One or two (left, right) thresholds from the Fp of labelled texts, all finite; raises NoThreshold.

    `wanted`: for two by search, the accuracy on what they decide.
    """
    if len(human) < 2 or len(machine) < 2:
        raise NoThreshold("thresholds need two texts with an Fp on either side")
    if rule is ThresholdRule.MOMENTS:
        return _crossing(human, machine) if number == 1 else _tails(human, machine)
    return _best(human, machine) if number == 1 else _narrowest(human, machine, wanted)


def classes(fp: Floats, thresholds: Sequence[float]) -> Ints:
    """0 for h, 1 for u, 2 for m, of each text; -1 where its Fp is NaN."""
    left, right = thresholds[0], thresholds[-1]
    result = np.where(fp < left, 0, np.where(fp < right, 1, 2))
    return np.where(np.isfinite(fp), result, -1).astype(np.intp)


def _moments(human: Floats, machine: Floats) -> tuple[float, float, float, float]:
    h, m = float(human.mean()), float(machine.mean())
    if not h < m:
        raise NoThreshold("machine texts have no higher Fp on average than human ones, and the paper's way needs that")
    return h, m, float(human.std(ddof=1)), float(machine.std(ddof=1))


def _crossing(human: Floats, machine: Floats) -> tuple[float]:
    """Where the normal densities of both sides cross between the means, with equal prior probabilities.

    With unequal variances a crossing may lie beyond a mean; then it is the point as many SDs from either mean.
    """
    h, m, s, t = _moments(human, machine)
    between = (h * t + m * s) / (s + t) if s + t > 0 else (h + m) / 2
    if min(s, t) <= 0 or np.isclose(s, t):
        return (between,)
    roots = np.roots([1 / t**2 - 1 / s**2, 2 * (h / s**2 - m / t**2), (m / t) ** 2 - (h / s) ** 2 + 2 * np.log(t / s)])
    inside = [float(root.real) for root in roots if abs(root.imag) < 1e-12 and h < root.real < m]
    return (inside[0] if inside else between,)


def _tails(human: Floats, machine: Floats) -> tuple[float, float]:
    """h below the usual range of machine text, m above that of human text: one SD from the means.

    The paper says "based on the average natural and synthetic Fp, with their variances" and no more. Where both sides
    lie so far apart that the two cross, u is the gap between them.
    """
    h, m, s, t = _moments(human, machine)
    value, other = m - SPREADS * t, h + SPREADS * s
    return min(value, other), max(value, other)


def _masses(human: Floats, machine: Floats) -> tuple[Floats, Floats, Floats]:
    """Cuts between the different values (from the lowest itself to just above the highest), and the shares of human
    and of machine texts below each.
    """
    values = np.unique(np.concatenate([human, machine]))
    cuts = np.concatenate([values[:1], (values[:-1] + values[1:]) / 2, [np.nextafter(values[-1], np.inf)]])
    below_h = np.searchsorted(np.sort(human), cuts) / len(human)
    below_m = np.searchsorted(np.sort(machine), cuts) / len(machine)
    return cuts, below_h, below_m


def _best(human: Floats, machine: Floats) -> tuple[float]:
    """The middle one of the thresholds with the highest balanced accuracy."""
    cuts, below_h, below_m = _masses(human, machine)
    accuracy = below_h - below_m
    best = np.flatnonzero(accuracy >= accuracy.max() - 1e-12)
    return (float(cuts[best[(len(best) - 1) // 2]]),)


def _narrowest(human: Floats, machine: Floats, wanted: float) -> tuple[float, float]:
    """The two thresholds that leave the fewest texts undecided while a share `wanted` of the decided ones is right.

    What a left and a right cut add to the accuracy can be told apart, so for each left cut the lowest right one that
    makes up for it is looked up: O(n log n).
    """
    cuts, below_h, below_m = _masses(human, machine)
    above_h, above_m = 1 - below_h, 1 - below_m
    left = below_h - wanted * (below_h + below_m)
    right = above_m - wanted * (above_h + above_m)
    result = _first_at_least(right, -left - 1e-12)
    inside = np.flatnonzero(result < len(cuts))
    decided = below_h[inside] + below_m[inside] + above_h[result[inside]] + above_m[result[inside]]
    if not len(inside) or decided.max() <= 1e-12:
        raise NoThreshold(f"no two thresholds decide any text with an accuracy of {wanted:.0%}; ask for less")
    most = inside[decided >= decided.max() - 1e-12]
    right_of = below_h[most] + above_m[result[most]]
    best = most[right_of >= right_of.max() - 1e-12]  # of those that decide as many, those that do so best
    place = best[(len(best) - 1) // 2]
    return float(cuts[place]), float(cuts[result[place]])


def _first_at_least(values: Floats, wanted: Floats) -> Ints:
    """For each i the first j >= i with values[j] >= wanted[i]; len(values) where there is none."""
    size = len(values)
    tables = [values]
    while 2 ** len(tables) <= size:
        half, last = 2 ** (len(tables) - 1), tables[-1]
        shifted = np.full(size, -np.inf)
        shifted[: size - half] = last[half:]
        tables.append(np.maximum(last, shifted))
    place = np.arange(size)
    for level in reversed(range(len(tables))):  # step over a run of places as long as none in it will do
        inside = place < size
        skip = inside & (tables[level][np.minimum(place, size - 1)] < wanted)
        place = np.where(skip, place + 2**level, place)
    return np.minimum(place, size)
