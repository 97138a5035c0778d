"""What trained metrics stand on: a pretrained model up to a layer, its hidden states read token by token.

Any causal language model or encoder will do. What is above the highest layer that is wanted is thrown away when the
model is loaded: it would cost a third of the time and of the memory for nothing.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from core.errors import InputError, ModelMissing
from core.models.adapter import adapt
from core.models.catalogue import ModelRole, ModelSource
from core.models.language import start_token
from core.models.layers import drop_layers_above, states
from core.models.network import Network, by_tokens, load_pretrained, nothing_runs, positions_of
from core.models.sequence_pair import Pair, PairIds, encode_pairs, padded
from core.models.shape import is_causal
from core.models.text_cache import Memory

REMEMBERED_BYTES = 256 * 2**20
"""Of readings that are kept for other metrics on the same base: some thousand stories of fifty words."""


@dataclass(frozen=True, slots=True)
class EncodedText:
    """A text as the trunk reads it.

    `ids` (p), int64: its pieces, without the special ones. `layers` (layers × d), float32: the mean over them of the
    states behind each layer. `whole` (d), float32: the highest layer's state that has seen all of the text, a causal
    model's last or an encoder's first. `pieces` (p × d), float16: the highest layer's states.
    """

    ids: torch.Tensor
    layers: torch.Tensor
    whole: torch.Tensor
    pieces: torch.Tensor

    @property
    def size(self) -> int:
        """Bytes."""
        return sum(tensor.nbytes for tensor in (self.ids, self.layers, self.whole, self.pieces))


@dataclass(frozen=True)
class InputLayout:
    """How a model wants a text: the special pieces before and behind it, and how many pieces there is room for."""

    causal: bool
    left: tuple[int, ...]
    right: tuple[int, ...]
    room: int

    @classmethod
    def of(cls, tokenizer: Any, causal: bool, positions: int) -> "InputLayout":
        """A causal model's texts begin with its token for that; an encoder's stand between its own two."""
        if causal:
            return cls(True, (start_token(tokenizer),), (), positions - 1)
        around = tokenizer("a", return_special_tokens_mask=True)
        ids, special = around["input_ids"], around["special_tokens_mask"]
        own = [i for i, item in enumerate(special) if not item]
        left, right = tuple(ids[: own[0]]), tuple(ids[own[-1] + 1 :])
        if not left:
            raise ModelMissing("This encoder puts no token before a text that could stand for it: choose another one.")
        return cls(False, left, right, positions - len(left) - len(right))

    def windows(self, ids: Sequence[int]) -> list[list[int]]:
        """Pieces of a text that can be read at once, in order; one empty window for an empty text."""
        return [list(ids[i : i + self.room]) for i in range(0, max(1, len(ids)), self.room)]

    def batch(self, windows: Sequence[Sequence[int]], device: str) -> "Window":
        """Windows padded to the longest."""
        rows = [[*self.left, *ids, *self.right] for ids in windows]
        longest = max(map(len, rows))
        tokens = torch.full((len(rows), longest), self.left[0], dtype=torch.long)
        content = torch.zeros((len(rows), longest), dtype=torch.bool)
        attention = torch.zeros((len(rows), longest), dtype=torch.long)
        for i, (row, ids) in enumerate(zip(rows, windows, strict=True)):
            tokens[i, : len(row)] = torch.tensor(row)
            content[i, len(self.left) : len(self.left) + len(ids)] = True
            attention[i, : len(row)] = 1
        last = attention.sum(1) - 1 if self.causal else torch.zeros(len(rows), dtype=torch.long)
        # A causal model never looks at the padding on the right.
        mask = {} if self.causal else {"attention_mask": attention.to(device)}
        return Window({"input_ids": tokens.to(device), **mask}, content.to(device), last.to(device))


@dataclass(frozen=True, slots=True)
class Window:
    """A padded batch: what the model is given, which pieces are the texts' own, and where the whole has been seen."""

    inputs: dict[str, torch.Tensor]
    content: torch.Tensor
    last: torch.Tensor


def read_states(model: Any, window: Window, layers: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Means over the texts' pieces (n × layers × d), the whole (n × d), and the highest layer's states (n × p × d)."""
    tensors = states(model, window.inputs, layers)
    weights = (window.content / window.content.sum(1, keepdim=True).clamp(min=1)).to(tensors[0].dtype)
    means = torch.stack([torch.einsum("np,npd->nd", weights, tensor) for tensor in tensors], 1)
    highest = tensors[max(range(len(layers)), key=lambda i: layers[i])]
    return means, highest[torch.arange(len(highest)), window.last], highest


def pieces_of(tokenizer: Any, texts: Sequence[str]) -> list[list[int]]:
    """Ids of the pieces of each text, without special ones."""
    if not texts:
        return []  # the tokenizers fail on none
    result: list[list[int]] = tokenizer(list(texts), add_special_tokens=False, truncation=False, verbose=False)[
        "input_ids"
    ]
    return result


def first_states(model: Any, tokenizer: Any, layers: Sequence[int], rows: Sequence[PairIds]) -> torch.Tensor:
    """The highest layer's first state, [CLS], of each pair (n × d)."""
    inputs = padded(tokenizer, rows, model.device.type)
    return states(model, inputs, [max(layers)])[0][:, 0]


class Trunk(Network):
    """The lower layers of a model, for inference; `layers` are those whose states are wanted, 1 the lowest."""

    role = ModelRole.BASE

    def __init__(
        self,
        source: ModelSource,
        layers: Sequence[int],
        device: str = "cpu",
        precision: str = "float32",
        learnt: Callable[[Any], None] | None = None,
    ) -> None:
        """`learnt` puts trained weights into the model. Raises ModelMissing, and InputError for layers not there."""
        self.layers = tuple(layers)
        self._learnt = learnt
        self._memory: Memory[bytes, EncodedText] = Memory(REMEMBERED_BYTES)
        super().__init__(source, device, precision)
        self.layout = InputLayout.of(self.tokenizer, is_causal(source), self.positions)

    def prepare(self) -> None:
        """Take away what is not wanted, and put in what was learnt."""
        drop_layers_above(self.model, max(self.layers))
        if self._learnt:
            self._learnt(self.model)

    def read(self, texts: Sequence[str], done: Callable[[int], None] | None = None) -> list[EncodedText]:
        """Return what the base says of each text, in input order. `done` counts texts.

        A text longer than the model can read is read in windows, one after another: means are over all of them, the
        whole is the last one's of a causal model and the first one's of an encoder.
        """
        ids = pieces_of(self.tokenizer, texts)
        windows = [(text, window) for text, row in enumerate(ids) for window in self.layout.windows(row)]
        results: list[list[tuple[torch.Tensor, ...]]] = [[] for _ in texts]
        parts: list[tuple[torch.Tensor, ...]] = [()] * len(windows)
        left = [len(self.layout.windows(row)) for row in ids]
        for batch in by_tokens([len(window) + 2 for _, window in windows], self.budget):
            for index, part in zip(batch, self.run(self._forward, [windows[i][1] for i in batch]), strict=True):
                parts[index] = part
                left[windows[index][0]] -= 1
                if done and not left[windows[index][0]]:
                    done(1)
        for (text, _), part in zip(windows, parts, strict=True):
            results[text].append(part)
        return [self._joined(row, some) for row, some in zip(ids, results, strict=True)]

    def read_once(self, texts: Sequence[str], done: Callable[[int], None] | None = None) -> list[EncodedText]:
        """As `read`, but what was read last is remembered, so that several metrics on one base cost one pass."""
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        known = {key: kept for key in dict.fromkeys(keys) if (kept := self._memory.get(key)) is not None}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if done and (again := len(texts) - len(missing)):
            done(again)
        for key, reading in zip(missing, self.read(list(missing.values()), done), strict=True):
            known[key] = reading
            self._memory.put(key, reading, reading.size)
        return [known[key] for key in keys]

    def read_pairs(self, pairs: Sequence[Pair]) -> torch.Tensor:
        """The first state, [CLS], of each story and reference read as one sequence (n × d), float32; of what is too
        long, the longer of the two is cut.
        """
        rows = encode_pairs(self.tokenizer, pairs, self.positions)
        result = [torch.empty(0)] * len(rows)
        for batch in by_tokens([len(row.ids) for row in rows], self.budget):
            for index, state in zip(batch, self.run(self._first, [rows[i] for i in batch]), strict=True):
                result[index] = state
        return torch.stack(result)

    def _first(self, rows: list[PairIds]) -> list[torch.Tensor]:
        return list(first_states(self.model, self.tokenizer, self.layers, rows).float().cpu())

    def _forward(self, windows: list[list[int]]) -> list[tuple[torch.Tensor, ...]]:
        batch = self.layout.batch(windows, self.device)
        means, whole, highest = read_states(self.model, batch, self.layers)
        means, whole = means.float().cpu(), whole.float().cpu()
        return [(means[i], whole[i], highest[i][batch.content[i]].half().cpu()) for i in range(len(windows))]

    def _joined(self, ids: Sequence[int], parts: Sequence[tuple[torch.Tensor, ...]]) -> EncodedText:
        means, wholes, pieces = zip(*parts, strict=True)
        counts = torch.tensor([float(len(piece)) for piece in pieces])
        weights = counts / counts.sum().clamp(min=1)
        return EncodedText(
            torch.tensor(ids, dtype=torch.long),
            torch.einsum("w,wld->ld", weights, torch.stack(means)),
            wholes[-1 if self.layout.causal else 0],
            torch.cat(pieces),
        )


class TunableTrunk:
    """The lower layers of a model that is to learn, in float32: `rank` is that of the adapters, 0 for all weights."""

    def __init__(self, source: ModelSource, layers: Sequence[int], rank: int) -> None:
        """Raises ModelMissing where it cannot be loaded or takes no adapters, InputError for layers not there."""
        self.layers = tuple(layers)
        self.signature = f"{source.at_revision} {self.layers} {rank}"
        with nothing_runs():
            self.model, self.tokenizer = load_pretrained(ModelRole.BASE, source, torch.float32)
        drop_layers_above(self.model, max(self.layers))
        tune(self.model, rank)
        self.positions = positions_of(self.model.config, self.tokenizer)
        self.layout = InputLayout.of(self.tokenizer, is_causal(source), self.positions)

    def learnt(self) -> dict[str, torch.Tensor]:
        """The weights that learn, by name."""
        return {name: item.detach() for name, item in self.model.named_parameters() if item.requires_grad}

    def ids_of(self, texts: Sequence[str]) -> list[torch.Tensor]:
        """Return the ids of as many pieces of each text as are read at once."""
        result = pieces_of(self.tokenizer, texts)
        return [torch.tensor(ids[: self.layout.room], dtype=torch.long) for ids in result]

    def states(self, ids: Sequence[torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Of texts of these pieces: as `read_states`, and which pieces are the texts' own (n × p)."""
        window = self.layout.batch([tensor.tolist() for tensor in ids], self.model.device.type)
        return *read_states(self.model, window, self.layers), window.content

    def first_states(self, rows: Sequence[PairIds]) -> torch.Tensor:
        """[CLS] of each pair (n × d)."""
        return first_states(self.model, self.tokenizer, self.layers, rows)


def tune(model: Any, rank: int) -> None:
    """Let adapters of a rank learn, or (0) all that stands below the layers that are read."""
    if rank:
        adapt(model, rank)
    else:
        model.requires_grad_(True)


def put_learnt(model: Any, rank: int, weights: Mapping[str, torch.Tensor]) -> None:
    """Put what a `TunableTrunk` of the same rank has learnt into a model that was cut as that one was, or a
    `TunableLanguageModel` into its base, in the model's own precision.

    Raises InputError where it does not fit.
    """
    if rank:
        adapt(model, rank)
    parameters = dict(model.named_parameters())
    if unknown := sorted(set(weights) - set(parameters)):
        raise InputError(f"The trained weights are of another base: it has no {unknown[0]}.")
    if others := sorted(name for name, tensor in weights.items() if tensor.shape != parameters[name].shape):
        raise InputError(f"The trained weights are of another base: its {others[0]} is of another size.")
    with torch.no_grad():
        for name, tensor in weights.items():
            parameters[name].copy_(tensor)
    model.to(model.dtype)  # adapters are made in float32
