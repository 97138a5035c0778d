"""RUBER's unreferenced half as it was published: `[q; q M r; r]` into a perceptron, M being a whole matrix, and its
product one number (Tao et al. 2018, section 3.2; with BERT's states, Ghazarian et al. 2019).
"""

from collections.abc import Mapping, Sequence

import torch
from torch import nn

from core.errors import InputError
from core.models.heads.ruber import RuberHead, both_ways, ruber_of

UNITS = 128
"""Of the recurrent networks, in each direction; OpenMEVA's code has 768, and the paper was not at hand."""
MARGIN = 0.5
"""Between the scores of a story's own continuation and another one, as in OpenMEVA's code."""
DEVIATION = 0.02
"""Of M's numbers at the beginning, as in the same code."""


class PublishedRuber(nn.Module):
    """Logits of P(related) from two vectors a pair, q and r.

    `width`: of the vectors, and of the perceptron's one hidden layer (tanh). `embedded`: where the vectors are not
    given but made of pieces, the width of the pieces; a network in both directions then reads contexts, and another one
    continuations, and a text's vector is what both directions end with.
    """

    def __init__(self, width: int, embedded: int = 0) -> None:
        super().__init__()
        units = width // 2
        self.readers = nn.ModuleDict(
            {name: nn.GRU(embedded, units, batch_first=True) for name in _READERS} if embedded else {}
        )
        self.related = nn.Parameter(torch.empty(width, width))  # M
        self.hidden = nn.Linear(2 * width + 1, width)
        self.score = nn.Linear(width, 1)
        nn.init.trunc_normal_(self.related, std=DEVIATION)

    def contexts(self, pieces: Sequence[torch.Tensor]) -> torch.Tensor:
        """q (n × width) of contexts of pieces (p × embedded)."""
        return self._read(pieces, "context")

    def rests(self, pieces: Sequence[torch.Tensor]) -> torch.Tensor:
        """r (n × width) of continuations of pieces."""
        return self._read(pieces, "rest")

    def _read(self, pieces: Sequence[torch.Tensor], of: str) -> torch.Tensor:
        forth, back = self.readers[f"{of}_forth"], self.readers[f"{of}_back"]
        states, lengths = both_ways(forth, back, pieces)
        if not states:
            return torch.zeros(len(pieces), self.related.shape[0], device=lengths.device)
        last = torch.cat([state[torch.arange(len(pieces)), lengths.clamp(min=1) - 1] for state in states], 1)
        return last * (lengths > 0)[:, None]

    def forward(self, contexts: torch.Tensor, rests: torch.Tensor) -> torch.Tensor:
        """Logits (n) of two vectors each (n × width)."""
        product = ((contexts @ self.related) * rests).sum(1, keepdim=True)
        hidden = torch.tanh(self.hidden(torch.cat([contexts, product, rests], 1)))
        logits: torch.Tensor = self.score(hidden)[:, 0]
        return logits


_READERS = ("context_forth", "context_back", "rest_forth", "rest_back")


def highest(pieces: torch.Tensor) -> torch.Tensor:
    """A text's vector (d): of each unit the highest state over its pieces (p × d); nought for a text without any."""
    return pieces.float().amax(0) if len(pieces) else torch.zeros(pieces.shape[1])


def hinge_loss(own: torch.Tensor, foreign: torch.Tensor) -> torch.Tensor:
    """The mean over pairs of max(0, MARGIN - s(own) + s(foreign)), s being the probabilities of these logits (n)."""
    return torch.relu(MARGIN - own.sigmoid() + foreign.sigmoid()).mean()


def ruber_head_of(weights: Mapping[str, torch.Tensor]) -> RuberHead | PublishedRuber:
    """The head that these weights are of, in evaluation mode. Raises InputError where they are of something else."""
    if "related" not in weights or weights["related"].ndim == 1:
        return ruber_of(weights)
    try:
        first = f"readers.{_READERS[0]}.weight_ih_l0"
        embedded = weights[first].shape[1] if first in weights else 0
        published_ruber = PublishedRuber(weights["related"].shape[0], embedded)
        published_ruber.load_state_dict({name: weight.float() for name, weight in weights.items()})
    except (IndexError, RuntimeError) as error:
        raise InputError("These are no weights of a RUBER of this version of Fabula: train it again.") from error
    return published_ruber.eval()
