"""Which rows of a file count where columns have to hold a value: capitals and outer blanks do not matter."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property


def alike(value: str) -> str:
    """A cell as it is compared: people and programs write “Approved”, “approved” and “Approved ”."""
    return value.strip().casefold()


@dataclass(frozen=True)
class RowFilter:
    """`rows`: pairs of a column and a value that it may hold; of one column there may be several."""

    rows: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.rows)

    @cached_property
    def values(self) -> dict[str, tuple[str, ...]]:
        """Column -> the values that it may hold."""
        return {column: tuple(value for name, value in self.rows if name == column) for column, _ in self.rows}

    @cached_property
    def _wanted(self) -> tuple[frozenset[str], ...]:
        return tuple(frozenset(map(alike, values)) for values in self.values.values())

    def holds(self, cells: Sequence[str]) -> bool:
        """Whether a row counts in whose columns, as `values` has them, these stand."""
        return all(alike(cell) in wanted for cell, wanted in zip(cells, self._wanted, strict=True))

    @property
    def asked(self) -> str:
        """What has to stand where, as a command has it: "Aspect=plot or Aspect=style and Round=2"."""
        alternatives = (" or ".join(f"{column}={value}" for value in of) for column, of in self.values.items())
        return " and ".join(alternatives)

    @property
    def words(self) -> str:
        """The same in words: "Aspect is “plot” or “style” and Round is “2”"."""
        said = (f"{column} is {' or '.join(map(quoted, values))}" for column, values in self.values.items())
        return " and ".join(said)


EVERY_ROW = RowFilter()


def quoted(value: str) -> str:
    """A value as a sentence names it."""
    return f"“{value}”" if value.strip() else "empty"
