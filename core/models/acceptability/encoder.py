"""The classifier of acceptable sentences: the bundled encoder with adapters, and a small head over all its layers."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import nn

from core.models.acceptability.weights import WEIGHTS, revision
from core.models.adapter import EVERY_OF_BERT, put_in
from core.models.catalogue import ModelSource
from core.models.concurrency import loaded_once
from core.models.encoder import Encoder
from core.models.network import by_tokens, resolve_device

SENTENCES_AT_ONCE = 256
PIECES_A_BATCH = 1024
LAYERS, WIDTH = 7, 384
"""States of the bundled encoder: the input embedding and six layers."""
EACH, MIXED, HIDDEN, LAST = 24, 96, 64, 64
RANK = 32
HEAD, ADAPTERS = "head.", "adapters."
"""What the names of the weights begin with."""


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
        lengths = [len(state) for state in states]
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


class GrammarEncoder(Encoder):
    """The bundled encoder with what its adapters have learnt of grammar added to its weights."""

    def __init__(
        self, source: ModelSource, adapters: Mapping[str, torch.Tensor], device: str = "cpu", precision: str = "float32"
    ) -> None:
        """`adapters`: by the names that `adapt` gives them."""
        self._adapters = adapters
        super().__init__(source, device, precision)

    def prepare(self) -> None:
        """Put the adapters' weights in."""
        put_in(self.model, self._adapters, RANK, EVERY_OF_BERT)


@lru_cache(maxsize=1)
def _weights(_: str) -> dict[str, torch.Tensor]:
    return {name: weight.float() for name, weight in load_file(WEIGHTS).items()}


def part(weights: Mapping[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    """The weights whose names begin so, under the rest of their names."""
    return {name.removeprefix(prefix): weight for name, weight in weights.items() if name.startswith(prefix)}


@loaded_once(1)
def shipped(source: ModelSource, device: str, precision: str) -> tuple[GrammarEncoder, Head]:
    """The classifier that Fabula brings along, loaded once. Raises ModelMissing."""
    weights = _weights(revision())
    head = Head()
    head.load_state_dict(part(weights, HEAD))
    return GrammarEncoder(source, part(weights, ADAPTERS), resolve_device(device), precision), head.eval()


class SentenceReader(Protocol):
    """A model that gives a sentence's states as the head beside it takes them."""

    def states(self, texts: Sequence[str], /) -> list[torch.Tensor]:
        """Return the states of each sentence (pieces × layers × width)."""


def logits(
    model: SentenceReader, head: nn.Module, sentences: Sequence[str], done: Callable[[int], None] | None = None
) -> NDArray[np.float64]:
    """Logit of P(acceptable) of each sentence, in input order; `done` counts sentences."""
    result = np.zeros(len(sentences))
    for start in range(0, len(sentences), SENTENCES_AT_ONCE):
        part = sentences[start : start + SENTENCES_AT_ONCE]
        states = model.states(part)
        for batch in by_tokens([len(state) for state in states], PIECES_A_BATCH):
            with torch.inference_mode():
                result[[start + i for i in batch]] = head([states[i] for i in batch]).double().numpy()
        if done:
            done(len(part))
    return result
