"""A language model on a server: how likely it finds each token of a story, with what is kept not asked again."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.judges.asking import LIKELIHOOD, Message, Reply, Request
from core.judges.backends.cost import Estimate, Spent, estimate_stories
from core.judges.backends.endpoint import Endpoint, EndpointBackend
from core.judges.backends.limits import FIRST_PAUSE
from core.judges.likelihood.form import WRITTEN, LikelihoodForm
from core.judges.likelihood.reading import unpacked
from core.judges.study import ReplyStore
from core.notices import notice
from core.tokens import behind

if TYPE_CHECKING:
    from core.models.statistics import Rows

VERSION = 1
"""Raised when what is kept of a text changes."""
Pair = tuple[str, str]
"""What the model reads first ("" for nothing), and the text that is scored."""


class ServedLanguageModel:
    """`store`: where the numbers of texts are kept, so that the metrics that share a model ask once."""

    def __init__(self, endpoint: Endpoint, key: str, store: ReplyStore, *, first_pause: float = FIRST_PAUSE) -> None:
        self._endpoint = at_endpoint(endpoint)
        self._store = store
        form = LikelihoodForm(endpoint.host, endpoint.model, endpoint.start)
        self._backend = EndpointBackend(self._endpoint, key, first_pause=first_pause, form=form)

    @property
    def spent(self) -> Spent:
        """What the answers have cost."""
        return self._backend.spent

    def measures(
        self,
        pairs: Sequence[Pair],
        hashes: Sequence[str],
        on_progress: Callable[[int], None] | None = None,
        first: int | None = None,
    ) -> list["Rows | str"]:
        """As `LanguageModel.measures`, or why a text has no numbers; NaN for a number that takes more of the likeliest
        tokens than the endpoint tells. A text goes whole: one that is longer than the model reads has none.

        `hashes`: of the stories' contents, with which what is kept of them goes. Raises FabulaError where nothing can
        be asked.
        """
        requests = [
            _request(self._endpoint, pair, content_hash) for pair, content_hash in zip(pairs, hashes, strict=True)
        ]
        replies = self._replies([request for request in requests if request.messages[1].text], on_progress)
        if on_progress and (empty := sum(not request.messages[1].text for request in requests)):
            on_progress(empty)
        return [self._rows(replies.get(request.key), first) for request in requests]

    def _replies(self, requests: Sequence[Request], on_progress: Callable[[int], None] | None) -> dict[str, Reply]:
        """Of all of these: those that are kept, and those that come, each kept at once."""
        times = Counter(request.key for request in requests)
        replies = {key: reply for key, reply in self._store.find(list(times)).items() if not reply.problem}
        if on_progress and replies:
            on_progress(sum(times[key] for key in replies))
        left = {request.key: request for request in requests if request.key not in replies}

        def keep(reply: Reply) -> None:
            replies[reply.key] = reply
            self._store.keep(f"{LIKELIHOOD}{self._endpoint.name}", left[reply.key], reply)
            if on_progress:
                on_progress(times[reply.key])

        if left:
            self._backend.ask(list(left.values()), keep)
        return replies

    def _rows(self, reply: Reply | None, first: int | None) -> "Rows | str":
        if reply is None:
            return np.zeros((0, 4), np.float32)
        if reply.problem:
            return reply.problem
        rows, left_out = unpacked(reply.text)
        if left_out:
            say_left_out(self._endpoint)
        return rows if first is None else rows[: first if len(rows) >= first else 0]


def say_left_out(endpoint: Endpoint) -> None:
    """Tell whoever listens that first tokens have no number."""
    notice(
        f"{endpoint.host} puts nothing before a text, so a text's first token has no likelihood where no prompt is "
        "read before it, and is left out; name the token that begins its texts as the start."
    )


def at_endpoint(endpoint: Endpoint) -> Endpoint:
    """As it is asked: no answer is longer than need be."""
    return replace(endpoint, most_tokens=WRITTEN)


def sendable(text: str) -> str:
    """A text without halves of signs, which no request can hold."""
    return text.encode("utf-8", "replace").decode()


def estimate(endpoint: Endpoint, stories: int, characters: int) -> Estimate:
    """What so many stories of so many characters together would take there, prompts apart, if none is asked twice."""
    return estimate_stories(stories, characters, times=1, instructions=0, prices=endpoint.prices, most_tokens=WRITTEN)


def _request(endpoint: Endpoint, pair: Pair, content_hash: str) -> Request:
    given, text = map(sendable, pair)
    begun, rest = endpoint.start + given, behind(given, text)
    asked = json.dumps([LIKELIHOOD, VERSION, endpoint.name, endpoint.start, begun, rest])
    key = hashlib.sha256(asked.encode()).hexdigest()
    return Request(key, (Message("user", begun), Message("user", rest)), content_hash=content_hash)
