"""A stand-in for a server that tells how likely a model finds a text: the bundled model behind /v1/completions.

As vLLM answers to `prompt_logprobs`, and as it, SGLang and the old API of hosted services do to `echo` with `logprobs`;
its failures are those of `JudgeServer`.
"""

import threading
from functools import cache
from typing import Any

import torch

from core.models.catalogue import ModelRole, locate
from core.models.language import LanguageModel, logits_of
from core.models.runtime import language_model
from tests.judges.server import JudgeServer

START = "<|endoftext|>"
_READING = threading.Lock()


class LikelihoodServer(JudgeServer):
    """`knows`: the ways in which it tells likelihoods, of "prompt_logprobs" and "echo"; what it does not know it
    refuses in the words of `refuses`, or passes over where that is "". `most`: of the likeliest tokens, refused above;
    `quietly`: so many in place of a refusal. `begins`: whether it puts the model's token before a text by itself;
    `window`: tokens that it reads; `loses`: entries of the list that are missing, as after a prefix that was kept;
    `token_ids`: whether it tells those of the text.
    """

    path = "/v1/completions"

    def __init__(self) -> None:
        super().__init__()
        self.knows = ("prompt_logprobs", "echo")
        self.refuses = ""
        self.most = 20
        self.quietly = False
        self.begins = False
        self.window = 8192
        self.loses = 0
        self.token_ids = True

    def text_of(self, body: dict[str, Any]) -> str:
        """What it is sent."""
        return str(body["prompt"])

    def refusal(self, body: dict[str, Any]) -> tuple[int, str] | None:
        """In vLLM's words, for what it knows."""
        if refused := super().refusal(body):
            return refused
        asked = "echo" if body.get("echo") else "prompt_logprobs" if "prompt_logprobs" in body else ""
        if asked and asked not in self.knows and self.refuses:
            return 400, self.refuses.format(asked)
        most = body.get("prompt_logprobs") or body.get("logprobs") or 0
        if asked in self.knows and most > self.most and not self.quietly:
            return 400, f"Requested prompt logprobs of {most}, which is greater than max allowed: {self.most}"
        if len(self._ids(body)) + body["max_tokens"] > self.window:
            return 400, f"This model's maximum context length is {self.window} tokens."
        return None

    def completion(self, body: dict[str, Any], fault: str) -> dict[str, Any]:
        """A token that is written, and what was asked for of those before."""
        ids = self._ids(body)
        log_p = _log_p(ids)
        most = min(body.get("prompt_logprobs") or body.get("logprobs") or 0, self.most)
        written = int(log_p[-1].argmax())
        choice: dict[str, Any] = {"index": 0, "text": _text(written), "logprobs": None, "finish_reason": "length"}
        if body.get("echo") and "echo" in self.knows:
            choice |= {"text": self.text_of(body) + _text(written), "logprobs": _echoed([*ids, written], log_p, most)}
        elif "prompt_logprobs" in body and "prompt_logprobs" in self.knows:
            rows = [None, *(_by_id(log_p[place - 1], ids[place], most) for place in range(1, len(ids)))]
            choice["prompt_logprobs"] = [None, *rows[1 + self.loses :]]
            if self.token_ids and body.get("return_token_ids"):
                choice["prompt_token_ids"] = ids
        answer: dict[str, Any] = {"id": "x", "object": "text_completion", "model": self.reports, "choices": [choice]}
        if self.counts_tokens:
            answer["usage"] = {"prompt_tokens": len(ids), "completion_tokens": 1, "total_tokens": len(ids) + 1}
        return answer

    def _ids(self, body: dict[str, Any]) -> list[int]:
        tokenizer = _model().tokenizer
        ids: list[int] = tokenizer(self.text_of(body), add_special_tokens=False, verbose=False)["input_ids"]
        own = tokenizer.convert_tokens_to_ids(START)
        return [own, *ids] if self.begins and body.get("add_special_tokens", True) else ids


def _model() -> LanguageModel:
    with _READING:
        return language_model(locate(None, ModelRole.LANGUAGE), "cpu", "float32")


def _log_p(ids: list[int]) -> torch.Tensor:
    """Of all tokens after each of these."""
    model = _model()
    with _READING, torch.inference_mode():
        states = model.model.base_model(input_ids=torch.tensor([ids]), use_cache=False).last_hidden_state
        return logits_of(model.model, states[0]).log_softmax(-1)


@cache
def _text(token: int) -> str:
    return str(_model().tokenizer.decode([token]))


def _by_id(row: torch.Tensor, token: int, most: int) -> dict[str, Any]:
    """The token first, then the likeliest, as vLLM does."""
    rank = int((row >= row[token]).sum())
    top = row.topk(most)
    entries = {token: (float(row[token]), rank)}
    for place, (other, value) in enumerate(zip(top.indices.tolist(), top.values.tolist(), strict=True), 1):
        entries.setdefault(other, (value, place))
    return {
        str(other): {"logprob": value, "rank": place, "decoded_token": _text(other)}
        for other, (value, place) in entries.items()
    }


def _echoed(ids: list[int], log_p: torch.Tensor, most: int) -> dict[str, Any]:
    """By text, so that two tokens of the same text are one."""
    texts = [_text(token) for token in ids]
    values: list[float | None] = [None]
    tops: list[dict[str, float] | None] = [None]
    for place in range(1, len(ids)):
        entries = _by_id(log_p[place - 1], ids[place], most)
        values.append(entries[str(ids[place])]["logprob"])
        tops.append({entry["decoded_token"]: entry["logprob"] for entry in entries.values()})
    offsets = [sum(map(len, texts[:place])) for place in range(len(texts))]
    return {"tokens": texts, "token_logprobs": values, "top_logprobs": tops, "text_offset": offsets}
