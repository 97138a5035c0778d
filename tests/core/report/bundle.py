"""What several tests of bundles share."""

from datetime import UTC, datetime

import numpy as np

from core.analysis.judgments.judged_story import JudgedStory, Rating
from core.analysis.judgments.rating_table import table_of
from core.annotation.scheme import QualityRules
from core.annotation.studies import Study, StudyState
from core.annotation.target import usual_target
from core.report.files.bundle import Bundle, BundleChoice, BundledStudy
from core.scores import ScoreTable
from tests.core.report.metric import random_table

MADE = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
FEW_DRAWS = BundleChoice(resamples=50)


def bundle_of(
    table: ScoreTable | None = None,
    choice: BundleChoice = FEW_DRAWS,
    name: str = "a study",
    made: datetime = MADE,
    demonstration: bool = False,
) -> Bundle:
    """Of a study of MANS with these scores and ratings."""
    found = random_table() if table is None else table
    study = Study(1, name, "mans", QualityRules(), StudyState.OPEN, False, demonstration, "1", MADE)
    judged = [
        JudgedStory(prompt, system, tuple(Rating(value) for value in given[np.isfinite(given)].tolist()))
        for prompt, system, given in zip(found.prompts, found.systems, found.ratings, strict=True)
    ] if len(found.ratings) else []  # fmt: skip
    openings = {key: f"Opening {key}." for key in found.prompts}
    target = usual_target(study.scheme)
    source = BundledStudy(study, target, found, table_of(judged), None, frozenset(), {}, "9.9", openings)
    return Bundle(source, choice, made)
