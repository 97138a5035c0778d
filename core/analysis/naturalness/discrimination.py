"""Thresholds cross-validated by document, what they decide, and the h, m and u scores of each system (equation 4).

No text is judged by a threshold that it, or another text of its document, helped to find.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.naturalness.thresholds import WANTED, NoThreshold, ThresholdRule, classes, find
from core.arrays import Bools, Floats, Ints
from core.statistics.intervals import Estimate, share_by_document

FOLDS = 10


@dataclass(frozen=True)
class Classes:
    """The shares (0..1) of a system's `n` texts in each class. With one threshold `u` is 0."""

    n: int
    h: Estimate
    u: Estimate
    m: Estimate


@dataclass(frozen=True)
class Discrimination:
    """`thresholds`: found on all labelled texts, for new ones; `lowest`, `highest`: each threshold's range over folds.

    All else is of held-out texts. `accuracy`: share of the decided texts that are right, both sides weighing the same
    (balanced accuracy, where all are decided); `plain`: every text weighing the same. `human`, `machine`: classes of
    both sides; `systems`: of each system. Empty, with `undefined` saying why, where there are no thresholds.
    """

    rule: ThresholdRule
    number: int
    wanted: float
    folds: int
    seed: int
    thresholds: tuple[float, ...]
    lowest: tuple[float, ...]
    highest: tuple[float, ...]
    accuracy: Estimate
    plain: Estimate
    human: Classes | None
    machine: Classes | None
    systems: Mapping[str, Classes]
    undefined: str | None = None


def folds_of(documents: Ints, human: Bools, folds: int, *, seed: int = 0) -> Ints:
    """The fold of each text: documents dealt out at random, those with texts of one side, of the other and of both in
    turn, so that each fold has its part of every kind.
    """
    unit = np.unique(documents, return_inverse=True)[1]
    number = int(unit.max()) + 1
    kind = (np.bincount(unit, human, number) > 0) + 2 * (np.bincount(unit, ~human, number) > 0)
    shuffled = np.random.default_rng(seed).permutation(number)
    dealt = shuffled[np.argsort(kind[shuffled], kind="stable")]
    fold = np.empty(number, dtype=np.intp)
    fold[dealt] = np.arange(number) % folds
    return fold[unit]


def discriminate(
    fp: Floats,
    systems: Sequence[str | None],
    documents: Ints,
    *,
    rule: ThresholdRule = ThresholdRule.SEARCH,
    number: int = 1,
    wanted: float = WANTED,
    folds: int = FOLDS,
    seed: int = 0,
) -> Discrimination:
    """Find thresholds between human texts (system None) and all systems', and judge each fold by the others'
    thresholds.

    `fp`: one a text, NaN where undefined, such texts are left out; `documents`: the number of each text's document.
    """
    given = np.isfinite(fp)
    values, units = fp[given], documents[given]
    names = [name for name, has_texts in zip(systems, given, strict=True) if has_texts]
    human = np.array([name is None for name in names], dtype=bool)
    setting = (rule, number, wanted)
    fewest = min((len(np.unique(units[side])) for side in (human, ~human)), default=0)
    if fewest < 2:
        return _nothing(*setting, folds, seed, "thresholds need texts with an Fp of two documents on either side")
    folds = min(folds, fewest)
    fold = folds_of(units, human, folds, seed=seed)
    result = np.full(len(values), -1)
    each = []
    try:
        whole = find(rule, number, values[human], values[~human], wanted)
        for place in range(folds):
            rest = fold != place
            each.append(find(rule, number, values[human & rest], values[~human & rest], wanted))
            result[~rest] = classes(values[~rest], each[-1])
    except NoThreshold as reason:
        return _nothing(*setting, folds, seed, str(reason))
    of_systems = {}
    for name in dict.fromkeys(name for name in names if name is not None):
        mine = np.array([text == name for text in names], dtype=bool)
        of_systems[name] = _classes(result[mine], units[mine], number)
    right = np.where(human, result == 0, result == 2).astype(np.float64)
    return Discrimination(
        *setting,
        folds,
        seed,
        whole,
        tuple(np.min(each, axis=0).tolist()),
        tuple(np.max(each, axis=0).tolist()),
        _balanced(right, result != 1, human, units),
        share_by_document(right[result != 1], units[result != 1]),
        _classes(result[human], units[human], number),
        _classes(result[~human], units[~human], number),
        of_systems,
    )


def _nothing(rule: ThresholdRule, number: int, wanted: float, folds: int, seed: int, reason: str) -> Discrimination:
    none = Estimate(None, undefined=reason)
    return Discrimination(rule, number, wanted, folds, seed, (), (), (), none, none, None, None, {}, reason)


def _classes(assigned: Ints, units: Ints, number: int) -> Classes:
    h, u, m = (share_by_document((assigned == place).astype(np.float64), units) for place in (0, 1, 2))
    return Classes(len(assigned), h, u if number == 2 else Estimate(0.0), m)


def _balanced(right: Floats, decided: Bools, human: Bools, units: Ints) -> Estimate:
    """The accuracy on decided texts with both sides weighted equally, with an interval from each side's (Newcombe
    1998).

    Of two thresholds the sides may decide different shares of their texts, which is part of the weights.
    """
    if not decided.any():
        return Estimate(None, undefined="no held-out text is decided")
    sides = [side & decided for side in (human, ~human)]
    weights = np.array([side.sum() for side in sides]) / np.array([human.sum(), (~human).sum()])
    weights = weights / weights.sum()
    shares = [share_by_document(right[side], units[side]) for side in sides if side.any()]
    weights = weights[weights > 0]
    values = np.array([share.value for share in shares], dtype=np.float64)
    value = float(weights @ values)
    if any(share.low is None for share in shares):
        return Estimate(value)
    lows = values - np.array([share.low for share in shares], dtype=np.float64)
    highs = np.array([share.high for share in shares], dtype=np.float64) - values
    down, up = np.sqrt(((weights * lows) ** 2).sum()), np.sqrt(((weights * highs) ** 2).sum())
    return Estimate(value, float(value - down), float(value + up))
