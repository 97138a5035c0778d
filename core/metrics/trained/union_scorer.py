"""Scores stories by a trained UNION: logits of P(human)."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from core.checkpoints.backbone import check_base, check_kind
from core.checkpoints.checkpoint import Checkpoint, load
from core.checkpoints.kinds import RANK, UNION, Tuning
from core.checkpoints.named_weights import parted
from core.errors import InputError
from core.metrics.trained.odds import single
from core.models.catalogue import ModelSource
from core.models.concurrency import loaded_once
from core.models.heads.union import UnionHead
from core.models.heads.union_published import PublishedUnion, heads_of
from core.models.network import resolve_device
from core.models.runtime import trunk
from core.models.trunk import EncodedText, Trunk, put_learnt
from core.stories import normalise
from core.windows import Long, Span, read_in

STORIES_AT_ONCE = 64
"""Or windows of long ones."""
Done = Callable[[int], None]


class Scorer:
    """A checkpoint of the kind "union", with its base, ready to score. `rebuilds`: whether it learnt to reconstruct."""

    def __init__(
        self, checkpoint: Checkpoint, base: ModelSource, device: str = "auto", precision: str = "float32"
    ) -> None:
        """Raises InputError where the checkpoint is of another kind, or was trained on another base."""
        card = checkpoint.card
        check_kind(card, UNION, "a UNION")
        check_base(card, base)
        self.options = card.options
        self.rebuilds = bool(card.recipe.get("reconstruction"))
        head, learnt = parted(checkpoint.weights())
        rank = RANK if self.options["tuning"] == Tuning.ADAPTER else 0
        self.head = heads_of(head)
        layers, device = tuple(self.options["layers"]), resolve_device(device)
        # A base that stays as it is reads a story once for all checkpoints that stand on it.
        self.trunk = (
            Trunk(base, layers, device, precision, partial(put_learnt, rank=rank, weights=learnt))
            if learnt
            else trunk(base, layers, device, precision)
        )

    def written(self, story: str) -> str:
        """A whole story, prompt included, in the way of writing that the checkpoint learnt."""
        return normalise(story, str(self.options["normalisation"]))

    def windows(self, text: str, words: int | None = None, long: Long = Long.WINDOWS) -> list[Span]:
        """What is read of a text in that way of writing. `words`: so many at once, 0 for any number, None for as many
        as in the training.
        """
        return read_in(text, int(self.options["words"]) if words is None else words, long)

    def prepared(self, story: str, words: int | None = None) -> str:
        """A whole story as its beginning is read, or all of it where it is short enough; `words`: see `windows`."""
        text = self.written(story)
        start, end = self.windows(text, words, Long.CUT)[0]
        return text[start:end]

    def logits(
        self,
        stories: Sequence[str],
        done: Done | None = None,
        words: int | None = None,
        long: Long = Long.WINDOWS,
    ) -> NDArray[np.float64]:
        """Of each whole story the mean over what is read of it, in input order; `done` counts stories; `words`: see
        `windows`.
        """
        results: list[float] = []
        for begin in range(0, len(stories), STORIES_AT_ONCE):
            texts = [self.written(story) for story in stories[begin : begin + STORIES_AT_ONCE]]
            read = [[text[start:end] for start, end in self.windows(text, words, long)] for text in texts]
            ends = list(accumulate(map(len, read)))
            logits = self.read([window for some in read for window in some], done and _stories(ends, done))
            results += [mean(some) for some in np.split(logits, ends[:-1])]
        return np.array(results, dtype=np.float64)

    def read(self, texts: Sequence[str], done: Done | None = None) -> NDArray[np.float64]:
        """The logit of each text as it stands; `done` counts texts. Equal ones are read once."""
        results: list[float] = []
        for begin in range(0, len(texts), STORIES_AT_ONCE):
            some = texts[begin : begin + STORIES_AT_ONCE]
            results += [self.logit(reading) for reading in self.trunk.read_once(some, done)]
        return np.array(results, dtype=np.float64)

    def logit(self, reading: EncodedText) -> float:
        """Return the logit of one story; stories are read one at a time, so that nothing depends on a batch."""
        return self.heads(reading)[0]

    def heads(self, reading: EncodedText) -> tuple[float, torch.Tensor]:
        """The logit, and of every piece (p × NARROW) what the second head stands on."""
        return head_output(self.head, reading)


def mean(logits: NDArray[np.float64]) -> float:
    """A story's logit of those of what is read of it, in single precision as these are: its probability tells it."""
    return single(float(logits.mean()))


def _stories(ends: Sequence[int], done: Done) -> Done:
    """Counts stories where windows are counted; `ends`: how many windows there are up to the end of each story."""
    read = counted = 0

    def count(more: int) -> None:
        nonlocal read, counted
        read += more
        if (finished := bisect_right(ends, read)) > counted:
            done(finished - counted)
            counted = finished

    return count


def head_output(head: UnionHead | PublishedUnion, reading: EncodedText) -> tuple[float, torch.Tensor]:
    """What a head says of a reading: the logit, and of every piece what the second head stands on (p × NARROW, or p × d
    as published).
    """
    content = torch.ones(1, max(1, len(reading.ids)), dtype=torch.bool)
    content[:, len(reading.ids) :] = False
    pieces = reading.pieces if len(reading.ids) else torch.zeros(1, head.width)
    with torch.inference_mode():
        logits, narrow = head(reading.layers[None], reading.whole[None], pieces[None], content)
    return float(logits), narrow[0, : len(reading.ids)]


@loaded_once(4)
def union_scorer(folder: Path, weights: str, base: ModelSource, device: str, precision: str) -> Scorer:
    """The UNION in a folder, loaded once as long as its weights (their hash) stay the same."""
    result = load(folder)
    if result.card.weights != weights:
        raise InputError(f"The checkpoint in {folder} has just been replaced by another one: try again.")
    return Scorer(result, base, device, precision)
