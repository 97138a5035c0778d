"""Causal language models: the negative log-likelihood of a story's tokens."""

from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional

from core.errors import ModelMissing
from core.models.catalogue import ModelSource

TOKENS_A_BATCH = 4096
POSITIONS_A_HEAD = 512
"""The vocabulary's logits are made this many positions at a time: a long story must not need gigabytes."""
REMEMBERED = 8192


@dataclass(frozen=True, slots=True)
class Likelihood:
    """Summed negative log-likelihood (nats) of the scored tokens, and how many they are."""

    nll: float
    tokens: int


def _start_token(tokenizer: Any) -> int:
    """The token that stands before a text: GPT-2's and SmolLM2's document separator, else the model's own."""
    vocabulary = tokenizer.get_vocab()
    if "<|endoftext|>" in vocabulary:
        return int(vocabulary["<|endoftext|>"])
    own = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
    if own is None:
        raise ModelMissing("This model has no token that can begin a text; choose another causal language model.")
    return int(own)


class LanguageModel:
    """A causal language model on one device, in float32.

    Results are remembered by text, so that metrics of one family cost one pass.
    """

    def __init__(self, source: ModelSource, model: Any, tokenizer: Any, device: str) -> None:
        self.source = source
        self.device = device
        self._model = model
        self._tokenizer = tokenizer
        self._window = int(getattr(model.config, "max_position_embeddings", 1024))
        self._start = _start_token(tokenizer)
        self._memory: OrderedDict[tuple[str, str], Likelihood] = OrderedDict()

    @classmethod
    def load(cls, source: ModelSource, device: str) -> "LanguageModel":
        """Load what `catalogue.locate` found; raises ModelMissing where that is no causal model."""
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()
        try:
            tokenizer: Any = AutoTokenizer.from_pretrained(source.folder)
            model: Any = AutoModelForCausalLM.from_pretrained(source.folder, dtype=torch.float32)
        except (OSError, ValueError, KeyError) as error:
            raise ModelMissing(
                f"{source.name} cannot be loaded as a causal language model: choose another one."
            ) from error
        return cls(source, model.to(device).eval(), tokenizer, device)

    def likelihoods(
        self,
        pairs: Sequence[tuple[str, str]],
        on_progress: Callable[[int], None] | None = None,
    ) -> list[Likelihood]:
        """Likelihood of each pair's second text given its first ("" for none), in input order.

        The beginning-of-text token stands before everything, so that the first token counts. A text longer than the
        model's window is read in windows that overlap by half; every token is scored once, with at least half a
        window of context. `on_progress` receives how many of `pairs` each batch has finished.
        """
        times = Counter(pairs)
        todo = [pair for pair in dict.fromkeys(pairs) if pair not in self._memory]
        encoded = {pair: self._encode(*pair) for pair in todo}
        todo.sort(key=lambda pair: -len(encoded[pair][0]))
        results = {pair: self._memory[pair] for pair in set(pairs) if pair in self._memory}
        if on_progress and results:
            on_progress(sum(times[pair] for pair in results))
        for batch in self._batches(todo, encoded):
            for pair, likelihood in zip(batch, self._score([encoded[p] for p in batch]), strict=True):
                results[pair] = likelihood
                self._remember(pair, likelihood)
            if on_progress:
                on_progress(sum(times[pair] for pair in batch))
        return [results[pair] for pair in pairs]

    def _remember(self, pair: tuple[str, str], likelihood: Likelihood) -> None:
        self._memory[pair] = likelihood
        if len(self._memory) > REMEMBERED:
            self._memory.popitem(last=False)

    def _encode(self, given: str, text: str) -> tuple[list[int], int]:
        """Token ids with the start token, and the position of the first scored one."""
        context = self._tokenizer(given, add_special_tokens=False)["input_ids"] if given else []
        joined = f" {text}" if given and text and not text[0].isspace() else text
        ids = self._tokenizer(joined, add_special_tokens=False)["input_ids"] if text else []
        return [self._start, *context, *ids], 1 + len(context)

    @staticmethod
    def _batches(
        todo: list[tuple[str, str]], encoded: dict[tuple[str, str], tuple[list[int], int]]
    ) -> list[list[tuple[str, str]]]:
        """Longest first, so that a batch that does not fit in memory shows at once; each within a token budget."""
        batches: list[list[tuple[str, str]]] = []
        for pair in todo:
            if batches and (len(batches[-1]) + 1) * len(encoded[batches[-1][0]][0]) <= TOKENS_A_BATCH:
                batches[-1].append(pair)
            else:
                batches.append([pair])
        return batches

    def _score(self, batch: list[tuple[list[int], int]]) -> list[Likelihood]:
        if len(batch[0][0]) > self._window:  # sorted: the longest is first, and such a one is alone
            return [self._score_in_windows(*one) for one in batch]
        return self._forward(batch)

    def _score_in_windows(self, ids: list[int], first: int) -> Likelihood:
        nll, tokens, scored_to = 0.0, 0, first
        stride = self._window // 2
        for begin in range(0, len(ids), stride):
            window = ids[begin : begin + self._window]
            end = begin + len(window)
            if end > scored_to:
                part = self._forward([(window, scored_to - begin)])[0]
                nll, tokens, scored_to = nll + part.nll, tokens + part.tokens, end
            if end == len(ids):
                break
        return Likelihood(nll, tokens)

    def _logits(self, states: torch.Tensor) -> torch.Tensor:
        """The model's head with the scaling that some families put behind it (Granite, Cohere, Gemma 2)."""
        logits: torch.Tensor = self._model.get_output_embeddings()(states)
        config = self._model.config
        if divisor := getattr(config, "logits_scaling", None):
            logits = logits / divisor
        if factor := getattr(config, "logit_scale", None):
            logits = logits * factor
        if cap := getattr(config, "final_logit_softcapping", None):
            logits = torch.tanh(logits / cap) * cap
        return logits

    @torch.inference_mode()
    def _forward(self, batch: list[tuple[list[int], int]]) -> list[Likelihood]:
        longest = max(len(ids) for ids, _ in batch)
        tokens = torch.full((len(batch), longest), self._start, dtype=torch.long)
        scored = torch.zeros((len(batch), longest), dtype=torch.bool)
        for row, (ids, first) in enumerate(batch):
            tokens[row, : len(ids)] = torch.tensor(ids)
            scored[row, max(first, 1) : len(ids)] = True
        tokens, scored = tokens.to(self.device), scored.to(self.device)
        # No mask: padding stands on the right, where a causal model never looks, and is not scored.
        hidden = self._model.base_model(input_ids=tokens, use_cache=False).last_hidden_state
        keep = scored[:, 1:]  # position t is predicted from t - 1
        targets, states = tokens[:, 1:][keep], hidden[:, :-1][keep]
        losses = [
            functional.cross_entropy(
                self._logits(states[i : i + POSITIONS_A_HEAD]), targets[i : i + POSITIONS_A_HEAD], reduction="none"
            )
            for i in range(0, len(targets), POSITIONS_A_HEAD)
        ]
        counts = keep.sum(1)
        rows = torch.repeat_interleave(torch.arange(len(batch), device=self.device), counts)
        sums = torch.zeros(len(batch), dtype=torch.float64, device=self.device)
        if losses:
            sums.index_add_(0, rows, torch.cat(losses).double())
        return [Likelihood(n, int(c)) for n, c in zip(sums.tolist(), counts.tolist(), strict=True)]
