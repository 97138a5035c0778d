"""The guide's pages as the app shows them: their Markdown in parts, with links that lead to its other pages there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from core.home import ROOT

DOCS = ROOT / "docs"
FIRST = "index"
_LINK = re.compile(r"(?:(?<!!)\[([^][]*))?\]\(([^)#\s]*)(#[^)\s]*)?\)")
"""With its words, unless they begin in the line before."""
_PICTURE = re.compile(r"^!\[(?P<alt>[^]]*)\]\((?P<path>[^)]+)\)$")
_FENCE = "```"


@dataclass(frozen=True)
class Picture:
    """A picture of the guide; `alt`: what it shows."""

    path: Path
    alt: str


@cache
def chapters() -> frozenset[str]:
    """The guide's pages, by their paths in docs/ without the ending."""
    return frozenset(path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md"))


def chapter(name: str, address: str) -> Iterator[str | Picture]:
    """The parts of a page: Markdown and pictures. `address`: of the page of the app that shows a chapter.

    A link to another page of the guide leads to `address?chapter=…`; one to a file of the project is left as words, as
    the app has no page of it. Raises KeyError for a name that is none of `chapters()`.
    """
    if name not in chapters():
        raise KeyError(name)
    lines: list[str] = []
    fenced = False
    for line in (DOCS / f"{name}.md").read_text(encoding="utf-8").splitlines():
        fenced ^= line.startswith(_FENCE)
        picture = None if fenced else _PICTURE.match(line)
        if picture is None:
            lines.append(line if fenced or line.startswith(_FENCE) else _shown(line, name, address))
            continue
        yield "\n".join(lines)
        lines = []
        yield Picture((DOCS / dirname(name) / picture["path"]).resolve(), picture["alt"])
    yield "\n".join(lines)


def _shown(line: str, name: str, address: str) -> str:
    """A line of text: with links that lead on, and dollars that begin no formula."""

    def turned(match: re.Match[str]) -> str:
        words, target, place = match[1], match[2], match[3] or ""
        if not target or "://" in target or target.startswith("mailto:"):
            return match[0]
        other = normpath(join(dirname(name), target)).removesuffix(".md")
        if other not in chapters():
            return "]" if words is None else words
        return f"{'' if words is None else f'[{words}'}]({address}?chapter={other}{place})"

    return _LINK.sub(turned, line).replace("$", "\\$")
