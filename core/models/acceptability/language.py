"""The classifier of acceptable sentences on the bundled language model: adapters in its upper layers, and a small head
over the states behind four of them.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import torch
from safetensors.torch import load_file
from torch import nn

from core.models.acceptability.encoder import ADAPTERS, HEAD, part
from core.models.acceptability.weights import LANGUAGE_WEIGHTS, revision
from core.models.adapter import EVERY_OF_LLAMA, put_in
from core.models.catalogue import ModelSource
from core.models.concurrency import loaded_once
from core.models.layers import states
from core.models.network import by_tokens, resolve_device
from core.models.trunk import InputLayout, Trunk, pieces_of

LAYERS, WIDTH = (12, 16, 20, 24), 576
"""Of the bundled language model: those whose states are read; what stands above them is thrown away."""
RANK, LOWEST = 8, 7
"""Of the adapters, and the first layer that has some: what the words are is told below it."""
EACH, LAST = 64, 64


class LanguageHead(nn.Module):
    """The states of a sentence's tokens in, one logit a sentence out; about 200,000 weights.

    Each layer is normalised and projected to a few dimensions; the tokens are pooled by attention, by maximum, and by
    taking the last, which has seen all of the sentence.
    """

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.norms = nn.ModuleList([nn.LayerNorm(WIDTH) for _ in LAYERS])
        self.each = nn.ModuleList([nn.Linear(WIDTH, EACH) for _ in LAYERS])
        small = EACH * len(LAYERS)
        self.attention = nn.Linear(small, 1)
        self.dropout = nn.Dropout(dropout)
        self.last = nn.Sequential(nn.Linear(3 * small, LAST), nn.ReLU(), nn.Dropout(dropout), nn.Linear(LAST, 1))

    def forward(self, states: list[torch.Tensor]) -> torch.Tensor:
        """Logits (n); `states`: a sentence's are (tokens × layers × width)."""
        lengths = torch.tensor([len(state) for state in states])
        padded = nn.utils.rnn.pad_sequence(states, batch_first=True)
        beyond = torch.arange(padded.shape[1])[None, :] >= lengths[:, None]
        each = [
            project(norm(padded[:, :, layer]))
            for layer, (norm, project) in enumerate(zip(self.norms, self.each, strict=True))
        ]
        small = self.dropout(nn.functional.gelu(torch.cat(each, -1)))
        weights = torch.softmax(self.attention(small)[:, :, 0].masked_fill(beyond, -torch.inf), 1)
        attended = (small * weights[:, :, None]).sum(1)
        highest = small.masked_fill(beyond[:, :, None], -torch.inf).amax(1)
        last = small[torch.arange(len(small)), lengths - 1]
        logits: torch.Tensor = self.last(torch.cat([attended, highest, last], 1))[:, 0]
        return logits


def lines(tokenizer: Any, sentences: Sequence[str], room: int) -> list[list[int]]:
    """Ids of each sentence and of the end of the line behind it, where the model has seen that nothing follows."""
    (end,) = pieces_of(tokenizer, ["\n"])
    return [[*ids[: room - len(end)], *end] for ids in pieces_of(tokenizer, sentences)]


def states_of(model: Any, layout: InputLayout, ids: Sequence[Sequence[int]], device: str) -> list[torch.Tensor]:
    """The states of each line's tokens (tokens × layers × width), float32, on the CPU."""
    window = layout.batch(ids, device)
    result = torch.stack(states(model, window.inputs, LAYERS), 2).float().cpu()
    return [item[content] for item, content in zip(result, window.content.cpu(), strict=True)]


class GrammarLanguageModel(Trunk):
    """The bundled language model with what its adapters have learnt of grammar added to its weights."""

    def __init__(self, source: ModelSource, adapters: Mapping[str, torch.Tensor], device: str = "cpu") -> None:
        """`adapters`: by the names that `adapt` gives them."""
        super().__init__(
            source, LAYERS, device, learnt=lambda model: put_in(model, adapters, RANK, EVERY_OF_LLAMA, LOWEST)
        )

    def states(self, sentences: Sequence[str]) -> list[torch.Tensor]:
        """Return the states that `states_of` gives, in input order."""
        ids = lines(self.tokenizer, sentences, self.layout.room)
        result = [torch.empty(0)] * len(ids)
        for batch in by_tokens([len(entry) + 1 for entry in ids], self.budget):
            for index, tensor in zip(batch, self.run(self._states, [ids[i] for i in batch]), strict=True):
                result[index] = tensor
        return result

    def _states(self, ids: list[list[int]]) -> list[torch.Tensor]:
        return states_of(self.model, self.layout, ids, self.device)


@lru_cache(maxsize=1)
def _weights(_: str) -> dict[str, torch.Tensor]:
    return {name: weight.float() for name, weight in load_file(LANGUAGE_WEIGHTS).items()}


@loaded_once(1)
def shipped_lm(source: ModelSource, device: str) -> tuple[GrammarLanguageModel, LanguageHead]:
    """Load the language model that Fabula brings along, once. Raises ModelMissing."""
    weights = _weights(revision(LANGUAGE_WEIGHTS))
    head = LanguageHead()
    head.load_state_dict(part(weights, HEAD))
    return GrammarLanguageModel(source, part(weights, ADAPTERS), resolve_device(device)), head.eval()
