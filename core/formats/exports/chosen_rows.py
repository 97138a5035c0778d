"""The rows of a file of judgments that do not count: how many there are, and what stands in them; and the rows of an
MTurk batch whose work was rejected, where they were not left out so.
"""

from collections.abc import Sequence
from pathlib import Path

from core.annotation.past_imports import RowsLeftOut
from core.formats.exports.decoding import cells_of
from core.formats.tables import RowFilter, alike, quoted
from core.wording import so_many

STATUS, REJECTED, APPROVED = "AssignmentStatus", "Rejected", "Approved"
"""A column of a batch's results, and what MTurk writes into it. A time of rejection says less: it stays where the
rejection was overturned.
"""
NAMED = 5
"""Values of a column that are named."""
LONGEST = 40
"""Characters of a value that are shown."""


class OtherRows:
    """The rows that do not count, while a file is read."""

    def __init__(self, only: RowFilter) -> None:
        self._only = only
        self._number = 0
        self._values: dict[str, dict[str, None]] = {column: {} for column in only.values}

    def add(self, values: Sequence[str]) -> None:
        """Count a row, in whose columns these stand."""
        self._number += 1
        for seen, value in zip(self._values.values(), values, strict=True):
            if len(seen) <= NAMED:
                seen[value] = None

    @property
    def having(self) -> str:
        """What had to stand where, as a command has it: " with Aspect=plot and Round=2"."""
        return f" with {self._only.asked}" if self._only else ""

    @property
    def instead(self) -> str:
        """What stands in these columns of a file of which no row counts, as the end of a sentence."""
        return "".join(f"; {column} is {_either(list(seen))} there" for column, seen in self._values.items() if seen)

    def left_out(self) -> tuple[RowsLeftOut, ...]:
        """How many were left out, and what for; none where all rows count."""
        if not self._number:
            return ()
        words = self._only.words
        sentence = f"{so_many(self._number, 'row')} left out: only rows where {words} came in."
        rejected = [*self._values] == [STATUS] and all(is_rejected(value) for value in self._values[STATUS])
        return (RowsLeftOut(sentence, self._number, "rejected on MTurk" if rejected else f"only where {words}"),)


def _either(values: Sequence[str]) -> str:
    """The values, the first of many: "Approved or Rejected"."""
    named = [quoted(value[:LONGEST]) for value in values[:NAMED]]
    last = "another value" if len(values) > NAMED else named.pop()
    return f"{', '.join(named)} or {last}" if named else last


def is_rejected(status: object) -> bool:
    """Whether a cell of `STATUS` says that the work was rejected."""
    return isinstance(status, str) and alike(status) == alike(REJECTED)


def rejected_rows(path: Path, names: Sequence[str]) -> int:
    """In how many rows of a file with these columns stands that the work was rejected on MTurk."""
    return sum(is_rejected(cell) for (cell,) in cells_of(path, [STATUS])) if STATUS in names else 0


def rejected_sentence(number: int, choose: str = "") -> str:
    """That rows come in whose work was rejected, and how to `choose` the others; "" where there are none."""
    if not number:
        return ""
    hold = "row holds" if number == 1 else "rows hold"
    way = f": {choose}" if choose else ""
    return f"{number:,} {hold} work that was rejected on MTurk, and would count like the others{way}."
