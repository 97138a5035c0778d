"""Which columns of a file of ratings hold which criterion: one each, or one a rater where a row is a story."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.annotation.builtin_criteria import KNOWN
from core.annotation.criterion import OVERALL
from core.errors import InputError
from core.formats.columns import (
    AND,
    check_column,
    merely_of_raters,
    parts_of,
    plain,
    series_of,
    without_mean,
    without_scale,
    words_of,
)

OF_RATERS = ("rating", "overall", "humanrating", "rater", "annotator", "worker")
"""What numbered columns are called that hold the overall rating, the surest first: those of raters may hold names."""
_BY_RATER = re.compile(r"[\W_](?:r|rater|annotator|worker)[\W_]*\d+[\W_]*$", re.I)
"""How the name of a column ends that says which rater's it is."""
_SPREAD = frozenset(("sd", "std", "stdev", "se", "sem"))
"""How the name of a column ends that says how far ratings differ, beside that of their mean."""
LONG = 1
"""Columns of a criterion where a row is a rating."""


@dataclass(frozen=True)
class CriterionColumns:
    """The columns of every criterion, as many each: the first are one rater's, the second another's, and so on.

    `people`: what these raters are called where each is the same person in every row; none where they may be others.
    """

    columns: Mapping[str, tuple[str, ...]]
    people: tuple[str, ...] = ()

    @property
    def raters(self) -> int:
        """How many raters a row has."""
        return max(map(len, self.columns.values()), default=LONG)

    def ratings_in(self, row: Mapping[str, Any]) -> int:
        """How many ratings a row holds: one for each rater of whom it has a number."""
        if self.raters == LONG:
            return 1
        of_raters = ([row[self.field(name, rater)] for name in self.columns] for rater in range(self.raters))
        return sum(any(cell is not None for cell in cells) for cells in of_raters)

    @property
    def named_after_people(self) -> bool:
        """Whether a row has several raters whose columns carry no number, as `anna` and `ben` do: each may then well be
        one person's, whereas the people behind `rater1` and `rater2` may be others in each row.
        """
        callings = [calling for columns in self.columns.values() for calling in _callings(columns)]
        return self.raters > LONG and not any(map(re.compile(r"\d").search, callings))

    def of_same_raters(self) -> "CriterionColumns":
        """The same with every rater one person, called as the columns are but for the words that those of a criterion
        share: `fluency_anna` and `grammar_anna` are one anna. Where other criteria call the raters otherwise, those
        whose columns stand in the same place are one, called as with the first criterion.
        """
        if self.raters == LONG:
            return self
        by_name = [dict(zip(map(plain, _callings(own)), own, strict=True)) for own in self.columns.values()]
        columns = self.columns
        if all(by_rater.keys() == by_name[0].keys() and len(by_rater) == self.raters for by_rater in by_name):
            order = by_name[0].keys()
            columns = {
                name: tuple(by_rater[key] for key in order) for name, by_rater in zip(columns, by_name, strict=True)
            }
        return replace(self, columns=columns, people=_callings(next(iter(columns.values()))))

    def people_text(self) -> str:
        """Who is taken for one person, and by which columns, in a sentence."""
        of_each = zip(self.people, zip(*self.columns.values(), strict=True), strict=True)
        raters = [name if own == (name,) else f"{name} ({', '.join(own)})" for name, own in of_each]
        return f"Each of these raters is one person in every row: {'; '.join(raters)}."

    def field(self, criterion: str, rater: int) -> str:
        """What the cell of a criterion and rater is called among a row's fields."""
        return f"criterion {rater} {criterion}"

    def fields(self) -> dict[str, str]:
        """Field -> column."""
        return {
            self.field(name, rater): column
            for name, columns in self.columns.items()
            for rater, column in enumerate(columns)
        }


def _callings(columns: Sequence[str]) -> tuple[str, ...]:
    """What the raters of a criterion's columns are called: the columns' names without the words that all begin or end
    with, unless these are all that a name has; `rater 1` where a number is left.
    """
    words = [re.split(r"[\W_]+", column.strip("_ ")) for column in columns]
    spare = min(map(len, words)) - 1
    first = next((place for place in range(spare) if len({own[place] for own in words}) > 1), spare)
    last = next((place for place in range(spare - first) if len({own[-1 - place] for own in words}) > 1), spare - first)
    left = [" ".join(own[first : len(own) - last]) for own in words]
    if len({plain(name) for name in left}) < len(columns) or not all(map(plain, left)):
        return tuple(columns)
    return tuple(f"rater {name}" if name.isdigit() else name for name in left)


def criterion_columns(
    file_name: str, names: Sequence[str], named: Mapping[str, str], taken: Collection[str], expected: Collection[str]
) -> CriterionColumns:
    """Those that are `named` (criterion -> column, or one a rater joined by `+`), else those that
    `found_criteria` tells by their names; `taken` columns hold something else.

    Raises InputError for a column that the file lacks, and for criteria with different numbers of raters.
    """
    if named:
        for column in named.values():
            check_column(column, names, file_name)
        columns = {name: parts_of(column, names) for name, column in named.items()}
    else:
        columns = found_criteria([name for name in names if name not in taken], expected)
    numbers = {name: len(parts) for name, parts in columns.items()}
    if len(set(numbers.values())) > 1:
        said = ", ".join(f"{name} {number}" for name, number in numbers.items())
        raise InputError(
            f"{file_name}: every criterion has as many columns, one a rater; here are {said}. Join those of "
            "each criterion, or leave some out.",
            f"They are joined as --criterion NAME=COLUMN{AND}COLUMN.",
        )
    return CriterionColumns(columns)


def found_criteria(names: Sequence[str], expected: Collection[str] = ()) -> dict[str, tuple[str, ...]]:
    """Columns that are called like one of the criteria `expected`, or like one that is known; or else with a number for
    each rater, as in `fluency_R1`, or `rating1` for the overall rating. A scale in a name, as in "Fluency (1-5)", is no
    part of it, nor is a word for means, as in "Fluency (mean)".
    """
    wanted = {plain(name): name for name in (*KNOWN, *expected)}
    found: dict[str, tuple[str, ...]] = {}
    of_means = _of_means(names, wanted)
    for name in names:
        ways = (plain(name), plain(without_scale(name)), of_means.get(name, ""))
        called = next((wanted[way] for way in ways if way in wanted), None)
        if called is not None:
            found.setdefault(called, (name,))
    if found:
        return found
    series = series_of(names)
    known = {wanted[stem]: parts_of(joined, names) for stem, joined in series.items() if stem in wanted}
    criteria = known or {
        wanted.get(plain(name), name): columns
        for name, columns in numbered_criteria(names).items()
        if all(_BY_RATER.search(column) for column in columns)
    }
    of_raters = next((series[stem] for stem in OF_RATERS if stem in series), "")
    return criteria or ({OVERALL: parts_of(of_raters, names)} if of_raters else {})


def _of_means(names: Sequence[str], wanted: Collection[str]) -> dict[str, str]:
    """Column -> the criterion among those `wanted` of which it holds means by its name; none where another column is
    called like that criterion, or begins so and may hold the single ratings.
    """
    criteria = {name: plain(without_mean(name)) for name in names}
    others = [plain(name) for name in names if not _SPREAD.intersection(words_of(name)[-1:])]
    number = Counter(criteria.values())
    return {
        name: criterion
        for name, criterion in criteria.items()
        if criterion in wanted
        and number[criterion] == 1
        and not any(other.startswith(criterion) for other in others if other != plain(name))
    }


def numbered_criteria(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """What may be one criterion with a column a rater, by the name that its columns share: `Wit 1`, `Wit 2`; `coh_R1`,
    `coh_R2`. Where that merely says that people rate, as in `ann_01`, and no other does, it is the overall rating.
    """
    series = (parts_of(joined, names) for joined in series_of(names).values())
    by_stem = {_stem(columns[0]): columns for columns in series}
    overall = [stem for stem in by_stem if stem == OVERALL or merely_of_raters(words_of(stem))]
    return {OVERALL if overall == [stem] else stem: columns for stem, columns in by_stem.items()}


def _stem(column: str) -> str:
    """What a numbered column is called without its number, and without a word for the rater before that."""
    return re.sub(r"[\W_]*(?:[\W_](?:r|rater|annotator|worker)[\W_]*)?\d+[\W_]*$", "", column, flags=re.I) or OVERALL
