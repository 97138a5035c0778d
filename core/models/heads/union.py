"""UNION's two heads over a trunk (UNION 2020, section 3.3): is the story human, and what was the original story?

The paper reads BERT's [CLS]. Here a logistic regression reads means of the states of several layers and the state that
has seen the whole, and, beside them, a narrow transform of every piece, pooled. The same transform feeds the second
head, so that what reconstruction teaches it helps the first.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

import torch
from torch import nn

from core.errors import InputError
from core.models.shape import NARROW


class UnionHead(nn.Module):
    """Logits of P(human), and what the story was before: states that are compared with the vocabulary's embeddings.

    `layers`: how many layers of the trunk are read; `width`: d of its states. The trunk's states are brought to mean 0
    and deviation 1 by constants, which `centre` takes from the training stories.
    """

    features_mean: torch.Tensor
    features_deviation: torch.Tensor
    pieces_mean: torch.Tensor
    pieces_deviation: torch.Tensor

    def __init__(self, layers: int, width: int, dropout: float = 0.3) -> None:
        super().__init__()
        self.width = width
        features = (layers + 1) * width
        for name, size in (("features", features), ("pieces", width)):
            self.register_buffer(f"{name}_mean", torch.zeros(size))
            self.register_buffer(f"{name}_deviation", torch.ones(size))
        self.narrow = nn.Linear(width, NARROW)
        self.rebuild = nn.Linear(NARROW, width)
        self.score = nn.Linear(features + 2 * NARROW, 1)
        self.dropout = nn.Dropout(dropout)
        nn.init.zeros_(self.score.weight)
        nn.init.zeros_(self.score.bias)

    def centre(self, features: torch.Tensor, pieces: torch.Tensor) -> None:
        """Take means and deviations of these rows as constants: `features` (n × (layers + 1)·d), `pieces` (n × d)."""
        for name, rows in (("features", features), ("pieces", pieces)):
            getattr(self, f"{name}_mean").copy_(rows.float().mean(0))
            getattr(self, f"{name}_deviation").copy_(rows.float().std(0, correction=0).clamp(min=1e-6))

    def forward(
        self, layers: torch.Tensor, whole: torch.Tensor, pieces: torch.Tensor, content: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (n), and the narrow pieces (n × p × NARROW).

        `layers` (n × layers × d), `whole` (n × d), `pieces` (n × p × d): what the trunk says; `content` (n × p): which
        pieces are the text's own.
        """
        features = torch.cat([layers.flatten(1), whole], 1)
        features = (features - self.features_mean) / self.features_deviation
        # The pieces' mean and deviation go into the weights: equal, without two more copies of all pieces.
        weight = self.narrow.weight / self.pieces_deviation
        bias = self.narrow.bias - weight @ self.pieces_mean
        narrow = nn.functional.gelu(nn.functional.linear(pieces.float(), weight, bias))
        own = content[:, :, None]
        mean = (narrow * own).sum(1) / own.sum(1).clamp(min=1)
        highest = narrow.masked_fill(~own, -torch.inf).amax(1)
        highest = torch.where(content.any(1)[:, None], highest, torch.zeros_like(highest))
        read = [self.dropout(tensor) for tensor in (features, mean, highest)]
        return self.score(torch.cat(read, 1))[:, 0], narrow

    def rebuilt(self, narrow: torch.Tensor, embeddings: torch.Tensor) -> torch.Tensor:
        """Logits (… × vocabulary) of the piece that stood there; `embeddings` (vocabulary × d) are the base's own."""
        # The vocabulary is brought down to the narrow width, not the pieces up to the base's: equal, and a tenth of the
        # work for a batch of pieces.
        logits: torch.Tensor = narrow @ (embeddings @ self.rebuild.weight).T + embeddings @ self.rebuild.bias
        return logits


class Rebuilding(Protocol):
    """A head that says which piece stood where."""

    def rebuilt(self, narrow: torch.Tensor, embeddings: torch.Tensor, /) -> torch.Tensor:
        """Logits (… × vocabulary)."""
        ...


def union_of(weights: Mapping[str, torch.Tensor]) -> UnionHead:
    """The heads that these weights are of, in evaluation mode. Raises InputError where they are of something else."""
    try:
        width = weights["narrow.weight"].shape[1]
        layers = len(weights["features_mean"]) // width - 1
        union_head = UnionHead(layers, width)
        union_head.load_state_dict({name: weight.float() for name, weight in weights.items()})
    except (KeyError, IndexError, RuntimeError) as error:
        raise InputError("These are no weights of a UNION of this version of Fabula: train it again.") from error
    return union_head.eval()


def classifier_of(weights: Mapping[str, torch.Tensor]) -> UnionHead:
    """The first head alone, in evaluation mode, from weights without the second's. Raises InputError likewise."""
    width = weights["narrow.weight"].shape[1] if "narrow.weight" in weights else 0
    second = {"rebuild.weight": torch.zeros(width, NARROW), "rebuild.bias": torch.zeros(width)}
    return union_of({**weights, **second})


def classification_loss(logits: torch.Tensor, human: torch.Tensor) -> torch.Tensor:
    """Mean over stories of the binary cross entropy (equation 3)."""
    return nn.functional.binary_cross_entropy_with_logits(logits, human.to(logits.dtype))


def reconstruction_loss(
    head: Rebuilding,
    narrow: torch.Tensor,
    content: torch.Tensor,
    targets: Sequence[torch.Tensor],
    embeddings: torch.Tensor,
    vocabulary: torch.Tensor | None = None,
    most: int | None = None,
) -> torch.Tensor:
    """Mean over stories of the mean over pieces of -log P(the human story's piece at this position) (equation 5).

    `narrow` (n × p × NARROW) and `content` (n × p) are those of `UnionHead.forward`; `targets`: the ids of each story's
    human original. Positions that only one of the two has do not count, nor do stories without any. `vocabulary`:
    ids, sorted, that the softmax is over; they hold all targets. None: the whole vocabulary. `most`: of a story's
    positions so many are drawn, from torch's numbers, whose mean stands for that over all; None: all of them.
    """
    rows, wanted, weights = [], [], []
    for row, own, target in zip(narrow, content, targets, strict=True):
        both = min(int(own.sum()), len(target))
        if both:
            places = torch.arange(both) if most is None or both <= most else torch.randperm(both)[:most]
            places = places.to(row.device)
            rows.append(row[own.nonzero()[:, 0][places]])
            wanted.append(target[places])
            weights.append(torch.full((len(places),), 1 / len(places), device=row.device))
    if not rows:
        return narrow.sum() * 0
    ids = torch.cat(wanted)
    if vocabulary is not None:
        embeddings, ids = embeddings[vocabulary], torch.searchsorted(vocabulary, ids)
    losses = nn.functional.cross_entropy(head.rebuilt(torch.cat(rows), embeddings), ids, reduction="none")
    return (losses * torch.cat(weights)).sum() / len(rows)
