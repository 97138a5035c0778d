"""How often a prediction-powered interval covers the truth, and how wide it is: 2,000 made studies a design.

`python -m benchmarks.coverage` prints the table of docs/results/prediction-powered.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy import stats

from core.arrays import Floats, Ints
from core.statistics.prediction_powered import powered_mean

STUDIES = 2000
MIDDLE, SPREAD, STEPS = 3.0, 1.1, (1, 5)
"""Of the quality that whole ratings are rounded from, and the scale that they are cut to."""
RATED, UNRATED, CORRELATIONS = (20, 50, 200), (100, 2000), (0.0, 0.3, 0.8, -0.5)


@dataclass(frozen=True)
class Design:
    """`rated`, `unrated`: prompts with and without ratings; `r`: the metric's correlation with quality.

    `whole`: ratings are rounded to 1..5, else normal. `stories`: of the system for each prompt; half of what they vary
    by is then the prompt's. `curved`: the metric's scores are exponentials, as those of a probability are.
    """

    rated: int
    unrated: int
    r: float
    whole: bool
    stories: int = 1
    curved: bool = False


@dataclass(frozen=True)
class Covered:
    """Shares (0..1) of studies whose intervals hold the true mean; `width`: the mean width of the powered interval over
    that of people alone; `weight`: the mean lambda.
    """

    alone: float
    powered: float
    width: float
    weight: float


def truth(design: Design) -> float:
    """The mean rating of all possible stories."""
    if not design.whole:
        return 0.0
    lowest, highest = STEPS
    steps = np.arange(lowest, highest) + 0.5
    return float(highest - stats.norm.cdf((steps - MIDDLE) / SPREAD).sum())


def study(design: Design, rng: np.random.Generator) -> tuple[Floats, Floats, Ints]:
    """Ratings (NaN where a story has none), scores and prompts of a made study's stories."""
    prompts = np.repeat(np.arange(design.rated + design.unrated), design.stories)
    quality, noise = _normal(design, prompts, rng), _normal(design, prompts, rng)
    scores = design.r * quality + np.sqrt(1 - design.r**2) * noise
    ratings = np.clip(np.rint(MIDDLE + SPREAD * quality), *STEPS) if design.whole else quality
    rated = prompts < design.rated
    return np.where(rated, ratings, np.nan), np.exp(scores) if design.curved else scores, prompts


def _normal(design: Design, prompts: Ints, rng: np.random.Generator) -> Floats:
    """Of variance 1; where a prompt has several stories, half of it is the prompt's."""
    if design.stories == 1:
        return rng.normal(size=len(prompts))
    of_prompt = rng.normal(size=design.rated + design.unrated)[prompts]
    return np.asarray(np.sqrt(0.5) * (of_prompt + rng.normal(size=len(prompts))))


def simulated(design: Design, *, studies: int = STUDIES, seed: int = 0) -> Covered:
    """Make the studies and count."""
    rng, mean = np.random.default_rng(seed), truth(design)
    hits, widths, weights = np.zeros(2), np.zeros(2), 0.0
    for _ in range(studies):
        result = powered_mean(*study(design, rng))
        assert result.powered is not None, result.undefined
        for at, interval in enumerate((result.alone, result.powered)):
            assert interval.low is not None
            assert interval.high is not None
            hits[at] += interval.low <= mean <= interval.high
            widths[at] += interval.high - interval.low
        weights += result.weight or 0.0
    alone, powered = hits / studies
    return Covered(float(alone), float(powered), float(widths[1] / widths[0]), weights / studies)


def designs() -> Iterator[Design]:
    """The grid, and beside it few prompts, several stories a prompt, and a metric on a curve."""
    for rated, unrated, r, whole in product(RATED, UNRATED, CORRELATIONS, (False, True)):
        yield Design(rated, unrated, r, whole)
    for r in (0.3, 0.8):
        yield Design(15, 100, r, True)
        yield Design(30, 100, r, True, stories=4)
        yield Design(30, 100, r, True, curved=True)


if __name__ == "__main__":
    print("| rated | unrated | stories a prompt | correlation | ratings | people alone | powered | width | lambda |")
    print("|" + "---|" * 9)
    for one in designs():
        covered = simulated(one)
        kind = ("whole, 1 to 5" if one.whole else "normal") + (", curved metric" if one.curved else "")
        print(
            f"| {one.rated:,} | {one.unrated:,} | {one.stories} | {one.r:g} | {kind} | {covered.alone:.1%} | "
            f"{covered.powered:.1%} | {covered.width:.3f} | {covered.weight:.2f} |",
            flush=True,
        )
