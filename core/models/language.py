"""Causal language models: how likely each token of a story is, and which tokens the model prefers.

One forward pass gives every token statistic (GLTR, Gehrmann et al. 2019): log-probability, rank, fraction, entropy and
the likeliest alternatives. Nothing is sorted, and nothing moves to Python a token at a time.
"""

import hashlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import torch

from core.arrays import Ints
from core.errors import InputError, ModelMissing
from core.models.catalogue import ModelRole, ModelSource
from core.models.devices.cpu import read_unpadded, reads_unpadded
from core.models.network import Network, by_tokens
from core.models.statistics import (
    Measure,
    Rows,
    Span,
    TokenStatistics,
    likelihood,
    measured,
    statistics,
    statistics_of,
)
from core.models.text_cache import Memory
from core.tokens import behind

REMEMBERED_BYTES = 64 * 2**20
"""Of the numbers of tokens that are kept for other metrics of the family, 16 bytes a token."""
TOLERANCE = {torch.float32: 1e-3, torch.bfloat16: 0.1}
"""How far logits may be from the model's own, as a share of the greatest."""
Pair = tuple[str, str]
"""What the model reads first ("" for nothing), and the text that is scored."""


@dataclass(frozen=True, slots=True)
class PairTokens:
    """Of a pair's joined text: the `ids` of its tokens, of which those from `cut` on are the text's that is scored, and
    what the tokenizer knows of them.
    """

    ids: list[int]
    cut: int
    encoding: Any

    def spans(self, pair: Pair) -> list[Span]:
        """Where the tokens that are scored stand in the pair's second text."""
        given, text = pair
        before = len(given) + len(behind(given, text)) - len(text)
        return [(max(start - before, 0), end - before) for start, end in self.encoding.offsets[self.cut :]]


def _first_behind(given: str, encoding: Any) -> int:
    """Which token is the first that begins behind what is read first."""
    if not given:
        return 0
    return next((i for i, (start, _) in enumerate(encoding.offsets) if start >= len(given)), len(encoding))


@dataclass(frozen=True, slots=True)
class Window:
    """Part of a text with its context: `ids` from position `first` on are scored; it is 1 or more, since a token that
    begins the text is scored by nothing.
    """

    text: int
    ids: list[int]
    first: int


def digest(pair: Pair) -> bytes:
    """What a pair is remembered by: long stories must not be kept for it."""
    return hashlib.sha256("\0".join(pair).encode()).digest()


def start_token(tokenizer: Any) -> int:
    """The token that stands before a text: GPT-2's and SmolLM2's document separator, else the model's own."""
    vocabulary = tokenizer.get_vocab()
    if "<|endoftext|>" in vocabulary:
        return int(vocabulary["<|endoftext|>"])
    own = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
    if own is None:
        raise ModelMissing("This model has no token that can begin a text; choose another causal language model.")
    return int(own)


def logits_of(model: Any, states: torch.Tensor) -> torch.Tensor:
    """A causal model's logits (n × vocabulary), float32; `states` (n × d) are those behind the last norm."""
    return scaled(model.config, model.get_output_embeddings()(states))


def scaled(config: Any, logits: torch.Tensor) -> torch.Tensor:
    """What a head gives, float32, with the scaling that some families put behind it (Granite, Cohere, Gemma 2)."""
    logits = logits.float()
    if divisor := getattr(config, "logits_scaling", None):
        logits = logits / divisor
    if factor := getattr(config, "logit_scale", None):
        logits = logits * factor
    if cap := getattr(config, "final_logit_softcapping", None):
        logits = torch.tanh(logits / cap) * cap
    return logits


def positions(config: Any) -> int:
    """How many tokens a causal model can read at once."""
    return int(getattr(config, "max_position_embeddings", 1024))


class CausalModel(ABC):
    """A causal language model, wherever it runs: what is read, in which windows, and which of its tokens count.
    Likelihoods are remembered by text, so that metrics of one family cost one pass.
    """

    source: ModelSource
    tokenizer: Any

    def __init__(self, source: ModelSource, tokenizer: Any, window: int) -> None:
        """`window`: how many tokens it can read at once."""
        self.source = source
        self.tokenizer = tokenizer
        self.window = window
        self._start = start_token(tokenizer)
        self._memory: Memory[tuple[bytes, int, int, int | None], Rows] = Memory(REMEMBERED_BYTES)

    @abstractmethod
    def _batches(self, lengths: Sequence[int]) -> list[list[int]]:
        """Which windows, of so many tokens, are read at once."""

    @abstractmethod
    def _read(self, windows: list[Window], top: int | None) -> list[torch.Tensor]:
        """Of each window, a row of numbers (float64) for every scored token: the columns of `likelihood`, or with `top`
        those of `statistics`.
        """

    def measures(
        self,
        pairs: Sequence[Pair],
        on_progress: Callable[[int], None] | None = None,
        window: int | None = None,
        stride: int | None = None,
        first: int | None = None,
    ) -> list[Rows]:
        """What metrics need to know of each token of each pair's text given what comes before, in input order.

        The beginning-of-text token stands before everything, so that the first token counts. A text longer than
        `window` tokens (by default as many as the model can read) is read in windows that begin `stride` tokens apart
        (by default half a window); every token is scored once, with at least `window - stride` tokens before it where
        there are so many. `first`: only so many tokens of a text are read; one that has fewer gets no rows.
        `on_progress` receives how many of `pairs` each batch has finished.
        """
        size, step = self._windowing(window, stride)
        times = Counter(pairs)
        results = {p: kept for p in times if (kept := self._remembered((digest(p), size, step), first)) is not None}
        if on_progress and results:
            on_progress(sum(times[pair] for pair in results))
        todo = [pair for pair in times if pair not in results]

        def finished(pair: Pair) -> None:
            if on_progress:
                on_progress(times[pair])

        measured = self._measure(todo, self.tokens(todo), size, step, None, finished, first=first)
        for pair, rows in zip(todo, measured, strict=True):
            results[pair] = rows.float().numpy() if len(rows) else np.zeros((0, 4), np.float32)
            self._memory.put((digest(pair), size, step, first), results[pair], max(1, results[pair].nbytes))
        return [results[pair] for pair in pairs]

    def _remembered(self, key: tuple[bytes, int, int], first: int | None) -> Rows | None:
        whole = self._memory.get((*key, None))
        if whole is None or first is None:
            return self._memory.get((*key, first))
        return whole[: first if len(whole) >= first else 0]

    def token_statistics(
        self, pairs: Sequence[Pair], top: int = 5, on_progress: Callable[[int, int], None] | None = None
    ) -> list[TokenStatistics]:
        """Statistics of every token of each pair's text, in input order; texts are windowed as in `measures`.

        `on_progress` receives how many tokens are done, and of how many, after each batch.
        """
        size, step = self._windowing(None, None)
        tokens = self.tokens(pairs)
        measured = self._measure(pairs, tokens, size, step, top, read=on_progress)
        return [
            statistics_of(rows, one.ids[one.cut :], one.spans(pair), top)
            for pair, one, rows in zip(pairs, tokens, measured, strict=True)
        ]

    def _windowing(self, window: int | None, stride: int | None) -> tuple[int, int]:
        size = min(window or self.window, self.window)
        step = stride or size // 2
        if not 0 < step < size:
            raise InputError(f"Windows of {size} tokens must begin between 1 and {size - 1} tokens apart, not {step}.")
        return size, step

    def tokens(self, pairs: Sequence[Pair]) -> list[PairTokens]:
        """The tokens of each pair's texts, which are read at once, since a tokenizer may begin every text in a way of
        its own.
        """
        if not pairs:
            return []
        encoded = self.tokenizer(  # in one call, which uses all cores
            [given + behind(given, text) for given, text in pairs],
            add_special_tokens=False,
            return_attention_mask=False,
            verbose=False,
        )
        return [
            PairTokens(ids, _first_behind(given, encoding), encoding)
            for ids, encoding, (given, _) in zip(encoded["input_ids"], encoded.encodings, pairs, strict=True)
        ]

    def _windows(self, text: int, tokens: PairTokens, size: int, step: int, first: int | None) -> Iterator[Window]:
        end = len(tokens.ids)
        if first is not None:
            end = tokens.cut + (first if end - tokens.cut >= first else 0)
        ids, scored_to = [self._start, *tokens.ids[:end]], 1 + tokens.cut
        for begin in range(0, len(ids), step):
            end = min(begin + size, len(ids))
            if end > scored_to:
                yield Window(text, ids[begin:end], scored_to - begin)
                scored_to = end
            if end == len(ids):
                break

    def _measure(
        self,
        pairs: Sequence[Pair],
        tokens: Sequence[PairTokens],
        size: int,
        step: int,
        top: int | None,
        finished: Callable[[Pair], None] | None = None,
        read: Callable[[int, int], None] | None = None,
        first: int | None = None,
    ) -> list[torch.Tensor]:
        """A row of numbers for every scored token, as `_read` has them, for each pair, whose texts are these `tokens`.

        `finished` hears of each pair once it is done, `read` after each batch of how many tokens are, and of how many.
        """
        windows = [w for i, one in enumerate(tokens) for w in self._windows(i, one, size, step, first)]
        rows: list[list[torch.Tensor]] = [[] for _ in pairs]
        parts = [torch.empty(0)] * len(windows)
        left = Counter(window.text for window in windows)
        done, whole = 0, sum(len(window.ids) - window.first for window in windows)
        for batch in self._batches([len(window.ids) for window in windows]):
            tensors = self._read([windows[i] for i in batch], top)
            for index, part in zip(batch, tensors, strict=True):
                parts[index] = part
                left[windows[index].text] -= 1
                if finished and not left[windows[index].text]:
                    finished(pairs[windows[index].text])
            done += sum(len(part) for part in tensors)
            if read:
                read(done, whole)
        for window, part in zip(windows, parts, strict=True):
            rows[window.text].append(part)
        if finished:
            for pair, parts_of_pair in zip(pairs, rows, strict=True):
                if not parts_of_pair:
                    finished(pair)
        return [torch.cat(some) if some else torch.zeros((0, 2), dtype=torch.float64) for some in rows]


class LanguageModel(Network, CausalModel):
    """A causal language model that runs in this process."""

    role = ModelRole.LANGUAGE

    def __init__(
        self,
        source: ModelSource,
        device: str = "cpu",
        precision: str = "float32",
        learnt: Callable[[Any], None] | None = None,
    ) -> None:
        """Load what `catalogue.locate` found; `learnt` puts trained weights into it.

        Raises ModelMissing where that is no causal model.
        """
        self._learnt = learnt
        Network.__init__(self, source, device, precision)
        CausalModel.__init__(self, source, self.tokenizer, positions(self.model.config))
        try:
            self.run(self._check, [self._start])
        except (RuntimeError, TypeError, AttributeError, IndexError) as error:
            raise ModelMissing(
                f"{source.name} cannot be run as a causal language model ({type(error).__name__}): choose another one."
            ) from error

    def prepare(self) -> None:
        """Put the trained weights in."""
        if self._learnt:
            self._learnt(self.model)

    def _batches(self, lengths: Sequence[int]) -> list[list[int]]:
        return by_tokens(lengths, self.budget)

    def _read(self, windows: list[Window], top: int | None) -> list[torch.Tensor]:
        measure = likelihood if top is None else statistics(top)
        return self.run(lambda part: self._forward(part, measure), windows)

    def _forward(self, windows: list[Window], measure: Measure) -> list[torch.Tensor]:
        lengths = [len(window.ids) for window in windows]
        tokens = torch.tensor(list(chain.from_iterable(window.ids for window in windows)))
        rows, places = np.repeat(np.arange(len(windows)), lengths), np.concatenate([np.arange(n) for n in lengths])
        firsts = np.array([max(window.first, 1) for window in windows])
        scored = np.flatnonzero(places >= firsts[rows])
        # A token at place t is predicted from the state at t - 1.
        states = self._states(tokens, lengths, torch.from_numpy(rows), torch.from_numpy(places), scored - 1)
        head = self.model.get_output_embeddings()
        finish = partial(scaled, self.model.config)
        numbers = measured(head, finish, states, tokens[scored].to(self.device), measure, len(self.tokenizer))
        return list(torch.split(numbers, [max(0, n - first) for n, first in zip(lengths, firsts, strict=True)]))

    def _states(
        self, tokens: torch.Tensor, lengths: list[int], rows: torch.Tensor, places: torch.Tensor, wanted: Ints
    ) -> torch.Tensor:
        """Of all `tokens`, text after text, the states behind the last norm of those that are `wanted` (n × d).

        `rows` and `places` say which text a token is of, and where it stands there.
        """
        if reads_unpadded(self.model, self.device):
            read = read_unpadded(self.model.base_model, torch.split(tokens, lengths), use_cache=False)
            hidden: torch.Tensor = read.last_hidden_state[0]
            return hidden[wanted]
        # No mask: padding stands on the right, where a causal model never looks.
        padded = torch.full((len(lengths), max(lengths)), self._start)
        padded[rows, places] = tokens
        hidden = self.model.base_model(input_ids=padded.to(self.device), use_cache=False).last_hidden_state
        at = rows * padded.shape[1] + places
        return hidden.flatten(0, 1)[at[wanted].to(self.device)]

    def _check(self, start: list[int]) -> list[None]:
        """Raise ModelMissing where the logits are not those of the model itself, or a token sees what follows it."""
        vocabulary = len(self.tokenizer)
        some = [(start[0] + vocabulary // 2 + i) % vocabulary for i in range(min(7, self.window - 1))]
        ids = torch.tensor([start + some], device=self.device)
        states = self.model.base_model(input_ids=ids, use_cache=False).last_hidden_state
        ours, own = logits_of(self.model, states[0]), self.model(input_ids=ids, use_cache=False).logits[0].float()
        scale = 1 + own.abs().max()
        if (ours - own).abs().max() > scale * TOLERANCE[self.dtype]:
            raise ModelMissing(f"{self.source.name} has a head that is not known here: choose another language model.")
        ids[0, -1] = start[0]
        after = self.model.base_model(input_ids=ids, use_cache=False).last_hidden_state
        if (logits_of(self.model, after[0, :-1]) - ours[:-1]).abs().max() > scale * TOLERANCE[self.dtype]:
            raise ModelMissing(f"{self.source.name} looks ahead, as masked models do: choose a causal language model.")
        return [None]
