"""What the cells of an export, or of a file of ratings, hold: texts, numbers, votes, times."""

import json
import math
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pandas as pd

from core.formats.cells import number_of
from core.stories import LONGEST_STORY

LONGEST_CELL = 10_000_000
"""Characters of a cell of JSON: the stories of a panel, the passages of a rating."""
VOTES = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
"""Ratings in words -> the numbers that they stand for."""
VOTE_SCALE = ((0, "No"), (1, "Yes"))


def _text(value: Any) -> str:
    if type(value) is str and len(value) <= LONGEST_STORY and value.isascii() and "\0" not in value:
        return value  # nearly all of a million rows
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        value = " ".join(part.strip() for part in value)  # a story by its sentences
    if isinstance(value, float):
        # Parquet's way of whole numbers and empty cells, where a column was written by pandas.
        value = None if math.isnan(value) else int(value) if value.is_integer() else str(value)
    if isinstance(value, bool) or not isinstance(value, (str, int, type(None))):
        raise ValueError(f"{str(value)[:40]!r} is not text.")
    text = "" if value is None else str(value)
    if len(text) > LONGEST_STORY:
        raise ValueError(f"the text has {len(text):,} characters and the most is {LONGEST_STORY:,}.")
    if "\0" in text:
        raise ValueError("the text holds a NUL byte; remove it.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("the text holds half of a character (a lone surrogate); repair it.") from None
    return text


def _number(value: Any) -> float | None:
    return None if lacks_number(value) else number_of(value)


def lacks_number(value: Any) -> bool:
    """Whether a cell is empty, which is NaN in Parquet where a column of numbers was written by pandas."""
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def _rating(value: Any) -> float | None:
    vote = vote_of(value)
    return vote if vote is not None else _number(value)


def vote_of(value: Any) -> float | None:
    """The number of a rating that says yes or no; None of any other."""
    if isinstance(value, str):
        return VOTES.get(value.strip().lower())
    return float(value) if isinstance(value, bool) else None


def _integer(value: Any) -> int | None:
    number = _number(value)
    if number is None:
        return None
    if number != int(number) or abs(number) > 2**31 - 1:
        raise ValueError(f"{str(value)[:40]!r} is not a whole number.")
    return int(number)


def _yesno(value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    words = {"true": True, "false": False, "": None}
    if not isinstance(value, str) or value.strip().lower() not in words:
        raise ValueError(f"{str(value)[:40]!r} is neither True nor False.")
    return words[value.strip().lower()]


def _time(value: Any) -> datetime | None:
    if value is None or value == "":
        return None
    try:
        if isinstance(value, pd.Timestamp):
            value = value.floor("us").to_pydatetime()
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"{str(value)[:40]!r} is not a time such as 2026-01-31T09:30:00+00:00.") from None


def _json(value: Any) -> Any:
    if value is None or value == "" or isinstance(value, (dict, list)):
        return value or None
    if not isinstance(value, str) or len(value) > LONGEST_CELL:
        raise ValueError(f"{str(value)[:40]!r} is no list and no object in JSON.")
    try:
        content = json.loads(value)
    except (ValueError, RecursionError):
        raise ValueError(f"{value[:40]!r} is not JSON.") from None
    if not isinstance(content, (dict, list)):
        raise ValueError(f"{value[:40]!r} is no list and no object in JSON.")
    return content or None


DECODERS: dict[str, Callable[[Any], Any]] = {
    "text": _text,
    "number": _number,
    "rating": _rating,
    "integer": _integer,
    "yesno": _yesno,
    "time": _time,
    "json": _json,
}
"""Kind of column -> its value, None where the cell is empty (of text: ""); ValueError says what is wrong."""
