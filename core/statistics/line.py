"""Where the least-squares line of ratings on scores can lie: a bootstrap by prompt."""

from collections.abc import Sequence

import numpy as np

from core.arrays import Floats
from core.statistics.draws import copies_of
from core.statistics.groups import numbered
from core.statistics.intervals import column_ends
from core.statistics.resamples import scaled

RESAMPLES = 400
FEWEST_PROMPTS = 3
LEAST_SPREAD = 1e-12


def line_band(
    x: Floats, y: Floats, prompts: Sequence[str], at: Floats, *, seed: int = 0, resamples: int = RESAMPLES
) -> tuple[Floats, Floats] | None:
    """The 2.5th and 97.5th percentile, at each place of `at` (in units of `x`), of lines fitted to draws of whole
    prompts.

    `x`, `y`: one number per story, without gaps, `x` not constant. None with fewer than three prompts, which drawn over
    and over say nothing about others.
    """
    names, clusters = numbered(list(prompts))
    if len(names) < FEWEST_PROMPTS:
        return None
    middle, width = x.mean(), np.ptp(x)
    own = scaled(x)
    rows = (np.ones(len(x)), own, y, own * own, own * y)
    by_prompt = np.column_stack([np.bincount(clusters, row, len(names)) for row in rows])
    lines = []
    for copies in copies_of(len(names), len(names), seed, resamples):
        n, sum_x, sum_y, squares, products = (copies @ by_prompt).T
        spread = squares - sum_x**2 / n
        with np.errstate(invalid="ignore", divide="ignore"):
            slope = np.where(spread > LEAST_SPREAD * n, (products - sum_x * sum_y / n) / spread, np.nan)
        lines.append(((sum_y - slope * sum_x) / n)[:, None] + slope[:, None] * (at - middle) / width)
    drawn = np.concatenate(lines)
    drawn = drawn[np.isfinite(drawn).all(1)]
    if not len(drawn):
        return None
    return column_ends(drawn)
