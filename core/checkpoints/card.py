"""The card of a trained metric, as JSON and for people."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

from core.errors import InputError

FORMAT = 1
"""Of a checkpoint's folder; raised when an older Fabula could not use it."""
LARGEST = 2**20
LARGEST_NUMBER = 1e300
"""Bytes of a card."""
LONGEST_NAME = 100
_KIND = re.compile(r"[a-z][a-z0-9-]{0,39}")
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class DataSet:
    """A set of stories that was trained on: how many, and a hash of its file or texts."""

    name: str
    size: int
    hash: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that was measured, on `n` items; `low`, `high`: its interval, None where there is none."""

    what: str
    value: float
    n: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class CheckpointCard:
    """A trained metric. `kind`: union, …; `base`: the model below, as name@revision; `options`: how texts are read.

    `overlap`: a sentence on stories that were both trained on and measured on, None where that was not looked at.
    `weights`: SHA-256 of the weights' file, "" while there is none. `created`: in UTC.
    """

    kind: str
    name: str
    base: str
    recipe: Mapping[str, Any]
    options: Mapping[str, Any]
    data: tuple[DataSet, ...]
    figures: tuple[Figure, ...]
    created: datetime
    overlap: str | None = None
    weights: str = ""
    format: int = FORMAT

    def as_json(self) -> dict[str, Any]:
        """As a JSON object, from which `card_from` makes an equal card."""
        return {**asdict(self), "created": self.created.isoformat()}

    def as_text(self) -> str:
        """The file `card.json`."""
        return json.dumps(self.as_json(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def check_name(name: str) -> str:
    """The name of a checkpoint without white space around it; raises InputError for what is none."""
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise InputError(f"A checkpoint's name has 1 to {LONGEST_NAME} characters that can be printed.")
    return name


def read_card(text: str, where: str) -> CheckpointCard:
    """The card in a file's text; `where` names it in messages. Raises InputError."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is no JSON; export the checkpoint again.") from error
    return card_from(content, where)


def card_from(data: Any, where: str) -> CheckpointCard:
    """The card of a JSON object. Raises InputError where a part is missing or of another kind."""
    if not isinstance(data, dict):
        raise InputError(f"{where} is no card of a checkpoint: it holds no JSON object.")
    if data.get("format") != FORMAT:
        raise InputError(
            f"{where} has the format {str(data.get('format'))[:20]}, but this Fabula knows {FORMAT}: update it."
        )
    names = {field.name for field in fields(CheckpointCard)}
    if missing := sorted(names ^ data.keys()):
        raise InputError(f"{where} is no card of a checkpoint: {missing[0][:40]!r} is missing, or too much.")
    try:
        card = CheckpointCard(
            kind=_text(data["kind"], _KIND.fullmatch),
            name=_text(data["name"], lambda name: check_name(name) == name),
            base=_text(data["base"], str.isprintable),
            recipe=_object(data["recipe"]),
            options=_object(data["options"]),
            data=tuple(_data_set(item) for item in _list(data["data"])),
            figures=tuple(_figure(item) for item in _list(data["figures"])),
            created=_moment(data["created"]),
            overlap=None if data["overlap"] is None else _text(data["overlap"], str.isprintable),
            weights=_text(data["weights"], _HASH.fullmatch),
        )
        card.as_text()
    except (ValueError, TypeError, KeyError, InputError) as error:  # also of NaN and of dates without a zone
        raise InputError(f"{where} is damaged: a part of the card is not what it should be ({error}).") from error
    return card


def _text(value: Any, fits: Callable[[str], object]) -> str:
    if not isinstance(value, str) or len(value) > 1000 or not fits(value):
        raise ValueError(repr(value)[:60])
    return value


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(repr(value)[:60])
    return value


def _list(value: Any) -> Sequence[Any]:
    if not isinstance(value, list):
        raise ValueError(repr(value)[:60])
    return value


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(repr(value)[:60])
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float):
        raise ValueError(repr(value)[:60])
    if abs(value) > LARGEST_NUMBER:  # a whole number of 400 digits is JSON, and no float
        raise ValueError("a number that is too large")
    return float(value)


def _data_set(data: Any) -> DataSet:
    item = _object(data)
    return DataSet(_text(item["name"], str.isprintable), _count(item["size"]), _text(item["hash"], str.isprintable))


def _figure(data: Any) -> Figure:
    item = _object(data)
    low, high = (None if item[end] is None else _number(item[end]) for end in ("low", "high"))
    return Figure(_text(item["what"], str.isprintable), _number(item["value"]), _count(item["n"]), low, high)


def _moment(value: Any) -> datetime:
    result = datetime.fromisoformat(_text(value, str.isprintable))
    if result.utcoffset() is None:
        raise ValueError(f"{value} has no time zone")
    return result


def markdown(card: CheckpointCard) -> str:
    """The card for people, in Markdown."""
    parts = [
        f"# {_plain(card.name)}",
        f"A trained metric of the kind `{card.kind}`, on the base model `{_code(card.base)}`, made on "
        f"{card.created:%Y-%m-%d %H:%M} UTC. SHA-256 of its weights: `{card.weights}`.",
        "## Trained on",
        _table(
            ["data", "stories", "hash"],
            [[data_set.name, f"{data_set.size:,}", data_set.hash] for data_set in card.data],
        ),
        _plain(card.overlap or "Whether stories that it was measured on were also trained on was not looked at."),
        "## Measured",
        _table(["figure", "value", "95 % interval", "n"], [_measured(figure) for figure in card.figures]),
        "## Recipe",
        _table(["setting", "value"], [[name, json.dumps(value)] for name, value in card.recipe.items()]),
        "## Options",
        _table(["option", "value"], [[name, json.dumps(value)] for name, value in card.options.items()]),
    ]
    return "\n\n".join(parts) + "\n"


def _measured(figure: Figure) -> list[str]:
    ends = "–" if figure.low is None or figure.high is None else f"{figure.low:.4f} to {figure.high:.4f}"
    return [figure.what, f"{figure.value:.4f}", ends, f"{figure.n:,}"]


def _table(columns: list[str], rows: list[list[str]]) -> str:
    if not rows:
        return "None."
    lines = [columns, ["---"] * len(columns), *([_plain(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _plain(text: str) -> str:
    """Text that Markdown shows as it is: a card may come from anybody."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", " ".join(text.split()))


def _code(text: str) -> str:
    return text.replace("`", "'")
