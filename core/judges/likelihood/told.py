"""What an endpoint tells of the text that it read, token by token, in either form that there is: vLLM's
`prompt_logprobs`, and `echo` with `logprobs` of the old completions API.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.judges.likelihood.spelling import UNKNOWN

IMPOSSIBLE = -9999.0
"""What vLLM writes for the logarithm of 0, which JSON does not have."""


@dataclass(frozen=True)
class ToldToken:
    """A token of the text. `text`: "" where none is told; `log_p`: natural logarithm of its probability, None where it
    has no number; `rank`: its place among all tokens, 1 the likeliest, None where unknown; `likeliest`: the likeliest
    of its place with theirs, the likeliest first: as many as are told of every place, or none where they cannot be told
    apart. The token itself is among them if it is one of them.
    """

    text: str = ""
    log_p: float | None = None
    rank: int | None = None
    likeliest: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Told:
    """An answer. `tokens`: of the text that was read, and with `echo` perhaps those that were written after it; None
    where there are none. `text`: with `echo`, all of it; `prompt_tokens`: None where they are not counted.
    """

    model: str
    tokens: tuple[ToldToken, ...] | None
    text: str
    prompt_tokens: int | None


def read_told(body: bytes, most: int, *, echo: bool) -> Told | None:
    """What a body holds; None where that is no completion. `most`: how many of the likeliest tokens were asked for."""
    try:
        whole = json.loads(body)
    except (ValueError, RecursionError):
        return None
    choices = _object(whole).get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        return None
    choice = choices[0]
    text, model = choice.get("text"), _object(whole).get("model")
    count = _object(_object(whole).get("usage")).get("prompt_tokens")
    # vLLM has had it in the choice since there is one for each prompt, and beside the choices before.
    asked = choice.get("prompt_logprobs", _object(whole).get("prompt_logprobs"))
    return Told(
        model=model if isinstance(model, str) else "",
        tokens=_echoed(_object(choice.get("logprobs")), most)
        if echo
        else _by_id(asked, choice.get("prompt_token_ids"), most),
        text=text if isinstance(text, str) else "",
        prompt_tokens=count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None,
    )


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _number(value: Any) -> float | None:
    """A logarithm of a probability; None for what is none, and for that of 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return min(float(value), 0.0) if value > IMPOSSIBLE else None


def _by_id(rows: Any, ids: Any, most: int) -> tuple[ToldToken, ...] | None:
    """vLLM's list: nothing for the first token, then a map by id. Where the text's own `ids` are not told, as by older
    ones, its token is the first of the map.
    """
    if not isinstance(rows, list) or not rows:
        return None
    own = [str(token) for token in ids] if isinstance(ids, list) and len(ids) == len(rows) else [""] * len(rows)
    return tuple(_of_ids(_object(row), token, most) for row, token in zip(rows, own, strict=True))


def _of_ids(row: Mapping[str, Any], own: str, most: int) -> ToldToken:
    listed = [
        (str(_object(entry).get("decoded_token") or ""), value)
        for entry in row.values()
        if (value := _number(_object(entry).get("logprob"))) is not None
    ]
    entry = _object(row.get(own or next(iter(row), "")))
    rank = entry.get("rank")
    return ToldToken(
        str(entry.get("decoded_token") or ""),
        _number(entry.get("logprob")),
        rank if isinstance(rank, int) and rank > 0 else None,
        _likeliest(listed, most),  # and not the token itself, where it is listed beyond them
    )


def _likeliest(listed: Sequence[tuple[str, float]], most: int) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(listed, key=lambda entry: -entry[1])[:most])


def _echoed(logprobs: Mapping[str, Any], most: int) -> tuple[ToldToken, ...] | None:
    """The lists of the old API, of which the likeliest tokens are by text: two of the same text are one there, so where
    a place has fewer than others they are not known.
    """
    texts, values, tops = (logprobs.get(name) for name in ("tokens", "token_logprobs", "top_logprobs"))
    if not isinstance(texts, list) or not isinstance(values, list) or len(texts) != len(values):
        return None
    listed = tops if isinstance(tops, list) and len(tops) == len(texts) else [None] * len(texts)
    places = [
        _Listed(str(text or ""), _number(value), {str(key): _number(one) for key, one in _object(top).items()})
        for text, value, top in zip(texts, values, listed, strict=True)
    ]
    granted = min(most, max((place.number for place in places), default=0))
    return tuple(
        ToldToken(place.text, place.log_p, None, _likeliest(place.listed, granted) if place.has(granted) else ())
        for place in places
    )


@dataclass(frozen=True)
class _Listed:
    """A place: its token, and the likeliest ones by text, the token itself beyond them perhaps."""

    text: str
    log_p: float | None
    top: Mapping[str, float | None]

    @property
    def number(self) -> int:
        """How many of the likeliest there are, as far as can be counted."""
        others = [value for text, value in self.top.items() if text != self.text and value is not None]
        among = self.log_p is not None and bool(others) and self.log_p >= min(others)
        return len(others) + among

    @property
    def listed(self) -> list[tuple[str, float]]:
        """All that are listed, and the token itself."""
        own = {} if self.log_p is None else {self.text: self.log_p}
        return [(text, value) for text, value in {**self.top, **own}.items() if value is not None]

    def has(self, granted: int) -> bool:
        """Whether none has been taken for another of the same text. Of a token that is the last of them one less is
        counted.
        """
        if not granted:
            return False
        last = self.number == granted - 1 and self.text in self.top and not any(UNKNOWN in text for text in self.top)
        return self.number >= granted or last
