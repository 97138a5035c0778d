"""The rows of a table whose story is empty, or nothing but blanks: how many there are, where the first ones are, how
many ratings they hold, and what becomes of them.
"""

from dataclasses import dataclass

from core.annotation.past_imports import RowsLeftOut
from core.wording import so_many

NAMED = 5
"""Rows that are named."""


@dataclass(frozen=True)
class EmptyRows:
    """`first`: the numbers of the first ones; `unit`: what a row is called by its number; `left_out`: whether that was
    asked for; `ratings`: how many stand in them, of a file of ratings.
    """

    number: int = 0
    first: tuple[int, ...] = ()
    unit: str = "row"
    left_out: bool = False
    ratings: int = 0

    @property
    def named(self) -> str:
        """The rows, the first of many: "row 3", "rows 3, 7 and 9"."""
        numbers = [f"{number:,}" for number in self.first]
        if self.number > len(numbers):
            return f"{self.unit}s {', '.join(numbers)} and {self.number - len(numbers):,} more"
        if len(numbers) == 1:
            return f"{self.unit} {numbers[0]}"
        return f"{self.unit}s {', '.join(numbers[:-1])} and {numbers[-1]}"

    @property
    def counted(self) -> str:
        """How many there are, and of a file of ratings how many these hold: "2 rows with 6 ratings"."""
        ratings = f" with {so_many(self.ratings, 'rating')}" if self.ratings else ""
        return f"{so_many(self.number, 'row')}{ratings}"

    def left_sentence(self) -> str:
        """That they come in no more, where that was asked for; else ""."""
        if not self.left_out or not self.number:
            return ""
        return f"{self.counted} left out, as the story is empty: {self.named}."

    def left(self) -> tuple[RowsLeftOut, ...]:
        """The same as an import keeps it; nothing where they come in."""
        sentence = self.left_sentence()
        return (RowsLeftOut(sentence, self.number, "the story is empty"),) if sentence else ()


NO_ROWS = EmptyRows()
"""Of a table none of whose stories is empty."""


class EmptyRowsFound:
    """The same, while a table is read."""

    def __init__(self) -> None:
        self._number = self._ratings = 0
        self._first: list[int] = []

    def add(self, number: int, ratings: int = 0) -> None:
        """Count the row of this number, and its ratings."""
        self._number += 1
        self._ratings += ratings
        if len(self._first) < NAMED:
            self._first.append(number)

    def result(self, unit: str, *, left_out: bool) -> EmptyRows:
        """All that were found."""
        return EmptyRows(self._number, tuple(self._first), unit, left_out, self._ratings)
