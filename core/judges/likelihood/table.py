"""What a language model on a server thinks of every token of a text, as a table."""

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from core.errors import FabulaError, InputError
from core.judges.asking import Message, Reply, Request
from core.judges.backends.cost import Spent
from core.judges.backends.endpoint import Endpoint, EndpointBackend
from core.judges.backends.limits import FIRST_PAUSE
from core.judges.likelihood.form import LikelihoodForm, Way
from core.judges.likelihood.reading import Reading
from core.judges.likelihood.served import at_endpoint, say_left_out, sendable
from core.pieces import spans, words_of
from core.tokens import ENTROPY_OF, Mode, TokenTable, likelier


class ServedTokens:
    """Reads texts; `top`: how many of the likeliest tokens to name. It takes an endpoint that tells ranks, as vLLM does
    by `prompt_logprobs`.
    """

    def __init__(self, endpoint: Endpoint, key: str, top: int, *, first_pause: float = FIRST_PAUSE) -> None:
        """Raises InputError for a number of tokens that cannot be."""
        if top < 0:
            raise InputError(f"So many alternatives a token cannot be shown: {top}.")
        self._endpoint = at_endpoint(endpoint)
        self._top = top
        form = LikelihoodForm(
            endpoint.host, endpoint.model, endpoint.start, (Way(False, max(top, ENTROPY_OF)),), self._packed
        )
        self._backend = EndpointBackend(self._endpoint, key, first_pause=first_pause, form=form)

    @property
    def spent(self) -> Spent:
        """What the answers have cost."""
        return self._backend.spent

    def read(self, texts: Sequence[str], on_progress: Callable[[int, int], None] | None = None) -> list[TokenTable]:
        """A table for each text, in input order; without its first token where nothing stands before it, and empty for
        a text without any. `on_progress` receives how many texts are done, and of how many.

        Raises FabulaError where one cannot be read.
        """
        requests = [_request(self._endpoint, text) for text in texts]
        asked = {request.key: request for request, text in zip(requests, texts, strict=True) if text}
        replies: dict[str, Reply] = {}

        def keep(reply: Reply) -> None:
            replies[reply.key] = reply
            if on_progress:
                on_progress(len(replies), len(asked))

        self._backend.ask(list(asked.values()), keep)
        for reply in replies.values():
            if reply.problem:
                raise FabulaError(f"A text cannot be read: {reply.problem.rstrip('.')}.")
        return [
            self._table(text, json.loads(replies[request.key].text) if text else _NOTHING)
            for request, text in zip(requests, texts, strict=True)
        ]

    def _packed(self, reading: Reading) -> str:
        """The columns of a table; "" where ranks, or as many tokens as are to be named, are not told."""
        told = np.array([math.nan if token.rank is None else token.rank for token in reading.tokens])
        likeliest = reading.likeliest
        ranks = likelier(reading.log_p, likeliest, told)
        too_few = any(len(token.likeliest) < max(self._top, ENTROPY_OF) for token in reading.tokens)
        if too_few or np.isnan(ranks).any():
            return ""
        if reading.left_out:
            say_left_out(self._endpoint)
        whole, border = reading.text.encode(), len(self._endpoint.start.encode())
        parts = [whole[begin:end] for begin, end in pairwise((border, *reading.places))]
        starts, ends = spans(whole[border:].decode(), parts) or (np.zeros(0, np.int64), np.zeros(0, np.int64))
        nll, fraction, _, entropy = reading.rows().T.tolist()
        return json.dumps(
            {
                "starts": starts[1:].tolist(),
                "ends": ends[1:].tolist(),
                "log_p": [-value for value in nll],
                "rank": ranks.astype(np.int64).tolist(),
                "fraction": fraction,
                "entropy": entropy,
                "top": [[text for text, _ in token.likeliest[: self._top]] for token in reading.tokens],
                "top_p": np.exp(likeliest[:, : self._top]).tolist(),
            }
        )

    def _table(self, text: str, columns: dict[str, Any]) -> TokenTable:
        starts = np.array(columns["starts"], np.int64)
        return TokenTable(
            text=text,
            model=self._endpoint.name,
            mode=Mode.CAUSAL,
            starts=starts,
            ends=np.array(columns["ends"], np.int64),
            words=words_of(text, starts),
            log_p=np.array(columns["log_p"], np.float64),
            rank=np.array(columns["rank"], np.int64),
            fraction=np.array(columns["fraction"], np.float64),
            entropy=np.array(columns["entropy"], np.float64),
            top=tuple(tuple(row) for row in columns["top"]),
            top_p=np.array(columns["top_p"], np.float64).reshape(len(starts), -1 if len(starts) else self._top),
        )


_NOTHING: dict[str, Any] = {
    name: [] for name in ("starts", "ends", "log_p", "rank", "fraction", "entropy", "top", "top_p")
}


def _request(endpoint: Endpoint, text: str) -> Request:
    begun, text = sendable(endpoint.start), sendable(text)
    key = hashlib.sha256(text.encode()).hexdigest()
    return Request(key, (Message("user", begun), Message("user", text)))
