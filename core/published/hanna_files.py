"""HANNA's released files as a table: stories, mean ratings on six criteria, and the authors' scores of 72 metrics."""

from pathlib import Path

import numpy as np

from core.formats.exports.reading import read_export
from core.formats.scores import MetricColumn, read_scores
from core.published import hanna
from core.scores import ScoreColumn, ScoreTable
from core.stories import Source

STORIES, SCORES = "hanna.jsonl", "metric_scores.csv"


def hanna_table(folder: Path) -> ScoreTable:
    """The systems' stories of `hanna.jsonl` with the columns of `metric_scores.csv`.

    Raises InputError for files that are missing or bad.
    """
    restored = read_export(folder / STORIES)
    judged = [story for story in restored.stories if story.source is Source.SYSTEM]
    keys = tuple(story.key for story in judged)
    given: dict[tuple[str, str], list[float]] = {}
    for rating in restored.ratings:
        for name, value in rating.values.items():
            given.setdefault((name, rating.story_key), []).append(value)
    criteria = {name: np.array([np.mean(given[name, key]) for key in keys]) for name in restored.criteria}
    wanted = [MetricColumn(name, name) for name in hanna.STORY.rows]
    records = read_scores(folder / SCORES, wanted, keys).records
    columns = [ScoreColumn(r.metric, r.signature, np.array([r.values[key] for key in keys]), {}) for r in records]
    return ScoreTable(
        keys,
        tuple(story.prompt_key for story in judged),
        tuple(story.system for story in judged),
        tuple(story.text for story in judged),
        next(iter(criteria.values())),
        tuple(columns),
        criteria=criteria,
    )
