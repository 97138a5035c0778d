"""BLEURT as published (Sellam et al. 2020, section 2): a whole BERT is trained beneath a linear layer over [CLS]."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from core.arrays import Floats
from core.checkpoints.folds import held_out, unit
from core.checkpoints.named_weights import halved, in_fold, joined
from core.errors import InputError
from core.models.catalogue import ModelSource
from core.models.heads.union_published import PublishedUnion
from core.models.network import device_turn
from core.models.sequence_pair import encode_pairs
from core.models.trunk import TunableTrunk
from core.stories import distinct_texts
from core.training.bleurt.settings import BleurtSettings, JudgedText
from core.training.engine.history import Run, TrainingProgress
from core.training.engine.loop import train
from core.training.engine.progress import OnProgress, step_reporter
from core.training.engine.recipe import Criterion
from core.training.engine.task import Losses
from core.training.engine.weights import numbers
from core.training.union.task import batches_by_length


@dataclass(frozen=True)
class PairShare:
    """Of one model: the pairs that it learns from, and those that tell its best weights, by their numbers."""

    trained: NDArray[np.intp]
    held: NDArray[np.intp]


@dataclass(frozen=True)
class ReferencePairs:
    """Each story with each of its references, as the base reads them; `story`: the number of each pair's."""

    texts: tuple[tuple[str, str], ...]
    story: NDArray[np.intp]

    @classmethod
    def of(cls, judged: Sequence[JudgedText], settings: BleurtSettings) -> ReferencePairs:
        """In the stories' order."""
        results = [(i, reference) for i, story in enumerate(judged) for reference in distinct_texts(story.references)]
        texts = tuple(
            (settings.prepared(judged[i].prompt, judged[i].text), settings.prepared(judged[i].prompt, reference))
            for i, reference in results
        )
        return cls(texts, np.array([i for i, _ in results], dtype=np.intp))


class TunedBleurt:
    """A task for the loop; pairs are told by their number. `judgments`: of each pair's story, of which the trained
    pairs' become 0 and 1 by their mean and deviation.
    """

    def __init__(
        self,
        head: PublishedUnion,
        base: TunableTrunk,
        pairs: ReferencePairs,
        judgments: Floats,
        share: PairShare,
        batch: int,
    ) -> None:
        self.head, self.base, self.share, self.size = head, base, share, batch
        self.rows = encode_pairs(base.tokenizer, pairs.texts, base.positions)
        self._ids = [torch.tensor(row.ids) for row in self.rows]
        known = judgments[share.trained]
        self.level, self.spread = float(known.mean()), float(known.std()) or 1.0
        self._targets = torch.from_numpy((judgments - self.level) / self.spread).float()
        self._module = nn.ModuleDict({"head": head, "base": base.model})

    @property
    def module(self) -> nn.Module:
        """The head and the base."""
        return self._module

    @property
    def data_hash(self) -> str:
        """Return a hash of the pairs that are trained on and held out, of their ratings, and of the base."""
        digest = hashlib.sha256(f"{self.base.signature} {self.size} {len(self.share.trained)}".encode())
        for i in np.concatenate([self.share.trained, self.share.held]).tolist():
            digest.update(f"{self.rows[i]} {float(self._targets[i])}".encode())
        return digest.hexdigest()

    @property
    def chosen_by(self) -> Criterion:
        """The squared error of held-out prompts' ratings, as the penalty of the ridge regression is."""
        return Criterion("error", higher=False)

    def batches(self, epoch: int, seed: int) -> Sequence[list[int]]:
        """Numbers of pairs."""
        order = self.share.trained.tolist()
        return batches_by_length(order, self._ids, self.size, random.Random(f"{seed}/{epoch}"))

    def loss(self, batch: list[int]) -> Losses:
        """The squared error of each pair."""
        result = self._read(batch)
        return Losses(nn.functional.mse_loss(result, self._targets[batch].to(result.device)), len(batch))

    def _read(self, batch: Sequence[int]) -> torch.Tensor:
        return self.head.of_whole(self.base.first_states([self.rows[i] for i in batch]))

    def standard(self, pairs: Sequence[int]) -> Floats:
        """What is foretold of these pairs, in deviations from the mean."""
        results = [np.empty(0)]
        for begin in range(0, len(pairs), self.size):
            with device_turn(self.head.score.weight.device.type), torch.no_grad():
                results.append(self._read(pairs[begin : begin + self.size]).double().cpu().numpy())
        return np.concatenate(results)

    def evaluate(self) -> Mapping[str, float]:
        """Mean squared error of the held-out pairs, in the trained ratings' variance."""
        targets = self._targets[self.share.held].numpy()
        return {"error": float(np.square(self.standard(self.share.held.tolist()) - targets).mean())}

    def weights(self) -> dict[str, torch.Tensor]:
        """Head, base, and what brings its ratings back to the study's scale."""
        scale = {"level": torch.tensor([self.level]), "spread": torch.tensor([self.spread])}
        return {**halved(joined(self.head, self.base)), **scale}


def share_of_fold(
    judged: Sequence[JudgedText], pairs: ReferencePairs, seen: NDArray[np.intp], settings: BleurtSettings, seed: int
) -> PairShare:
    """What the model of a fold learns from, whose stories `seen` are. Raises InputError where ratings are all alike."""
    allowed = np.zeros(len(judged), dtype=np.bool_)
    allowed[seen] = True
    units = [unit(story.prompt, story.text) for story in judged]
    held = held_out(units, allowed, (np.ones_like(allowed),), settings.held_out, seed)
    trained = allowed & ~held
    if len({story.judgment for story, mine in zip(judged, trained, strict=True) if mine}) < 2:
        raise InputError(
            "Without the stories of one fold and those held out, all that are left to learn from have the same mean "
            "rating: give more stories, or take another seed."
        )
    return PairShare(np.flatnonzero(trained[pairs.story]), np.flatnonzero(held[pairs.story]))


def learn_tuned(
    judged: Sequence[JudgedText],
    folds: NDArray[np.intp],
    seen: Sequence[NDArray[np.intp]],
    settings: BleurtSettings,
    base: ModelSource,
    folder: Path,
    say: OnProgress,
    device: str,
    stepped: Callable[[TrainingProgress], None] | None = None,
) -> tuple[Floats, dict[str, torch.Tensor], tuple[Run, ...]]:
    """The rating of each story by the model of its fold, all weights, and the runs. `seen`: the stories that each
    model may learn from.
    """
    recipe = settings.schedule
    pairs = ReferencePairs.of(judged, settings)
    judgments = np.array([judged[i].judgment for i in pairs.story])
    shares = [share_of_fold(judged, pairs, mine, settings, recipe.seed) for mine in seen]  # before anything costs time
    predicted, weights, runs = np.empty(len(judged)), dict[str, torch.Tensor](), []
    for fold, mine in enumerate(shares):
        trunk = TunableTrunk(base, settings.layers, 0)  # each fold's begins anew
        with numbers("cpu", recipe.seed, "heads", fold):
            head = PublishedUnion(trunk.model.config.hidden_size)
        task = TunedBleurt(head, trunk, pairs, judgments, mine, settings.step_size)
        step = step_reporter(say, stepped, fold, settings.folds)
        runs.append(train(task, recipe, folder / "training" / f"fold{fold}", step, device))
        scored = np.flatnonzero((folds == fold)[pairs.story])
        ratings = task.standard(scored.tolist()) * task.spread + task.level
        for story in np.flatnonzero(folds == fold):
            predicted[story] = ratings[pairs.story[scored] == story].mean()
        weights |= in_fold(task.weights(), fold)
    return predicted, weights, tuple(runs)
