"""Stories in batches, and one batch under one metric: the pure step that any engine runs, here or elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from core.errors import FabulaError
from core.metrics.base import Metric, Progress, Scores
from core.stories import Story

STORIES_A_BATCH = 128


@dataclass(frozen=True)
class Pending:
    """A story that lacks scores: its content hash, and the ids of the signatures that it lacks."""

    content_hash: str
    story: Story
    missing: frozenset[int]


def plan(pending: Sequence[Pending], size: int = STORIES_A_BATCH) -> list[list[Pending]]:
    """Cut stories into batches: those of one prompt side by side, since they share references, the longest first."""
    groups: dict[tuple[str, tuple[str, ...]], list[Pending]] = {}
    for one in pending:
        groups.setdefault((one.story.prompt, one.story.references), []).append(one)
    ordered = sorted(groups.values(), key=lambda group: (-max(len(p.story.text) for p in group), group[0].content_hash))
    flat = list(chain.from_iterable(ordered))
    return [flat[i : i + size] for i in range(0, len(flat), size)]


def score_batch(metric: Metric, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
    """Score one batch; picklable work without any state of ours.

    Raises FabulaError where the metric breaks its contract: not a number a story, or none without a reason.
    """
    try:
        found = metric.score(stories, on_progress)
    except FabulaError:
        raise
    except Exception as error:
        if not metric.file_hash:
            raise
        raise FabulaError(f"The metric {metric.name} failed: {type(error).__name__}: {error}") from error
    if not isinstance(found, Scores):
        raise FabulaError(f"The metric {metric.name} gave {type(found).__name__} instead of Scores.")
    values = np.asarray(found.values, dtype=np.float64)
    if values.shape != (len(stories),):
        raise FabulaError(f"The metric {metric.name} gave {values.size} scores for {len(stories)} stories.")
    if np.isinf(values).any():
        raise FabulaError(f"The metric {metric.name} gave an infinite score, which no analysis can use.")
    silent = [i for i in np.flatnonzero(np.isnan(values)) if not found.reasons.get(int(i))]
    if silent:
        raise FabulaError(f"The metric {metric.name} left {len(silent)} stories undefined without a reason.")
    return Scores(values, found.reasons)
