"""Evidence: the passages of a story that an annotator marks for a deduction.

A span is (start, end) in code points of the story's text, end excluded.
"""

from collections.abc import Iterable

from core.errors import InputError
from core.languages.words import told

Span = tuple[int, int]
MOST_SPANS = 100
"""Passages of one story that may be given for one error type: more than anybody marks by hand."""


def check_span(text: str, span: Span) -> None:
    """Raise InputError unless the span lies inside the text and holds something."""
    start, end = span
    if not 0 <= start < end <= len(text):
        raise InputError(f"The passage from {start} to {end} lies outside of the story, which ends at {len(text)}.")


def with_span(spans: Iterable[Span], new: Span) -> tuple[Span, ...]:
    """The spans and one more, in order; those that overlap or touch become one.

    Raises InputError where there would be more than `MOST_SPANS`.
    """
    joined: list[Span] = []
    for start, end in sorted([*spans, new]):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    if len(joined) > MOST_SPANS:
        raise told(InputError, "errors.most_passages", most=MOST_SPANS)
    return tuple(joined)


def without_span(spans: Iterable[Span], gone: Span) -> tuple[Span, ...]:
    """The spans that have nothing in common with `gone`."""
    return tuple((start, end) for start, end in spans if end <= gone[0] or start >= gone[1])
