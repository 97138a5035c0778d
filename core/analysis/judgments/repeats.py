"""Several ratings of one story by one rater count as one, their mean, wherever ratings are compared.

Raters are what agreement is between and what a mean is over. Counted twice, somebody would agree with themselves and
weigh double.
"""

import numpy as np

from core.arrays import Floats, Ints


def repeats_text(number: int) -> str:
    """A sentence on how many ratings are repeats by the same rater of the same story."""
    was = "rating is" if number == 1 else "ratings are"
    return (
        f"{number:,} {was} a rater's second or later of the same story: a rater's ratings of a story count as one, "
        "their mean."
    )


def mean_per_rater(units: Ints, raters: Ints, values: Floats) -> tuple[Ints, Ints, Floats]:
    """The same ratings with each rater's repeats replaced by their mean, at the first one's place.

    `units`, `raters`, `values`: a rating each, the numbers of its story and rater, and what was given. A rater who is
    not known has a number of their own.
    """
    if len(units) and units.min() >= 0 and np.bincount(units).max() <= 1:
        return units, raters, values
    order = np.lexsort((raters, units))  # stable, so that the first of equals comes first
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(units[order]) != 0) | (np.diff(raters[order]) != 0)
    if new.all():
        return units, raters, values
    group = np.cumsum(new) - 1
    means = np.bincount(group, values[order]) / np.bincount(group)
    first = order[new]
    kept = np.argsort(first)
    first = first[kept]
    return units[first], raters[first], means[kept]
