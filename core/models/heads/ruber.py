"""RUBER's unreferenced half (Tao et al. 2018, section 3.2): does this continuation belong to this context?

In the paper M is a whole matrix and q M r one number: see `ruber_published`. Here M is diagonal, and its products go to
the perceptron one by one, which can sum them: on held-out stories that is better (docs/results/ruber.md), and a tenth
of the weights.
"""

from collections.abc import Mapping, Sequence

import torch
from torch import nn

from core.errors import InputError

HIDDEN = 128
"""Units of the perceptron's one hidden layer."""
RECURRENT = 64
"""Of the recurrent network, in each direction."""


class RuberHead(nn.Module):
    """Logits of P(related) from two vectors a pair, q and r: `[q; q M r; r]` into a perceptron.

    `width`: of the vectors. They are brought to mean 0 and deviation 1 by constants, which `centre` takes from the
    training stories. `embedded`: where the vectors are not given but made of pieces, the width of the pieces.
    """

    context_mean: torch.Tensor
    context_deviation: torch.Tensor
    rest_mean: torch.Tensor
    rest_deviation: torch.Tensor

    def __init__(self, width: int, embedded: int = 0, dropout: float = 0.3) -> None:
        super().__init__()
        self.forth = nn.GRU(embedded, RECURRENT, batch_first=True) if embedded else None
        self.back = nn.GRU(embedded, RECURRENT, batch_first=True) if embedded else None
        for name in ("context", "rest"):
            self.register_buffer(f"{name}_mean", torch.zeros(width))
            self.register_buffer(f"{name}_deviation", torch.ones(width))
        self.related = nn.Parameter(torch.full((width,), width**-0.5))  # the diagonal of M
        self.hidden = nn.Linear(3 * width, HIDDEN)
        self.score = nn.Linear(HIDDEN, 1)
        self.dropout = nn.Dropout(dropout)

    def centre(self, contexts: torch.Tensor, rests: torch.Tensor) -> None:
        """Take means and deviations of these rows (n × width each) as constants."""
        for name, rows in (("context", contexts), ("rest", rests)):
            getattr(self, f"{name}_mean").copy_(rows.float().mean(0))
            getattr(self, f"{name}_deviation").copy_(rows.float().std(0, correction=0).clamp(min=1e-6))

    def read(self, pieces: Sequence[torch.Tensor]) -> torch.Tensor:
        """Vectors (n × width) of texts of pieces (p × embedded): the mean of each unit's states over the text."""
        if self.forth is None or self.back is None:
            raise ValueError("this RUBER is given vectors")
        # Bases differ in how large their embeddings are, and a recurrent network wants them near 1.
        scaled = [nn.functional.layer_norm(piece, piece.shape[1:]) for piece in pieces]
        states, lengths = both_ways(self.forth, self.back, scaled)
        if not states:
            return torch.zeros(len(pieces), 2 * RECURRENT, device=lengths.device)
        own = torch.arange(states[0].shape[1], device=lengths.device)[None, :, None] < lengths[:, None, None]
        return torch.cat([(state * own).sum(1) / lengths.clamp(min=1)[:, None] for state in states], 1)

    def contexts(self, pieces: Sequence[torch.Tensor]) -> torch.Tensor:
        """Return the vectors of contexts; `read` says what they are."""
        return self.read(pieces)

    def rests(self, pieces: Sequence[torch.Tensor]) -> torch.Tensor:
        """Return the vectors of continuations; `read` says what they are."""
        return self.read(pieces)

    def forward(self, contexts: torch.Tensor, rests: torch.Tensor) -> torch.Tensor:
        """Logits (n) of two vectors each (n × width)."""
        q = self.dropout((contexts - self.context_mean) / self.context_deviation)
        r = self.dropout((rests - self.rest_mean) / self.rest_deviation)
        hidden = self.dropout(torch.relu(self.hidden(torch.cat([q, q * self.related * r, r], 1))))
        logits: torch.Tensor = self.score(hidden)[:, 0]
        return logits


def both_ways(
    forth: nn.Module, back: nn.Module, pieces: Sequence[torch.Tensor]
) -> tuple[list[torch.Tensor], torch.Tensor]:
    """States (n × p × units each) of texts of pieces (p × embedded), read from their beginning and from their end, and
    how long each text is; no states where all are empty.
    """
    device = next(forth.parameters()).device
    lengths = torch.tensor([len(piece) for piece in pieces], device=device)
    if not lengths.any():
        return [], lengths
    # One bidirectional network would need packed sequences, whose gradient takes four times as long on a CPU.
    ways = (forth, pieces), (back, [piece.flip(0) for piece in pieces])
    return [reader(nn.utils.rnn.pad_sequence(list(texts), batch_first=True))[0] for reader, texts in ways], lengths


def ruber_of(weights: Mapping[str, torch.Tensor]) -> RuberHead:
    """The head that these weights are of, in evaluation mode. Raises InputError where they are of something else."""
    try:
        embedded = weights["forth.weight_ih_l0"].shape[1] if "forth.weight_ih_l0" in weights else 0
        ruber_head = RuberHead(weights["related"].shape[0], embedded)
        ruber_head.load_state_dict({name: weight.float() for name, weight in weights.items()})
    except (KeyError, IndexError, RuntimeError) as error:
        raise InputError("These are no weights of a RUBER of this version of Fabula: train it again.") from error
    return ruber_head.eval()
