"""Masked language models: how likely each token is, masked or visible.

Exactly, each token is hidden in its turn, and the model reads the text around it once a token; quickly, it reads the
text once and sees the token itself, which makes it far too sure. `Mode` names which.
"""

import copy
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from core.errors import InputError, ModelMissing
from core.models.catalogue import ModelRole, ModelSource
from core.models.encoder import windows
from core.models.language import REMEMBERED_BYTES, TOLERANCE, digest
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
from core.tokens import Mode


@dataclass(frozen=True, slots=True)
class _Reading:
    """One pass over a window of a text: `ids` with the special ones, of which those from `first` to `last` are scored
    and are the text's from `token` on. `hidden`: whether they (one, then) are masked.
    """

    text: int
    ids: list[int]
    first: int
    last: int
    token: int
    hidden: bool


class _Given(nn.Module):
    """Stands where a model has its body, so that its head works on states that are there already."""

    states: torch.Tensor

    def forward(self, *_: Any, **__: Any) -> Any:
        from transformers.modeling_outputs import BaseModelOutput

        return BaseModelOutput(last_hidden_state=self.states)


class MaskedLanguageModel(Network):
    """A masked language model; numbers of the latest texts are remembered for other metrics of the family."""

    role = ModelRole.MASKED

    def __init__(self, source: ModelSource, device: str = "cpu", precision: str = "float32") -> None:
        """Load what `catalogue.locate` found; raises ModelMissing where that is no masked model."""
        super().__init__(source, device, precision)
        if self.tokenizer.mask_token_id is None:
            raise ModelMissing(f"The tokenizer of {source.name} has no token that hides another: choose another model.")
        self._mask = int(self.tokenizer.mask_token_id)
        self._before, self._after = self._special()
        self.window = self.positions - len(self._before) - len(self._after)
        self._given = _Given()
        self._head = copy.copy(self.model)  # the same layers, but for the body
        self._head._modules = {**self.model._modules, self.model.base_model_prefix: self._given}
        try:
            self.run(self._check, [self._mask])
        except (RuntimeError, TypeError, AttributeError, IndexError) as error:
            raise ModelMissing(
                f"{source.name} cannot be run as a masked language model ({type(error).__name__}): choose another one."
            ) from error
        self._memory: Memory[tuple[bytes, Mode, int | None], Rows] = Memory(REMEMBERED_BYTES)

    def token_statistics(
        self, texts: Sequence[str], mode: Mode, top: int = 5, on_progress: Callable[[int, int], None] | None = None
    ) -> list[TokenStatistics]:
        """Statistics of every token of each text, in input order. `on_progress` receives how many tokens are done, and
        of how many, after each batch. Raises InputError for the mode of causal models.

        A text longer than the model can read is read in windows that overlap by half; each token has its numbers from
        the window in which it stands farthest from a cut.
        """
        encoded = [self._encode(text) for text in texts]
        measured = self._measure([ids for ids, _ in encoded], mode, statistics(top), on_progress)
        return [statistics_of(rows, *part, top) for part, rows in zip(encoded, measured, strict=True)]

    def measures(
        self,
        texts: Sequence[str],
        mode: Mode,
        first: int | None = None,
        on_progress: Callable[[int], None] | None = None,
    ) -> list[Rows]:
        """What metrics need to know of each token of each text, in input order; windows as in `token_statistics`.

        `first`: the text is cut after so many tokens, since a model that sees both sides sees what follows them too;
        one that has fewer gets no rows. `on_progress` receives how many of `texts` are done.
        """
        times = Counter(texts)
        kept = {
            text: known for text in times if (known := self._memory.get((digest(("", text)), mode, first))) is not None
        }
        if on_progress and kept:
            on_progress(sum(times[text] for text in kept))
        todo = [text for text in times if text not in kept]
        cut = [ids[:first] if first is None or len(ids) >= first else [] for ids, _ in map(self._encode, todo)]

        def finished(index: int) -> None:
            if on_progress:
                on_progress(times[todo[index]])

        for text, rows in zip(todo, self._measure(cut, mode, likelihood, finished=finished), strict=True):
            kept[text] = rows.float().numpy() if len(rows) else np.zeros((0, 4), np.float32)
            self._memory.put((digest(("", text)), mode, first), kept[text], max(1, kept[text].nbytes))
        return [kept[text] for text in texts]

    def _special(self) -> tuple[list[int], list[int]]:
        """What the tokenizer puts before and after every text."""
        bare = self.tokenizer("a", add_special_tokens=False)["input_ids"]
        whole = self.tokenizer("a")["input_ids"]
        at = next((i for i in range(len(whole)) if whole[i : i + len(bare)] == bare), len(whole))
        return whole[:at], whole[at + len(bare) :]

    def _encode(self, text: str) -> tuple[list[int], list[Span]]:
        encoded = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        return encoded["input_ids"], encoded["offset_mapping"]

    def _readings(self, text: int, ids: list[int], mode: Mode) -> list[_Reading]:
        result = []
        for begin, end, keep_from, keep_to in windows(len(ids), self.window) if ids else []:
            whole = [*self._before, *ids[begin:end], *self._after]
            shift = len(self._before) - begin
            if mode is Mode.UNMASKED:
                result.append(_Reading(text, whole, keep_from + shift, keep_to + shift, keep_from, False))
            else:
                result += [_Reading(text, whole, i + shift, i + shift + 1, i, True) for i in range(keep_from, keep_to)]
        return result

    def _measure(
        self,
        texts: Sequence[list[int]],
        mode: Mode,
        measure: Measure,
        read: Callable[[int, int], None] | None = None,
        finished: Callable[[int], None] | None = None,
    ) -> list[torch.Tensor]:
        """A row of numbers for every token, float64, for each text; `read` hears of tokens, `finished` of texts."""
        if mode is Mode.CAUSAL:
            raise InputError(f"{self.source.name} is a masked language model: choose the mode masked or unmasked.")
        readings = [reading for i, ids in enumerate(texts) for reading in self._readings(i, ids, mode)]
        rows = [torch.zeros((0, 0), dtype=torch.float64) for _ in texts]
        left, done, whole = [len(ids) for ids in texts], 0, sum(map(len, texts))
        for text, count in enumerate(left):
            if finished and not count:
                finished(text)
        for batch in by_tokens([len(reading.ids) for reading in readings], self.budget):
            chosen = [readings[i] for i in batch]
            for item, part in zip(chosen, self.run(lambda some: self._forward(some, measure), chosen), strict=True):
                if not len(rows[item.text]):
                    rows[item.text] = torch.empty((len(texts[item.text]), part.shape[1]), dtype=torch.float64)
                rows[item.text][item.token : item.token + len(part)] = part
                left[item.text] -= len(part)
                done += len(part)
                if finished and not left[item.text]:
                    finished(item.text)
            if read:
                read(done, whole)
        return rows

    def _forward(self, readings: list[_Reading], measure: Measure) -> list[torch.Tensor]:
        longest = max(len(reading.ids) for reading in readings)
        tokens = torch.full((len(readings), longest), int(self.tokenizer.pad_token_id or 0), dtype=torch.long)
        attention, scored = torch.zeros_like(tokens), torch.zeros_like(tokens, dtype=torch.bool)
        for row, item in enumerate(readings):
            tokens[row, : len(item.ids)] = torch.tensor(item.ids)
            attention[row, : len(item.ids)] = 1
            scored[row, item.first : item.last] = True
        targets = tokens[scored].to(self.device)
        tokens[scored & torch.tensor([reading.hidden for reading in readings])[:, None]] = self._mask
        inputs = {"input_ids": tokens.to(self.device), "attention_mask": attention.to(self.device)}
        states = self.model.base_model(**inputs).last_hidden_state[scored.to(self.device)]
        rows = measured(self._logits, torch.Tensor.float, states, targets, measure, len(self.tokenizer))
        return list(torch.split(rows, scored.sum(1).tolist()))

    def _logits(self, states: torch.Tensor) -> torch.Tensor:
        """The model's own head on states that are chosen already."""
        self._given.states = states[None]
        try:
            found = self._head(input_ids=torch.zeros((1, len(states)), dtype=torch.long, device=self.device))
        finally:
            del self._given.states
        logits: torch.Tensor = found.logits[0]
        return logits

    def _check(self, mask: list[int]) -> list[None]:
        """Raise ModelMissing where the logits are not those of the model itself, or a token does not see the next."""
        vocabulary = len(self.tokenizer)
        ids = [*self._before, *[(mask[0] + vocabulary // 2 + i) % vocabulary for i in range(min(7, self.window))]]
        inputs = {"input_ids": torch.tensor([[*ids, *self._after]], device=self.device)}
        states, own = self.model.base_model(**inputs).last_hidden_state, self.model(**inputs).logits[0].float()
        scale = 1 + own.abs().max()
        if (self._logits(states[0]).float() - own).abs().max() > scale * TOLERANCE[self.dtype]:
            raise ModelMissing(f"{self.source.name} has a head that is not known here: choose another masked model.")
        inputs["input_ids"][0, len(ids) - 1] = mask[0]
        if torch.equal(self.model(**inputs).logits[0, : len(ids) - 1].float(), own[: len(ids) - 1]):
            raise ModelMissing(f"{self.source.name} sees nothing of what follows a token: choose a masked model.")
        return [None]
