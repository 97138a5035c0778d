"""A stand-in for an OpenAI-compatible endpoint: a real HTTP server that keeps state, tells probabilities, and fails.

As vLLM, Ollama, llama.cpp and hosted services speak it: /v1/models and /v1/chat/completions. What it replies to a text,
and how sure it is, depends on the text alone: a number, or a letter where one is asked for.
"""

import hashlib
import json
import math
import random
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from typing import Any

from tests.stand_in import QuietRequest

MODEL = "stand-in-judge"
KEY = "sk-a-key-of-the-endpoints-0123456789"
SCALE, LETTERS = ("1", "2", "3", "4", "5"), ("A", "B", "C")
GARBLED = b"<html>Welcome to our service!</html>"


@dataclass(frozen=True)
class Faults:
    """How often it fails: shares of all requests. `cut`: after half of an answer."""

    too_many: float = 0.0
    broken: float = 0.0
    cut: float = 0.0
    garbled: float = 0.0
    nonsense: float = 0.0


USUAL = Faults(too_many=0.025, broken=0.025, cut=0.01, garbled=0.005, nonsense=0.005)
"""5 % refused for their number or met by a failure, 1 % cut short, 1 % answered with nonsense."""


@dataclass(frozen=True)
class Spoilt:
    """Spoils one request. `status` 0: the connection is cut after half of an answer; `body`: sent in its place."""

    status: int = 0
    body: bytes = b""
    retry_after: str = ""
    location: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Asked:
    """A request so far: its last message, what came of it, its body and its headers."""

    text: str
    outcome: str
    body: dict[str, Any]
    headers: dict[str, str]


class JudgeServer(ThreadingHTTPServer):
    """`asked`: every request for a completion; `told`: how often a whole answer to a text was sent.

    `probabilities`: tells them, "ignored" or "refused"; `unknown`: settings that it refuses as some services do;
    `says`: its judgment of a text; `replies`: texts in place of it.
    """

    daemon_threads = True
    request_queue_size = 512
    path = "/v1/chat/completions"

    def __init__(self, faults: Faults | None = None, *, key: str = "", seconds: float = 0.0, seed: int = 0) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        self.faults = faults or Faults()
        self.key = key
        self.seconds = seconds
        self.models = [MODEL, "another-model"]
        self.reports = MODEL
        self.probabilities = "told"
        self.unknown: tuple[str, ...] = ()
        self.counts_tokens = True
        self.says: Callable[[str], str] = score_of
        self.replies: dict[str, dict[str, Any]] = {}
        self.spoilt: deque[Spoilt] = deque()
        self.asked: list[Asked] = []
        self.told: Counter[str] = Counter()
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()
        self._random = random.Random(seed)

    def serve_forever(self, poll_interval: float = 0.02) -> None:
        """So that no test waits for its end."""
        super().serve_forever(poll_interval)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Quietly: whoever asked may have been killed."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def outcomes(self) -> Counter[str]:
        """How many requests came to what."""
        return Counter(asked.outcome for asked in self.asked)

    def fault(self) -> str:
        """What spoils the next request, "" for nothing."""
        with self.lock:
            drawn = self._random.random()
        for name in ("too_many", "broken", "cut", "garbled", "nonsense"):
            drawn -= getattr(self.faults, name)
            if drawn < 0:
                return name
        return ""

    def text_of(self, body: dict[str, Any]) -> str:
        """What a request is about."""
        return str(body["messages"][-1]["content"])

    def refusal(self, body: dict[str, Any]) -> tuple[int, str] | None:
        """Why a request is not carried out."""
        if body.get("model") not in self.models:
            return 404, f"The model `{body.get('model')}` does not exist."
        for name in self.unknown:
            if name in body:
                other = "; use 'max_completion_tokens' instead" if name == "max_tokens" else ""
                return 400, f"Unsupported parameter: '{name}' is not supported with this model{other}."
        if self.probabilities == "refused" and "logprobs" in body:
            return 400, "logprobs are not supported."
        return None

    def completion(self, body: dict[str, Any], fault: str) -> dict[str, Any]:
        """The answer to a request."""
        text = self.text_of(body)
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": self.says(text)}}
        if fault == "nonsense":
            choice["message"] = {"role": "assistant", "content": "Banana! The answer is 7 or -3."}
        elif text in self.replies:
            choice |= self.replies[text]
        elif body.get("logprobs") and self.probabilities == "told":
            choice["logprobs"] = {"content": [_told(text, int(body.get("top_logprobs", 0)))]}
        answer: dict[str, Any] = {"id": "x", "object": "chat.completion", "model": self.reports, "choices": [choice]}
        if self.counts_tokens:
            read = sum(len(message["content"]) for message in body["messages"])
            answer["usage"] = {"prompt_tokens": read // 3, "completion_tokens": 2, "total_tokens": read // 3 + 2}
        return answer


def score_of(text: str) -> str:
    """What it replies to a text."""
    answers = _answers(text)
    return answers[hashlib.sha256(text.encode()).digest()[0] % len(answers)]


def _answers(text: str) -> tuple[str, ...]:
    return LETTERS if "the letter" in text else SCALE


def _told(text: str, most: int) -> dict[str, Any]:
    """The token of the answer, and what else it might have been."""
    answers = _answers(text)
    said = answers.index(score_of(text))
    weights = {answer: math.exp(-abs(place - said)) for place, answer in enumerate(answers)} | {"The": 0.1, " ": 0.05}
    whole = sum(weights.values())
    ranked = sorted(weights.items(), key=lambda item: -item[1])[:most]
    others = [{"token": token, "logprob": math.log(weight / whole)} for token, weight in ranked]
    return {**others[0], "top_logprobs": others}


class _Request(QuietRequest):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: JudgeServer

    def do_GET(self) -> None:  # noqa: N802
        if self.path != "/v1/models":
            self._send(404, {"error": {"message": "Not found."}})
        elif self._may():
            self._send(200, {"object": "list", "data": [{"id": model} for model in self.server.models]})

    def do_POST(self) -> None:  # noqa: N802
        server = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != server.path:
            self._send(404, {"error": {"message": "Not found."}})
            return
        if not self._may():
            return
        with server.lock:
            server.at_once += 1
            server.most_at_once = max(server.most_at_once, server.at_once)
            spoilt = server.spoilt.popleft() if server.spoilt else None
        try:
            self._complete(body, spoilt)
        finally:
            with server.lock:
                server.at_once -= 1

    def _complete(self, body: dict[str, Any], spoilt: Spoilt | None) -> None:
        server = self.server
        time.sleep(spoilt.seconds if spoilt and spoilt.seconds else server.seconds)
        if spoilt and spoilt.status:
            self._note(body, str(spoilt.status))
            headers = {"Retry-After": spoilt.retry_after, "Location": spoilt.location}
            self._send(spoilt.status, spoilt.body or b"{}", headers)
            return
        refused = server.refusal(body)
        if refused:
            self._note(body, "refused")
            self._send(refused[0], {"error": {"message": refused[1], "code": None}})
            return
        fault = "cut" if spoilt and not spoilt.body else server.fault()
        if fault == "too_many":
            self._note(body, fault)
            self._send(429, {"error": {"message": "Slow down."}}, {"Retry-After": "0.05"})
        elif fault == "broken":
            self._note(body, fault)
            self._send(503, {"error": {"message": "Overloaded."}})
        elif fault == "garbled" or (spoilt and spoilt.body):
            self._note(body, "garbled")
            self._send(200, spoilt.body if spoilt else GARBLED)
        else:
            answer = json.dumps(server.completion(body, fault)).encode()
            self._note(body, fault or "told")
            self._send(200, answer, cut=fault == "cut")

    def _note(self, body: dict[str, Any], outcome: str) -> None:
        text = self.server.text_of(body)
        with self.server.lock:
            self.server.asked.append(Asked(text, outcome, body, dict(self.headers)))
            self.server.told[text] += outcome in ("told", "nonsense")

    def _may(self) -> bool:
        """Whether the key is right; a refusal names the one that came, as some services do."""
        given = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if self.server.key and given != self.server.key:
            self._send(401, {"error": {"message": f"Incorrect API key provided: {given}."}})
            return False
        return True

    def _send(
        self, status: int, body: bytes | dict[str, Any], headers: dict[str, str] | None = None, *, cut: bool = False
    ) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "text/html" if content.startswith(b"<") else "application/json")
            self.send_header("Content-Length", str(len(content)))
            for name, value in (headers or {}).items():
                if value:
                    self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if cut else content)
            self.wfile.flush()
        except OSError:  # whoever asked has gone
            self.close_connection = True
        if cut:
            self.close_connection = True
