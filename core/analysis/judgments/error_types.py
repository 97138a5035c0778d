"""Error types: which systems make them, how they correlate with the rating and each other, and what they deduct.

Everything is counted over ratings, or over stories by their ratings; intervals are bootstrapped over prompts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.annotation.quality import CONTRADICTION
from core.arrays import Floats, Ints
from core.statistics.agreement import ALL_EQUAL, NEGLIGIBLE, alphas, padded
from core.statistics.correlation import FEWEST
from core.statistics.draws import Draws
from core.statistics.groups import too_few
from core.statistics.intervals import Estimate, estimate

NOT_GIVEN = "no rating that counts gives an error type"
ALL_MEANS = "its ratings are means of several raters, which hide error types"
NO_POINTS = "the error types of this study take no points off"


@dataclass(frozen=True)
class Given:
    """The given error types as columns; ratings of a story stand side by side.

    `values`: the overall ratings; `units`: the number of each rating's story; `votes`, `points` (ratings x types): 1
    where the type was given, and the points it took off; `names`: the types; `prompts`: each story's number in the
    draws.
    """

    values: Floats
    units: Ints
    votes: Floats
    points: Floats
    names: tuple[str, ...]
    prompts: Ints

    def of(self, stories: Ints) -> "Given":
        """The same for these stories alone (ascending indices), renumbered."""
        kept = np.isin(self.units, stories)
        units = np.searchsorted(stories, self.units[kept])
        votes, points = self.votes[kept], self.points[kept]
        return Given(self.values[kept], units, votes, points, self.names, self.prompts[stories])

    def means(self, rows: Floats) -> Floats:
        """The mean of `rows` (one per rating, by columns) over each story's ratings."""
        sums = np.zeros((len(self.prompts), rows.shape[1]))
        np.add.at(sums, self.units, rows)
        return np.asarray(sums / np.maximum(np.bincount(self.units, minlength=len(self.prompts)), 1)[:, None])


@dataclass(frozen=True)
class ErrorSummary:
    """`share` of the stories that not everyone gave the top; `alpha`: nominal, of giving this type or not.

    `low`, `high`: alpha's 95 % bootstrap interval by prompt; `undefined`: why there is no alpha.
    """

    share: float
    alpha: float | None
    low: float | None = None
    high: float | None = None
    undefined: str | None = None


@dataclass(frozen=True)
class ErrorRate:
    """The `share` (0..1) of a system's ratings that give the type, and the points per rating that it deducts."""

    share: Estimate
    points: Estimate


@dataclass(frozen=True)
class WithRating:
    """Pearson's r over stories: of the share of a story's ratings that give the type, and of the points that it takes
    off on average, with the story's mean overall rating.
    """

    share: Estimate
    points: Estimate


@dataclass(frozen=True)
class Errors:
    """`by_system`: the types of every system and of the controls. `with_rating`: each type's correlation with the
    rating.

    `between`: Pearson's r over stories of the shares of two types, each pair once, the scheme's first type first.
    All empty where `undefined` says why. `no_points`: why there are no points, None where there are.
    """

    by_system: Mapping[str, Mapping[str, ErrorRate]]
    with_rating: Mapping[str, WithRating]
    between: Mapping[str, Mapping[str, Estimate]]
    undefined: str | None = None
    no_points: str | None = None


def summaries(
    given: Given, highest: int, catch_all: str, draws: Draws
) -> tuple[dict[str, ErrorSummary], dict[str, float]]:
    """UNION Table 2: of the stories that not everyone found best, the share with each type, and with 1, 2, … types."""
    faulted = np.bincount(given.units[given.values < highest], minlength=len(given.prompts)) > 0
    if not faulted.any() or not given.votes.any():
        return {}, {}
    had = (given.means(given.votes) > 0)[faulted]
    result = {}
    for column, name in enumerate(given.names):
        table = padded(given.votes[:, column], given.units, len(given.prompts))
        alpha = alphas(table, given.prompts, draws)["nominal"]
        why = "no two ratings differ in it" if alpha.undefined == ALL_EQUAL else alpha.undefined
        result[name] = ErrorSummary(float(had[:, column].mean()), alpha.value, alpha.low, alpha.high, why)
    named = [column for column, name in enumerate(given.names) if name != catch_all]
    several = had[:, named].sum(1)
    return result, {str(number): float((several == number).mean()) for number in range(1, len(named) + 1)}


def errors(given: Given, groups: Sequence[str], controls: Sequence[bool], draws: Draws) -> Errors:
    """All of these analyses. `groups`, `controls`: each story's system or source, and whether it is a control.

    Correlations leave the controls out: a text that was damaged on purpose would make them.
    """
    if not given.votes.any():
        return Errors({}, {}, {}, NOT_GIVEN)
    no_points = None if given.points.any() else NO_POINTS
    of_group = np.asarray(groups, dtype=np.str_)
    rates = {
        name: _rates(given.of(np.flatnonzero(of_group == name)), draws, no_points)
        for name in np.unique(of_group).tolist()
    }
    judged = given.of(np.flatnonzero(~np.asarray(controls, dtype=bool)))
    shares, points = judged.means(judged.votes), judged.means(judged.points)
    rating = judged.means(judged.values[:, None])
    types = len(given.names)
    columns = np.column_stack([shares, points, rating])
    pairs = [(i, 2 * types) for i in range(2 * types)] + [(i, j) for i in range(types) for j in range(i + 1, types)]
    result = dict(zip(pairs, pearsons(columns, pairs, judged.prompts, draws), strict=True))
    nothing = Estimate(None, undefined=no_points)
    return Errors(
        by_system=rates,
        with_rating={
            name: WithRating(result[i, 2 * types], nothing if no_points else result[types + i, 2 * types])
            for i, name in enumerate(given.names)
        },
        between={
            name: {given.names[j]: result[i, j] for j in range(i + 1, types)}
            for i, name in enumerate(given.names)
            if i < types - 1
        },
        no_points=no_points,
    )


def _rates(given: Given, draws: Draws, no_points: str | None) -> dict[str, ErrorRate]:
    if not len(given.units):
        hidden = Estimate(None, undefined=ALL_MEANS)
        return dict.fromkeys(given.names, ErrorRate(hidden, hidden))
    types, prompts = len(given.names), given.prompts[given.units]
    rows = np.column_stack([given.votes, given.points])
    sums = draws.sums(np.column_stack([rows, np.ones(len(rows))]), prompts)
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = sums[:, :-1] / sums[:, -1:]
    means = [estimate(float(rows[:, i].mean()), drawn[:, i], prompts) for i in range(2 * types)]
    return {
        name: ErrorRate(means[i], Estimate(None, undefined=no_points) if no_points else means[types + i])
        for i, name in enumerate(given.names)
    }


def pearsons(columns: Floats, pairs: Sequence[tuple[int, int]], prompts: Ints, draws: Draws) -> list[Estimate]:
    """Pearson's r of these pairs of columns (rows are stories), with intervals.

    `prompts`: each story's number in the draws. Undefined below three stories, or where a column does not vary.
    """
    if len(columns) < FEWEST:
        reason = too_few(len(columns), "story was", "stories were", "rated", FEWEST)
        return [Estimate(None, undefined=reason)] * len(pairs)
    centred = columns - columns.mean(0)  # sums of squares of numbers far from 0 drown in rounding
    first, second = (np.array(side, dtype=np.intp) for side in zip(*pairs, strict=True))
    rows = np.column_stack([np.ones(len(centred)), centred, centred**2, centred[:, first] * centred[:, second]])
    whole = _pearson(rows.sum(0)[None], centred.shape[1], first, second)[0]
    drawn = _pearson(draws.sums(rows, prompts), centred.shape[1], first, second)
    return [
        estimate(float(value), drawn[:, number], prompts)
        if np.isfinite(value)
        else Estimate(None, undefined="one of the two does not vary")
        for number, value in enumerate(whole)
    ]


def _pearson(sums: Floats, width: int, first: Ints, second: Ints) -> Floats:
    """Pearson's r (draws x pairs) from sums over stories: [n, sums, sums of squares, sums of products]."""
    n, total, squares, products = np.split(sums, [1, 1 + width, 1 + 2 * width], axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = squares - total**2 / n
        spread = np.where(spread > NEGLIGIBLE * np.maximum(squares, 1), spread, np.nan)
        shared = products - total[:, first] * total[:, second] / n
        return np.clip(shared / np.sqrt(spread[:, first] * spread[:, second]), -1, 1)


NO_DEDUCTION = "no rating that counts takes points off"


@dataclass(frozen=True)
class Deductions:
    """How far ratings are what their deductions imply: the top of the scale minus the points, at least the lowest.

    `points`: taken off a rating, on average. `same`, `far`: shares (0 to 1) of the ratings that equal the implied one,
    and that lie two steps or more from it. `difference`: given minus implied, in points, on average. `pearson`: over
    stories, of the mean rating with the mean implied one. `table`: implied rating -> given rating -> how many;
    there alone a rating between two steps, as an import may bring it, stands at the nearer one (halfway: the even one).
    Everything is undefined, and `undefined` says why, where no points were taken off.
    """

    ratings: int
    points: Estimate
    same: Estimate
    far: Estimate
    difference: Estimate
    pearson: Estimate
    table: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    undefined: str | None = None


def _implied(points: Floats, lowest: int, highest: int) -> Floats:
    """The rating that each row's points leave."""
    return np.asarray(np.maximum(lowest, highest - points))


def steps_of(given: Given, lowest: int, highest: int) -> Ints:
    """The implied and the given rating (ratings x 2) as `Deductions.table` counts them: at the nearest whole
    step, the higher one of two as near.
    """
    implied = _implied(given.points.sum(1), lowest, highest)
    return np.floor(np.column_stack([implied, given.values]) + 0.5).astype(np.intp)


def deductions(given: Given, lowest: int, highest: int, draws: Draws, *, deducts: bool) -> Deductions:
    """Compare every rating with the one its deductions imply. `lowest`, `highest`: the ends of the scale.

    `deducts`: whether the error types take points, which decides the reason where there are none. A rating without any
    deduction implies the highest.
    """
    if not given.points.any():
        reason = NO_DEDUCTION if deducts else NO_POINTS
        nothing = Estimate(None, undefined=reason)
        return Deductions(len(given.values), nothing, nothing, nothing, nothing, nothing, undefined=reason)
    points = given.points.sum(1)
    implied = _implied(points, lowest, highest)
    apart = given.values - implied
    rows = np.column_stack([points, apart == 0, np.abs(apart) >= CONTRADICTION, apart]).astype(np.float64)
    prompts = given.prompts[given.units]
    sums = draws.sums(np.column_stack([rows, np.ones(len(rows))]), prompts)
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = sums[:, :-1] / sums[:, -1:]
    taken, same, far, difference = (estimate(float(rows[:, i].mean()), drawn[:, i], prompts) for i in range(4))
    stories = given.means(np.column_stack([given.values, implied]))
    pearson = pearsons(stories, [(0, 1)], given.prompts, draws)[0]
    cells, numbers = np.unique(steps_of(given, lowest, highest), axis=0, return_counts=True)
    table: dict[int, dict[int, int]] = {}
    for (due, got), number in zip(cells.tolist(), numbers.tolist(), strict=True):
        table.setdefault(due, {})[got] = number
    return Deductions(len(rows), taken, same, far, difference, pearson, dict(table))
