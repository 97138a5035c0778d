"""What several tests of quality share."""

from pathlib import Path

import numpy as np

from core.arrays import Floats
from core.formats.corpora.union import read_union
from core.published.reproduce import judged_stories
from core.scores import ScoreColumn, ScoreTable

SIZES = [159.38, 195.88, 201.30, 190.85, 165.77, 144.64, 110.97, 81.40]


def table_of(
    human: Floats, scores: dict[str, Floats], systems: list[str] | None = None, prompts: list[str] | None = None
) -> ScoreTable:
    """Stories with these human scores and metrics, each of its own prompt and of no system where none are given."""
    keys = tuple(str(number) for number in range(len(human)))
    columns = tuple(ScoreColumn(name, f"{name}|v:1", values, {}) for name, values in scores.items())
    return ScoreTable(
        keys,
        tuple(prompts or keys),
        tuple(systems or [""] * len(keys)),
        ("text",) * len(keys),
        np.asarray(human, dtype=np.float64),
        columns,
    )


def union_table(folder: Path) -> ScoreTable:
    """The released stories of a UNION folder with the released scores."""
    corpus = read_union(folder)
    judged = judged_stories(corpus)
    human = np.array([story.mean for story in judged.values()])
    scores = {score.metric: np.array([score.values[key] for key in judged]) for score in corpus.scores}
    return table_of(human, scores, prompts=[story.prompt for story in judged.values()])


def random_table(stories: int = 60, seed: int = 3) -> ScoreTable:
    """Ratings from 1 to 5, a metric that follows them, one that lacks half of its scores."""
    rng = np.random.default_rng(seed)
    human = rng.integers(1, 6, (stories, 5)).mean(1)
    half = human + rng.normal(size=stories)
    half[::2] = np.nan
    return table_of(human, {"good": human + rng.normal(size=stories), "half": half})
