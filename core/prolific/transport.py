"""Requests to Prolific's API over HTTP: tried again where that is safe, and each failure in one sentence.

A request that has been refused for its number (429) has done nothing, so it is sent again after a while whatever it
asks. One that was not answered, or met a failure of the server's (5xx), is sent again only where sending it twice does
the same as once.
"""

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import httpx2

from core.durations import retry_after
from core.errors import PlatformError
from core.prolific.settings import Settings

PATIENCE = 10.0
"""Seconds that Prolific has to answer."""
ATTEMPTS = 4
LONGEST_WAIT = 20.0
"""Seconds that we wait before we send a request again; where Prolific asks for more, a person is to wait."""
LARGEST = 2**22
"""Bytes of an answer."""
LONGEST_DETAIL = 400
"""Characters of Prolific's own words that are shown."""
_UNREAD = "Prolific's answer cannot be read"
_LOOK = "look there before you send it again."


@dataclass(frozen=True)
class Answer:
    """What Prolific has answered: JSON, and headers by their names in small letters."""

    body: Any
    headers: Mapping[str, str]


class Transport:
    """A connection to the API, to be closed after use. `wait` sleeps for so many seconds."""

    def __init__(
        self, settings: Settings, *, patience: float = PATIENCE, wait: Callable[[float], None] = time.sleep
    ) -> None:
        self._settings = settings
        self._patience = patience
        self._wait = wait
        self._http = httpx2.Client(
            timeout=patience,
            follow_redirects=False,  # the token is for one address
            headers={"Authorization": f"Token {settings.token}", "User-Agent": "Fabula"},
        )

    def __enter__(self) -> "Transport":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._http.close()

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, repeatable: bool = False) -> Answer:
        """Send a request to `path` below the API's address; `repeatable`: twice does the same as once.

        Raises PlatformError.
        """
        repeatable = repeatable or method == "GET"
        for attempt in range(1, ATTEMPTS + 1):
            try:
                status, headers, text = self._send(method, path, body)
            except (httpx2.ConnectError, httpx2.ConnectTimeout):  # it has never arrived
                problem = PlatformError("Prolific cannot be reached; try again in a few minutes.", general=True)
                pause = self._pause(attempt)
            except (httpx2.HTTPError, OSError):
                problem = self._unanswered(repeatable)
                pause = self._pause(attempt) if repeatable else None
            else:
                if status < 300:
                    return Answer(self._read(text, repeatable), headers)
                problem = self._refusal(status, headers, text, repeatable)
                again = status == 429 or (status >= 500 and repeatable)
                pause = self._pause(attempt, headers.get("retry-after", "")) if again else None
            if pause is None or attempt == ATTEMPTS:
                raise problem from None
            self._wait(pause)
        raise AssertionError("the last attempt raises")

    def _send(self, method: str, path: str, body: Mapping[str, Any] | None) -> tuple[int, dict[str, str], bytes]:
        text = b""
        began = time.monotonic()
        with self._http.stream(method, self._settings.address + path, json=body) as answer:
            for part in answer.iter_bytes():
                text += part
                if len(text) > LARGEST or time.monotonic() - began > 2 * self._patience:
                    raise OSError("the answer is too long, or too slow")
            return answer.status_code, {name.lower(): value for name, value in answer.headers.items()}, text

    def _pause(self, attempt: int, asked: str = "") -> float | None:
        """Seconds until the next attempt: as Prolific asks, else twice as long each time; None for too long a time."""
        seconds = retry_after(asked)
        if seconds is None:
            return float(2 ** (attempt - 1))
        return seconds if seconds <= LONGEST_WAIT else None

    def _unanswered(self, repeatable: bool) -> PlatformError:
        sentence = f"Prolific did not answer within {self._patience:.0f} seconds"
        if repeatable:
            return PlatformError(f"{sentence}; try again in a few minutes.", general=True)
        return PlatformError(
            f"{sentence}, so nobody knows whether it did what was asked; {_LOOK}", certain=False, general=True
        )

    def _read(self, text: bytes, repeatable: bool) -> Any:
        if not text.strip():
            return {}
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise unreadable(repeatable) from None

    def _refusal(self, status: int, headers: Mapping[str, str], text: bytes, repeatable: bool) -> PlatformError:
        """What an answer other than "done" means."""
        if status == 401:
            return PlatformError(
                "Prolific does not take the token in PROLIFIC_TOKEN; make a new one there and start Fabula with it.",
                general=True,
            )
        if status == 429:
            seconds = retry_after(headers.get("retry-after", ""))
            when = "in a few minutes" if seconds is None else f"in {max(1, math.ceil(seconds))} seconds"
            return PlatformError(f"Prolific has been asked too much at once; try again {when}.", general=True)
        if status >= 500:
            done = "" if repeatable else f" Nobody knows whether it did what was asked; {_LOOK}"
            return PlatformError(
                f"Prolific fails just now ({status}); try again in a few minutes.{done}",
                certain=repeatable,
                general=True,
            )
        if status < 400:
            return PlatformError("The address in PROLIFIC_API leads elsewhere; give the API's own.", general=True)
        said = self._said(text)
        if status == 404:
            return PlatformError(f"Prolific knows nothing of what was asked for{f' ({said})' if said else ''}.")
        return PlatformError(f"Prolific refuses this ({status}){f': {said}' if said else ''}.")

    def _said(self, text: bytes) -> str:
        """Prolific's own words about an error, without the token whatever they hold."""
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError):
            return ""
        inner = answer.get("error", answer) if isinstance(answer, dict) else answer
        detail = inner.get("detail", inner) if isinstance(inner, dict) else inner
        words = " ".join("".join(sign if sign.isprintable() else " " for sign in _flat(detail)).split())
        words = words.replace(self._settings.token, "…").rstrip(".")
        return words if len(words) <= LONGEST_DETAIL else f"{words[:LONGEST_DETAIL]} …"


def unreadable(repeatable: bool) -> PlatformError:
    """For an answer that is not what the API has published."""
    if repeatable:
        return PlatformError(f"{_UNREAD}: it is not what its API publishes. Try again later.")
    return PlatformError(f"{_UNREAD}, though it may have done what was asked; {_LOOK}", certain=False)


def _flat(detail: Any) -> str:
    """A sentence, a list of them, or one for each field."""
    if isinstance(detail, dict):
        return "; ".join(f"{name}: {_flat(value)}" for name, value in detail.items())
    if isinstance(detail, list):
        return " ".join(_flat(value) for value in detail)
    return "" if detail is None else str(detail)
