"""Scores stories by a regression on a study's ratings, given prompts and references."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch

from core.arrays import Floats
from core.checkpoints.backbone import check_base, check_kind
from core.checkpoints.checkpoint import Checkpoint, load
from core.checkpoints.folds import Folds
from core.checkpoints.kinds import BLEURT
from core.checkpoints.named_weights import of_fold, parted
from core.errors import InputError
from core.metrics.trained.union_scorer import STORIES_AT_ONCE
from core.models.catalogue import ModelSource
from core.models.concurrency import loaded_once
from core.models.heads.regression import Regression
from core.models.heads.union_published import PublishedUnion, heads_of
from core.models.network import resolve_device
from core.models.runtime import trunk
from core.models.trunk import EncodedText, Trunk, put_learnt
from core.stories import as_read, whole_story


class BleurtScorer:
    """A checkpoint of the kind "bleurt", with its base, ready to score."""

    def __init__(
        self, checkpoint: Checkpoint, base: ModelSource, device: str = "auto", precision: str = "float32"
    ) -> None:
        """Raises InputError where the checkpoint is of another kind, is damaged, or was trained on another base."""
        card = checkpoint.card
        check_kind(card, BLEURT, "a regression on a study's ratings")
        check_base(card, base)
        options = card.options
        self.layers = tuple(options["layers"])
        self.normalisation, self.words = options["normalisation"], options["words"]
        self.folds = Folds(options["folds"], options["fold_seed"])
        weights = checkpoint.weights()
        device, every = resolve_device(device), range(self.folds.number)
        self.tuned: list[TunedModel] = []
        self.regressions: list[Regression] = []
        try:
            if "fold0.score.weight" in weights:
                self.tuned = [_tuned(of_fold(weights, fold), base, self.layers, device, precision) for fold in every]
            else:
                self.regressions = [_regression(weights, fold) for fold in every]
                self.trunk = trunk(base, self.layers, device, precision)
        except KeyError as error:
            raise InputError(f"The checkpoint {card.name!r} lacks the weights {error}: train it again.") from error

    def _text(self, prompt: str, text: str) -> str:
        return as_read(whole_story(prompt, text), self.normalisation, self.words)

    def ratings(
        self, stories: Sequence[tuple[str, str, Sequence[str]]], done: Callable[[int], None] | None = None
    ) -> list[float]:
        """Of each story (prompt, text, references, one at least), by the regression that has not seen its prompt;
        `done` counts stories.
        """
        if self.tuned:
            return self._tuned_ratings(stories, done)
        result = []
        for begin in range(0, len(stories), STORIES_AT_ONCE):
            part = stories[begin : begin + STORIES_AT_ONCE]
            texts = [self._text(prompt, name) for prompt, text, some in part for name in (text, *some)]
            rows = torch.stack([_row(reading) for reading in self.trunk.read_once(texts)]).double().numpy()
            for prompt, text, some in part:
                mine, rows = rows[: 1 + len(some)], rows[1 + len(some) :]
                result.append(self.regressions[self.folds.of(prompt, text)].predict(mine[0], mine[1:]))
            if done:
                done(len(part))
        return result

    def _tuned_ratings(
        self, stories: Sequence[tuple[str, str, Sequence[str]]], done: Callable[[int], None] | None
    ) -> list[float]:
        """A mean over a story's pairs, by the BERT of its fold."""
        result = np.empty(len(stories))
        folds = np.array([self.folds.of(prompt, text) for prompt, text, _ in stories], dtype=np.intp)
        for fold, model in enumerate(self.tuned):
            mine = np.flatnonzero(folds == fold)
            for begin in range(0, len(mine), STORIES_AT_ONCE):
                part = mine[begin : begin + STORIES_AT_ONCE]
                pairs = [
                    (i, (self._text(prompt, text), self._text(prompt, reference)))
                    for i in part.tolist()
                    for prompt, text, some in [stories[i]]
                    for reference in some
                ]
                ratings, owners = model.ratings([pair for _, pair in pairs]), np.array([i for i, _ in pairs])
                for i in part:
                    result[i] = ratings[owners == i].mean()
                if done:
                    done(len(part))
        return result.tolist()


@dataclass(frozen=True)
class TunedModel:
    """A BERT that has learnt, and the linear layer over its [CLS]; `level`, `spread`: of the ratings learnt from."""

    trunk: Trunk
    head: PublishedUnion
    level: float
    spread: float

    def ratings(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Of each (story, reference), on the study's own scale."""
        with torch.no_grad():
            result: Floats = self.head.of_whole(self.trunk.read_pairs(pairs)).double().numpy()
        return result * self.spread + self.level


def _tuned(
    weights: Mapping[str, torch.Tensor], base: ModelSource, layers: tuple[int, ...], device: str, precision: str
) -> TunedModel:
    own, learnt = parted(weights)
    head = heads_of({name: own[name] for name in ("score.weight", "score.bias")})
    if not isinstance(head, PublishedUnion):
        raise KeyError("score.weight")
    stands_on = Trunk(base, layers, device, precision, partial(put_learnt, rank=0, weights=learnt))
    return TunedModel(stands_on, head, float(own["level"][0]), float(own["spread"][0]))


def _row(reading: EncodedText) -> torch.Tensor:
    return torch.cat([reading.layers.flatten(), reading.whole])


def _regression(weights: dict[str, torch.Tensor], fold: int) -> Regression:
    def part(name: str) -> Floats:
        result: Floats = weights[f"fold{fold}.{name}"].double().numpy()
        return result

    return Regression(part("mean"), part("deviation"), part("weights"), float(part("bias")[0]))


@loaded_once(4)
def bleurt_scorer(folder: Path, weights: str, base: ModelSource, device: str, precision: str) -> BleurtScorer:
    """The regression in a folder, loaded once as long as its weights (their hash) stay the same."""
    result = load(folder)
    if result.card.weights != weights:
        raise InputError(f"The checkpoint in {folder} has just been replaced by another one: try again.")
    return BleurtScorer(result, base, device, precision)
