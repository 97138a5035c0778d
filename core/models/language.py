"""Causal language models: how likely each token of a story is, and which tokens the model prefers.

One forward pass gives every token statistic (GLTR, Gehrmann et al. 2019): log-probability, rank, fraction, entropy and
the likeliest alternatives. Nothing is sorted, and nothing moves to Python a token at a time.
"""

import hashlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

from core.errors import InputError, ModelMissing
from core.models.catalogue import ModelRole, ModelSource
from core.models.cpu import read_unpadded, reads_unpadded
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

        for pair, rows in zip(todo, self._measure(todo, size, step, None, finished, first=first), strict=True):
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
        measured = self._measure(pairs, size, step, top, read=on_progress)
        return [statistics_of(rows, *self._scored(*pair), top) for pair, rows in zip(pairs, measured, strict=True)]

    def _windowing(self, window: int | None, stride: int | None) -> tuple[int, int]:
        size = min(window or self.window, self.window)
        step = stride or size // 2
        if not 0 < step < size:
            raise InputError(f"Windows of {size} tokens must begin between 1 and {size - 1} tokens apart, not {step}.")
        return size, step

    def _tokens(self, given: str, text: str) -> tuple[list[int], list[Span], int]:
        """Token ids of both texts, where each stands in the joined text, and which is the first that is scored."""
        encoded = self.tokenizer(
            given + behind(given, text), add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )
        ids, spans = encoded["input_ids"], encoded["offset_mapping"]
        # At once, since a tokenizer may begin every text in a way of its own; cut where the second text begins.
        return ids, spans, next((i for i, (start, _) in enumerate(spans) if start >= len(given)), len(ids))

    def _encode(self, given: str, text: str) -> tuple[list[int], list[int]]:
        """Token ids of what is read first and of what is scored."""
        ids, _, cut = self._tokens(given, text)
        return ids[:cut], ids[cut:]

    def _scored(self, given: str, text: str) -> tuple[list[int], list[Span]]:
        """Token ids of what is scored, and where each stands in it."""
        ids, spans, cut = self._tokens(given, text)
        before = len(given) + len(behind(given, text)) - len(text)
        return ids[cut:], [(max(start - before, 0), end - before) for start, end in spans[cut:]]

    def _windows(self, text: int, pair: Pair, size: int, step: int, first: int | None) -> list[Window]:
        context, scored = self._encode(*pair)
        if first is not None:
            scored = scored[: first if len(scored) >= first else 0]
        ids, scored_to = [self._start, *context, *scored], 1 + len(context)
        windows = []
        for begin in range(0, len(ids), step):
            end = min(begin + size, len(ids))
            if end > scored_to:
                windows.append(Window(text, ids[begin:end], scored_to - begin))
                scored_to = end
            if end == len(ids):
                break
        return windows

    def _measure(
        self,
        pairs: Sequence[Pair],
        size: int,
        step: int,
        top: int | None,
        finished: Callable[[Pair], None] | None = None,
        read: Callable[[int, int], None] | None = None,
        first: int | None = None,
    ) -> list[torch.Tensor]:
        """A row of numbers for every scored token, as `_read` has them, for each pair.

        `finished` hears of each pair once it is done, `read` after each batch of how many tokens are, and of how many.
        """
        windows = [w for i, pair in enumerate(pairs) for w in self._windows(i, pair, size, step, first)]
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
        texts = [torch.tensor(window.ids) for window in windows]
        tokens = torch.cat(texts)
        scored = torch.cat([torch.arange(len(w.ids)) >= max(w.first, 1) for w in windows])[1:]
        states = self._states(texts)[:-1][scored.to(self.device)]  # position t is predicted from t - 1
        head = self.model.get_output_embeddings()
        finish = partial(scaled, self.model.config)
        targets = tokens[1:][scored].to(self.device)
        rows = measured(head, finish, states, targets, measure, len(self.tokenizer))
        return list(torch.split(rows, [len(w.ids) - max(w.first, 1) for w in windows]))

    def _states(self, texts: list[torch.Tensor]) -> torch.Tensor:
        """The states behind the last norm of all tokens, text after text (n × d)."""
        if reads_unpadded(self.model, self.device):
            hidden: torch.Tensor = read_unpadded(self.model.base_model, texts, use_cache=False).last_hidden_state[0]
            return hidden
        # No mask: padding stands on the right, where a causal model never looks.
        tokens = pad_sequence(texts, batch_first=True, padding_value=self._start).to(self.device)
        hidden = self.model.base_model(input_ids=tokens, use_cache=False).last_hidden_state
        return torch.cat([states[: len(text)] for text, states in zip(texts, hidden, strict=True)])

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
