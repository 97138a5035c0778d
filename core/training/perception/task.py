"""A Perception Score's critic as a task for the loop: one system's texts against references (Gu et al. 2020)."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from core.models.heads.perception import Critic, penalised, perception_loss
from core.models.network import device_turn
from core.training.engine.recipe import Criterion
from core.training.engine.task import Losses
from core.training.perception.pairs import Generated, SystemPairs
from core.training.perception.settings import PerceptionPlan

Ids = list[int]


class Encoded:
    """Pairs as the critic reads them: ids of each text, and of each of its references."""

    def __init__(self, critic: Critic, pairs: Sequence[Generated]) -> None:
        self.texts = critic.encode([pair.prompt for pair in pairs], [pair.text for pair in pairs])
        flat = critic.encode(
            [pair.prompt for pair in pairs for _ in pair.references],
            [text for pair in pairs for text in pair.references],
        )
        left = iter(flat)
        self.references: list[list[Ids]] = [[next(left) for _ in pair.references] for pair in pairs]

    def __len__(self) -> int:
        return len(self.texts)


class PerceptionTask:
    """Batches are numbers of pairs that are trained on; in each step a pair has one of its references, drawn."""

    def __init__(self, critic: Critic, pairs: SystemPairs, plan: PerceptionPlan) -> None:
        self.critic, self.pairs, self.plan = critic, pairs, plan
        self._trained, self._held = Encoded(critic, pairs.trained), Encoded(critic, pairs.held_out)

    @property
    def module(self) -> nn.Module:
        """The critic with its base, of which what is frozen stays."""
        return self.critic

    @property
    def data_hash(self) -> str:
        """Return a hash of the texts, of the base, and of how it is trained."""
        parts = [self.pairs.hash, self.critic.trunk.signature, repr(self.plan)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    @property
    def chosen_by(self) -> Criterion:
        """Mean -log P_reference of held-out pairs: the longer a critic learns, the more it knows its pairs by heart."""
        return Criterion("loss", higher=False)

    def batches(self, epoch: int, seed: int) -> Sequence[list[int]]:
        """Numbers of pairs."""
        order = list(range(len(self._trained)))
        random.Random(f"{seed}/{epoch}").shuffle(order)
        return [order[i : i + self.plan.batch] for i in range(0, len(order), self.plan.batch)]

    def loss(self, batch: list[int]) -> Losses:
        """L = L_t + lambda L_c + beta GP (equation 14); the penalty is over the first pairs, a batch being drawn."""
        critic, plan = self.critic, self.plan
        texts = [self._trained.texts[i] for i in batch]
        beside = [self._trained.references[i] for i in batch]
        references = [some[int(torch.randint(len(some), ()))] for some in beside]
        first = min(plan.penalised, len(batch)) if plan.penalty else 0
        outputs: list[tuple[torch.Tensor, ...]] = []
        penalty = torch.zeros((), device=critic.device)
        if first:
            *begun, penalty = penalised(critic, critic.window(texts[:first]), critic.window(references[:first]))
            outputs.append(tuple(begun))
        if rest := len(batch) - first:
            window = critic.window(texts[first:] + references[first:])
            scores, read = critic(critic.embeddings(window), window)
            outputs.append((scores[:rest], read[:rest], scores[rest:], read[rest:]))
        ours, read, theirs, read_theirs = (torch.cat(some) for some in zip(*outputs, strict=True))
        ordering, unsure = perception_loss(ours, theirs, critic.confidence(read, read_theirs))
        total = ordering + plan.confidence * unsure + plan.penalty * penalty
        return Losses(total, len(batch), {"told": ordering, "confidence": unsure, "penalty": penalty})

    def evaluate(self) -> Mapping[str, float]:
        """Of held-out pairs, over all of their references: mean -log P_reference, and the share in the right order."""
        generated, _ = judge_pairs(self.critic, self._held, self.plan.batch)
        losses = -np.log(np.clip(np.concatenate([1 - values for values in generated]), 1e-12, 1))
        right = [float((values < 0.5).mean() + 0.5 * (values == 0.5).mean()) for values in generated]
        return {"loss": float(losses.mean()), "accuracy": float(np.mean(right))}


def judge_pairs(
    critic: Critic, pairs: Encoded, batch: int
) -> tuple[list[NDArray[np.float64]], list[NDArray[np.float64]]]:
    """P_generated and c of each pair, a value a reference, in the mode that the critic is in."""
    generated, confidence = [], []
    for begin in range(0, len(pairs), batch):
        texts, beside = pairs.texts[begin : begin + batch], pairs.references[begin : begin + batch]
        with device_turn(critic.device), torch.no_grad():
            (ours, read), (theirs, read_theirs) = (
                critic(critic.embeddings(window), window)
                for window in (critic.window(texts), critic.window([ids for some in beside for ids in some]))
            )
            counts = torch.tensor([len(some) for some in beside], device=ours.device)
            ours, read = ours.repeat_interleave(counts), read.repeat_interleave(counts, 0)
            chance = torch.sigmoid((ours - theirs).double()).cpu().numpy()
            sure = torch.sigmoid(critic.confidence(read, read_theirs).double()).cpu().numpy()
        ends = counts.cumsum(0)[:-1].tolist()
        generated += np.split(chance, ends)
        confidence += np.split(sure, ends)
    return generated, confidence
