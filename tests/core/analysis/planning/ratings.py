"""Studies with known variance components, as arrays and as judged stories."""

import numpy as np

from core.analysis.judgments.judged_story import JudgedStory, Rating
from core.analysis.planning.spread import Spread
from core.arrays import Floats

TRUE = Spread(prompt=0.3, story=0.6, rater=0.4, rating=0.7)


def made(
    spread: Spread,
    prompts: int,
    systems: Floats,
    ratings: int,
    *,
    shared: bool = True,
    studies: int = 1,
    seed: int = 0,
) -> Floats:
    """Ratings (studies x prompts x systems x ratings) of systems whose means are `systems`."""
    rng = np.random.default_rng(seed)
    shape = (studies, prompts, len(systems), ratings)
    of_rater = (studies, prompts, 1, ratings) if shared else shape
    return np.asarray(
        3
        + systems[:, None]
        + spread.prompt * rng.normal(size=(studies, prompts, 1, 1))
        + spread.story * rng.normal(size=(*shape[:3], 1))
        + spread.rater * rng.normal(size=of_rater)
        + spread.rating * rng.normal(size=shape)
    )


def judged(table: Floats, *, panels: bool = True) -> list[JudgedStory]:
    """The stories of ratings (prompts x systems x ratings); NaN where a rating is missing. `panels`: each rater of a
    prompt has rated all of its stories in one panel, else each rating is a panel of its own.
    """
    stories = []
    for p, by_system in enumerate(table):
        for s, given in enumerate(by_system):
            numbers = [r for r, value in enumerate(given) if np.isfinite(value)]
            own = [p * 100 + r if panels else (p * 100 + s) * 100 + r for r in numbers]
            ratings = tuple(Rating(float(given[r]), panel=panel) for r, panel in zip(numbers, own, strict=True))
            stories.append(JudgedStory(f"prompt {p}", f"system {s}", ratings))
    return stories
