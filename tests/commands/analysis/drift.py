"""What several tests of drift share."""

import numpy as np

from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, ScoreRecord
from db.transfer import imports
from tests.db.conftest import small_corpus


def scored_study(name: str, seed: int, metrics: tuple[str, ...] = ("near", "far")) -> None:
    """Eight prompts by five systems, rated and scored."""
    rng = np.random.default_rng(seed)
    corpus = small_corpus(8)
    keys = [story.key for story in corpus.stories if story.system]
    means = rng.integers(1, 6, len(keys))
    ratings = tuple(RatingRecord(key, "r", float(mean)) for key, mean in zip(keys, means, strict=True))
    scores = tuple(
        ScoreRecord(
            metric,
            f"file:{metric}{seed}",
            {k: float(v) for k, v in zip(keys, means + rng.normal(size=len(keys)), strict=True)},
        )
        for metric in metrics
    )
    imports.import_corpora(TERMINAL, name, [Corpus("mans", corpus.stories, ratings, scores)])
