"""What an OpenAI-compatible endpoint answers, read as it stands: servers differ, and not all keep the form."""

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.judges.asking import AGAIN, Reply, Request
from core.judges.backends.cost import characters_of, tokens_of
from core.judges.backends.probabilities import WrittenToken, as_probability, scale_probabilities

LONGEST_WORDS = 300
"""Characters of an endpoint's own words that are shown."""


@dataclass(frozen=True)
class Completion:
    """A completion. `tokens`: with their alternatives, () where none are told; `finish`: why it ended, "" if unsaid;
    `model`: what the endpoint calls the model; `prompt_tokens`, `reply_tokens`: None where they are not counted.
    """

    text: str
    refusal: str
    finish: str
    model: str
    tokens: tuple[WrittenToken, ...]
    prompt_tokens: int | None
    reply_tokens: int | None

    def reply_to(self, request: Request, most_tokens: int) -> Reply:
        """As the reply to a request; tokens that nobody has counted are estimated from characters."""
        read, wrote = self.prompt_tokens, self.reply_tokens
        return Reply(
            request.key,
            self.text,
            scale_probabilities(self.tokens, request.scale) if request.scale and self.tokens else None,
            self._problem(most_tokens),
            tokens_of(characters_of(request)) if read is None else read,
            tokens_of(len(self.text)) if wrote is None else wrote,
        )

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing, not even why."""
        return not self.text.strip() and not self.refusal and self.finish != "content_filter"

    def _problem(self, most_tokens: int) -> str:
        """Why it cannot be used, "" where it can: how its words are read is not decided here."""
        if self.refusal:
            return f"The model refused: {self.refusal}"
        if self.finish == "content_filter":
            return "The endpoint's filter held the answer back."
        if self.text.strip():
            return ""
        if self.finish == "length":
            return (
                f"The model wrote no answer within {most_tokens:,} tokens; allow it more, as those that think need. "
                f"{AGAIN}"
            )
        return "The answer holds no words."


def read_completion(body: bytes) -> Completion | None:
    """What a body holds; None where that is no completion."""
    try:
        whole = json.loads(body)
    except (ValueError, RecursionError):
        return None
    choices = _object(whole).get("choices")
    choice = _object(choices[0]) if isinstance(choices, list) and choices else {}
    message = choice.get("message")
    if not isinstance(message, Mapping):
        return None
    usage = _object(_object(whole).get("usage"))
    text = _text(message.get("content"))
    return Completion(
        text=text,
        refusal=_words(message.get("refusal")),
        finish=_words(choice.get("finish_reason")),
        model=_words(_object(whole).get("model")),
        tokens=_tokens(_object(choice.get("logprobs")).get("content"), text),
        prompt_tokens=_count(usage.get("prompt_tokens")),
        reply_tokens=_count(usage.get("completion_tokens")),
    )


def said(body: bytes) -> tuple[str, str]:
    """An endpoint's own words about an error, and its code for it; "" for what it does not say."""
    try:
        whole = json.loads(body)
    except (ValueError, RecursionError):
        return "", ""
    inner = _object(whole).get("error", whole)
    if not isinstance(inner, Mapping):
        return _words(inner), ""
    words = next((inner[name] for name in ("message", "detail", "error") if inner.get(name)), "")
    return _words(words), _words(inner.get("code") or inner.get("type"))


def models_in(body: bytes) -> list[str]:
    """The models that an endpoint lists."""
    try:
        rows = _object(json.loads(body)).get("data")
    except (ValueError, RecursionError):
        return []
    return [_words(_object(row).get("id")) for row in rows if _object(row).get("id")] if isinstance(rows, list) else []


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(content: Any) -> str:
    """A message's text, which may come in parts."""
    if isinstance(content, list):
        return "".join(_text(_object(part).get("text")) for part in content)
    return content if isinstance(content, str) else ""


def _words(value: Any) -> str:
    """A short text that may be shown: on one line, and cut where it is long."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split()).rstrip(".")
    return text if len(text) <= LONGEST_WORDS else f"{text[:LONGEST_WORDS]} …"


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31 else None


def _tokens(rows: Any, text: str) -> tuple[WrittenToken, ...]:
    """The tokens of a completion; () where they are not those of its text, such as of a thought before it."""
    if not isinstance(rows, list):
        return ()
    tokens = []
    for row in map(_object, rows):
        written, alternatives = row.get("token"), defaultdict[str, float](float)
        if not isinstance(written, str):
            return ()
        listed = row.get("top_logprobs")
        for other in map(_object, listed if isinstance(listed, list) and listed else [row]):
            token, value = other.get("token"), other.get("logprob")
            if isinstance(token, str) and isinstance(value, int | float) and value == value:
                alternatives[token] += as_probability(value)
        tokens.append(WrittenToken(written, alternatives))
    whole = "".join(token.text for token in tokens).strip()
    return tuple(tokens) if text.strip() and whole.startswith(text.strip()) else ()
