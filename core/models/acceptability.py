"""The classifier of acceptable sentences: a small head over all layers of the bundled encoder."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import nn

from core.models.encoder import Encoder
from core.models.network import by_tokens
from core.perturb.acceptability import WEIGHTS, revision

SENTENCES_AT_ONCE = 256
PIECES_A_BATCH = 1024
LAYERS, WIDTH = 7, 384
"""States of the bundled encoder: the input embedding and six layers."""
EACH, MIXED, HIDDEN, LAST = 24, 96, 64, 64


class Head(nn.Module):
    """The states of all layers of every piece in, one logit a sentence out; about 245,000 weights.

    Each layer is projected to a few dimensions, and a learnt mixture of all to more; a bidirectional GRU reads the
    pieces, and what it says is pooled by attention and by maximum.
    """

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.mixture = nn.Parameter(torch.zeros(LAYERS))
        self.mixed = nn.Linear(WIDTH, MIXED)
        self.each = nn.ModuleList([nn.Linear(WIDTH, EACH) for _ in range(LAYERS)])
        self.reader = nn.GRU(MIXED + LAYERS * EACH, HIDDEN, bidirectional=True, batch_first=True)
        self.attention = nn.Linear(2 * HIDDEN, 1)
        self.last = nn.Sequential(nn.Linear(4 * HIDDEN, LAST), nn.ReLU(), nn.Dropout(dropout), nn.Linear(LAST, 1))
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: list[torch.Tensor]) -> torch.Tensor:
        """Logits (n); `states`: a sentence's are (pieces × layers × width)."""
        lengths = [len(one) for one in states]
        padded = nn.utils.rnn.pad_sequence(states, batch_first=True)
        beyond = torch.arange(max(lengths))[None, :] >= torch.tensor(lengths)[:, None]
        mixed = self.mixed((padded * torch.softmax(self.mixture, 0)[:, None]).sum(2))
        each = [project(padded[:, :, layer]) for layer, project in enumerate(self.each)]
        small = self.dropout(nn.functional.gelu(torch.cat([mixed, *each], -1)))
        packed = nn.utils.rnn.pack_padded_sequence(small, lengths, batch_first=True, enforce_sorted=False)
        read, _ = nn.utils.rnn.pad_packed_sequence(self.reader(packed)[0], batch_first=True)
        weights = torch.softmax(self.attention(read)[:, :, 0].masked_fill(beyond, -torch.inf), 1)
        attended = (read * weights[:, :, None]).sum(1)
        highest = read.masked_fill(beyond[:, :, None], -torch.inf).amax(1)
        logits: torch.Tensor = self.last(self.dropout(torch.cat([attended, highest], 1)))[:, 0]
        return logits


@lru_cache(maxsize=1)
def _head(_: str) -> Head:
    head = Head()
    head.load_state_dict({name: weight.float() for name, weight in load_file(WEIGHTS).items()})
    return head.eval()


def shipped() -> Head:
    """The head that Fabula brings along, loaded once. Raises ModelMissing."""
    return _head(revision())


def probabilities(
    model: Encoder, head: Head, sentences: Sequence[str], done: Callable[[int], None] | None = None
) -> NDArray[np.float64]:
    """P(acceptable) of each sentence, in input order, each in 0..1; `done` counts sentences."""
    found = np.zeros(len(sentences))
    for start in range(0, len(sentences), SENTENCES_AT_ONCE):
        part = sentences[start : start + SENTENCES_AT_ONCE]
        states = model.states(part)
        for batch in by_tokens([len(one) for one in states], PIECES_A_BATCH):
            with torch.inference_mode():
                logits = head([states[i] for i in batch]).double()
            found[[start + i for i in batch]] = torch.sigmoid(logits).numpy()
        if done:
            done(len(part))
    return found
