"""Figures with 95 % intervals: from bootstrap draws, and Wilson's for a share (1927).

Wilson's interval stays within 0 and 1, and has a width where every text is alike.
"""

from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints
from core.wording import digits, not_as_zero, real_minus, without_zero_sign

UNDEFINED = "–"
MIDDLE = (2.5, 97.5)
"""Percentiles of the draws that are the ends of a 95 % interval."""
MOST_UNDEFINED = 0.01
"""Share of the draws that may have no coefficient, where the others make an interval. A draw has none where it lacks
all that tells stories apart, such as a metric's one score that is not like the rest: the others all have it, and say
how often it was drawn, not how sure the coefficient is. Of five such prompts or more the share is smaller.
"""
Z = 1.959963984540054
"""The normal distribution's 97.5 % point."""


class Interval:
    """A figure with the ends of its interval, and how both are written."""

    value: float | None
    low: float | None
    high: float | None

    def text(self, figure: str = ".3f", ends: str = "", *, to: str = " to ", star: str = "") -> str:
        """`0.375 (0.290 to 0.446)`, the figure alone where it has no interval, and a dash where it is undefined.

        `figure`, `ends`: formats of the figure and of the ends, the same where left out; `star` follows the figure.
        """
        if self.value is None:
            return UNDEFINED
        alone = without_zero_sign(f"{not_as_zero(digits(self.value, figure), self.value)}{star}")
        return alone if self.low is None or self.high is None else f"{alone} ({self.ends_text(ends or figure, to=to)})"

    def shown(self, figure: str = ".3f", ends: str = "", *, to: str = " to ", star: str = "") -> str:
        """`text` as pages and figures have it: with a minus sign, where a terminal has a hyphen."""
        return real_minus(self.text(figure, ends, to=to, star=star))

    def ends_text(self, ends: str = ".3f", *, to: str = " to ") -> str:
        """`0.290 to 0.446`, or a dash."""
        if self.low is None or self.high is None:
            return UNDEFINED
        return without_zero_sign(to.join(not_as_zero(digits(end, ends), end) for end in (self.low, self.high)))


@dataclass(frozen=True)
class Estimate(Interval):
    """A figure with its 95 % interval, both None where undefined; `undefined` then says why.

    A defined figure has no interval where fewer than two prompts bear on it, or none was asked for.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    undefined: str | None = None


def estimate(value: float, drawn: Floats, prompts: Ints) -> Estimate:
    """`value` with the interval of its draws; NaN draws, in which it was undefined, are left out.

    `prompts`: those of the rows that bear on it. One prompt drawn over and over says nothing about others.
    """
    several = len(prompts) and bool((prompts != prompts[0]).any())
    return Estimate(float(value), *ends(drawn)) if several else Estimate(float(value))


def ends(drawn: Floats) -> tuple[float, float] | tuple[None, None]:
    """The middle 95 % of the finite draws; None where none is finite."""
    drawn = drawn[np.isfinite(drawn)]
    if not len(drawn):
        return None, None
    low, high = np.percentile(drawn, MIDDLE)
    return float(low), float(high)


def too_many_undefined(drawn: Floats) -> bool:
    """Whether so many draws of a coefficient are NaN that the others do not say how sure it is."""
    return bool(np.count_nonzero(~np.isfinite(drawn)) > MOST_UNDEFINED * len(drawn))


def column_ends(drawn: Floats) -> tuple[Floats, Floats]:
    """Ends of the middle 95 % of each column (draws x columns), NaN draws left out; NaN where none is left."""
    low, high = np.full(drawn.shape[1], np.nan), np.full(drawn.shape[1], np.nan)
    some = np.isfinite(drawn).any(0)
    if some.any():
        low[some], high[some] = np.nanpercentile(drawn[:, some], MIDDLE, axis=0)
    return low, high


def finite(value: float) -> float | None:
    """The number, or None for NaN."""
    return float(value) if np.isfinite(value) else None


def wilson(share: float, n: float) -> tuple[float, float]:
    """Ends of the 95 % interval of a share of `n` (> 0) independent units, which need not be a whole number."""
    centre = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * np.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    return (float(centre - half) if share > 0 else 0.0), (float(centre + half) if share < 1 else 1.0)


def share_by_document(hits: Floats, documents: Ints) -> Estimate:
    """The mean of `hits` (0..1, one per text) with Wilson's interval; `documents`: the index of each text's document.

    Texts of one document are not independent: where they agree with one another the interval is that of as many texts
    as would be worth the same (the design effect of a ratio, Kish 1965), of as many as there are documents where all
    texts are alike. No interval where there is a single document.
    """
    n = len(hits)
    if not n:
        return Estimate(None, undefined="there is no text")
    share = float(hits.mean())
    _, unit = np.unique(documents, return_inverse=True)
    number = int(unit.max()) + 1
    if number < 2:
        return Estimate(share)
    return Estimate(share, *wilson(share, _worth(hits - share, unit, number)))


def _worth(residuals: Floats, unit: Ints, number: int) -> float:
    n = len(residuals)
    if number == n:
        return float(n)
    spread = float((residuals**2).sum()) / n
    if spread < 1e-12:
        return float(number)
    sums = np.bincount(unit, residuals, minlength=number)
    variance = number / (number - 1) * float((sums**2).sum()) / n**2
    return float(np.clip(spread / variance if variance > 0 else n, 1.0, n))
