"""Reading what a judge replied: a number on the scale, numbers by criterion, errors with quoted passages.

Nothing is guessed: what is off the scale, or could be one number or another, is unreadable for a reason that says so.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.annotation.criterion import Criterion
from core.annotation.scheme import Scheme
from core.annotation.spans import MOST_SPANS, Span, with_span
from core.errors import InputError

LEAST_MASS = 0.01
"""The least probability of all answers on the scale together from which a score is made: below, something else would
have been said."""
NO_MASS = "hardly any probability lies on the answers of the scale"
CUT_OFF = "the JSON is cut off or damaged"
_NUMBER = re.compile(r"(?<![\w.])[-+−]?[0-9]+(?:\.[0-9]+)?(?!\w)")
_OUT_OF = re.compile(r"([-+−]?[0-9]+(?:\.[0-9]+)?)\s*(?:/|out of)\s*([0-9]+(?:\.[0-9]+)?)(?![0-9])", re.IGNORECASE)
_LABELLED = re.compile(
    r"^[\s*_#>-]*(?:(?:final|overall|my)\s+)?(?:rating|score|answer|grade)[\s*_]*(?::|=|\bis\b)(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_SCALE = r"\bscale\s+(?:of|from)\s+{low}\s*(?:to|-|–)\s*{high}\b"
_SHOWN = 40


@dataclass(frozen=True)
class FoundError:
    """An error that a judge named. `span`: where its quote stands in the story, None where it does not."""

    error_type: str
    points: int
    quote: str
    span: Span | None


@dataclass(frozen=True)
class Deductions:
    """What a judge deducts, as an annotator would: points by error type (of one named several times the most), its
    passages, and the rating that follows.
    """

    found: tuple[FoundError, ...]
    points: Mapping[str, int]
    spans: Mapping[str, tuple[Span, ...]]
    implied: int

    @property
    def not_located(self) -> tuple[str, ...]:
        """The quotes that are not in the story."""
        return tuple(error.quote for error in self.found if error.quote and error.span is None)


def expected_score(probabilities: Mapping[str, float], criterion: Criterion) -> float | str:
    """The expected value over the scale's steps, their probabilities brought to add up to 1 (G-Eval, Liu et al. 2023,
    section 2.3); or why there is none.
    """
    weights = [float(probabilities.get(str(step), 0.0)) for step in criterion.steps]
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights) or math.fsum(weights) < LEAST_MASS:
        return NO_MASS
    return math.fsum(w * step for w, step in zip(weights, criterion.steps, strict=True)) / math.fsum(weights)


def read_number(text: str, criterion: Criterion) -> int | str:
    """The step of the scale that a reply names, or why none can be read: `4`, `Rating: 4/5`, `{"rating": 4}`, or the
    label of a step alone. What stands behind `Rating:` or `Score:` counts before any other number.
    """
    if not text.strip():
        return "the reply is empty"
    if "{" in text:
        read = read_object(text)
        return read if isinstance(read, str) else _of_object(read, criterion)
    labels = {label.casefold(): step for step, label in criterion.scale}
    if (said := text.strip(" \t\n.*_\"'“”").casefold()) in labels:
        return labels[said]
    low, high = (re.escape(str(end)) for end in (criterion.lowest, criterion.highest))
    text = re.sub(_SCALE.format(low=low, high=high), " ", text, flags=re.IGNORECASE)
    behind = " \n ".join(_LABELLED.findall(text))
    return _one_number(behind if _NUMBER.search(behind) else text, criterion)


def _one_number(text: str, criterion: Criterion) -> int | str:
    for _, whole in _OUT_OF.findall(text):
        if float(whole) != criterion.highest:
            return f"it rates out of {whole}, which is not the scale's {criterion.highest}"
    numbers = {float(number.replace("−", "-")) for number in _NUMBER.findall(_OUT_OF.sub(r" \1 ", text))}
    if not numbers:
        return "the reply holds no number"
    if len(numbers) > 1:
        return f"the reply holds different numbers: {', '.join(f'{number:g}' for number in sorted(numbers)[:5])}"
    return _on_scale(numbers.pop(), criterion)


def _on_scale(value: float, criterion: Criterion) -> int | str:
    if value not in criterion.steps:
        return f"{value:g} is no step of the scale {criterion.lowest} to {criterion.highest}"
    return int(value)


def _of_object(read: Mapping[str, Any], criterion: Criterion) -> int | str:
    """The number of a JSON object: under the criterion's name or a usual one, or the only one that it has."""
    wanted = {criterion.name.casefold(), "rating", "score", "answer"}
    given = [value for key, value in read.items() if str(key).strip().casefold() in wanted] or list(read.values())
    numbers = {_as_number(value) for value in given} - {None}
    if len(numbers) > 1:
        return "the reply holds different numbers"
    number = numbers.pop() if numbers else None
    return "the reply holds no number" if number is None else _on_scale(number, criterion)


def _as_number(value: Any) -> float | None:
    """A JSON value as a number, where it is one: also written as text, or as the one entry of an object."""
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value.strip().replace("−", "-"))
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def read_criteria(text: str, criteria: Sequence[Criterion]) -> dict[str, int | str]:
    """Of each criterion its step, or why none can be read of it."""
    read = read_object(text)
    if isinstance(read, str):
        return {criterion.name: read for criterion in criteria}
    result: dict[str, int | str] = {}
    for criterion in criteria:
        given = [value for key, value in read.items() if str(key).strip().casefold() == criterion.name.casefold()]
        numbers = [_as_number(value) for value in given]
        if not given:
            result[criterion.name] = f"the reply says nothing of {criterion.name}"
        elif len(set(numbers)) > 1 or numbers[0] is None:
            result[criterion.name] = f"what the reply says of {criterion.name} is not one number"
        else:
            result[criterion.name] = _on_scale(numbers[0], criterion)
    return result


def read_deductions(text: str, scheme: Scheme, story: str) -> Deductions | str:
    """The errors that a reply names, or why they cannot be read. A quote that is not in the story stays without a
    passage.
    """
    read = read_object(text)
    if isinstance(read, str):
        return read
    entries = read.get("errors")
    if not isinstance(entries, list):
        return "the reply has no list of errors"
    names = {error.name.casefold(): error for error in scheme.error_types}
    found = []
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("type"), str):
            return "an error of the reply has no type"
        error = names.get(entry["type"].strip().casefold())
        if error is None:
            return f"there is no error type {entry['type'][:_SHOWN]!r}"
        number = _as_number(entry.get("points", error.points[0] if len(error.points) == 1 else None))
        points = None if number is None else abs(number)
        if points not in error.points:
            offered = " or ".join(map(str, error.points))
            return f"{error.name} takes {offered} points, not {str(entry.get('points'))[:_SHOWN]}"
        quote = entry.get("quote", "")
        if not isinstance(quote, str):
            return "a quote of the reply is not text"
        found.append(FoundError(error.name, int(points), quote, locate(quote, story)))
    return _deductions(found, scheme)


def _deductions(found: Sequence[FoundError], scheme: Scheme) -> Deductions | str:
    points: dict[str, int] = {}
    spans: dict[str, tuple[Span, ...]] = {}
    for error in found:
        points[error.error_type] = max(error.points, points.get(error.error_type, 0))
        if error.span is not None:
            try:
                spans[error.error_type] = with_span(spans.get(error.error_type, ()), error.span)
            except InputError:
                return f"the reply quotes more than {MOST_SPANS} passages for {error.error_type}"
    return Deductions(tuple(found), points, spans, scheme.implied_rating(points))


def locate(quote: str, text: str) -> Span | None:
    """Where a quote stands in a text first, in code points: word for word, else with any white space between its words;
    without the quotation marks or dots around it, and with `&lt;` read as the prompt wrote it. None where it does not.
    """
    for wanted in dict.fromkeys((quote, quote.strip(), quote.replace("&lt;", "<").strip(" \t\n\"“”'‘’…."))):
        if not wanted.strip():
            continue
        if (start := text.find(wanted)) >= 0:
            return start, start + len(wanted)
        if match := re.search(r"\s+".join(map(re.escape, wanted.split())), text):
            return match.span()
    return None


def read_object(text: str) -> dict[str, Any] | str:
    """The one JSON object in a reply, whatever stands around it, or why there is none."""
    start = text.find("{")
    if start < 0:
        return "the reply holds no JSON object"
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    try:
        read, end = decoder.raw_decode(text, start)
        if (again := text.find("{", end)) >= 0 and decoder.raw_decode(text, again)[0] != read:
            return "the reply holds different JSON objects"
    except (ValueError, RecursionError):  # also of a number with thousands of digits
        return CUT_OFF
    return dict(read)


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names come once: Python's own reader would let the last one count."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name comes twice")
    return dict(pairs)
