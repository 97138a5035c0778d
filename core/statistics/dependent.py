"""Williams' test of two dependent correlations, and Holm's correction, on arrays."""

import numpy as np
from scipy import stats

from core.arrays import Floats


def williams(r12: Floats, r13: Floats, r23: Floats, n: int) -> Floats:
    """Two-sided p of Williams' (1959) test that 2 and 3 correlate equally with 1; Graham and Baldwin (2014), eq. 1.

    `r12`, `r13`, `r23`: Pearson's r in -1..1, equally long; `n`: stories. NaN where there are fewer than four, and
    where 2 and 3 are one and the same but for sign and scale. mt-metrics-eval's p is one-sided, half of this one.
    """
    if n < 4:
        return np.full(np.shape(r12), np.nan)
    # Nought but for rounding where one of the three is a combination of the others.
    k = np.maximum(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    mean = (r12 + r13) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = np.sqrt(2 * k * (n - 1) / (n - 3) + mean**2 * (1 - r23) ** 3)
        t = (r12 - r13) * np.sqrt((n - 1) * (1 + r23)) / scale
    same = 1 - np.abs(r23) < 1e-12
    return np.where(same, np.nan, 2 * stats.t.sf(np.abs(t), n - 3))


def holm(p: Floats) -> Floats:
    """Holm's (1979) step-down correction over all p that are not NaN; those stay NaN."""
    corrected = np.full(len(p), np.nan)
    tested = np.flatnonzero(np.isfinite(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    factors = len(order) - np.arange(len(order))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(factors * p[order]))
    return corrected
