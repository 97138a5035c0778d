"""A study's stories as a list: which of them, in which order, a page of them at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.scores import ScoreTable

A_PAGE = 100
"""Stories that are listed at once."""
WORDS, RATINGS = "Words", "Ratings"


@dataclass(frozen=True)
class Selection:
    """Some of a study's stories under a name; it never changes. `stories`: how many they are."""

    id: int
    name: str
    stories: int


@dataclass(frozen=True)
class StoryFilter:
    """Stories to list. `groups`: what they are summarised under, all where empty. `prompt`, `text`: what theirs hold,
    whatever its capitals; `text` may also be a story's key. `selection`: the id of one, None for all stories.
    `error_types`: of which a rating that counts gives at least one, whatever the ratings where empty;
    `every_type`: each of them is given.
    """

    groups: frozenset[str] = frozenset()
    prompt: str = ""
    text: str = ""
    selection: int | None = None
    error_types: frozenset[str] = frozenset()
    every_type: bool = False


@dataclass(frozen=True)
class StoryIndex:
    """All stories of a study in import order: their `ids`, and the row that each has in a `ScoreTable` of the systems'
    stories, -1 where it has none.
    """

    ids: NDArray[np.int64]
    rows: Ints

    def places(self, ids: NDArray[np.int64]) -> Ints:
        """Where these stories stand in the index, in the given order; those that are not in it are left out."""
        order = np.argsort(self.ids)
        at = np.searchsorted(self.ids, ids, sorter=order)
        found = order[np.minimum(at, max(len(order) - 1, 0))] if len(order) else np.zeros(0, dtype=np.intp)
        return np.asarray(found[self.ids[found] == ids], dtype=np.intp) if len(order) else found

    def rows_of(self, ids: NDArray[np.int64]) -> Ints:
        """The row of each of these stories, all of which are in the index."""
        return self.rows[self.places(ids)]


@dataclass(frozen=True)
class ListedRow:
    """A story in a list: how its prompt and its text begin, and how many words it has. `ratings`: how many count;
    `mean`: their mean on the scheme's usual target, None where there is none. `noted`: whether somebody has noted
    something about it.
    """

    id: int
    key: str
    group: str
    prompt: str
    opening: str
    words: int
    ratings: int
    mean: float | None
    noted: bool = False


def in_order(ids: NDArray[np.int64], index: StoryIndex, values: Floats, *, greatest_first: bool) -> NDArray[np.int64]:
    """These stories by `values`, which has one a row of the table; equal ones stay as they stand, and those without a
    value, or a row, come last.
    """
    rows = index.rows_of(ids)
    mine = np.full(len(rows), np.nan)
    mine[rows >= 0] = values[rows[rows >= 0]]
    order = np.argsort(-mine if greatest_first else mine, kind="stable")  # NaN is always sorted to the end
    return ids[order]


def page_of(ids: NDArray[np.int64], page: int) -> NDArray[np.int64]:
    """The stories of a page, numbered from 1."""
    return ids[(page - 1) * A_PAGE : page * A_PAGE]


def pages(stories: int) -> int:
    """How many pages so many stories take, one at least."""
    return max(1, -(-stories // A_PAGE))


def orders(table: ScoreTable, names: Sequence[str]) -> list[str]:
    """What stories can be put in order by, beside the order of the import; `names`: of the table's metrics."""
    return [WORDS, RATINGS, judgment(table), *names]


def judgment(table: ScoreTable) -> str:
    """What the mean of a story's ratings is called at the head of a column."""
    return table.judgment.capitalize()


def values_by(table: ScoreTable, names: Sequence[str], order: str) -> Floats:
    """What stories are put in order by: one value a row of the table."""
    if order == WORDS:
        return table.words.astype(np.float64)
    if order == RATINGS:
        return table.behind.astype(np.float64)
    return table.human if order == judgment(table) else table.columns[names.index(order)].values
