"""Cells about what a tool offers rather than about stories: whether Fabula has the aspect, the points, the words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.annotation.builtin import MANS
from core.english import opposite_words
from core.perturb.techniques import published_words
from core.perturb.techniques.character import PERSONS
from core.perturb.techniques.consistency import DENIALS, prefixed
from core.published import openmeva_words
from core.published.tables import PublishedTable
from core.published.yields import aspect_of
from core.statistics.agreement import reading

_WITHIN = {"below 0.67": 0.5, "0.67 to 0.8": 0.75, "above 0.8": 0.9}
"""Line of Table 9 -> an alpha that it is about."""


@dataclass(frozen=True)
class Inventory:
    """The `words` of a cell, and which of them Fabula lacks."""

    words: tuple[str, ...]
    lacking: tuple[str, ...]

    @property
    def shown(self) -> str:
        """Return "all 5" or "4 of 5"; for a single word, "held" or "lacking"."""
        if len(self.words) == 1:
            return "lacking" if self.lacking else "held"
        number = len(self.words) - len(self.lacking)
        return f"{number} of {len(self.words)}" if self.lacking else f"all {number}"


def inventory_of(table: PublishedTable, row: str, column: str) -> Inventory | None:
    """What Fabula has of a cell; None for a cell of another kind."""
    words = tuple(table.cell(row, column).split(", "))
    if table in (openmeva_words.DISCRIMINATION_ASPECTS, openmeva_words.INVARIANCE_ASPECTS):
        return Inventory(words, () if aspect_of(row) else words)
    if table is openmeva_words.DEDUCTIONS:
        points = next((error_type.points for error_type in MANS.error_types if error_type.name == row), ())
        return Inventory(words, tuple(word for word in words if -int(word) not in points))
    if table is openmeva_words.ALPHAS:
        return Inventory(words, () if reading(_WITHIN[row]) == words[0] else words)
    if table is openmeva_words.PRONOUNS:
        place = table.columns.index(column)
        known = {person[place] for person in PERSONS if person[0] == table.cell(row, table.columns[0])}
        return Inventory(words, tuple(word for word in words if word not in known))
    if table is openmeva_words.WORDS and row in _KNOWN:
        return Inventory(words, tuple(word for word in words if not _KNOWN[row](word)))
    return None


_CAUSAL = {*opposite_words.CAUSE_WORDS, *opposite_words.CAUSES, *published_words.CAUSE_WORDS}
_TEMPORAL = {*opposite_words.TIME_WORDS, *opposite_words.TIMES, *published_words.TIME_WORDS}


def _negated(word: str) -> bool:
    return word in DENIALS or any(len(prefixed(word, pos) or word) < len(word) for pos in "nvar")


_KNOWN: Mapping[str, Callable[[str], bool]] = {
    "Negated": _negated,
    "Causality-related": lambda word: word in _CAUSAL,
    "Time-related": lambda word: word in _TEMPORAL,
}
"""Line of Table 12 -> whether Fabula takes a word for one of this kind, by its own techniques or by the paper's."""
