"""One batch of stories under several metrics: the pure step that any engine runs, here or elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.metrics.base import Metric, Scores
from core.stories import Story

STORIES_A_BATCH = 32


@dataclass(frozen=True)
class Wanted:
    """A metric and the stories (by content hash) it has not scored yet."""

    metric: Metric
    signature_id: int
    pending: Mapping[str, Story]


def plan(wanted: Sequence[Wanted], size: int = STORIES_A_BATCH) -> list[list[str]]:
    """Cut all pending stories into batches of like length, longest first: what will not fit shows at once."""
    stories = {content_hash: story for one in wanted for content_hash, story in one.pending.items()}
    ordered = sorted(stories, key=lambda h: (-len(stories[h].text), h))
    return [ordered[i : i + size] for i in range(0, len(ordered), size)]


def score_batch(metric: Metric, stories: Sequence[Story]) -> Scores:
    """Score one batch; picklable work without any state of ours."""
    return metric.score(stories)
