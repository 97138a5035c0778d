"""A story's text in which passages can be marked as evidence of an error type."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core.annotation.scheme import ErrorType
from core.annotation.spans import Span
from pages.ui.annotating.keys import letters
from pages.ui.shared.annotators_words import named, words

_HERE = Path(__file__)
_SCRIPTS = ("controls.js", "asking.js", "story_reader.js")
_reader = st.components.v2.component(
    "fabula.story_reader",
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js="\n".join((_HERE.parent / name).read_text(encoding="utf-8") for name in _SCRIPTS),
    isolate_styles=False,  # a selection that begins in one story and ends in another must be seen as such
)
_SAID = {
    "of": "evidence.of",
    "ofTypes": "evidence.of_types",
    "passage": "evidence.passage",
    "marked": "evidence.marked",
    "remove": "evidence.remove",
    "oneStory": "evidence.one_story",
    "keys": "evidence.keys",
    "empty": "story.empty",
    "comma": "lists.comma",
}
"""What the reader says, by its name for it."""
MOST = 1_000
"""Wishes read at once: far more than anybody has while one answer is under way."""


@dataclass(frozen=True)
class ReaderEvent:
    """What the browser wants: to "mark" or "unmark" a passage as evidence, or to "compare" (see `story_reader`)."""

    id: int
    what: str
    error_type: str = ""
    span: Span = (0, 0)


def story_reader(
    text: str,
    label: str,
    key: str,
    error_types: Sequence[ErrorType],
    spans: Mapping[str, Sequence[Span]],
    stored: Sequence[int],
    done: int,
    on_asked: Callable[[], None],
    *,
    criteria: int = 1,
    comment: str = "",
) -> None:
    """Show the text with its marked passages; `on_asked` is called when `reader_events` has something new.

    No error types: the text can only be read. `stored`: of each control of the story's form, which of its options is in
    the database, -1 for none; where the form shows another once the page has come to rest, "compare" is asked: what the
    form shows has not been stored, or the page has not been told. `done`: the id of the last thing asked that was done.
    `criteria`: how many controls stand before those of the error types. `comment`: the reason in words that is stored.
    """
    numbers = {error_type.name: number for number, error_type in enumerate(error_types)}
    _reader(
        data={
            "text": text,
            "label": label,
            "stored": list(stored),
            "done": done,
            "criteria": criteria,
            "comment": comment,
            "words": {name: words().texts[key] for name, key in _SAID.items()},
            "types": [
                {"name": named(error_type.name), "key": letter}
                for error_type, letter in zip(error_types, letters(len(error_types)), strict=True)
            ],
            "spans": [
                {"type": numbers[name], "start": start, "end": end}
                for name, given in spans.items()
                if name in numbers
                for start, end in given
            ],
        },
        key=allowed(key),
        on_asked_change=on_asked,
    )


def reader_events(key: str, error_types: Sequence[ErrorType], done: int) -> list[ReaderEvent]:
    """What the browser has asked for since `done`, in order; what makes no sense is left out.

    Whether a passage lies inside of the story is for the database to say.
    """
    sent = getattr(st.session_state.get(allowed(key)), "asked", None)
    result = [_read(item, error_types) for item in sent[:MOST]] if isinstance(sent, list) else []
    return sorted(
        (reader_event for reader_event in result if reader_event is not None and reader_event.id > done),
        key=lambda reader_event: reader_event.id,
    )


def allowed(key: str) -> str:
    """A component's key may not hold two underscores in a row, and a story's token may; it never holds a full stop."""
    return key.replace("_", ".")


def _read(sent: object, error_types: Sequence[ErrorType]) -> ReaderEvent | None:
    if not isinstance(sent, Mapping) or sent.get("what") not in ("mark", "unmark", "compare"):
        return None
    number, start, end, name = (_whole(sent.get(key, 0)) for key in ("id", "start", "end", "type"))
    if sent["what"] == "compare":
        return ReaderEvent(number, "compare")
    return (
        ReaderEvent(number, sent["what"], error_types[name].name, (start, end))
        if 0 <= name < len(error_types)
        else None
    )


def _whole(sent: object) -> int:
    return sent if type(sent) is int and abs(sent) < 2**53 else -1
