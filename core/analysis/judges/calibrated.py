"""A metric's scores brought to people's scale, so that they can be read as ratings.

Isotonic regression of the mean rating on the score: the best curve that only rises. A prompt's stories are read off the
curve that the other prompts give, so that no story's own ratings are in what stands for them.
"""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import isotonic_regression

from core.arrays import Floats
from core.statistics.groups import numbered

FOLDS = 5
"""Parts of the prompts, each read off the curve of the others."""
FEWEST = 3
"""Stories with a score and a rating that a curve takes."""


def on_scale(scores: Floats, human: Floats, prompts: Sequence[str], *, seed: int = 0) -> Floats:
    """One rating a story, NaN where it has no score, or the other prompts give no curve. `scores`, `human`: one a
    story, NaN where there is none; higher scores are better. `seed`: of the parts.
    """
    numbers = numbered(list(prompts))[1]
    order = np.random.default_rng(seed).permutation(int(numbers.max(initial=-1)) + 1)
    part = order[numbers] % FOLDS if len(order) else numbers
    result = np.full(len(scores), np.nan)
    scored = np.isfinite(scores)
    both = scored & np.isfinite(human)
    for fold in np.unique(part):
        known, wanted = both & (part != fold), scored & (part == fold)
        if known.sum() >= FEWEST:
            result[wanted] = _read_off(scores[wanted], scores[known], human[known])
    return result


def _read_off(wanted: Floats, scores: Floats, human: Floats) -> Floats:
    """The curve at `wanted`: straight between the scores that it is known at, level beyond them."""
    values, place = np.unique(scores, return_inverse=True)
    weights = np.bincount(place).astype(np.float64)
    fitted = isotonic_regression(np.bincount(place, human) / weights, weights=weights).x
    return np.asarray(np.interp(wanted, values, fitted))
