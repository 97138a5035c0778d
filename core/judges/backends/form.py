"""How a request is written for an endpoint: servers know different settings, and say so when they meet one."""

import hashlib
import re
from typing import Any

from core.judges.asking import Reply, Request
from core.judges.backends.completion import Completion, read_completion
from core.notices import notice

ALTERNATIVES = (20, 5, 0)
"""For how many tokens at each place probabilities are asked for: as many as the API allows, fewer, and none."""
ENOUGH_UNTOLD = 3
"""Answers without probabilities, and none with them before, that show that an endpoint knows none: a single one may be
a refusal or a failure.
"""


class Form:
    """Writes requests, and remembers for the rest of the run what the endpoint has refused or left out."""

    path = "/chat/completions"
    impossible = ""

    def __init__(self, host: str, model: str, temperature: float, most_tokens: int) -> None:
        self._host = host
        self._model = model
        self._temperature = temperature
        self._most_tokens = most_tokens
        self._length = "max_tokens"
        self._takes_seed = True
        self._alternatives = ALTERNATIVES[0]
        self._has_told = False
        self._untold = 0

    def body(self, request: Request) -> dict[str, Any]:
        """What is sent."""
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": message.role, "content": _sendable(message.text)} for message in request.messages],
            "temperature": self._temperature,
            self._length: self._most_tokens,
        }
        if self._temperature and self._takes_seed:
            body["seed"] = _seed(request.key)
        if request.scale and self._alternatives:
            body |= {"logprobs": True, "top_logprobs": self._alternatives}
        return body

    def can_be_otherwise(self, request: Request, body: dict[str, Any], words: str) -> bool:
        """Whether a request that was refused in these words may be written in another way now."""
        if body == self.body(request):  # else another request has met the same meanwhile
            self._change(body, words)
        return body != self.body(request)

    def _change(self, body: dict[str, Any], words: str) -> None:
        if self._length in body and "max_completion_tokens" in words:
            self._length = "max_completion_tokens"  # as models that think have it at the service that made this API
        elif "logprobs" in body and "logprobs" in words:
            fewer = ALTERNATIVES[1] if "top_logprobs" in words and self._alternatives > ALTERNATIVES[1] else 0
            self._ask_for(fewer)
        elif "seed" in body and re.search(r"\bseed\b", words):
            self._takes_seed = False
            notice(f"{self._host} takes no seed, so the same samples cannot be drawn again.")

    def read(self, body: dict[str, Any], content: bytes) -> Completion | None:
        """What an answer holds; None where it is no completion."""
        return read_completion(content)

    def blames(self, answer: Completion, reply: Reply) -> bool:
        """An answer that says nothing, not even why, is the endpoint's fault."""
        return answer.is_empty

    def learn(self, request: Request, body: dict[str, Any], answer: Completion) -> bool:
        """From an answer: an endpoint that tells no probabilities where they were asked for, several times, does not
        know them. It is of use even so.
        """
        if answer.tokens:
            self._has_told = True
        elif request.scale and answer.text and self._alternatives and not self._has_told:
            self._untold += 1
            if self._untold >= ENOUGH_UNTOLD:
                self._ask_for(0)
        return False

    def _ask_for(self, alternatives: int) -> None:
        self._alternatives = alternatives
        if not alternatives:
            notice(f"{self._host} tells no probabilities of tokens, so answers count as they are written.")


def _seed(key: str) -> int:
    """Of a question: the same each time it is asked, and another one for each of its samples."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:4]) >> 1


def _sendable(text: str) -> str:
    """Without halves of a sign, which no request can hold."""
    return text.encode("utf-8", "replace").decode()
