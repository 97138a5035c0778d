"""What people say of a test set's cases: do the changed ones lack sense, the others not, and is the English good?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.judgments import JudgedStory
from core.analysis.proportion import share_by_document
from core.annotation.draws import Estimate
from core.errors import InputError
from core.perturb.human_check import BAD_ENGLISH, side_of

ALL = "all"
NONE = Estimate(None)


@dataclass(frozen=True)
class Validity:
    """Of an aspect's `cases` that were judged: shares with Wilson's 95 % intervals, None where there is no such case.

    `changed`: of the changed ones, those in which most saw something that does not fit; `coherent`: of the coherent
    ones, those that made sense to most; `grammatical`: of the changed ones, those in which fewer than half found bad
    English; `valid`: of the changed ones, those that are both, and so do what they are for. A tie counts as half.
    """

    aspect: str
    cases: int
    changed: Estimate = NONE
    coherent: Estimate = NONE
    grammatical: Estimate = NONE
    valid: Estimate = NONE


def validity(stories: Sequence[JudgedStory]) -> tuple[Validity, ...]:
    """A row an aspect, in alphabetical order, and one for all. Raises InputError for stories of no human check."""
    found: dict[str, list[tuple[int, float, float]]] = {}
    for story in stories:
        side = side_of(story.group)
        if side and story.ratings:
            share = np.mean([one.overall for one in story.ratings])
            bad = np.mean([BAD_ENGLISH in one.error_types for one in story.ratings])
            found.setdefault(side[0], []).append((side[1], _most(float(share)), _most(float(bad))))
    if not found:
        raise InputError("This study has no ratings of a test set's cases yet.")
    rows = [_row(aspect, judged) for aspect, judged in sorted(found.items())]
    return (*rows, _row(ALL, [one for judged in found.values() for one in judged]))


def _most(share: float) -> float:
    """1 where most say so, 0 where few, half where they are divided."""
    return float(share > 0.5) + float(share == 0.5) / 2


def _row(aspect: str, judged: Sequence[tuple[int, float, float]]) -> Validity:
    changed = [(1 - sense, 1 - bad) for label, sense, bad in judged if not label]
    coherent = [sense for label, sense, _ in judged if label]
    return Validity(
        aspect,
        len(judged),
        _share([one for one, _ in changed]),
        _share(coherent),
        _share([good for _, good in changed]),
        _share([min(one, good) for one, good in changed]),
    )


def _share(hits: Sequence[float]) -> Estimate:
    if not hits:
        return NONE
    return share_by_document(np.array(hits, dtype=np.float64), np.arange(len(hits)))
