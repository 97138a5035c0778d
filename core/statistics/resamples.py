"""The bootstrap by prompt of Pearson's r, Spearman's rho and Kendall's tau-b, of many metrics with the same judgments.

A draw is how often each prompt is in it, so that sums over a resample are matrix products: no draw is ever built, and
what depends on the judgments alone is worked out once for all metrics. Pearson's is exact at any size. Spearman's and
Kendall's are exact up to `LARGEST_EXACT` stories. Above it they are linearised: value plus the sum of the drawn
stories' influences, the first term of their expansion in the weights (Davison and Hinkley 1997, section 2.7). That
term is enough where a prompt more or less changes little, which takes `FEWEST_LINEAR` of them; of fewer they are exact
up to `LARGEST_OF_FEW` stories, and beyond there is none.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints, Whole, are_many
from core.statistics.draws import copies_of
from core.statistics.large.draws import columns_of, copies_on_disk, in_draws
from core.statistics.moments import pearson_of_sums, weighted_pearson
from core.statistics.pairwise import Concordance
from core.statistics.threads import each

Drawn = dict[str, Floats]
"""Of one metric, each coefficient by its name in every draw."""
LARGEST_EXACT = 2_000
"""Stories; above it the pairs of stories take too long."""
FEWEST_LINEAR = 50
"""Prompts; from 25 on both ends are within 0.003 of the exact ones, of 6 the lower was off by 0.03, of 3 by 0.06."""
LARGEST_OF_FEW = 5_000
"""Stories of fewer prompts; more of them would take too much memory."""
LEAST_SPREAD = 1e-7
"""A draw with less than this part of the whole variance is worked out around its own mean, or rounding would show."""
AROUND_THEIR_MEANS = 2**20
"""Numbers of such draws that are held at once."""
EXACT_IN_SINGLE = 2**24
"""Whole numbers below it are exact in float32."""


class Ranks(Enum):
    """How Spearman's and Kendall's coefficients are resampled; `NONE`: not at all."""

    EXACT = "exact"
    LINEARISED = "linearised"
    NONE = "none"


def ranks_resampled(stories: int, prompts: int, of: int = 0) -> Ranks:
    """How many stories of so many prompts are, where they are a part of a study of `of` stories."""
    if max(stories, of) <= LARGEST_EXACT:
        return Ranks.EXACT
    if prompts >= FEWEST_LINEAR:
        return Ranks.LINEARISED
    return Ranks.EXACT if stories <= LARGEST_OF_FEW else Ranks.NONE


def bootstrap_parts(parts: "Sequence[Part]", number: int, *, seed: int = 0, resamples: int = 1000) -> list[list[Drawn]]:
    """Draw `number` clusters with replacement; every metric's coefficients on each part in each draw.

    All parts share the draws, so what several parts, or several pages, say of the same stories is the same. Pearson's
    alone where `ranks_resampled` is NONE; nothing where a part has a single cluster, which drawn over and over says
    nothing about others. A draw holds a varying number of the clusters that a part has, where it does not have all;
    NaN where it holds none, or a single value.
    """
    blocks: list[list[list[Drawn]]] = [[[] for _ in range(part.metrics)] for part in parts]
    exact = [part.stories for part in parts if part.how is Ranks.EXACT]
    many = 0 if exact else sum(part.stories for part in parts)  # exact ones take matrices of all pairs: one at a time
    draws: Iterator[NDArray[Any]] = copies_of(number, max([number, *exact]), seed, resamples)
    if are_many(number):
        draws = copies_on_disk(number, seed, resamples)
    for copies in draws:
        results = each(lambda part, copies=copies: list(part.coefficients(copies)), parts, many)  # type: ignore[misc]
        for drawn_parts, drawn_metrics in zip(blocks, results, strict=True):
            for column, drawn in zip(drawn_parts, drawn_metrics, strict=True):
                column.append(drawn)
    return [[_joined(column) for column in drawn_parts] for drawn_parts in blocks]


def _joined(blocks: list[Drawn]) -> Drawn:
    return {name: np.concatenate([block[name] for block in blocks]) for name in (blocks[0] if blocks else ())}


class Part:
    """What is resampled of some stories: sums by prompt of each metric's scores, and of the judgments.

    `own`: the numbers of their clusters among those that are drawn; `how` ranks are resampled; `stories`, `metrics`:
    how many there are.
    """

    def __init__(
        self,
        own: "Ints | Whole",
        how: Ranks,
        stories: int,
        metrics: int,
        moments: "PromptMoments",
        ranks: "_ExactRanks | LinearRanks | None",
    ) -> None:
        self.own, self.how, self.stories, self.metrics = own, how, stories, metrics
        self._moments, self._ranks = moments, ranks

    def coefficients(self, copies: NDArray[Any]) -> Iterator[Drawn]:
        """Yield the coefficient of each metric, in each draw (row of copies)."""
        if len(self.own) < 2:
            yield from ({} for _ in range(self.metrics))
            return
        mine = copies if len(self.own) == copies.shape[1] else columns_of(copies, self.own)
        both = self._ranks.coefficients(mine) if self._ranks else ({} for _ in range(self.metrics))
        for r, ranks in zip(self._moments.pearson(mine), both, strict=True):
            yield {"pearson": r, **ranks}


def complete_cases(
    columns: Sequence[Floats], y: Floats, clusters: Ints, compared: Sequence[Concordance], of: int = 0
) -> Part:
    """Stories with the judgments `y` and the scores of each metric (`columns`), none constant or with gaps.

    `clusters`: of each story, its number among those that are drawn. `compared`: each column's concordance with `y`.
    `of`: the stories of the whole study.
    """
    own, clusters = np.unique(clusters, return_inverse=True)
    how = ranks_resampled(len(y), len(own), of)
    order = np.argsort(clusters, kind="stable")  # the stories of a prompt side by side
    y, columns = scaled(y[order]), [scaled(x[order]) for x in columns]
    ranks: _ExactRanks | LinearRanks | None = None
    if how is Ranks.EXACT:
        ranks = _ExactRanks(columns, y, clusters[order])
    elif how is Ranks.LINEARISED:
        ranks = _linear_ranks(clusters, compared)
    return Part(own, how, len(y), len(columns), _prompt_moments(columns, y, clusters[order]), ranks)


def scaled(values: Floats) -> Floats:
    """Values centred and scaled to width 1, tiny and huge ones alike; they must vary and have no gaps."""
    return np.asarray((values - values.mean()) / np.ptp(values))


def weighted_ranks(weights: Floats, values: Floats) -> Floats:
    """Mid-ranks of `values` in each resample (draws x stories), ties sharing their mean rank."""
    side = _side(values)
    return np.asarray(_middles(side.sizes(weights.T)).T[:, side.group])


@dataclass(frozen=True)
class PromptMoments:
    """Pearson's r from sums by prompt (prompts x sums): stories, judgments, their squares; of each metric scores, their
    squares, their products with the judgments.

    `spreads_x`, `spread_y`: the variances of all stories; `exactly`: r of a metric (its number) in draws (rows of how
    often each has each prompt) of which sums say nothing.
    """

    by_prompt: Floats
    spreads_x: Sequence[float]
    spread_y: float
    exactly: Callable[[int, Floats], Floats]

    def pearson(self, copies: NDArray[Any]) -> Iterator[Floats]:
        """Yield Pearson's r of each metric, in each draw (row of copies)."""
        sums = in_draws(copies, self.by_prompt).T
        total = np.where(sums[0] > 0, sums[0], np.nan)
        mean_y, square_y = sums[1:3] / total
        drawn_y = square_y - mean_y**2
        for number, spread_x in enumerate(self.spreads_x):
            mean_x, square_x, product = sums[3 + 3 * number : 6 + 3 * number] / total
            drawn_x = square_x - mean_x**2
            r = np.clip(pearson_of_sums(product - mean_x * mean_y, drawn_x, drawn_y), -1, 1)
            narrow = (drawn_x < LEAST_SPREAD * spread_x) | (drawn_y < LEAST_SPREAD * self.spread_y)
            if narrow.any():
                r[narrow] = self.exactly(number, copies[narrow])
            yield r


def _prompt_moments(columns: Sequence[Floats], y: Floats, clusters: Ints) -> PromptMoments:
    starts = np.flatnonzero(np.diff(clusters, prepend=-1))
    rows = chain([np.ones(len(y)), y, y * y], (row for x in columns for row in (x, x * x, x * y)))
    by_prompt = np.column_stack([np.add.reduceat(row, starts) for row in rows])  # one row after the other

    def exactly(number: int, copies: Floats) -> Floats:
        at_once = max(1, AROUND_THEIR_MEANS // len(y))
        parts = (copies[start : start + at_once, clusters] for start in range(0, len(copies), at_once))
        # In rows side by side, so that each is summed as if it were alone.
        return np.concatenate([weighted_pearson(np.ascontiguousarray(part), columns[number], y) for part in parts])

    return PromptMoments(by_prompt, [float(x.var()) for x in columns], float(y.var()), exactly)


@dataclass(frozen=True)
class _Side:
    """One variable: each story's index among the distinct values, and the stories in that order."""

    group: Ints
    order: Ints
    starts: Ints

    def sizes(self, rows: Floats) -> Floats:
        """Sums of `rows` (stories x draws) over the stories of each value (values x draws), lowest first."""
        ordered = rows[self.order]
        return ordered if len(self.starts) == len(self.order) else np.add.reduceat(ordered, self.starts, axis=0)


def _side(values: Floats) -> _Side:
    group = np.unique(values, return_inverse=True)[1]
    order = np.argsort(group, kind="stable")
    return _Side(group, order, np.flatnonzero(np.diff(group[order], prepend=-1)))


def _middles(sizes: Floats) -> Floats:
    """Mid-ranks, minus a half, of values held by these numbers of stories (values x draws)."""
    return np.asarray(np.cumsum(sizes, axis=0) - sizes / 2)


class _ExactRanks:
    """Spearman's rho from mid-ranks, Kendall's tau-b from the signs of all pairs, summed by prompt."""

    def __init__(self, columns: Sequence[Floats], y: Floats, clusters: Ints) -> None:
        self.clusters, self.y = clusters, _side(y)
        self.columns = [_side(x) for x in columns]
        self.starts = np.flatnonzero(np.diff(clusters, prepend=-1))
        largest = int(np.bincount(clusters).max())
        single = len(self.starts) * largest**2 < EXACT_IN_SINGLE
        self.kind = np.float32 if single else np.float64

    def coefficients(self, copies: Floats) -> Iterator[Drawn]:
        """Both, of each column, in each draw (row of copies); NaN where a draw holds a single value."""
        weights = copies.T[self.clusters]
        total = weights.sum(0)
        sizes_y = self.y.sizes(weights)
        weighted_y = weights * _middles(sizes_y)[self.y.group]
        cubes_y, squares_y = (sizes_y**3).sum(0), (sizes_y**2).sum(0)
        signs_y = self._signs(self.y)  # a matrix of all pairs, which is not kept while other parts are drawn
        for x in self.columns:
            sizes = x.sizes(weights)
            squares = sizes * sizes
            # Mid-ranks less a half add up to total ** 2 / 2; their squares to (total ** 3 - the ties' cubes / 4) / 3.
            product = np.einsum("gd,gd->d", _middles(sizes), x.sizes(weighted_y)) - total**3 / 4
            room = (total**3 - np.einsum("gd,gd->d", squares, sizes)) * (total**3 - cubes_y)
            pairs = (total**2 - squares.sum(0)) * (total**2 - squares_y)
            agreed = self._agreement(x, signs_y, copies)
            with np.errstate(invalid="ignore", divide="ignore"):
                yield {
                    "spearman": np.clip(np.where(room > 0, 12 * product / np.sqrt(room), np.nan), -1, 1),
                    "kendall": np.clip(np.where(pairs > 0, agreed / np.sqrt(pairs), np.nan), -1, 1),
                }

    def _signs(self, side: _Side) -> NDArray[np.floating]:
        ranks = side.group.astype(self.kind)
        signs = np.subtract.outer(ranks, ranks)
        return np.asarray(np.sign(signs, out=signs))

    def _agreement(self, x: _Side, signs_y: NDArray[np.floating], copies: Floats) -> Floats:
        """Sum over all ordered pairs of stories of a draw of +1 where both order them alike, -1 where not."""
        form = self._signs(x)
        form *= signs_y
        if len(self.starts) < len(form):  # stories of one prompt are always drawn together
            form = np.add.reduceat(form, self.starts, axis=0)
            form = np.add.reduceat(np.ascontiguousarray(form.T), self.starts, axis=0)
        sums = np.asarray(np.matmul(copies.astype(self.kind), form), dtype=np.float64)
        return np.asarray(np.einsum("dp,dp->d", sums, copies))


@dataclass(frozen=True)
class LinearRanks:
    """Spearman's rho and Kendall's tau-b of each metric (`values`, in turns) with the sums of their stories'
    influences, a column each (prompts x columns).
    """

    values: Sequence[float]
    by_prompt: Floats

    def coefficients(self, copies: NDArray[Any]) -> Iterator[Drawn]:
        """Both, of each metric, in each draw (row of copies)."""
        drawn = np.clip(in_draws(copies, self.by_prompt).T + np.array(self.values)[:, None], -1, 1)
        for number in range(0, len(drawn), 2):
            yield {"spearman": drawn[number], "kendall": drawn[number + 1]}


def _linear_ranks(clusters: Ints, compared: Sequence[Concordance]) -> LinearRanks:
    values: list[float] = []
    sums: list[Floats] = []
    for own in compared:
        metric, human = MidRanks(own.rank_metric, own.same_metric), MidRanks(own.rank_human, own.same_human)
        for value, influence in (spearman_influence(metric, human), kendall_influence(own)):
            values.append(value)
            sums.append(np.asarray(np.bincount(clusters, influence), dtype=np.float64))
    return LinearRanks(values, np.column_stack(sums))


@dataclass(frozen=True)
class MidRanks:
    """Of each story its mid-rank, from 1, and how many have the same value, itself among them."""

    ranks: Floats
    same: Floats


def mid_ranks(values: Floats) -> MidRanks:
    """Those of these values."""
    _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    return MidRanks((np.cumsum(sizes) - (sizes - 1) / 2)[group], sizes[group].astype(np.float64))


def spearman_influence(x: MidRanks, y: MidRanks) -> tuple[float, Floats]:
    """Spearman's rho, and its derivative by the weight of each story at equal weights; the derivatives add up to 0."""
    total = float(len(x.ranks))
    a, b = x.ranks - 0.5, y.ranks - 0.5
    rooms = [(total**3 - (side.same**2).sum()) / 12 for side in (x, y)]
    scale = np.sqrt(rooms[0] * rooms[1])
    value = ((a * b).sum() - total**3 / 4) / scale
    # A story more raises the rank of every one above it by 1, of its ties by a half.
    slope = a * b + _above(x, b) + _above(y, a) - 3 * total**2 / 4
    for side, room in zip((x, y), rooms, strict=True):
        slope = slope - value * scale * ((total**2 - side.same**2) / 4) / (2 * room)
    return float(value), np.asarray(slope / scale)


def _above(side: MidRanks, values: Floats) -> Floats:
    """For each story, the sum of `values` over the stories above it, and half of the sum over its ties, itself
    included.
    """
    group = (side.ranks - (side.same + 1) / 2).astype(np.intp)  # how many stand below
    sums = np.bincount(group, values)
    return np.asarray((sums.sum() - np.cumsum(sums) + sums / 2)[group])


def kendall_influence(compared: Concordance) -> tuple[float, Floats]:
    """Kendall's tau-b, and its derivative by the weight of each story at equal weights; the derivatives add up to 0."""
    total = float(len(compared.sign))
    untied = [total**2 - same.sum() for same in (compared.same_metric, compared.same_human)]
    scale = np.sqrt(untied[0] * untied[1])
    value = compared.sign.sum() / scale
    slope = 2 * compared.sign / scale
    for same, pairs in zip((compared.same_metric, compared.same_human), untied, strict=True):
        slope = slope - value * (total - same) / pairs
    return float(value), np.asarray(slope)
