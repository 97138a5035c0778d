"""What several tests of judgments share."""

import numpy as np

from core.analysis.judgments.judged_story import JudgedStory, Rating


def panel_stories(rejected: bool = True) -> list[JudgedStory]:
    """Eight prompts of three systems and two controls; annotators 1 to 3 rate all, and 9, rejected, at random."""
    rng = np.random.default_rng(0)
    stories = []
    for prompt in range(8):
        for place, group in enumerate(("a", "b", "c", "human", "negative"), 1):
            quality = {"human": 5, "negative": 1}.get(group, int(rng.integers(2, 5)))
            given = tuple(
                Rating(float(np.clip(quality + rng.integers(-1, 2), 1, 5)), frozenset(), who, prompt * 10 + who, place)
                for who in (1, 2, 3)
            )
            void = (Rating(float(rng.integers(1, 6)), frozenset(), 9, prompt * 10 + 9, place),)
            control = group in ("human", "negative")
            stories.append(JudgedStory(f"p{prompt}", group, given, control, void if rejected else ()))
    return stories
