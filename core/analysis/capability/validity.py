"""What people say of a test set's cases: is the intended fault there, are unchanged stories free of it, is the English
good?
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.judgments.judged_story import JudgedStory
from core.errors import InputError
from core.perturb.test_sets.aspects import Change, Test, test_of
from core.perturb.test_sets.human_check import BAD_ENGLISH, side_of
from core.statistics.intervals import Estimate, share_by_document

ALL = "all"
NONE = Estimate(None)


@dataclass(frozen=True)
class AspectValidity:
    """People's judgment of an aspect's `cases`: shares with Wilson's 95 % intervals, None without such cases.

    `changed`: of the changed ones, those that are to most people what was meant: of discrimination something in them
    does not fit, of invariance they still make sense; `coherent`: of the unchanged ones, those that made sense to most;
    `grammatical`: of the changed ones, those in which fewer than half found bad English; `valid`: of the changed ones,
    those that are both, and so do what they are for. A typing error is bad English, and meant: it does not make a case
    invalid. A tie counts as half.
    """

    aspect: str
    cases: int
    changed: Estimate = NONE
    coherent: Estimate = NONE
    grammatical: Estimate = NONE
    valid: Estimate = NONE


@dataclass(frozen=True, slots=True)
class _Judged:
    """A judged case: whether it is as intended, in good English, and both: 0, .5 or 1."""

    label: int
    meant: float
    good: float
    valid: float


def validity(stories: Sequence[JudgedStory]) -> tuple[AspectValidity, ...]:
    """A row per aspect, in alphabetical order, and one for all. Raises InputError for stories that are no human
    check's.
    """
    grouped: dict[str, list[tuple[int, float, float]]] = {}
    for story in stories:
        side = side_of(story.group)
        if side and story.ratings:
            share = story.mean
            bad = np.mean([BAD_ENGLISH in rating.error_types for rating in story.ratings])
            grouped.setdefault(side[0], []).append((side[1], _most(float(share)), _most(float(bad))))
    if not grouped:
        raise InputError("This study has no ratings of a test set's cases yet.")
    by_aspect = {aspect: [_judged(aspect, *part) for part in group] for aspect, group in sorted(grouped.items())}
    rows = [_row(aspect, judged) for aspect, judged in by_aspect.items()]
    return (*rows, _row(ALL, [item for judged in by_aspect.values() for item in judged]))


def _most(share: float) -> float:
    """1 where most people say so, 0 where a minority does, .5 where they are evenly divided."""
    return float(share > 0.5) + float(share == 0.5) / 2


def _judged(aspect: str, label: int, sense: float, bad: float) -> _Judged:
    meant = sense if label or test_of(aspect) is Test.INVARIANCE else 1 - sense
    good = 1 - bad
    return _Judged(label, meant, good, meant if aspect == Change.TYPOS else min(meant, good))


def _row(aspect: str, judged: Sequence[_Judged]) -> AspectValidity:
    changed = [item for item in judged if not item.label]
    return AspectValidity(
        aspect,
        len(judged),
        _share([item.meant for item in changed]),
        _share([item.meant for item in judged if item.label]),
        _share([item.good for item in changed]),
        _share([item.valid for item in changed]),
    )


def _share(hits: Sequence[float]) -> Estimate:
    if not hits:
        return NONE
    return share_by_document(np.array(hits, dtype=np.float64), np.arange(len(hits)))
