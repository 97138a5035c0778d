"""What an endpoint tells of the text that it read, token by token, in either form that there is: vLLM's
`prompt_logprobs`, and `echo` with `logprobs` of the old completions API.
"""

import json
import math
from collections.abc import Mapping
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
    listed = [_Listed.by_id(_object(row), token) for row, token in zip(rows, own, strict=True)]
    granted = min(most, max(place.number for place in listed))
    return tuple(ToldToken(place.text, place.log_p, place.rank, place.likeliest(granted)) for place in listed)


def _echoed(logprobs: Mapping[str, Any], most: int) -> tuple[ToldToken, ...] | None:
    """The lists of the old API, of which the likeliest tokens are by text: two of the same text are one there, so where
    a place has fewer than others they are not known.
    """
    texts, values, tops = (logprobs.get(name) for name in ("tokens", "token_logprobs", "top_logprobs"))
    if not isinstance(texts, list) or not isinstance(values, list) or len(texts) != len(values):
        return None
    listed = tops if isinstance(tops, list) and len(tops) == len(texts) else [None] * len(texts)
    places = [
        _Listed.by_text(str(text or ""), _number(value), _object(top))
        for text, value, top in zip(texts, values, listed, strict=True)
    ]
    granted = min(most, max((place.number for place in places), default=0))
    return tuple(
        ToldToken(place.text, place.log_p, None, place.likeliest(granted) if place.has(granted) else ())
        for place in places
    )


@dataclass(frozen=True)
class _Listed:
    """A place: its token, and what is listed besides, which are the likeliest ones if it is not among them itself."""

    text: str
    log_p: float | None
    rank: int | None
    others: tuple[tuple[str, float], ...]
    is_listed: bool

    @classmethod
    def by_id(cls, row: Mapping[str, Any], own: str) -> "_Listed":
        """Of a map by id, of the token `own`, or of the first one where that is ""."""
        key = own or next(iter(row), "")
        entry = _object(row.get(key))
        rank = entry.get("rank")
        others = {other: _object(value) for other, value in row.items() if other != key}
        return cls(
            str(entry.get("decoded_token") or ""),
            _number(entry.get("logprob")),
            rank if isinstance(rank, int) and rank > 0 else None,
            tuple(
                (str(other.get("decoded_token") or ""), value)
                for other in others.values()
                if (value := _number(other.get("logprob"))) is not None
            ),
            is_listed=True,
        )

    @classmethod
    def by_text(cls, text: str, log_p: float | None, top: Mapping[str, Any]) -> "_Listed":
        """Of a map by text, in which the token need not be."""
        others = ((str(other), _number(value)) for other, value in top.items() if other != text)
        told = tuple((other, value) for other, value in others if value is not None)
        return cls(text, log_p, None, told, is_listed=text in top)

    @property
    def number(self) -> int:
        """How many of the likeliest there are, as far as can be counted: a token that is the last of them, or beyond,
        is not.
        """
        return len(self.others) + self._is_among

    @property
    def _is_among(self) -> bool:
        """Whether one that is listed is less likely than the token."""
        return self.log_p is not None and bool(self.others) and self.log_p >= min(value for _, value in self.others)

    def likeliest(self, granted: int) -> tuple[tuple[str, float], ...]:
        """So many, the likeliest first."""
        own = [] if self.log_p is None else [(self.text, self.log_p)]
        return tuple(sorted([*own, *self.others], key=lambda entry: -entry[1])[:granted])

    def has(self, granted: int) -> bool:
        """Whether none has been taken for another of the same text."""
        if not granted:
            return False
        if self.number >= granted:
            return True
        last = len(self.others) == granted - 1 and not self._is_among and self.is_listed
        return last and not any(UNKNOWN in text for text, _ in self.others)
