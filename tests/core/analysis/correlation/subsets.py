"""What several tests of subsets share."""

from typing import Any

import numpy as np

from core.arrays import Floats
from core.scores import ScoreColumn, ScoreTable
from core.statistics.agreement import rating_table
from core.stories import Corpus, Source


def table_of_ratings(ratings: Floats, votes: dict[str, list[int]], **changes: Any) -> ScoreTable:
    """A table of stories with these ratings; its metric `m` counts up."""
    n = len(ratings)
    given = np.isfinite(ratings)
    human = np.where(given, ratings, 0).sum(1) / np.where(given.any(1), given.sum(1), np.nan)
    kept: dict[str, Any] = {
        "keys": tuple(str(i) for i in range(n)),
        "prompts": tuple(f"p{i}" for i in range(n)),
        "systems": ("s",) * n,
        "texts": ("",) * n,
        "human": human,
        "columns": (ScoreColumn("m", "m|v:1", np.arange(n, dtype=float), {}),),
        "ratings": ratings,
        "votes": {name: np.array(given) for name, given in votes.items()},
    }
    return ScoreTable(**{**kept, **changes})


def table_of(corpus: Corpus, types: tuple[str, ...]) -> ScoreTable:
    """What the database gives of an imported corpus."""
    stories = [story for story in corpus.stories if story.source is Source.SYSTEM]
    place = {story.key: number for number, story in enumerate(stories)}
    rows: list[list[float]] = [[] for _ in stories]
    votes = {name: [0] * len(stories) for name in types}
    for rating in corpus.ratings:
        if rating.story_key in place:
            rows[place[rating.story_key]].append(rating.overall)
            for name, _ in rating.deductions:
                votes[name][place[rating.story_key]] += 1
    columns = tuple(
        ScoreColumn(score.metric, score.signature, np.array([score.values[story.key] for story in stories]), {})
        for score in corpus.scores
    )
    return table_of_ratings(rating_table(rows), votes, prompts=tuple(s.prompt_key for s in stories), columns=columns)


TYPES = ("repeated plot", "poor coherence", "conflicting logic", "chaotic scene", "other")
