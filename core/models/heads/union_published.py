"""UNION's two heads as published (UNION 2020, section 3.3): linear layers over BERT's last hidden states alone."""

from collections.abc import Mapping

import torch
from torch import nn

from core.errors import InputError
from core.models.heads.union import UnionHead, union_of

DROPOUT = 0.1
"""Of the [CLS] state, as in the authors' code; the paper does not tell."""
DEVIATION = 0.02
"""Of a new layer's weights, as in BERT."""


class PublishedUnion(nn.Module):
    """W_c and b_c over [CLS] (equation 2), and W_r and b_r over every piece's state (equation 4).

    `width`: d of the base's states; `vocabulary`: its pieces, 0 for no reconstruction. Called like `UnionHead`, it
    reads `whole`, the last layer's [CLS] (n × d), and `pieces`, the last layer's states (n × p × d).
    """

    def __init__(self, width: int, vocabulary: int = 0) -> None:
        super().__init__()
        self.width = width
        self.score = nn.Linear(width, 1)
        self.rebuild = nn.Linear(width, vocabulary) if vocabulary else None
        self.dropout = nn.Dropout(DROPOUT)
        for layer in filter(None, (self.score, self.rebuild)):
            nn.init.normal_(layer.weight, std=DEVIATION)
            nn.init.zeros_(layer.bias)

    def begin_at(self, embeddings: torch.Tensor) -> None:
        """Let W_r begin at the base's input embeddings (vocabulary × d), to which the authors' code ties it."""
        if self.rebuild is not None:
            with torch.no_grad():
                self.rebuild.weight.copy_(embeddings)

    def forward(
        self, _layers: torch.Tensor, whole: torch.Tensor, pieces: torch.Tensor, _content: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of P(human) (n), and the states that the second head reads (n × p × d)."""
        return self.of_whole(whole), pieces.float()

    def of_whole(self, whole: torch.Tensor) -> torch.Tensor:
        """The first head alone (n), of [CLS] (n × d)."""
        logits: torch.Tensor = self.score(self.dropout(whole.float()))[:, 0]
        return logits

    def rebuilt(self, states: torch.Tensor, _embeddings: torch.Tensor) -> torch.Tensor:
        """Logits (… × vocabulary) of the piece that stood there. Raises InputError without a second head."""
        if self.rebuild is None:
            raise InputError("This UNION learnt without reconstruction: it cannot say what the story was.")
        logits: torch.Tensor = self.rebuild(states)
        return logits


def heads_of(weights: Mapping[str, torch.Tensor]) -> UnionHead | PublishedUnion:
    """The heads that these weights are of, in evaluation mode. Raises InputError where they are of something else."""
    if "narrow.weight" in weights or "score.weight" not in weights:
        return union_of(weights)
    try:
        vocabulary = len(weights["rebuild.bias"]) if "rebuild.bias" in weights else 0
        published_union = PublishedUnion(weights["score.weight"].shape[1], vocabulary)
        published_union.load_state_dict({name: weight.float() for name, weight in weights.items()})
    except (IndexError, RuntimeError) as error:
        raise InputError("These are no weights of a UNION of this version of Fabula: train it again.") from error
    return published_union.eval()
