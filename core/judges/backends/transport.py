"""Requests to an OpenAI-compatible endpoint by the `openai` client: sent once each, and each failure in one sentence.

The client itself never holds the key: a request gets it as it leaves, and nothing else that the surroundings have for
such clients.
"""

import asyncio
import math
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2
from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI

from core.durations import retry_after
from core.judges.backends.completion import models_in, said
from core.judges.backends.key import KEY, travels_safely
from core.judges.backends.limits import LONGEST_REST

PASSED_ON = ("host", "accept", "accept-encoding", "connection", "content-type", "content-length", "transfer-encoding")
"""Headers that leave besides the key: not which system this is, nor what `OPENAI_…` settings ask for."""
CONNECT_SECONDS = 15.0
LISTED = 8
"""Models that are named where the one asked for is not there."""
AGAIN = (408, 409, 425, 429)
TRIES, SLOW_TRIES = 6, 2
"""Of a request, and of one that is not answered in time: each such try takes long, and may be paid."""
SHORTEST_SECRET = 8
"""Characters; servers of one's own are often given a word such as EMPTY for a key, which replies may hold as well."""


AnyAnswer = TypeVar("AnyAnswer")


class Failed(Exception):
    """A request that came to nothing. `tries`: how many are worth it in all, the next after `asked` seconds if the
    endpoint says so; `fatal`: every other request would meet the same; `refused`: the endpoint's own words, where it
    does not take the request as it is, or may not (llama.cpp says so by a failure); `too_long`: the request is longer
    than the model can read.
    """

    def __init__(
        self,
        sentence: str,
        *,
        tries: int = 1,
        fatal: bool = False,
        asked: float | None = None,
        refused: str = "",
        too_long: bool = False,
    ) -> None:
        super().__init__(sentence)
        self.tries = tries
        self.fatal = fatal
        self.asked = asked
        self.refused = refused
        self.too_long = too_long


class Transport:
    """A connection to an endpoint, within one event loop."""

    def __init__(self, address: str, model: str, key: str, *, connections: int, patience: float) -> None:
        self._address = address
        self._host = urlsplit(address).netloc
        self._model = model
        self._key = key
        self._patience = patience
        http = httpx2.AsyncClient(
            timeout=httpx2.Timeout(patience, connect=min(CONNECT_SECONDS, patience / 2)),
            limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
            follow_redirects=False,  # the key, and the texts, are for one address
            event_hooks={"request": [self._leave]},
        )
        nothing: dict[str, str] = {"api_key": "-", "admin_api_key": "", "organization": "", "project": ""}
        self._client = AsyncOpenAI(base_url=address, max_retries=0, http_client=http, **nothing)

    async def __aenter__(self) -> "Transport":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._client.close()

    async def _leave(self, request: httpx2.Request) -> None:
        """The last that happens to a request before it is sent."""
        for name in set(request.headers.keys()) - set(PASSED_ON):
            del request.headers[name]
        request.headers["User-Agent"] = "Fabula"
        if self._key:
            request.headers["Authorization"] = f"Bearer {self._key}"

    async def complete(
        self, path: str, body: Mapping[str, Any], read: Callable[[bytes], AnyAnswer | None]
    ) -> AnyAnswer:
        """Ask for one completion. Raises Failed, also where `read` finds none in the answer."""
        try:
            answered = await self._within(self._client.post(path, body=body, cast_to=httpx2.Response))
        except APIStatusError as error:
            status, headers, content = error.response.status_code, error.response.headers, error.response.content
            if status == 404:
                raise Failed(await self._not_there(path, content), fatal=True) from None
            raise self._refusal(status, headers, content) from None
        answer = read(answered.content)
        if answer is None:
            raise Failed(f"{self._host} answered what is no completion; is it an OpenAI-compatible API?", tries=TRIES)
        return answer

    def hidden(self, text: str) -> str:
        """A text of the endpoint's without the key, whatever it holds."""
        return text.replace(self._key, "…") if len(self._key) >= SHORTEST_SECRET else text

    async def _within(self, answering: Any) -> Any:
        """An answer, if it comes in time. Raises Failed where none comes."""
        try:
            async with asyncio.timeout(self._patience):
                return await answering
        except (TimeoutError, APIConnectionError) as error:
            raise self._unreachable(error) from None

    def _unreachable(self, error: BaseException) -> Failed:
        causes = list(_causes(error))
        if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
            advice = "if it is your own, name its authority's file in SSL_CERT_FILE."
            return Failed(f"The certificate of {self._host} is not trusted; {advice}", fatal=True)
        if any(isinstance(cause, ssl.SSLError) for cause in causes):
            return Failed(f"{self._host} does not speak TLS as https wants it; does it begin with http://?", fatal=True)
        if any(isinstance(cause, socket.gaierror) for cause in causes):
            return Failed(f"There is no machine called {self._host} to be found; check the address.", fatal=True)
        if any(isinstance(cause, httpx2.ProxyError) for cause in causes):
            return Failed(f"The proxy that this machine goes through does not reach {self._host}.", fatal=True)
        if any(isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout) for cause in causes):
            return Failed(f"Nothing answers at {self._address}; is the server running?", tries=TRIES, fatal=True)
        if any(isinstance(cause, TimeoutError | APITimeoutError) for cause in causes):
            return Failed(f"{self._host} did not answer within {self._patience:g} seconds.", tries=SLOW_TRIES)
        return Failed(f"{self._host} cut the connection before its answer was whole.", tries=TRIES)

    async def _not_there(self, path: str, body: bytes) -> str:
        """Of a 404: whether the model, this part of the API or the API itself is missing."""
        try:
            listing = await self._within(self._client.get("/models", cast_to=httpx2.Response))
            models = models_in(listing.content)
        except (APIStatusError, Failed):
            models = []
        if self._model in models:
            return f"{self._host} has {self._model}, but no {path.lstrip('/')} at {self._address}."
        if models:
            more = " …" if len(models) > LISTED else ""
            return f"{self._host} has no model {self._model}; it has {', '.join(models[:LISTED])}{more}."
        words = self.hidden(said(body)[0])
        if self._model in words:
            return f"{self._host} has no model {self._model} ({words})."
        return f"There is no OpenAI-compatible API at {self._address}; most base addresses end with /v1."

    def _refusal(self, status: int, headers: Mapping[str, str], body: bytes) -> Failed:
        """What an answer other than "done" means."""
        words, code = (self.hidden(part) for part in said(body))
        detail = f" ({words})" if words else ""
        if status == 401:
            return Failed(self._locked(), fatal=True)
        if status == 403:
            return Failed(f"{self._host} does not allow this to whoever has our key{detail}.", fatal=True)
        if status == 402 or code == "insufficient_quota":
            return Failed(f"The account at {self._host} has no credit left{detail}.", fatal=True)
        if code == "model_not_found":
            return Failed(f"{self._host} has no model {self._model}{detail}.", fatal=True)
        if status in AGAIN or status >= 500:
            return self._busy(status, headers, words)
        if status < 400:
            return Failed(f"{self._address} leads elsewhere; give the address that it leads to.", fatal=True)
        too_long = code == "context_length_exceeded" or "context length" in words.lower() or status == 413
        if too_long:
            return Failed(f"The story and what is asked of it are too long for {self._model}{detail}.", too_long=True)
        return Failed(f"{self._host} refuses the request ({status}){f': {words}' if words else ''}.", refused=words)

    def _busy(self, status: int, headers: Mapping[str, str], words: str) -> Failed:
        detail = f" ({words})" if words else ""
        asked = retry_after(headers.get("retry-after", ""))
        if asked is not None and asked > LONGEST_REST:
            rest = f"{math.ceil(asked / 60):,} minutes"
            return Failed(f"{self._host} wants to be left alone for {rest}{detail}; go on then.", fatal=True)
        what = "has been asked too much at once" if status == 429 else f"fails just now ({status})"
        return Failed(f"{self._host} {what}{detail}.", tries=TRIES, asked=asked, refused=words if status == 500 else "")

    def _locked(self) -> str:
        if self._key:
            return f"{self._host} does not take the key in {KEY}; start Fabula with the right one."
        if not travels_safely(self._address):
            return f"{self._host} wants a key, which goes over https only, or to a server on this machine."
        return f"{self._host} wants a key: start Fabula with it in {KEY}."


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, what it came of, and so on; each once."""
    waiting, seen = [error], set[int]()
    while waiting:
        cause = waiting.pop()
        if cause is None or id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        waiting += [cause.__cause__, cause.__context__]
        if isinstance(cause, BaseExceptionGroup):
            waiting += cause.exceptions
