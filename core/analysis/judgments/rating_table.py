"""A study's rated stories with their ratings as columns: hundreds of thousands take a second to read and summarise, and
objects would take ten.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain

import numpy as np

from core.analysis.judgments.judged_story import JudgedStory, Rating
from core.arrays import Bools, Floats, Ints

UNKNOWN = -1
"""The number of an annotator or panel that is not known."""


@dataclass(frozen=True)
class RatingColumns:
    """Ratings, those of a story side by side in the order in which they were given; what `Rating` says, as columns.

    `units`: the number of each one's story, ascending. `annotators`, `panels`: UNKNOWN where not known; `positions`: 0
    there. `votes`, `points` (ratings x types): whether the type was given, and the points that it took off.
    """

    units: Ints
    values: Floats
    annotators: Ints
    panels: Ints
    positions: Ints
    times: Ints
    raters: Ints
    compared: Bools
    votes: Bools
    points: Ints

    def take(self, rows: Ints | Bools) -> "RatingColumns":
        """These ratings alone."""
        return RatingColumns(*(getattr(self, column.name)[rows] for column in fields(self)))

    def of(self, stories: Bools) -> "RatingColumns":
        """Those of these stories alone, which are numbered anew."""
        if stories.all():
            return self
        kept = self.take(stories[self.units])
        return replace(kept, units=(np.cumsum(stories) - 1)[kept.units])

    @property
    def single(self) -> "RatingColumns":
        """Without those that came as means, or are shares of comparisons won."""
        single = (self.raters == 1) & ~self.compared
        return self if single.all() else self.take(single)


@dataclass(frozen=True)
class RatingTable:
    """The rated stories of a study: what `JudgedStory` says, as columns. `types`: the error types that were given;
    `keys`: what the stories are called, where that is known.
    """

    prompts: tuple[str, ...]
    groups: tuple[str, ...]
    controls: Bools
    counted: RatingColumns
    rejected: RatingColumns
    types: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()

    @property
    def behind(self) -> Ints:
        """How many ratings each story's judgment rests on, those behind means too."""
        return np.bincount(self.counted.units, self.counted.raters, len(self.prompts)).astype(np.intp)

    @property
    def means(self) -> Floats:
        """Each story's mean rating; NaN where none counts."""
        sums = np.bincount(self.counted.units, self.counted.values * self.counted.raters, len(self.prompts))
        with np.errstate(invalid="ignore"):
            return np.asarray(sums / self.behind)

    def of(self, stories: Bools) -> "RatingTable":
        """Of these stories alone."""
        if stories.all():
            return self
        kept = np.flatnonzero(stories).tolist()
        return RatingTable(
            tuple(self.prompts[number] for number in kept),
            tuple(self.groups[number] for number in kept),
            self.controls[stories],
            self.counted.of(stories),
            self.rejected.of(stories),
            self.types,
            tuple(self.keys[number] for number in kept) if self.keys else (),
        )

    def stories(self) -> list[JudgedStory]:
        """The same one by one."""
        given = [_by_story(columns, self.types, len(self.prompts)) for columns in (self.counted, self.rejected)]
        return [
            JudgedStory(prompt, group, counted, control, rejected)
            for prompt, group, control, counted, rejected in zip(
                self.prompts, self.groups, self.controls.tolist(), *given, strict=True
            )
        ]


def table_of(judged: "RatingTable | Sequence[JudgedStory]") -> RatingTable:
    """These stories as a table."""
    if isinstance(judged, RatingTable):
        return judged
    every = [rating for story in judged for rating in (*story.ratings, *story.rejected)]
    types = sorted({name for r in every for name in (*r.error_types, *(name for name, _ in r.points))})
    return RatingTable(
        tuple(story.prompt for story in judged),
        tuple(story.group for story in judged),
        np.array([story.control for story in judged], dtype=bool),
        _columns([story.ratings for story in judged], types),
        _columns([story.rejected for story in judged], types),
        tuple(types),
    )


def _columns(ratings: Sequence[tuple[Rating, ...]], types: Sequence[str]) -> RatingColumns:
    every = list(chain.from_iterable(ratings))
    columns = {name: number for number, name in enumerate(types)}
    votes, points = np.zeros((len(every), len(types)), dtype=bool), np.zeros((len(every), len(types)), dtype=np.intp)
    for row, rating in enumerate(every):
        votes[row, [columns[name] for name in rating.error_types]] = True
        for name, taken in rating.points:
            points[row, columns[name]] = taken
    return RatingColumns(
        np.repeat(np.arange(len(ratings)), np.array([len(mine) for mine in ratings], dtype=np.intp)),
        np.array([r.overall for r in every], dtype=np.float64),
        np.array([UNKNOWN if r.annotator is None else r.annotator for r in every], dtype=np.intp),
        np.array([UNKNOWN if r.panel is None else r.panel for r in every], dtype=np.intp),
        np.array([r.position or 0 for r in every], dtype=np.intp),
        np.array([r.times for r in every], dtype=np.intp),
        np.array([r.raters for r in every], dtype=np.intp),
        np.array([r.compared for r in every], dtype=bool),
        votes,
        points,
    )


def _by_story(columns: RatingColumns, types: Sequence[str], stories: int) -> list[tuple[Rating, ...]]:
    rows = zip(*(getattr(columns, column.name).tolist() for column in fields(columns)), strict=True)
    result: list[list[Rating]] = [[] for _ in range(stories)]
    for unit, value, annotator, panel, position, times, raters, compared, votes, points in rows:
        given = frozenset(name for name, voted in zip(types, votes, strict=True) if voted)
        result[unit].append(
            Rating(
                value,
                given,
                None if annotator == UNKNOWN else annotator,
                None if panel == UNKNOWN else panel,
                position or None,
                tuple((name, taken) for name, taken in zip(types, points, strict=True) if taken),
                times,
                raters,
                compared,
            )
        )
    return [tuple(mine) for mine in result]


def together(first: RatingColumns, second: RatingColumns) -> RatingColumns:
    """Both, the first ones of each story before its second ones."""
    if not len(second.units):
        return first
    both = RatingColumns(
        *(np.concatenate([getattr(one, column.name) for one in (first, second)]) for column in fields(first))
    )
    return both.take(np.argsort(both.units, kind="stable"))


def merged(given: RatingColumns) -> RatingColumns:
    """The same ratings, those of one annotator of one story as one (see `repeats`): their mean, every error type that
    they ever gave, and the most points that they took off for it.
    """
    rows = np.arange(len(given.units))
    whose = np.where(given.annotators == UNKNOWN, UNKNOWN - rows - 1, given.annotators)
    order = np.lexsort((whose, given.units))  # stable, so that the first of equals comes first
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(given.units[order]) != 0) | (np.diff(whose[order]) != 0)
    if new.all():
        return given
    group, starts = np.cumsum(new) - 1, np.flatnonzero(new)
    kept = np.argsort(order[new])
    return replace(
        given.take(order[new][kept]),
        values=(np.bincount(group, given.values[order]) / np.bincount(group))[kept],
        times=np.add.reduceat(given.times[order], starts)[kept],
        votes=np.logical_or.reduceat(given.votes[order], starts, axis=0)[kept],
        points=np.maximum.reduceat(given.points[order], starts, axis=0)[kept],
    )


def shares_won(given: RatingColumns) -> RatingColumns:
    """All comparisons of a story, each 1, 0 or .5, as one judgment: the share that it won. Whoever made them compared
    it with different stories, so they are no ratings that could agree.
    """
    units, own, behind = np.unique(given.units, return_inverse=True, return_counts=True)
    number, types = len(units), given.votes.shape[1]
    return RatingColumns(
        units,
        np.bincount(own, given.values, number) / behind,
        np.full(number, UNKNOWN),
        np.full(number, UNKNOWN),
        np.zeros(number, dtype=np.intp),
        np.ones(number, dtype=np.intp),
        behind,
        np.ones(number, dtype=bool),
        np.zeros((number, types), dtype=bool),
        np.zeros((number, types), dtype=np.intp),
    )
