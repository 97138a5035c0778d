"""What several tests of moments share."""

import numpy as np
from scipy import stats

from core.arrays import Floats


def slow(scores: Floats, human: Floats, weights: Floats) -> Floats:
    """r (samples x metrics), one story list after the other."""
    result = np.full((len(weights), scores.shape[1]), np.nan)
    for sample, row in enumerate(weights):
        drawn = np.repeat(np.arange(len(human)), row.astype(int))
        for metric in range(scores.shape[1]):
            x, y = scores[drawn, metric], human[drawn]
            paired = np.isfinite(x) & np.isfinite(y)
            x, y = x[paired], y[paired]
            if len(x) >= 3 and np.ptp(x) > 0 and np.ptp(y) > 0:
                result[sample, metric] = stats.pearsonr(x, y).statistic
    return result
