"""What the ratings of a file say, summed up as they arrive."""

from collections import Counter

from core.annotation.criterion import OVERALL
from core.errors import InputError
from core.formats.exports.decoding import Sheet
from core.formats.exports.restored import RatedValue, RestoredRating


class GatheredValues:
    """Criteria, how many ratings there are on each, and where all of them lie. `steps`: of the scale that was given."""

    def __init__(self, sheet: Sheet, steps: tuple[tuple[int, str], ...]) -> None:
        self._sheet = sheet
        self._ends = (steps[0][0], steps[-1][0]) if steps else None
        self._numbers: Counter[str] = Counter()
        self._ratings = self._between = 0
        self._least = RatedValue(float("inf"), 0, "")
        self._most = RatedValue(float("-inf"), 0, "")
        self._outside: tuple[int, str, float] | None = None

    def add(self, rating: RestoredRating) -> None:
        """Take a rating in."""
        self._ratings += 1
        self._numbers.update(rating.values.keys())
        self._between += any(value % 1 for value in rating.values.values())
        for name, value in rating.values.items():
            if value < self._least.value:
                self._least = RatedValue(value, rating.number, name)
            if value > self._most.value:
                self._most = RatedValue(value, rating.number, name)
            if self._ends and self._outside is None and not self._ends[0] <= value <= self._ends[1]:
                self._outside = rating.number, name, value

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria that the ratings are on, in the order of the file."""
        return tuple(self._numbers)

    @property
    def ends(self) -> tuple[RatedValue, RatedValue]:
        """The lowest and the highest rating, each the first of several."""
        return self._least, self._most

    def check(self) -> None:
        """Raise InputError for the first rating outside of the scale, and for one that is no vote among votes."""
        for end in self.ends:
            if self._sheet.votes and not 0 <= end.value <= 1:
                what = f"a rating of {end.value:g} stands among others in words: write all of them as numbers."
                raise self._problem(end.number, end.criterion, what)
        if self._outside is not None and self._ends is not None:
            number, name, value = self._outside
            what = f"a rating of {value:g} is outside the scale {self._ends[0]} to {self._ends[1]}."
            raise self._problem(number, name, what)

    def _problem(self, number: int, criterion: str, what: str) -> InputError:
        return self._sheet.problem(number, criterion if criterion == OVERALL else f"criterion 0 {criterion}", what)

    def lacking(self) -> tuple[str, ...]:
        """On which criteria some ratings say nothing."""
        return tuple(
            f"{self._ratings - number:,} of {self._ratings:,} ratings say nothing on {name}."
            for name, number in self._numbers.items()
            if number < self._ratings
        )

    def between(self) -> tuple[str, ...]:
        """That many ratings look like means."""
        if self._between <= self._ratings / 3:
            return ()
        return (
            f"{self._between:,} of {self._ratings:,} ratings are no whole numbers. If they are means, say of how many "
            "(Raters behind each number, or --raters in a terminal); else each is taken for one person's rating.",
        )

    def unused(self) -> tuple[str, ...]:
        """That an end of the scale was never used."""
        least, most = self._least.value, self._most.value
        if self._ends is None or (least, most) == self._ends:
            return ()
        lowest, highest = self._ends
        return (f"The scale goes from {lowest} to {highest}, and the ratings from {least:g} to {most:g}.",)
