"""A story's text in which passages can be marked as evidence of an error type."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import streamlit as st

from core.annotation.scheme import ErrorType
from core.annotation.spans import Span
from pages.ui.keys import letters

_HERE = Path(__file__)
_reader = st.components.v2.component(
    "fabula.story_reader",
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=_HERE.with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,  # a selection that begins in one story and ends in another must be seen as such
)
Marked = tuple[str, Span]
"""An error type's name, and the passage given for it."""


def story_reader(
    text: str,
    label: str,
    key: str,
    error_types: Sequence[ErrorType],
    spans: Mapping[str, Sequence[Span]],
    on_change: Callable[[str], None],
) -> None:
    """Show the text with its marked passages. `on_change` is called with "mark" or "unmark"; `asked` says for what.

    No error types: the text can only be read.
    """
    numbers = {error_type.name: number for number, error_type in enumerate(error_types)}
    _reader(
        data={
            "text": text,
            "label": label,
            "types": [
                {"name": error_type.name, "key": letter}
                for error_type, letter in zip(error_types, letters(len(error_types)), strict=True)
            ],
            "spans": [
                {"type": numbers[name], "start": start, "end": end}
                for name, given in spans.items()
                if name in numbers
                for start, end in given
            ],
        },
        key=key,
        on_mark_change=lambda: on_change("mark"),
        on_unmark_change=lambda: on_change("unmark"),
    )


def asked(key: str, what: str, error_types: Sequence[ErrorType]) -> Marked | None:
    """What the browser sent with "mark" or "unmark": an error type and a passage; None for anything else.

    Whether the passage lies inside of the story is for the database to say.
    """
    sent = getattr(st.session_state.get(key), what, None)
    if not isinstance(sent, Mapping):
        return None
    numbers = [sent.get(name) for name in ("type", "start", "end")]
    if any(type(number) is not int or abs(number) > 10**9 for number in numbers):
        return None
    number, start, end = (int(number or 0) for number in numbers)
    return (error_types[number].name, (start, end)) if 0 <= number < len(error_types) else None
