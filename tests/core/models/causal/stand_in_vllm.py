"""A stand-in for the package vllm, which is not installed where tests run: what it publishes of `LLM.generate`, with
answers of a model that runs in this process in float32.

As vLLM 0.33 makes them (`vllm/logprobs.py`, `vllm/v1/sample/sampler.py`): nothing of a prompt's first token; of each
other a map from ids, the token itself first, whose rank counts all that are as likely, then the likeliest by `topk`,
whose ranks are their places; the token itself has its place among them where it is one of them.
"""

import importlib.metadata
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from types import ModuleType
from typing import Any, TypedDict
from unittest import mock

import torch

from core.models.catalogue import ModelSource
from core.models.language import LanguageModel, logits_of
from core.models.runtime import language_model

_NUMBERS = count(1)


@dataclass
class Logprob:
    """Of a token at a place."""

    logprob: float
    rank: int | None = None
    decoded_token: str | None = None


@dataclass
class SamplingParams:
    """Those fields of it that may be asked for here."""

    temperature: float = 1.0
    max_tokens: int | None = 16
    prompt_logprobs: int | None = None
    detokenize: bool = True


class TokensPrompt(TypedDict):
    """A prompt as ids."""

    prompt_token_ids: list[int]


@dataclass
class RequestOutput:
    """Those fields of it that matter here."""

    prompt_token_ids: list[int]
    prompt_logprobs: list[dict[int, Logprob] | None] | None


@dataclass
class StandIn:
    """`version`: another one for each, so that no model of another test is taken for its own. `made`: the settings of
    each `LLM`; `asked`: the prompts and parameters of each `generate`. `breaks`: what it raises at once, or while it
    reads; `spoils`: what is done to an answer.
    """

    version: str = field(default_factory=lambda: f"0.33.{next(_NUMBERS)}")
    made: list[dict[str, Any]] = field(default_factory=list)
    asked: list[tuple[list[list[int]], SamplingParams]] = field(default_factory=list)
    breaks_at_once: Exception | None = None
    breaks: Exception | None = None
    spoils: Any = None

    def module(self) -> ModuleType:
        """What `import vllm` gives."""
        result = ModuleType("vllm")
        stand_in = self

        class LLM:
            """A model from a folder."""

            def __init__(self, model: str, **settings: Any) -> None:
                if stand_in.breaks_at_once:
                    raise stand_in.breaks_at_once
                stand_in.made.append(settings)
                self._longest = settings["max_model_len"]
                self._model = language_model(ModelSource("stand-in", model, ""), "cpu", "float32")

            def generate(
                self, prompts: list[TokensPrompt], sampling_params: SamplingParams, *, use_tqdm: bool = True
            ) -> list[RequestOutput]:
                assert not use_tqdm
                ids = [prompt["prompt_token_ids"] for prompt in prompts]
                stand_in.asked.append((ids, sampling_params))
                if stand_in.breaks:
                    raise stand_in.breaks
                # V1 wants room for a token that is written.
                assert all(len(some) + (sampling_params.max_tokens or 0) <= self._longest for some in ids)
                assert sampling_params.prompt_logprobs is not None
                return [self._answer(some, sampling_params.prompt_logprobs) for some in ids]

            def _answer(self, ids: list[int], most: int) -> RequestOutput:
                rows = prompt_logprobs(self._model, ids, most)
                return RequestOutput(ids, stand_in.spoils(rows) if stand_in.spoils else rows)

        result.LLM, result.SamplingParams, result.TokensPrompt = LLM, SamplingParams, TokensPrompt  # type: ignore[attr-defined]
        return result


def prompt_logprobs(model: LanguageModel, ids: list[int], most: int) -> list[dict[int, Logprob] | None]:
    """What vLLM tells of a prompt."""
    with torch.inference_mode():
        states = model.model.base_model(input_ids=torch.tensor([ids]), use_cache=False).last_hidden_state[0]
        logits = logits_of(model.model, states)
    return [None, *(place(row, token, most) for row, token in zip(logits, ids[1:], strict=False))]


def place(logits: torch.Tensor, token: int, most: int) -> dict[int, Logprob]:
    """What vLLM tells of one place."""
    log_p = logits.log_softmax(-1)
    top = log_p.topk(most)
    entries = {token: Logprob(float(log_p[token]), int((log_p >= log_p[token]).sum()))}
    for rank, (other, value) in enumerate(zip(top.indices.tolist(), top.values.tolist(), strict=True), 1):
        entries[other] = Logprob(value, rank)
    return entries


@contextmanager
def _imported(stand_in: StandIn) -> Iterator[None]:
    """As a module; `mock.patch.dict` would take away whatever else is imported meanwhile."""
    sys.modules["vllm"] = stand_in.module()
    try:
        yield
    finally:
        del sys.modules["vllm"]


@contextmanager
def installed() -> Iterator[StandIn]:
    """Until the block ends, vLLM is installed, and there is a GPU."""
    stand_in, own = StandIn(), importlib.metadata.version

    def version(name: str) -> str:
        return stand_in.version if name == "vllm" else own(name)

    with (
        mock.patch.dict(os.environ),  # in which settings of vLLM's are left
        _imported(stand_in),
        mock.patch.object(importlib.metadata, "version", version),
        mock.patch.object(torch.cuda, "is_available", return_value=True),
    ):
        yield stand_in
