"""How much of a metric's agreement with people lies between systems, and how much is length.

Pearson's r of a pooled sample mixes three things: telling better stories from worse ones, knowing which system wrote
one, and counting words. Beside it stand r within systems (deviations of scores and ratings from the means of the
story's system), r at equal length (the partial correlation given the number of words), and r with both held equal; and
what the number of words reaches alone, a sentinel after Perrella et al. (2024). All are made of sums by prompt and
system, so that the bootstrap is a product of matrices and all of them share its draws with the pooled r.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from scipy.sparse import hstack, issparse

from core.arrays import Floats, Ints
from core.scores import ScoreTable
from core.statistics.correlation import (
    FEWEST,
    NOTHING,
    Coefficient,
    Correlation,
    MetricCorrelation,
    coefficient,
    correlate,
    drawn_prompts,
    why_undefined,
)
from core.statistics.draws import MOST_AS_FLOATS, cells, copies_of
from core.statistics.groups import numbered
from core.statistics.intervals import Estimate, estimate
from core.statistics.moments import pearson_of_sums
from core.statistics.resamples import scaled
from core.statistics.threads import LARGE, each

ONE_SYSTEM = "all stories are of one system"
ONE_LENGTH = "all stories have as many words"
ALIKE_WITHIN = "within systems, all scores or all ratings are the same"
ONLY_WORDS = "the scores, or the ratings, follow the number of words exactly"
ROUNDING = 1e-10
"""What is left of a variance below that part of the whole is rounding."""
X, Y, WORDS = range(3)
UPPER = [places.tolist() for places in np.triu_indices(3)]
"""The pairs of these three, each once."""


@dataclass(frozen=True)
class PartialCorrelation:
    """Pearson's r with something held constant; `undefined` says why it has no value."""

    r: Coefficient
    undefined: str | None = None


@dataclass(frozen=True)
class Partial:
    """One metric over the `n` scored and rated stories of `systems` systems.

    `pooled`: the usual r. `within_systems`, `equal_length`, `both`: with these held equal. `words`: r of the number of
    words of a story with people. `between`: pooled less within systems. `beyond_words`: the size of the pooled r less
    that of the number of words, each turned to rise with the ratings as in the test of the two. Intervals are 95 %, by
    prompt.
    """

    n: int
    systems: int
    pooled: PartialCorrelation
    within_systems: PartialCorrelation
    equal_length: PartialCorrelation
    both: PartialCorrelation
    words: PartialCorrelation
    between: Estimate
    beyond_words: Estimate


def partial_table(table: ScoreTable, *, seed: int = 0, resamples: int = 1000) -> tuple[Partial, ...]:
    """The partial correlations of every column of a study's scores; words are the story's, without its prompt."""
    lengths = table.words.astype(np.float64)
    columns = [column.values for column in table.columns]
    return partials(columns, table.human, table.systems, lengths, table.prompts, seed=seed, resamples=resamples)


def words_alone(table: ScoreTable, *, seed: int = 0, resamples: int = 1000) -> Correlation:
    """What the number of words reaches as a metric, over all rated stories: a baseline that others should pass."""
    return correlate(table.words, table.human, table.prompts, seed=seed, resamples=resamples)


def partials(
    metrics: Sequence[ArrayLike],
    human: ArrayLike,
    systems: Sequence[str],
    lengths: ArrayLike,
    prompts: Sequence[str],
    *,
    seed: int = 0,
    resamples: int = 1000,
) -> tuple[Partial, ...]:
    """Each metric's partial correlations, from one score per story (NaN: none) and each story's system, words and
    prompt.

    The draws are those of `correlate` with the same seed: of all prompts with a rated story.
    """
    y, long = np.asarray(human, dtype=np.float64), np.asarray(lengths, dtype=np.float64)
    rated = np.isfinite(y)
    clusters, number = drawn_prompts(y, prompts)
    groups = numbered(list(systems))[1]
    # As small whole numbers many take little room, so that one metric after the other has its sums made and let go.
    few = number * resamples <= MOST_AS_FLOATS
    draws = [
        copies if few else copies.astype(np.min_scalar_type(int(copies.max())))
        for copies in copies_of(number, number, seed, resamples)
    ]
    alike: dict[bytes, _Stories] = {}  # what metrics share that score the same stories
    scored: list[tuple[Floats, _Stories]] = []
    for metric in metrics:
        x = np.asarray(metric, dtype=np.float64)
        kept = rated & np.isfinite(x)
        if (known := kept.tobytes()) not in alike:
            alike[known] = _Stories(np.flatnonzero(kept), y, long, groups, clusters, number, draws)
        scored.append((x[kept], alike[known]))
    return tuple(each(lambda own: _Sample(*own).result(), scored, len(y)))


EQUAL = {"equal:system": "within_systems", "equal:length": "equal_length", "equal:system+length": "both"}
"""What is held equal, as the name of a subset, and which of a Partial's numbers that is."""


def held_equal(table: ScoreTable, results: Sequence[Partial]) -> tuple[MetricCorrelation, ...]:
    """A row per metric and thing held constant, from `results` of the table's columns; only Pearson's r is defined."""
    return tuple(
        MetricCorrelation(
            column.metric,
            column.signature,
            subset,
            Correlation(partial.n, getattr(partial, name).r, NOTHING, NOTHING, getattr(partial, name).undefined),
        )
        for subset, name in EQUAL.items()
        for column, partial in zip(table.columns, results, strict=True)
    )


_NAMES = ("pooled", "within_systems", "equal_length", "both", "words")


class _Stories:
    """The stories (`rows`) that some metrics score, without gaps; `clusters`: the index of each one's prompt among
    `number`; `draws`: how often each draw holds each prompt, in blocks.
    """

    def __init__(
        self, rows: Ints, y: Floats, long: Floats, groups: Ints, clusters: Ints, number: int, draws: Sequence[Any]
    ) -> None:
        self.n, self.y, self.long, self.prompts, self.draws = len(rows), y[rows], long[rows], clusters[rows], draws
        names, self.own = np.unique(groups[rows], return_inverse=True)
        self.systems = len(names)
        self.shape = number, self.systems
        self.one_prompt = len(np.unique(self.prompts)) < 2
        self.one_length = not self.n or bool(np.ptp(self.long) == 0)

    @cached_property
    def scaled(self) -> tuple[Floats, Floats]:
        """Ratings and words; ratings must vary."""
        return scaled(self.y), np.zeros(self.n) if self.one_length else scaled(self.long)

    @cached_property
    def rows(self) -> list[Floats]:
        """What is summed up: one for each story, ratings, words, and their products."""
        y, words = self.scaled
        return [np.ones(self.n), y, words, y * y, y * words, words * words]

    @cached_property
    def sums(self) -> list[Floats]:
        """The sums of these rows, as `drawn` gives them."""
        return self.drawn(self.rows)

    def drawn(self, rows: Sequence[Floats]) -> list[Floats]:
        """The sums of rows by system in the whole sample, and in each block of draws (draws x rows x systems)."""
        parts: list[Any] = [cells(row, self.prompts, self.own, self.shape) for row in rows]
        beside: Any = hstack(parts).tocsr() if issparse(parts[0]) else np.hstack(parts)
        blocks = (np.ones((1, self.shape[0])), *self.draws)
        return [
            np.asarray(np.asarray(block, dtype=np.float64) @ beside).reshape(-1, len(rows), self.systems)
            for block in blocks
        ]


class _Sample:
    """One metric's scores of these stories."""

    def __init__(self, x: Floats, stories: _Stories) -> None:
        self.stories, self.n, self.systems = stories, stories.n, stories.systems
        self.undefined = why_undefined(x, stories.y, FEWEST)
        if self.undefined is None:
            x, (y, words) = scaled(x), stories.scaled
            rows = [x, x * x, x * y, x * words]
            others = stories.rows
            sums = np.array([row.sum() for row in _in_order(others, rows)])
            self.least = ROUNDING * _covariances(sums[None])[0].diagonal()
            if self.n < LARGE:
                blocks = stories.drawn(_in_order(others, rows))
            else:
                both = zip(stories.sums, stories.drawn(rows), strict=True)
                blocks = [np.stack(_in_order(*(list(part.swapaxes(0, 1)) for part in pair)), axis=1) for pair in both]
            self.drawn = [self.coefficients(block) for block in blocks]

    def coefficients(self, drawn: Floats) -> Floats:
        """The five coefficients in each draw (5 x draws), NaN where undefined, from its sums (draws x 10 x systems)."""
        over = _covariances(drawn.sum(2))
        inside = np.zeros_like(over)
        for system in range(self.systems):
            inside += _covariances(drawn[:, :, system])
        return np.stack(
            [
                self._r(over, X, Y),
                self._r(inside, X, Y),
                self._given_words(over),
                self._given_words(inside),
                self._r(over, WORDS, Y),
            ]
        )

    def _r(self, covariances: Floats, a: int, b: int) -> Floats:
        spread = covariances[:, [a, b], [a, b]]
        defined = (spread > self.least[[a, b]]).all(1)
        return np.clip(pearson_of_sums(covariances[:, a, b], spread[:, 0], spread[:, 1], defined), -1, 1)

    def _given_words(self, covariances: Floats) -> Floats:
        """The partial correlation of scores and ratings given the number of words."""
        r, ours, theirs = (self._r(covariances, *pair) for pair in ((X, Y), (X, WORDS), (Y, WORDS)))
        left = (1 - ours**2) * (1 - theirs**2)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(left > ROUNDING, np.clip((r - ours * theirs) / np.sqrt(left), -1, 1), np.nan)

    def result(self) -> Partial:
        """The result, with its intervals from the draws."""
        if self.undefined is not None:
            nothing, unknown = PartialCorrelation(NOTHING, self.undefined), Estimate(None, undefined=self.undefined)
            same = dict.fromkeys(_NAMES, nothing)
            return Partial(self.n, self.systems, **same, between=unknown, beyond_words=unknown)
        values, drawn = self.drawn[0][:, 0], np.concatenate([np.empty((len(_NAMES), 0)), *self.drawn[1:]], axis=1)
        pooled, within, _, _, words_alone = values
        held = {name: self._held(name, value, own) for name, value, own in zip(_NAMES, values, drawn, strict=True)}
        turn, turn_words = (-1.0 if value < 0 else 1.0 for value in (pooled, words_alone))  # in the draws, too
        return Partial(
            self.n,
            self.systems,
            **held,
            between=self._estimate(pooled - within, drawn[0] - drawn[1], held["within_systems"].undefined),
            beyond_words=self._estimate(
                abs(pooled) - abs(words_alone), turn * drawn[0] - turn_words * drawn[4], held["words"].undefined
            ),
        )

    def _held(self, name: str, value: float, drawn: Floats) -> PartialCorrelation:
        reason = self._why(name, value)
        if reason:
            return PartialCorrelation(NOTHING, reason)
        taken = {"within_systems": self.systems - 1, "equal_length": 1, "both": self.systems}.get(name, 0)
        return PartialCorrelation(
            coefficient(float(value), _p(float(value), self.n - 2 - taken), self._of_several(drawn))
        )

    def _why(self, name: str, value: float) -> str | None:
        if name in ("within_systems", "both") and self.systems == 1:
            return ONE_SYSTEM
        if name in ("equal_length", "both", "words") and self.stories.one_length:
            return ONE_LENGTH
        if np.isfinite(value):
            return None
        return ALIKE_WITHIN if name == "within_systems" else ONLY_WORDS

    def _of_several(self, drawn: Floats) -> Floats | None:
        """The draws, or None where all stories share a prompt: drawn over and over, one prompt says nothing about
        others.
        """
        return None if self.stories.one_prompt else drawn

    def _estimate(self, value: float, drawn: Floats, undefined: str | None) -> Estimate:
        return Estimate(None, undefined=undefined) if undefined else estimate(value, drawn, self.stories.prompts)


def _in_order(others: Sequence[Floats], own: Sequence[Floats]) -> list[Floats]:
    """What is summed up of ratings and words (6), and of scores (4), in the order in which `_covariances` takes it."""
    return [others[0], own[0], *others[1:3], *own[1:], *others[3:]]


def _covariances(sums: Floats) -> Floats:
    """Sums of squares and products around the means (draws x 3 x 3), from n, 3 sums and the 6 different products (see
    UPPER); 0 where n is 0.
    """
    n = np.maximum(sums[:, 0], 1)
    products = np.empty((len(sums), 3, 3))
    for number, (a, b) in enumerate(zip(*UPPER, strict=True)):
        products[:, a, b] = products[:, b, a] = sums[:, 4 + number]
    return np.asarray(products - sums[:, 1:4, None] * sums[:, None, 1:4] / n[:, None, None])


def _p(r: float, freedom: int) -> float | None:
    """The two-sided p of a (partial) correlation with these degrees of freedom, taking stories as independent."""
    if freedom < 1:
        return None
    with np.errstate(divide="ignore"):
        return float(2 * stats.t.sf(abs(r) * np.sqrt(freedom / np.maximum(1 - r**2, 0)), freedom))
