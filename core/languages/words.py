"""What Fabula says to annotators, in their language: one file a language, `CODE.toml`, each with English's keys.

A text is known by its key, such as `consent.agree`; what a study's owner has written has none and stays as it is.
"""

import string
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from core.errors import OUTSIDE, FabulaError, InputError, StorageError

FOLDER = Path(__file__).parent
ENGLISH = "en"
DIRECTIONS = ("ltr", "rtl")
THOUSANDS = "language.thousands"
"""The key of what sets thousands apart, which may be a blank, or nothing."""
_BUILT_IN = ("names.", "unit.", "scheme.", "explanation.")
"""The sections whose English stands in the built-in schemes and their practice too."""


@dataclass(frozen=True)
class Words:
    """A language: its code, such as `de`, its own name, `ltr` or `rtl`, and its texts by key.

    `built_in`: the texts of the built-in schemes by their English.
    """

    code: str
    name: str
    direction: str
    texts: Mapping[str, str]
    built_in: Mapping[str, str] = field(default_factory=dict)

    def text(self, key: str, **values: object) -> str:
        """The text of this key, with the values put in where it has their names in braces."""
        return self.texts[key].format_map(values) if values else self.texts[key]

    def ours(self, english: str) -> str:
        """What a built-in scheme says in English, in this language; anything else, an owner's words, as it is."""
        return self.built_in.get(english, english)

    def listed(self, parts: Sequence[str], between: str = "and") -> str:
        """One or more parts as an enumeration: `A, B and C`; `between`: "and" or "or"."""
        return joined(self, parts, "lists.comma", f"lists.{between}")

    def number(self, number: int) -> str:
        """A whole number with its thousands set apart."""
        return f"{number:,}".replace(",", self.texts[THOUSANDS])


def joined(words: Words, parts: Sequence[str], between: str, last: str) -> str:
    """One or more parts, put together two by two by the text of a key that has `before` and `after`."""
    result = parts[0]
    for place, part in enumerate(parts[1:], 2):
        result = words.text(last if place == len(parts) else between, before=result, after=part)
    return result


@cache
def languages() -> Mapping[str, Words]:
    """The languages that there are, by code, English first; raises InputError for a file that cannot be used."""
    return load(FOLDER)


def load(folder: Path) -> Mapping[str, Words]:
    """The languages of a folder: a file `CODE.toml` each, of which `en.toml` says which texts there have to be."""
    english = _read(folder / f"{ENGLISH}.toml")
    others = sorted(path for path in folder.glob("*.toml") if path.stem != ENGLISH)
    found = {ENGLISH: _words(ENGLISH, english, english)}
    for path in others:
        texts = _read(path)
        _check(path, texts, english)
        found[path.stem] = _words(path.stem, texts, english)
    return found


def _words(code: str, texts: Mapping[str, str], english: Mapping[str, str]) -> Words:
    built_in = {text: texts[key] for key, text in english.items() if key.startswith(_BUILT_IN)}
    return Words(code, texts["language.name"], texts["language.direction"], texts, built_in)


def _read(path: Path) -> dict[str, str]:
    """The texts of a file, by the names of their sections and their own, with full stops between."""
    try:
        stored = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"The language file {path.name} cannot be read: {error}.") from None
    result: dict[str, str] = {}
    waiting: list[tuple[str, object]] = [("", stored)]
    while waiting:
        key, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(f"{key}.{name}".lstrip("."), inner) for name, inner in reversed(value.items())]
        elif isinstance(value, str) and (value.strip() or key == THOUSANDS):
            result[key] = value
        else:
            raise InputError(f"The language file {path.name} has no text at {key}; write one in quotes.")
    return result


def _check(path: Path, texts: Mapping[str, str], english: Mapping[str, str]) -> None:
    """Raise InputError naming the first key that a file lacks, has too many, or whose braces are not English's."""
    if missing := [key for key in english if key not in texts]:
        raise InputError(f"The language file {path.name} lacks {missing[0]}, and {len(missing) - 1} more; see en.toml.")
    if unknown := [key for key in texts if key not in english]:
        raise InputError(f"The language file {path.name} has {unknown[0]}, which en.toml does not have; remove it.")
    for key, text in english.items():
        if placeholders(texts[key]) != placeholders(text):
            raise InputError(f"The language file {path.name} needs {_named(text)} at {key}, as en.toml has.")
    if texts["language.direction"] not in DIRECTIONS:
        raise InputError(f"The language file {path.name} says ltr or rtl at language.direction.")


def placeholders(text: str) -> set[str]:
    """The names in braces; a brace that names nothing counts as a name of its own."""
    try:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    except ValueError:
        return {text}


def _named(text: str) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(placeholders(text))) or "no braces"


def preferred(wanted: Sequence[str], among: Mapping[str, Words]) -> Words:
    """The first of the languages wanted, as browsers name them (`de-AT`), that there is; English where there is none.

    `zh-CN` is answered by `zh` where there is no `zh-CN`.
    """
    codes = {code.casefold(): code for code in among}
    for tag in wanted:
        parts = tag.strip().casefold().split("-")
        for length in range(len(parts), 0, -1):
            if code := codes.get("-".join(parts[:length])):
                return among[code]
    return among[ENGLISH]


def accepted(header: str) -> list[str]:
    """The languages of a browser's `Accept-Language`, the dearest first: `de-AT, en;q=0.5`."""
    weighed = []
    for place, part in enumerate(header.split(",")[:50]):
        tag, _, weight = part.partition(";")
        weighed.append((-_weight(weight), place, tag.strip()))
    return [tag for weight, _, tag in sorted(weighed) if tag and weight < 0]


def _weight(text: str) -> float:
    try:
        return float(text.strip().removeprefix("q=") or 1)
    except ValueError:
        return 0.0


def worded(kind: Callable[[str], FabulaError], said: Callable[[Words], str]) -> FabulaError:
    """An error that annotators read: in English, and in their language where a page asks `told` for it."""
    error = kind(said(languages()[ENGLISH]))
    error.said = said
    return error


def told(kind: Callable[[str], FabulaError], key: str, **values: object) -> FabulaError:
    """An error that says the text of a key; whole numbers among the values are written as the language does."""

    def said(words: Words) -> str:
        written = {name: words.number(value) if type(value) is int else value for name, value in values.items()}
        return words.text(key, **written)

    return worded(kind, said)


def sentence(words: Words, error: FabulaError) -> str:
    """What an error says to an annotator, in their language; in English where only a forged request can cause it."""
    if isinstance(error, StorageError) and error.outside == OUTSIDE and OUTSIDE in str(error):
        return words.text("errors.server_code", sentence=words.text("errors.server"), code=error.code)
    return str(error) if error.said is None else error.said(words)
