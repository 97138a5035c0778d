"""First names and the placeholders that stand for them: `[MALE] [FEMALE] [NEUTRAL]` (UNION 4.2, OpenMEVA A.1).

The lists that come with Fabula are those of the United States' census of 1990 (`scripts/names/build.py`). A folder
`names` in the home folder, with `male.txt`, `female.txt` and, if there are any, `neutral.txt` and `words.txt`, takes
their place.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.errors import InputError
from core.home import ROOT, home

SHIPPED = ROOT / "data" / "names"
FILES = {"[MALE]": "male.txt", "[FEMALE]": "female.txt", "[NEUTRAL]": "neutral.txt", "words": "words.txt"}
"""One name per line, in whatever capitals. `words.txt`: names that are words as well (may, will, grace)."""
PLACEHOLDER = re.compile(r"\[(?:MALE|FEMALE|NEUTRAL)\]", re.IGNORECASE)
_NEEDED = ("[MALE]", "[FEMALE]")
_WORD = re.compile(r"\[\w+\]|\w+")
_INSIDE = re.compile(r"[\w,;:\])][\"'”’)]*\s+\Z")
"""What stands before a word within a sentence: there a capital makes a name."""


@dataclass(frozen=True)
class Names:
    """`placeholders`: by name in lower case. `words`: those that are words as well. `digest`: of all, 12 hex digits."""

    placeholders: Mapping[str, str]
    words: frozenset[str]
    digest: str

    def masked(self, text: str) -> str:
        """`text` with its names as placeholders, also in small letters.

        A name that is a word as well is one only where a capital says so: within a sentence of a text that has small
        letters too. Placeholders that are there stay.
        """
        loud = text.isupper()

        def mask(match: re.Match[str]) -> str:
            word = match.group()
            if PLACEHOLDER.fullmatch(word):
                return word.upper()
            known = self.placeholders.get(word.lower())
            if known is None or (word.lower() in self.words and (loud or not _named(word, text, match.start()))):
                return word
            return known

        return _WORD.sub(mask, text)


def _named(word: str, text: str, start: int) -> bool:
    return word[0].isupper() and not word.isupper() and bool(_INSIDE.search(text[max(0, start - 8) : start]))


def names() -> Names:
    """The user's lists where there are any, else those that come along. Raises InputError for a list that is missing
    or holds more than one name per line.
    """
    folder = home() / "names"
    folder = folder if folder.is_dir() else SHIPPED
    files = tuple((kind, folder / name) for kind, name in FILES.items() if (folder / name).is_file())
    if missing := [FILES[kind] for kind in _NEEDED if kind not in dict(files)]:
        raise InputError(f"The folder {folder} has no {missing[0]}: put a file of names there, one name per line.")
    return _read(tuple((kind, path, path.stat().st_mtime_ns) for kind, path in files))


@lru_cache(maxsize=4)
def _read(files: tuple[tuple[str, Path, int], ...]) -> Names:
    lists: dict[str, list[str]] = {}
    for kind, path, _ in files:
        try:
            lines = [line.strip().lower() for line in path.read_text(encoding="utf-8-sig").splitlines()]
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"The list of names {path} cannot be read as UTF-8 text: {error}.") from error
        for number, line in enumerate(lines, 1):
            if line and not _WORD.fullmatch(line):
                raise InputError(f"Line {number} of {path} is not one name: {line[:40]!r}.")
        lists[kind] = sorted({line for line in lines if line})
    result: dict[str, str] = {}
    for kind, some in lists.items():
        if kind != "words":
            # A name on two lists may be anybody's.
            result |= {name: "[NEUTRAL]" if name in result else kind for name in some}
    text = "\n".join(f"{kind} {name}" for kind in sorted(lists) for name in lists[kind])
    return Names(result, frozenset(lists.get("words", ())), hashlib.sha256(text.encode()).hexdigest()[:12])
