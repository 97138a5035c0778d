"""What several tests of report share."""

from dataclasses import replace

import numpy as np

from core.annotation.studies import Study
from core.people import TERMINAL
from core.stories import RatingRecord, ScoreRecord
from db.transfer import imports
from tests.db.conftest import SYSTEMS, small_corpus

PROMPTS = 12


def rated_study(name: str = "small", metrics: tuple[str, ...] = ("good", "weak")) -> Study:
    """Sixty stories of five systems with three ratings each, and metrics, each worse than the one before."""
    rng = np.random.default_rng(3)
    keys = [f"{p}-{system}" for p in range(PROMPTS) for system in SYSTEMS]
    quality = rng.uniform(1, 5, len(keys))
    given = np.clip(np.round(quality[:, None] + rng.normal(0, 0.5, (len(keys), 3))), 1, 5)
    ratings = tuple(
        RatingRecord(key, f"r{rater}", float(value)) for key, row in zip(keys, given, strict=True)
        for rater, value in enumerate(row)
    )  # fmt: skip
    columns = [(quality + rng.normal(0, 0.3 + 5 * number, len(keys))).tolist() for number in range(len(metrics))]
    scores = tuple(
        ScoreRecord(metric, f"file:{metric}", dict(zip(keys, column, strict=True)))
        for metric, column in zip(metrics, columns, strict=True)
    )
    corpus = replace(small_corpus(PROMPTS), scheme="mans", ratings=ratings, scores=scores)
    return imports.import_corpora(TERMINAL, name, [corpus])
