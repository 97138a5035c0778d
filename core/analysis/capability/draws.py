"""Bootstrap intervals, by human story, of scores against a test set's labels: from sums by source, without building a
draw.

A label is 1 or 0, so that Pearson's r follows from the counts, the sums and the squares of either side.
"""

import numpy as np

from core.arrays import Floats, Ints
from core.statistics.draws import Draws, draw_prompts
from core.statistics.groups import numbered
from core.statistics.moments import pearson_of_sums
from core.statistics.paired import MOST_UNITS

NEGLIGIBLE = 1e-12
"""A variance of scores that lie within 1 is nought where it is as small, but for rounding."""


class Sources:
    """The human stories behind cases: `numbers`, one index per case, and bootstrap draws of these stories.

    Above `MOST_UNITS` stories they are drawn in so many groups, made at random, as in all paired comparisons. All
    figures of a test set are made of the same draws.
    """

    def __init__(self, names: list[str], seed: int, resamples: int) -> None:
        different, self.numbers = numbered(names)
        groups = np.arange(len(different))
        if len(different) > MOST_UNITS:
            groups = np.random.default_rng(seed).permutation(len(different)) % MOST_UNITS
        units = [str(group) for group in groups.tolist()]
        self.draws: Draws = draw_prompts(units, seed=seed, resamples=resamples)
        self._unit = self.draws.of(units)

    def sums(self, rows: Floats, numbers: Ints) -> Floats:
        """Sums of `rows` in each draw (draws x columns); `numbers`: the source of each row."""
        return self.draws.sums(rows, self._unit[numbers])


def drawn_pearson(x: Floats, labels: Ints, numbers: Ints, sources: Sources) -> Floats:
    """Pearson's r of each column of `x` (examples x metrics, NaN: none) with the labels (1 or 0) in each draw
    (draws x metrics); NaN where a draw holds one side only, or a single score. No column may be constant.
    """
    scored, coherent = np.isfinite(x), labels[:, None] == 1
    z = _scaled(x)
    rows = np.hstack([scored & coherent, np.where(coherent, z, 0), scored & ~coherent, np.where(coherent, 0, z), z * z])
    return _pearson(*np.split(sources.sums(rows, numbers), 5, axis=1))


def drawn_changes(originals: Floats, texts: Floats, numbers: Ints, sources: Sources) -> tuple[Floats, Floats]:
    """Of pairs (pairs x metrics, NaN in both or in neither), in each draw (draws x metrics): Pearson's r with 1 for
    the original and 0 for the text, and the mean of text less original over the originals' standard deviation.
    """
    scored, (z, changed) = np.isfinite(texts), np.split(_scaled(np.vstack([originals, texts])), 2)
    sums = sources.sums(np.hstack([scored, z, z * z, changed, changed * changed]), numbers)
    n, of_z, squares, of_changed, of_squares = np.split(sums, 5, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = (squares - of_z**2 / n) / (n - 1)
        change = (of_changed - of_z) / n / np.sqrt(np.where(variance > NEGLIGIBLE, variance, np.nan))
    return _pearson(n, of_z, n, of_changed, squares + of_squares), change


def _scaled(x: Floats) -> Floats:
    """Each column centred and scaled to width 1, however small or large its scores; 0 where there is none."""
    low, high = np.nanmin(x, axis=0), np.nanmax(x, axis=0)
    return np.asarray(np.nan_to_num((x - np.nanmean(x, axis=0)) / (high - low)))


def _pearson(ones: Floats, sum_ones: Floats, zeros: Floats, sum_zeros: Floats, squares: Floats) -> Floats:
    n = ones + zeros
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = squares / n - ((sum_ones + sum_zeros) / n) ** 2
        apart = (sum_ones / ones - sum_zeros / zeros) * np.sqrt(ones * zeros) / n
        return np.clip(pearson_of_sums(apart, variance, 1.0, variance > NEGLIGIBLE), -1, 1)
