"""What tests of dependent correlations share: the stories that all metrics score, ordered by prompt.

Prompts are the units, since stories of one prompt are not independent: a draw or a permutation is one number per
prompt, and whatever is made of sums over stories is a matrix product over prompts.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.sparse import csr_array

from core.arrays import Floats, Ints, Singles
from core.statistics.draws import copies_of
from core.statistics.moments import pearson_of_sums, weighted_pearson
from core.statistics.resamples import (
    LARGEST_EXACT,
    Ranks,
    mid_ranks,
    ranks_resampled,
    spearman_influence,
    weighted_ranks,
)

NUMBERS_A_BLOCK = 2_000_000
"""Draws times prompts (or stories) held at once: memory must not grow with either."""
MOST_UNITS = 4_000
"""Above so many prompts they are drawn and swapped in so many groups, made at random: the work no longer grows, a
permutation test of groups is as valid, and an interval from 4,000 units is within 1.1 % of its width as exact.
"""


@dataclass(frozen=True)
class PairedScores:
    """Stories with a human judgment and a score of every metric; stories of one prompt stand together.

    `scores` (stories x metrics), `human` (stories): standardised to mean 0 and population variance 1, so none of them
    is constant. `starts`: where each prompt's stories begin (each group's, above `MOST_UNITS` prompts).
    """

    scores: Floats
    human: Floats
    starts: Ints

    @property
    def stories(self) -> int:
        """The number of stories."""
        return len(self.human)

    @property
    def prompts(self) -> int:
        """The number of their prompts, or groups of prompts."""
        return len(self.starts)

    def by_prompt(self, rows: Floats) -> Floats:
        """Sums over the stories of each prompt, along the first axis."""
        return np.asarray(np.add.reduceat(rows, self.starts, axis=0))


def paired_scores(scores: Floats, human: Floats, prompts: Ints, *, seed: int = 0) -> PairedScores:
    """Build it from complete data (stories x metrics, stories, stories) in which nothing is constant."""
    _, prompts = np.unique(prompts, return_inverse=True)
    number = int(prompts.max()) + 1
    if number > MOST_UNITS:
        prompts = (np.random.default_rng(seed).permutation(number) % MOST_UNITS)[prompts]
    order = np.argsort(prompts, kind="stable")
    starts = np.flatnonzero(np.diff(prompts[order], prepend=-1))
    return PairedScores(_standardised(scores[order]), _standardised(human[order]), starts)


def _standardised(values: Floats) -> Floats:
    values = (values - values.mean(0)) / np.ptp(values, axis=0)  # tiny and huge scores alike
    values = values - values.mean(0)
    return np.asarray(values / np.sqrt((values * values).mean(0)))


def coefficients(data: PairedScores, coefficient: str) -> Floats:
    """The correlation of each metric with the human judgment."""
    if coefficient == "pearson":
        return data.scores.T @ data.human / data.stories
    if coefficient == "spearman":
        ranks = _standardised(stats.rankdata(data.scores, axis=0))
        return np.asarray(ranks.T @ _standardised(stats.rankdata(data.human)) / data.stories)
    return np.array([stats.kendalltau(column, data.human).statistic for column in data.scores.T])


def linearised(coefficient: str, stories: int) -> bool:
    """Whether permutations are the first term of their expansion: ranking so many anew takes too long."""
    return coefficient == "spearman" and stories > LARGEST_EXACT


def signs(x: Floats, y: Floats) -> NDArray[np.int8]:
    """Sign of x[k] - y[l] for all k and l (len(x) x len(y))."""
    left, right = x[:, None], y[None, :]
    return (left > right).view(np.int8) - (left < right).view(np.int8)


def pair_sums(data: PairedScores, values: NDArray[np.int8]) -> Singles:
    """Sums (prompts x prompts) of `values` (stories x stories), in single precision: whole numbers, and exact."""
    if data.prompts < data.stories:
        rows = np.add.reduceat(values, data.starts, axis=0, dtype=np.int16)
        return np.add.reduceat(rows, data.starts, axis=1, dtype=np.int32).astype(np.float32)
    return values.astype(np.float32)


def membership(data: PairedScores, values: Floats) -> csr_array:
    """How many of a prompt's stories have each distinct value (values x prompts)."""
    _, group = np.unique(values, return_inverse=True)
    prompt = np.repeat(np.arange(data.prompts), np.diff(data.starts, append=data.stories))
    where = (group, np.resize(prompt, len(values)))
    return csr_array((np.ones(len(values)), where), shape=(int(group.max()) + 1, data.prompts))


def square(copies: Floats, form: Singles) -> Floats:
    """The quadratic form of each row of `copies` (draws x prompts), which are small whole numbers."""
    single = copies.astype(np.float32)
    return np.asarray(np.einsum("dp,dp->d", single @ form, copies))


def resampled(data: PairedScores, coefficient: str, *, seed: int, resamples: int) -> Floats:
    """Correlations (resamples x metrics) in draws of whole prompts with replacement, all metrics in the same draws.

    NaN where a draw holds a single value; none of ranks where there are many stories of few prompts: see
    `ranks_resampled`.
    """
    ranks = ranks_resampled(data.stories, data.prompts)
    if coefficient == "spearman" and ranks is Ranks.NONE:
        return np.empty((0, data.scores.shape[1]))
    linear = ranks is Ranks.LINEARISED
    spearman = _spearman_linear if linear else _spearman_drawn
    draw = {"pearson": _pearson_drawn, "spearman": spearman, "kendall": _kendall_drawn}[coefficient](data)
    width = data.stories if coefficient == "spearman" and not linear else data.prompts
    blocks = [draw(copies) for copies in copies_of(data.prompts, width, seed, resamples)]
    return np.concatenate(blocks) if blocks else np.empty((0, data.scores.shape[1]))


def _pearson_drawn(data: PairedScores) -> Callable[[Floats], Floats]:
    z, y, number = data.scores, data.human[:, None], data.scores.shape[1]
    others = data.by_prompt(np.hstack([np.ones_like(y), y, y * y]))
    # One after the other, or all products of all metrics would be held at once.
    columns = np.hstack([others, data.by_prompt(z), data.by_prompt(z * z), data.by_prompt(z * y)])

    def draw(copies: Floats) -> Floats:
        sums = copies @ columns
        total, sum_y, sum_yy = sums[:, 0:1], sums[:, 1:2], sums[:, 2:3]
        sum_z, sum_zz, sum_zy = np.split(sums[:, 3:], [number, 2 * number], axis=1)
        return _ratio(
            sum_zy - sum_z * sum_y / total, sum_zz - sum_z * sum_z / total, sum_yy - sum_y * sum_y / total, total
        )

    return draw


def _ratio(both: Floats, own: Floats, others: Floats, total: Floats | float) -> Floats:
    """Covariance over the root of two variances, NaN where a variance is 0 up to rounding."""
    with np.errstate(invalid="ignore"):
        least = 1e-12 * total
        return pearson_of_sums(both, own, others, (own > least) & (others > least))


def _spearman_drawn(data: PairedScores) -> Callable[[Floats], Floats]:
    sizes = np.diff(data.starts, append=data.stories)

    def draw(copies: Floats) -> Floats:
        weights = np.repeat(copies, sizes, axis=1)
        human = weighted_ranks(weights, data.human)
        drawn = [weighted_pearson(weights, weighted_ranks(weights, scores), human) for scores in data.scores.T]
        return np.stack(drawn, axis=1)

    return draw


def _spearman_linear(data: PairedScores) -> Callable[[Floats], Floats]:
    """Values and the sums of the drawn stories' influences."""
    human = mid_ranks(data.human)
    influences = [spearman_influence(mid_ranks(scores), human) for scores in data.scores.T]
    values = np.array([value for value, _ in influences])
    parts = data.by_prompt(np.column_stack([influence for _, influence in influences]))
    return lambda copies: np.clip(values + copies @ parts, -1, 1)


def _kendall_drawn(data: PairedScores) -> Callable[[Floats], Floats]:
    """Tau-b from quadratic forms in the copies of prompts, and from how often a draw holds each value."""
    order = signs(data.human, data.human)
    columns = [data.human, *data.scores.T]
    groups = [membership(data, column) for column in columns]

    def draw(copies: Floats) -> Floats:
        turned = np.ascontiguousarray(copies.T)
        total = np.diff(data.starts, append=data.stories) @ turned
        untied = [total**2 - ((group @ turned) ** 2).sum(0) for group in groups]
        drawn = [square(copies, pair_sums(data, signs(column, column) * order)) for column in columns[1:]]
        return np.stack([_ratio(tau, own, untied[0], 1.0) for tau, own in zip(drawn, untied[1:], strict=True)], axis=1)

    return draw


def williams(r12: Floats, r13: Floats, r23: Floats, n: int) -> Floats:
    """Two-sided p of Williams' (1959) test that 2 and 3 correlate equally with 1; Graham and Baldwin (2014), eq. 1.

    `r12`, `r13`, `r23`: Pearson's r in -1..1, equally long; `n`: stories. NaN where there are fewer than four, and
    where 2 and 3 are one and the same but for sign and scale. mt-metrics-eval's p is one-sided, half of this one.
    """
    if n < 4:
        return np.full(np.shape(r12), np.nan)
    same = 1 - np.abs(r23) < 1e-12
    return np.where(same, np.nan, 2 * stats.t.sf(np.abs(williams_t(r12, r13, r23, n)), n - 3))


def williams_t(r12: Floats, r13: Floats, r23: Floats, n: float) -> Floats:
    """The t of that test, with n - 3 degrees of freedom, of more than three stories."""
    # Nought but for rounding where one of the three is a combination of the others.
    k = np.maximum(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    mean = (r12 + r13) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = np.sqrt(2 * k * (n - 1) / (n - 3) + mean**2 * (1 - r23) ** 3)
        return np.asarray((r12 - r13) * np.sqrt((n - 1) * (1 + r23)) / scale)


def holm(p: Floats) -> Floats:
    """Holm's (1979) step-down correction over all p that are not NaN; those stay NaN."""
    corrected = np.full(len(p), np.nan)
    tested = np.flatnonzero(np.isfinite(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    factors = len(order) - np.arange(len(order))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(factors * p[order]))
    return corrected
