"""How many more? The width of a correlation's 95 % interval against ratings per story and against stories.

Both are thinned out of what is collected: some of each story's ratings, some of the prompts with all their stories.
The interval is the normal one around Pearson's r with the error of whole prompts by the infinitesimal jackknife
(Efron 1982, chapter 6), which the bootstrap by prompt tends to; it needs no draws, so thousands of thinned samples
are a few matrix operations. Beyond what is collected stand extrapolations, each marked as one: the width falls with
1 / sqrt(stories); its square falls with the ratings a story as a + b / ratings, as stories never rated twice alike
limit it even without noise. Ratings also raise r: Spearman and Brown's formula says how far noise attenuates it.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import nnls

from core.arrays import Floats, Ints
from core.statistics.agreement import ceiling
from core.statistics.correlation import why_undefined
from core.statistics.groups import numbered, too_few
from core.statistics.resamples import scaled

SHARES = (0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0)
"""Of the prompts."""
FEWEST_PROMPTS = 10
"""An error estimated from fewer says nothing."""
TIMES = (2, 4)
"""What is extrapolated to: that many times what is there."""
NUMBERS_AT_ONCE = 1_500_000
MOST_THINNED = 100
NORMAL = 1.959963984540054
MEANS = "judgments are means of several raters, or shares of comparisons won, which hide how far people differ"
ALIKE = 0.95
"""Two widths whose ratio lies above this are called alike."""


class Advice(StrEnum):
    """What narrows the interval more, for the same number of further ratings."""

    STORIES = "stories"
    EITHER = "either"
    RATINGS = "ratings"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class SampleSizeStep:
    """`size`: ratings per story, or stories. `r`, `width`: means over the thinned samples, `width` that of the
    interval.

    `reach`: the width divided by the attenuation, on the scale of the correlation with judgments free of noise, where
    sizes with more and with fewer ratings can be compared; None where the reliability is unknown.
    """

    size: int
    r: float
    width: float
    reach: float | None
    extrapolated: bool = False


@dataclass(frozen=True)
class Extrapolation:
    """`ratings`: a story's, the median. `reliability`: of the mean judgment, ICC(1,k); None where it is undefined.

    `exponent`: of the power of the number of stories that the width was found to fall with; the law says -0.5.
    `undefined` says why there is nothing, `no_ratings` why nothing is known of more ratings.
    """

    stories: int
    prompts: int
    ratings: int
    reliability: float | None = None
    by_ratings: tuple[SampleSizeStep, ...] = ()
    by_stories: tuple[SampleSizeStep, ...] = ()
    exponent: float | None = None
    advice: Advice = Advice.UNKNOWN
    undefined: str | None = None
    no_ratings: str | None = None

    @property
    def now(self) -> SampleSizeStep:
        """The step of the collected data."""
        return next(step for step in reversed(self.by_stories) if not step.extrapolated)

    def at(self, size: int, steps: tuple[SampleSizeStep, ...]) -> SampleSizeStep | None:
        """The step of this size, if there is one."""
        return next((step for step in steps if step.size == size), None)


def extrapolation(
    metric: ArrayLike, ratings: ArrayLike, prompts: ArrayLike, *, averaged: ArrayLike | None = None, seed: int = 0
) -> Extrapolation:
    """Thin out the collected data, and extrapolate from it.

    `metric`: one number per story; `ratings`: stories x ratings, NaN where there is none; `prompts`: a story's.
    Stories without a score or a rating are left out. `averaged`: where the judgments are means of several raters,
    `ratings` are these, one a story, and this is how many raters each is of; then nothing is known of more ratings.
    """
    x, table = np.asarray(metric, dtype=np.float64), np.asarray(ratings, dtype=np.float64)
    table = table.reshape(len(x), -1) if len(x) and table.size else np.full((len(x), 1), np.nan)
    keep = np.isfinite(x) & np.isfinite(table).any(1)
    clusters = numbered(np.asarray(prompts)[keep].tolist())[1]
    order = np.argsort(clusters, kind="stable")
    x, table, clusters = x[keep][order], table[keep][order], clusters[order]
    counts = np.isfinite(table).sum(1)
    number = int(clusters[-1]) + 1 if len(x) else 0
    behind = counts if averaged is None else np.asarray(averaged)[keep]
    rated = int(np.median(behind)) if len(x) else 0
    judged = np.nansum(table, axis=1) / np.maximum(counts, 1)
    undefined = _why_undefined(x, judged, number)
    if undefined:
        return Extrapolation(len(x), number, rated, undefined=undefined)
    rng = np.random.default_rng(seed)
    finite = np.isfinite(table)
    table[finite] = scaled(table[finite])
    x, judged = scaled(x), scaled(judged)
    top = ceiling(table)
    reliability = top**2 if top else None  # 0: the stories do not differ more than chance
    by_stories = _by_stories(x, judged, clusters, number, reliability, rng)
    by_ratings = _by_ratings(x, table, clusters, rated, reliability, rng) if averaged is None else ()
    if not by_stories or (averaged is None and not by_ratings):
        return Extrapolation(len(x), number, rated, reliability, undefined="no thinned sample has a correlation")
    exponent = _exponent(by_stories)
    by_stories += tuple(_later_stories(by_stories[-1], times) for times in TIMES)
    no_ratings = MEANS if averaged is not None else _why_no_ratings(rated, reliability)
    if not no_ratings:
        by_ratings += _later_ratings(by_ratings, reliability or 0.0)
    advice = Advice.UNKNOWN if no_ratings else _advice(by_stories, by_ratings)
    return Extrapolation(
        len(x), number, rated, reliability, by_ratings, by_stories, exponent, advice, no_ratings=no_ratings
    )


def _why_undefined(x: Floats, judged: Floats, prompts: int) -> str | None:
    if (reason := why_undefined(x, judged)) or prompts >= FEWEST_PROMPTS:
        return reason
    return too_few(prompts, "prompt has", "prompts have", "stories with a score and a rating", FEWEST_PROMPTS)


def _why_no_ratings(rated: int, reliability: float | None) -> str | None:
    if rated < 2:
        return "most stories have one rating, so nothing says how far people differ"
    if reliability is None:
        return "the ratings of one story differ as much as those of different stories"
    return None


def spread(weights: Floats, x: Floats, y: Floats, starts: Ints) -> tuple[Floats, Floats]:
    """Pearson's r of each row (samples), and the width of its 95 % interval; NaN where x or y does not vary.

    `weights`, `y`: samples x stories, or one row for all; `x`: stories, ordered by prompt; `starts`: where each
    prompt begins. An unweighted prompt is no part of the sample.
    """
    total = weights.sum(1, keepdims=True)
    x = x - (weights * x).sum(1, keepdims=True) / total
    y = y - (weights * y).sum(1, keepdims=True) / total
    with np.errstate(invalid="ignore", divide="ignore"):
        x = x / np.sqrt((weights * x * x).sum(1, keepdims=True) / total)
        y = y / np.sqrt((weights * y * y).sum(1, keepdims=True) / total)
        r = (weights * x * y).sum(1) / total[:, 0]
        influence = weights * (x * y - r[:, None] / 2 * (x * x + y * y)) / total
    sums = np.add.reduceat(influence, starts, axis=1)
    prompts = np.add.reduceat(np.broadcast_to(weights, influence.shape), starts, axis=1).astype(bool).sum(1)
    variance = (sums**2).sum(1) * prompts / np.maximum(prompts - 1, 1)
    return r, 2 * NORMAL * np.sqrt(variance)


def _starts(clusters: Ints) -> Ints:
    return np.flatnonzero(np.diff(clusters, prepend=-1))


def _samples(numbers: int) -> int:
    """How many thinned samples of this many numbers fit into memory at once."""
    return max(2, min(MOST_THINNED, NUMBERS_AT_ONCE // max(1, numbers)))


def _reach(width: float, reliability: float | None) -> float | None:
    return width / reliability**0.5 if reliability else None


def _by_stories(
    x: Floats, judged: Floats, clusters: Ints, number: int, reliability: float | None,
    rng: np.random.Generator,
) -> tuple[SampleSizeStep, ...]:  # fmt: skip
    sizes = sorted({size for share in SHARES if (size := round(share * number)) >= FEWEST_PROMPTS})
    samples = _samples(len(x) * len(sizes))
    ranks = rng.random((samples, number)).argsort(1).argsort(1)
    steps = []
    for size in sizes:
        chosen = ranks[:1] if size == number else ranks
        weights = (chosen < size)[:, clusters].astype(np.float64)
        r, width = spread(weights, x, judged, _starts(clusters))
        stories = round(float(weights.sum(1).mean()))
        steps.append(_step(stories, r, width, reliability))
    return tuple(step for step in steps if step is not None)


def _by_ratings(
    x: Floats, table: Floats, clusters: Ints, rated: int, reliability: float | None,
    rng: np.random.Generator,
) -> tuple[SampleSizeStep, ...]:  # fmt: skip
    """The first `rated` of each story's ratings in random orders; all of them where it has fewer."""
    given = np.isfinite(table)
    samples = _samples(table.size)
    keys = np.where(given, rng.random((samples, *table.shape)), 2.0)
    order = keys.argsort(2)
    shuffled = np.take_along_axis(np.broadcast_to(np.where(given, table, 0), keys.shape), order, 2)
    counted = np.minimum(np.arange(1, table.shape[1] + 1), given.sum(1)[:, None])
    means = shuffled.cumsum(2) / counted
    weights = np.ones((1, len(x)))
    steps = []
    for size in range(1, rated + 1):
        drawn = means[:1, :, -1] if size == table.shape[1] else means[:, :, size - 1]
        r, width = spread(weights, x, drawn, _starts(clusters))
        scaled = spearman_brown(reliability, rated, size) if reliability else None
        steps.append(_step(size, r, width, scaled))
    return tuple(step for step in steps if step is not None)


def _step(size: int, r: Floats, width: Floats, reliability: float | None) -> SampleSizeStep | None:
    """Means over the samples whose correlation is defined; None where none is."""
    defined = np.isfinite(r) & np.isfinite(width)
    if not defined.any():
        return None
    mean = float(width[defined].mean())
    return SampleSizeStep(size, float(r[defined].mean()), mean, _reach(mean, reliability))


def spearman_brown(reliability: float, ratings: float, other: float) -> float:
    """The reliability (0..1) of the mean of `other` ratings, from that of `ratings` of them."""
    times = other / ratings
    return times * reliability / (1 + (times - 1) * reliability)


def _exponent(steps: tuple[SampleSizeStep, ...]) -> float | None:
    """The exponent of the power law through the widths, by least squares of logarithms."""
    sizes, widths = np.log([step.size for step in steps]), np.array([step.width for step in steps])
    if len(steps) < 2 or np.ptp(sizes) == 0 or not (widths > 0).all():
        return None
    return float(np.polyfit(sizes, np.log(widths), 1)[0])


def _later_stories(now: SampleSizeStep, times: int) -> SampleSizeStep:
    narrower = float(times**-0.5)
    reach = now.reach * narrower if now.reach is not None else None
    return SampleSizeStep(now.size * times, now.r, now.width * narrower, reach, extrapolated=True)


def _later_ratings(steps: tuple[SampleSizeStep, ...], reliability: float) -> tuple[SampleSizeStep, ...]:
    """Squared widths fitted as a + b / ratings, neither below 0, scaled to match the last observed step."""
    now = steps[-1]
    inverse = np.array([1 / step.size for step in steps])
    (floor, slope), _ = nnls(
        np.column_stack([np.ones(len(steps)), inverse]), np.array([step.width**2 for step in steps])
    )
    later = []
    for times in TIMES:
        size = now.size * times
        ratio = ((floor + slope / size) / (floor + slope / now.size)) ** 0.5 if floor + slope else 1.0
        scaled = spearman_brown(reliability, now.size, size)
        r = now.r * (scaled / reliability) ** 0.5
        width = now.width * float(ratio)
        later.append(SampleSizeStep(size, min(1.0, max(-1.0, r)), width, _reach(width, scaled), extrapolated=True))
    return tuple(later)


def _advice(by_stories: tuple[SampleSizeStep, ...], by_ratings: tuple[SampleSizeStep, ...]) -> Advice:
    """Advice by the first extrapolation of each: the same number of further ratings, on new stories or on the same
    ones.
    """
    stories, again = (next(step for step in steps if step.extrapolated).reach for steps in (by_stories, by_ratings))
    if not stories or not again:
        return Advice.UNKNOWN
    if stories < ALIKE * again:
        return Advice.STORIES
    return Advice.RATINGS if again < ALIKE * stories else Advice.EITHER
