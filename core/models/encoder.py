"""Encoders: a vector for every token of a text, computed once per text for all metrics of a run."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.utils.rnn import pad_sequence

from core.errors import InputError, ModelMissing
from core.models.catalogue import ModelRole, ModelSource
from core.models.devices.cpu import read_unpadded, reads_unpadded
from core.models.network import Network, by_tokens
from core.models.text_cache import Memory

REMEMBERED_BYTES = 256 * 2**20
_ALL_LAYERS = -1


@dataclass(frozen=True, slots=True)
class Embedding:
    """A text's pieces, the special ones at both ends included.

    `ids` (n), `vectors` (n × d, float32, on the CPU), `words` (n): the number of the word that a piece belongs to, -1
    for a special piece; `marks` (n): whether a piece has neither letter nor digit.
    """

    ids: NDArray[np.int64]
    vectors: torch.Tensor
    words: NDArray[np.int64]
    marks: NDArray[np.bool_]

    @property
    def content(self) -> NDArray[np.bool_]:
        """Which pieces are of the text itself."""
        return np.asarray(self.words >= 0)

    @property
    def first_pieces(self) -> NDArray[np.bool_]:
        """Which pieces of the text begin a word."""
        return np.asarray(self.content & (self.words != np.concatenate([[-2], self.words[:-1]])))


@dataclass(frozen=True, slots=True)
class _Text:
    ids: NDArray[np.int64]
    words: NDArray[np.int64]
    special_left: int
    special_right: int


@dataclass(frozen=True, slots=True)
class _Window:
    """Pieces `begin` to `end` of a text's content; those from `keep_from` to `keep_to` take their vector from here."""

    text: int
    begin: int
    end: int
    keep_from: int
    keep_to: int


def windows(length: int, size: int) -> list[tuple[int, int, int, int]]:
    """Cut `length` pieces into windows of `size` that overlap by half: (begin, end, keep from, keep to).

    Each piece is kept from the window in which it stands farthest from a cut.
    """
    if length <= size:
        return [(0, length, 0, length)]
    step = max(1, size // 2)
    begins = [*range(0, length - size, step), length - size]
    cuts = [0, *((a + size + b) // 2 for a, b in pairwise(begins)), length]
    return [(b, b + size, left, right) for b, left, right in zip(begins, cuts, cuts[1:], strict=False)]


class Encoder(Network):
    """A model whose hidden states stand for the pieces of a text; embeddings of the latest texts are remembered."""

    role = ModelRole.ENCODER

    def __init__(self, source: ModelSource, device: str = "cpu", precision: str = "float32") -> None:
        """Load what `catalogue.locate` found; raises ModelMissing where it cannot do without a decoder."""
        super().__init__(source, device, precision)
        if self.model.config.is_encoder_decoder:
            raise ModelMissing(f"{source.name} is an encoder with a decoder; choose an encoder alone, such as BERT.")
        self._memory: Memory[tuple[str, int], Embedding] = Memory(REMEMBERED_BYTES)
        self.frequencies: Memory[str, NDArray[np.float64]] = Memory(4, of_texts=False)
        """Tables of inverse document frequency by their corpus's fingerprint."""

    @property
    def layers(self) -> int:
        """How many layers there are; layer 0 is the input embedding."""
        return int(getattr(self.model.config, "num_hidden_layers", 0))

    def layer(self, name: str) -> int:
        """The number of a layer named `last`, `7` or `-2`; raises InputError where there is none such."""
        number = self.layers if name == "last" else int(name)
        number = number + self.layers + 1 if number < 0 else number
        if not 0 <= number <= self.layers:
            raise InputError(f"{self.source.name} has the layers 0 to {self.layers}; there is no layer {name}.")
        return number

    @cached_property
    def window(self) -> int:
        """How many pieces fit beside the special ones."""
        return self.positions - int(self.tokenizer.num_special_tokens_to_add())

    @cached_property
    def _marks(self) -> NDArray[np.bool_]:
        """By piece id: neither letter nor digit in it. A part of a character, as byte-level pieces have, is none."""
        pieces = self.tokenizer.convert_ids_to_tokens(list(range(len(self.tokenizer))))
        texts = [self.tokenizer.convert_tokens_to_string([str(piece)]) for piece in pieces]
        return np.array([not any(c.isalnum() or c == "\ufffd" for c in text) for text in texts])

    def embed(self, texts: Sequence[str], layer: int) -> list[Embedding]:
        """Embeddings at one layer, in input order. A long text is read in windows that overlap by half."""
        wanted = dict.fromkeys(texts)
        result = {text: kept for text in wanted if (kept := self._memory.get((text, layer))) is not None}
        todo = [text for text in wanted if text not in result]
        for text, embedding in zip(todo, self._read(todo, layer), strict=True):
            result[text] = embedding
            self._memory.put((text, layer), embedding, embedding.vectors.nbytes)
        return [result[text] for text in texts]

    def states(self, texts: Sequence[str]) -> list[torch.Tensor]:
        """The states at all layers of each text's pieces, special ones included: (pieces × (layers + 1) × d), float32.

        Input order; nothing is remembered. A long text is read in windows, as `embed` does.
        """
        return [embedding.vectors for embedding in self._read(list(texts), _ALL_LAYERS)]

    def pieces(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """Ids of the pieces of each text, special ones included, however long it is."""
        return [
            np.array(ids, dtype=np.int64)
            for ids in self.tokenizer(list(texts), truncation=False, verbose=False)["input_ids"]
        ]

    def _tokenise(self, texts: Sequence[str]) -> list[_Text]:
        encoded = self.tokenizer(list(texts), truncation=False, verbose=False)
        result = []
        for i, ids in enumerate(encoded["input_ids"]):
            words = np.array([-1 if w is None else w for w in encoded.word_ids(i)], dtype=np.int64)
            content = np.flatnonzero(words >= 0)
            left = int(content[0]) if len(content) else len(words)
            right = len(words) - 1 - int(content[-1]) if len(content) else 0
            result.append(_Text(np.array(ids, dtype=np.int64), words, left, right))
        return result

    def _read(self, texts: list[str], layer: int) -> list[Embedding]:
        if not texts:
            return []
        read = self._tokenise(texts)
        cut = [
            _Window(i, *window)
            for i, item in enumerate(read)
            for window in windows(len(item.ids) - item.special_left - item.special_right, self.window)
        ]
        vectors: list[torch.Tensor | None] = [None] * len(texts)
        lengths = [w.end - w.begin + read[w.text].special_left + read[w.text].special_right for w in cut]
        for batch in by_tokens(lengths, self.budget):
            part = [cut[i] for i in batch]
            for window, states in zip(part, self.run(lambda p: self._forward(p, read, layer), part), strict=True):
                whole = vectors[window.text]
                text = read[window.text]
                if whole is None:
                    whole = vectors[window.text] = torch.empty((len(text.ids), *states.shape[1:]))
                self._place(whole, states, window, text)
        return [
            Embedding(item.ids, whole, item.words, self._marks[item.ids])
            for item, whole in zip(read, vectors, strict=True)
            if whole is not None
        ]

    @staticmethod
    def _place(whole: torch.Tensor, states: torch.Tensor, window: _Window, text: _Text) -> None:
        """Copy what a window keeps; the special pieces come from the first and the last window."""
        left, shift = text.special_left, text.special_left - window.begin
        whole[left + window.keep_from : left + window.keep_to] = states[
            window.keep_from + shift : window.keep_to + shift
        ]
        if window.keep_from == 0:
            whole[:left] = states[:left]
        if left + window.end + text.special_right == len(text.ids) and text.special_right:
            whole[-text.special_right :] = states[-text.special_right :]

    def _forward(self, part: list[_Window], read: list[_Text], layer: int) -> list[torch.Tensor]:
        rows = []
        for window in part:
            text = read[window.text]
            left, end = text.special_left, len(text.ids) - text.special_right
            content = text.ids[left + window.begin : left + window.end]
            rows.append(torch.from_numpy(np.concatenate([text.ids[:left], content, text.ids[end:]])))
        lengths = [len(row) for row in rows]
        several = {"output_hidden_states": layer != self.layers}
        if reads_unpadded(self.model, self.device):
            output = read_unpadded(self.model, rows, **several)
            return list(torch.split(self._chosen(output, layer)[0], lengths))
        tokens = pad_sequence(rows, batch_first=True).to(self.device)
        mask = {}
        if min(lengths) < max(lengths):
            mask["attention_mask"] = pad_sequence([torch.ones_like(row) for row in rows], batch_first=True).to(
                self.device
            )
        states = self._chosen(self.model(input_ids=tokens, **mask, **several), layer)
        return [states[i, :length] for i, length in enumerate(lengths)]

    def _chosen(self, output: Any, layer: int) -> torch.Tensor:
        """Of a model's output, the states at a layer (texts × pieces × d) or all (texts × pieces × layers × d)."""
        if layer == _ALL_LAYERS:
            states = torch.stack(output.hidden_states, dim=2)
        else:
            states = output.last_hidden_state if layer == self.layers else output.hidden_states[layer]
        return states.float().cpu()
