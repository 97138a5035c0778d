"""Stories in batches, one batch under one metric (the pure step that any engine runs, here or elsewhere), and the loop
in which metrics that share a model take turns.
"""

import sys
import time
import traceback
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np

from core.errors import DeviceLostError, FabulaError
from core.metrics.base import Metric, Progress, Scores
from core.stories import Story

STORIES_A_BATCH, STORIES_A_CPU_BATCH, STORIES_A_GPU_BATCH = 128, 16, 2048
"""Of metrics without a model, and of those with one, on a CPU and on a GPU: the batch in hand is what a stop costs."""
_OF_A_DEVICE = ("CUDA error", "CUBLAS_STATUS", "CUDNN_STATUS", "HIP error")
_OF_ITS_MEMORY = ("out of memory", "ALLOC_FAILED")
ROUNDING = 1e-6
"""Stories: so much the parts of a batch may be short of all of it."""
LONGEST_REASON = 200
"""Characters of what a metric said when it broke on a story."""
Key = TypeVar("Key", bound=Hashable)
"""What a caller knows a story by: its content hash, or its place among the stories."""


@dataclass(frozen=True)
class Pending:
    """A story that lacks scores: its content hash, and the ids of the signatures that it lacks."""

    content_hash: str
    story: Story
    missing: frozenset[int]


@dataclass(frozen=True)
class BatchScores(Generic[Key]):
    """One metric's scores of one batch. `metric` is its place among the metrics; `seconds` is what the batch took."""

    metric: int
    keys: tuple[Key, ...]
    scores: Scores
    seconds: float


def plan(pending: Sequence[Pending], size: int = STORIES_A_BATCH) -> list[list[Pending]]:
    """Cut stories into batches: those of one prompt side by side, since they share references, the longest first."""
    groups: dict[tuple[str, tuple[str, ...]], list[Pending]] = {}
    for item in pending:
        groups.setdefault((item.story.prompt, item.story.references), []).append(item)
    ordered = sorted(groups.values(), key=lambda group: (-max(len(p.story.text) for p in group), group[0].content_hash))
    flat = list(chain.from_iterable(ordered))
    return [flat[i : i + size] for i in range(0, len(flat), size)]


def batch_size(*, with_model: bool, device: str) -> int:
    """Stories a batch: a GPU needs many texts at once to be busy, a CPU is as fast with few and takes long over each.

    Raises InputError for a device that there is not.
    """
    if not with_model:
        return STORIES_A_BATCH
    from core.models.network import resolve_device  # torch: the pages import this file and must stay light

    return STORIES_A_GPU_BATCH if resolve_device(device) == "cuda" else STORIES_A_CPU_BATCH


def score_batch(metric: Metric, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
    """Score one batch; picklable work without any state of ours.

    A story that the metric breaks on has no score, for a reason that says so, and the others have theirs. Raises
    FabulaError where it breaks on all of several, or breaks its contract: not one number per story, or none without a
    reason; DeviceLostError where its GPU does not answer.
    """
    try:
        scores = _tried(metric, stories, on_progress)
    except (FabulaError, OSError):  # no fault of a story's: a model, a setting, the disk
        raise
    except Exception as error:
        scores = _story_by_story(metric, stories, error)
    if not isinstance(scores, Scores):
        raise FabulaError(f"The metric {metric.name} gave {type(scores).__name__} instead of Scores.")
    values = np.asarray(scores.values, dtype=np.float64)
    if values.shape != (len(stories),):
        raise FabulaError(f"The metric {metric.name} gave {values.size} scores for {len(stories)} stories.")
    if np.isinf(values).any():
        raise FabulaError(f"The metric {metric.name} gave an infinite score, which no analysis can use.")
    silent = [i for i in np.flatnonzero(np.isnan(values)) if not scores.reasons.get(int(i))]
    if silent:
        raise FabulaError(f"The metric {metric.name} left {len(silent)} stories undefined without a reason.")
    return Scores(values, scores.reasons)


def _tried(metric: Metric, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
    """Score them; an error of the device is none of a story's, and every story after it would meet the same."""
    try:
        return metric.score(stories, on_progress)
    except RuntimeError as error:
        said = str(error)
        if any(sign in said for sign in _OF_A_DEVICE) and not any(sign in said for sign in _OF_ITS_MEMORY):
            line = said.partition("\n")[0][:LONGEST_REASON]
            raise DeviceLostError(
                f"The GPU does not answer any more while {metric.name} is scored ({line}). What was scored is kept: "
                "look at nvidia-smi, then run it again."
            ) from error
        raise


def _story_by_story(metric: Metric, stories: Sequence[Story], error: Exception) -> Scores:
    """The scores of a batch that the metric broke on, halved until each story that it breaks on stands alone."""
    broken: dict[int, Exception] = {}
    values = np.full(len(stories), np.nan)
    reasons: dict[int, str] = {}
    open_parts = [(0, len(stories), error)]
    while open_parts:
        start, end, why = open_parts.pop()
        if end - start == 1:
            broken[start] = why
            reasons[start] = f"the metric broke on this story: {_said(metric, why)}"
            continue
        middle = (start + end) // 2
        for low, high in ((middle, end), (start, middle)):
            try:
                part = _tried(metric, stories[low:high])
            except (FabulaError, OSError):
                raise
            except Exception as again:
                open_parts.append((low, high, again))
            else:
                values[low:high] = part.values
                reasons |= {low + place: reason for place, reason in part.reasons.items()}
    if len(broken) == len(stories) > 1:
        raise FabulaError(f"The metric {metric.name} failed on every story: {_said(metric, error)}") from error
    return Scores(values, reasons)


def _said(metric: Metric, error: Exception) -> str:
    """What went wrong; of a metric of somebody's own with the line of its file."""
    reason = f"{type(error).__name__}: {str(error)[:LONGEST_REASON]}"
    file = getattr(sys.modules.get(type(metric).__module__), "__file__", None) if metric.file_hash else None
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f"{reason} (line {lines[-1]} of {Path(str(file)).name})" if lines else reason


def score_in_turns(
    metrics: Sequence[Metric],
    rounds: Iterable[Sequence[Sequence[tuple[Key, Story]]]],
    on_progress: Progress | None = None,
) -> Iterator[BatchScores[Key]]:
    """Score batch by batch; metrics that share a model take turns, so that what it has read serves all of them.

    rounds: in each, one batch per metric, in the order of the metrics; an empty batch is skipped.
    on_progress: receives how many stories of the batch in hand have scores, while some have none: the caller stores a
        finished batch before anybody can stop the run.

    Raises FabulaError as `score_batch` does.
    """
    for batches in rounds:
        for place, (metric, batch) in enumerate(zip(metrics, batches, strict=True)):
            if batch:
                begun = time.perf_counter()
                within = _within(len(batch), on_progress) if on_progress else None
                scores = score_batch(metric, [story for _, story in batch], within)
                yield BatchScores(place, tuple(key for key, _ in batch), scores, time.perf_counter() - begun)


def _within(size: int, on_progress: Progress) -> Progress:
    """Adds up what a metric reports of a batch, and passes the sum on while the batch is unfinished."""
    scored = 0.0

    def report(count: float) -> None:
        nonlocal scored
        scored += count
        if scored < size - ROUNDING:
            on_progress(scored)

    return report
