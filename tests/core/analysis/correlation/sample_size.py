"""What several tests of sample size share."""

import numpy as np

PER_PROMPT = 5


def noisy_study(stories: int, ratings: int, noise: float, truth: float = 0.6, seed: int = 1):
    """A metric, ratings and prompts: the metric correlates `truth` with the quality behind the ratings."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=stories)
    metric = truth * quality + np.sqrt(1 - truth**2) * rng.normal(size=stories)
    table = quality[:, None] + noise * rng.normal(size=(stories, ratings))
    return metric, table, np.arange(stories) // PER_PROMPT
