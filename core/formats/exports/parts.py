"""What a long file brings, from the process that read it to the one that stores it, a part at a time."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from core.formats.exports.restored import Restored, RestoredPanel, RestoredRating, RestoredScore
from core.scratch.spool import Part, Spool
from core.stories import StoryRecord

_KINDS: dict[str, type[Any]] = {
    "stories": StoryRecord,
    "panels": RestoredPanel,
    "ratings": RestoredRating,
    "scores": RestoredScore,
}
RestoredPart = Restored | tuple[str, Part]
"""First what was brought without that which lies in files; then pieces of this, and what they are of."""


def parts_of(brought: Restored) -> Iterator[RestoredPart]:
    """All that was brought."""
    spools = {name: held for name in _KINDS if isinstance(held := getattr(brought, name), Spool)}
    without: dict[str, Any] = dict.fromkeys(spools, ())
    yield replace(brought, **without)
    for name, spool in spools.items():
        for part in spool.parts():
            yield name, part


def joined(parts: Iterator[RestoredPart]) -> Restored:
    """What `parts_of` was given, with files of its own."""
    head: Restored | None = None
    spools: dict[str, Any] = {}
    for part in parts:
        if isinstance(part, Restored):
            head = part
            continue
        name, piece = part
        if name not in spools:
            spools[name] = Spool(_KINDS[name])
        spools[name].join(piece)
    if head is None:
        raise ValueError("a file was read without a word of what it holds")
    return replace(head, **spools)
