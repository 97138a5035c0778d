"""What the stories of a table lack, a prompt or a system, though a column that nothing is read from may hold it: what
that costs is said before they are imported.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from core.formats.columns import is_wording

LOOKED_AT = 100
"""Rows from which is told what a column holds."""
LONGEST_NAME = 5
"""Words that a system's name has at most."""


@dataclass(frozen=True)
class Lacking:
    """A field, what is lost without it, and the unused columns that may hold it."""

    field: str
    lost: str
    unused: tuple[str, ...]

    def sentence(self, choose: str) -> str:
        """All of that, and how to `choose` the column."""
        which = "it" if len(self.unused) == 1 else "one of them"
        return (
            f"No column is taken for the {self.field}: {self.lost}. Not used: {', '.join(self.unused)[:300]}. "
            f"If {which} holds the {self.field}, {choose}."
        )


def lacking(fields: Collection[str], unused: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> tuple[Lacking, ...]:
    """What a table with these `fields` lacks. `rows`: those of its `unused` columns, of which the first are read."""
    lost = {}
    if not {"prompt", "prompt_id"} & set(fields):
        lost["prompt"] = "every story stands by itself, and nothing can be said within prompts"
    if "system" not in fields:
        mixed = "" if "source" in fields else ", and people's stories count as systems'"
        lost["system"] = f"who wrote the stories is unknown, so systems cannot be compared{mixed}"
    if not (lost and unused):
        return ()
    first = list(islice(rows, LOOKED_AT))
    cells = {column: [str(row[column]) for row in first if is_wording(row.get(column))] for column in unused}
    found = {field: tuple(column for column in unused if _MAY_HOLD[field](cells[column])) for field in lost}
    return tuple(Lacking(field, what, found[field]) for field, what in lost.items() if found[field])


def _may_be_prompts(cells: Sequence[str]) -> bool:
    """Whether some cell has several words."""
    return any(len(cell.split()) > 1 for cell in cells)


def _may_be_systems(cells: Sequence[str]) -> bool:
    """Whether all are as short as names, and one stands twice, as no id or time of a row does."""
    return len(set(cells)) < len(cells) and all(len(cell.split()) <= LONGEST_NAME for cell in cells)


_MAY_HOLD = {"prompt": _may_be_prompts, "system": _may_be_systems}
