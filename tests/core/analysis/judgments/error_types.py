"""What several tests of error types share."""

import numpy as np

from core.analysis.judgments.judged_story import JudgedStory, Rating
from core.annotation.builtin import MANS

TYPES = [error_type.name for error_type in MANS.error_types]


def study_with_deductions(seed: int = 0, prompts: int = 12) -> list[JudgedStory]:
    """Two systems and a control, three ratings a story, random deductions."""
    rng = np.random.default_rng(seed)
    return [
        JudgedStory(f"p{prompt}", group, tuple(_random(rng) for _ in range(3)), control=group == "negative")
        for prompt in range(prompts)
        for group in ("a", "b", "negative")
    ]


def _random(rng: np.random.Generator) -> Rating:
    taken = {t.name: int(rng.choice(t.points)) for t in MANS.error_types if rng.random() < 0.4}
    overall = int(np.clip(5 - sum(taken.values()) + rng.integers(-1, 2), 1, 5))
    return Rating(float(overall), frozenset(taken), points=tuple(taken.items()))
