"""The order in which a page shows metrics that were tested: what sees most stands first."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import TypeVar

from core.analysis.capability.results import Capability, Robustness, Seen
from core.perturb.test_sets.aspects import Test, test_of

Row = TypeVar("Row", Seen, Robustness)


def best_first(found: Capability) -> Capability:
    """The same results, metrics by the mean of Pearson's r over the aspects of coherence, of all cases.

    Undefined ones come last; metrics alike in this stand by name and signature.
    """
    values: dict[tuple[str, str], list[float]] = {}
    for row in found.unfiltered:
        own = values.setdefault((row.metric, row.signature), [])
        if row.pearson.value is not None and test_of(row.aspect) is Test.DISCRIMINATION:
            own.append(row.pearson.value)
    order = sorted(values, key=lambda one: (-fmean(values[one]) if values[one] else 2.0, one))
    place = {one: number for number, one in enumerate(order)}

    def sort(rows: Sequence[Row]) -> tuple[Row, ...]:
        """By metric; aspects stay as they are."""
        return tuple(sorted(rows, key=lambda row: place[row.metric, row.signature]))

    return replace(
        found,
        rows=sort(found.rows),
        unfiltered=sort(found.unfiltered),
        invariance=sort(found.invariance),
        invariance_unfiltered=sort(found.invariance_unfiltered),
    )
