"""A test set with a metric's scores as columns, and the two groups of stories that each aspect compares."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.arrays import Bools, Floats, Ints
from core.perturb.test_sets.aspects import Test, test_of
from core.statistics.correlation import FEWEST
from core.statistics.groups import too_few

ONE_SOURCE = "all examples with a score come from one human story, and two are needed"
CONSTANT = "the metric gives every example the same score"
NO_COHERENT, NO_CHANGED = "no coherent example has a score", "no changed story has a score"


@dataclass(frozen=True)
class Cases:
    """A test set as columns, an entry a case. `labels`: 1 for a story as it should be, 0 for a changed one; `sources`:
    the human story behind it; `of`: what its original is; `accepted`: whether it passes the grammaticality filter.
    """

    aspects: Sequence[str]
    labels: Ints
    sources: Sequence[str]
    of: Sequence[str]
    accepted: Bools

    @cached_property
    def _aspects(self) -> NDArray[np.str_]:
        return np.asarray(self.aspects, dtype=np.str_)

    def rows(self, aspect: str, label: int, filtered: bool) -> Ints:
        """Indices of an aspect's cases with this label; `filtered`: only those that pass the filter."""
        kept = self.accepted if filtered else np.ones(len(self.labels), dtype=np.bool_)
        return np.flatnonzero((self._aspects == aspect) & (self.labels == label) & kept)


@dataclass(frozen=True)
class Scored:
    """A metric's raw scores of the cases' texts and of their originals, one per case, NaN where there is none."""

    metric: str
    signature: str
    texts: Floats
    originals: Floats


@dataclass(frozen=True)
class Examples:
    """What stands on either side of an aspect. `x` (examples x metrics): scores, NaN where there is none or, in
    invariance, where the other of the pair has none; `labels`, `numbers`: of each example, that of its case among all;
    `changed`: numbers of the changed cases.
    """

    x: Floats
    labels: Ints
    numbers: Ints
    changed: Ints


def examples_of(cases: Cases, columns: Sequence[Scored], aspect: str, filtered: bool) -> Examples:
    """For discrimination: texts with label 1 and changed ones. For invariance: originals and texts of the changed
    cases.
    """
    changed = cases.rows(aspect, 0, filtered)
    if test_of(aspect) is Test.INVARIANCE:
        x, numbers = np.vstack(pairs_of(columns, changed)), np.tile(changed, 2)
        return Examples(x, np.repeat([1, 0], len(changed)), numbers, changed)
    numbers = np.concatenate([cases.rows(aspect, 1, filtered), changed])
    return Examples(_stacked([column.texts[numbers] for column in columns]), cases.labels[numbers], numbers, changed)


def pairs_of(columns: Sequence[Scored], rows: Ints) -> tuple[Floats, Floats]:
    """Scores (pairs x metrics) of these cases' originals and texts, NaN in both where either is missing."""
    originals = _stacked([column.originals[rows] for column in columns])
    texts = _stacked([column.texts[rows] for column in columns])
    both = np.isfinite(originals) & np.isfinite(texts)
    return np.where(both, originals, np.nan), np.where(both, texts, np.nan)


def _stacked(columns: Sequence[Floats]) -> Floats:
    return np.asarray(np.column_stack(columns), dtype=np.float64)


def why_unfit(x: Floats, numbers: Ints) -> str | None:
    """Why nothing can be learnt from these scores; None if something can. `numbers`: the scores' sources."""
    finite = np.isfinite(x)
    if (n := int(finite.sum())) < FEWEST:
        return too_few(n, "example has", "examples have", "a score", FEWEST)
    if np.ptp(numbers[finite]) == 0:
        return ONE_SOURCE
    return CONSTANT if np.ptp(x[finite]) == 0 else None


def why_one_sided(x: Floats, labels: Ints) -> str | None:
    """Why these scores cannot be correlated with their labels; None if they can."""
    finite = labels[np.isfinite(x)]
    if finite.all():
        return NO_CHANGED
    return None if finite.any() else NO_COHERENT
