"""How an endpoint is asked how likely a text is: by vLLM's `prompt_logprobs`, else by `echo` with `logprobs`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from core.judges.asking import Reply, Request
from core.judges.backends.cost import characters_of, tokens_of
from core.judges.likelihood.reading import Reading, read_text, sent
from core.judges.likelihood.told import Told, read_told
from core.tokens import ENTROPY_OF

WRITTEN = 1
"""Tokens that an endpoint is to write after the text: not all take none, and the old API of some writes on for 0."""
_ABOUT_US = ("logprob", "echo", "add_special_tokens", "return_token_ids")
"""What an endpoint names that does not take a request in one of the ways below."""

Pack = Callable[[Reading], str]
"""A text's tokens as a reply keeps them; "" where too little is told for it."""


@dataclass(frozen=True)
class Way:
    """`most`: of how many tokens at each place likelihoods are asked for."""

    echo: bool
    most: int


FOR_NUMBERS = tuple(Way(echo, most) for echo in (False, True) for most in (ENTROPY_OF, 5, 1))
"""Perplexity and Fp can be had of an endpoint that tells fewer than ten."""


@dataclass(frozen=True)
class LikelihoodAnswer:
    """What was told of a text, and how it is read."""

    told: Told
    start: str
    pack: Pack

    @property
    def model(self) -> str:
        """What the endpoint calls the model."""
        return self.told.model

    def reply_to(self, request: Request, most_tokens: int) -> Reply:
        """The numbers of the text's tokens."""
        found = read_text(request, self.told, self.start)
        if isinstance(found, str):
            packed, problem = "", found
        else:
            packed = self.pack(found)
            problem = "" if packed else "the endpoint tells too little of each token for this"
        read = self.told.prompt_tokens
        return Reply(
            request.key,
            packed,
            problem=problem,
            prompt_tokens=tokens_of(characters_of(request)) if read is None else read,
            reply_tokens=most_tokens,
        )


class LikelihoodForm:
    """Writes requests for likelihoods, and remembers for the rest of the run in which way the endpoint takes them."""

    path = "/completions"

    def __init__(
        self, host: str, model: str, start: str, ways: Sequence[Way] = FOR_NUMBERS, pack: Pack = Reading.packed
    ) -> None:
        self._host = host
        self._model = model
        self._start = start
        self._ways = list(ways)
        self._pack = pack
        self.impossible = ""

    def body(self, request: Request) -> dict[str, Any]:
        """What is sent; at a temperature of 1, as servers differ in whether it changes what they tell."""
        way = self._ways[0]
        body = {"model": self._model, "prompt": "".join(sent(request)), "max_tokens": WRITTEN, "temperature": 1.0}
        if way.echo:
            return body | {"echo": True, "logprobs": way.most}
        own = {"add_special_tokens": False} if self._start else {}
        return body | {"prompt_logprobs": way.most, "return_token_ids": True} | own

    def read(self, body: dict[str, Any], content: bytes) -> LikelihoodAnswer | None:
        """What an answer holds; None where it is no completion."""
        told = read_told(content, body.get("logprobs") or body.get("prompt_logprobs") or 0, echo="echo" in body)
        return None if told is None else LikelihoodAnswer(told, self._start, self._pack)

    def can_be_otherwise(self, request: Request, body: dict[str, Any], words: str) -> bool:
        """Whether a request that was refused in these words may be written in another way now."""
        if body == self.body(request) and any(word in words.lower() for word in _ABOUT_US):
            self._leave(self._ways[1:], words)
        return body != self.body(request)

    def learn(self, request: Request, body: dict[str, Any], answer: LikelihoodAnswer) -> bool:
        """From an answer: an endpoint that has passed over what was asked for does not know it."""
        told = answer.told
        echo = "echo" in body
        if told.tokens is not None and (not echo or "".join(sent(request)).strip() in told.text):
            return False
        if body == self.body(request):
            self._leave([way for way in self._ways if way.echo and not echo], "")
        return True

    def blames(self, answer: LikelihoodAnswer, reply: Reply) -> bool:
        """Tokens that do not fit the text will not fit the next one either."""
        return bool(reply.problem)

    def _leave(self, ways: Sequence[Way], words: str) -> None:
        if ways:
            self._ways = list(ways)
            return
        detail = f" ({words})" if words else ""
        self.impossible = (
            f"{self._host} tells no likelihoods of a text that it reads{detail}: that takes vLLM's prompt_logprobs, or "
            "echo with logprobs, in its completions."
        )
