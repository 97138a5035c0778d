"""Quality drift: does a metric agree with people as well on poor stories as on good ones?

UNION (2020), section 4.4 and Figure 2. Set I of 1 to 8 keeps a story whose human score is k/7 with probability
1 / (|I - k| + 1): set 1 is mostly poor stories, set 8 mostly good ones. Here a set is drawn many times, not once.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.arrays import Bools, Floats, Ints
from core.errors import InputError
from core.scores import ScoreTable
from core.statistics.correlation import why_undefined
from core.statistics.intervals import Estimate, ends
from core.statistics.moments import moments, score_matrix

SETS = tuple(range(1, 9))
TOP = 7
"""UNION's seven votes a story: its human scores are 0/7 to 7/7."""
CLASSES = 8
"""Human scores of more different values than that are shown in as many equal classes of the scale."""
STORIES_A_BLOCK, CELLS_A_BLOCK = 8_192, 4_000_000
"""Stories, and stories times draws times sets, held at once (32 MB): memory must not grow with either."""
SAME = 1e-8
"""Human scores that differ by less are one."""
ENOUGH_DRAWS = 0.5
"""The share of a set's draws that must have an r: the others are not chance, they are the sets without variety."""
STORY_DRAWS = 20_000_000
"""Stories times draws that an interaction has time for: 1,000 draws of 20,000 stories."""


@dataclass(frozen=True)
class Level:
    """Human scores from `low` to `high` on the study's scale; equal for a single score."""

    low: float
    high: float


@dataclass(frozen=True)
class BiasedSet:
    """Set `number` (1..8): its mean number of stories, in all and at each level.

    `rating_sd`: of the human scores, each weighted by its chance; None without stories. r falls where they vary less.
    """

    number: int
    expected_size: float
    rating_sd: float | None
    by_level: tuple[float, ...]


@dataclass(frozen=True)
class DriftRow:
    """A metric in each set: its mean r over the draws, with the band that holds 95 % of them.

    Neither where fewer than half of the draws have an r. `n`: stories with a score and a rating. `undefined_draws`: a
    number a set, of the draws without an r.
    """

    metric: str
    signature: str
    n: int
    values: tuple[Estimate, ...]
    undefined_draws: tuple[int, ...]

    @property
    def spread(self) -> float | None:
        """The highest mean r of the sets minus the lowest: small for a metric that quality drift does not touch."""
        defined = [estimate.value for estimate in self.values if estimate.value is not None]
        return max(defined) - min(defined) if defined else None


@dataclass(frozen=True)
class QualityDrift:
    """Eight biased sets of `n` rated stories, drawn `draws` times; `unrated` stories are in none of them."""

    n: int
    unrated: int
    draws: int
    seed: int
    levels: tuple[Level, ...]
    sets: tuple[BiasedSet, ...]
    rows: tuple[DriftRow, ...]

    @property
    def undefined(self) -> tuple[int, int]:
        """How many correlations of single draws are undefined, and of how many."""
        return sum(sum(row.undefined_draws) for row in self.rows), len(self.rows) * len(self.sets) * self.draws


def quality_drift(table: ScoreTable, scale: tuple[float, float], *, draws: int = 1000, seed: int = 0) -> QualityDrift:
    """Draw UNION's eight biased sets `draws` times and correlate every metric in each with the human scores.

    `scale`: lowest and highest rating; a mean of m stands for k = 7 (m - lowest) / (highest - lowest). All metrics and
    all sets share their luck (a story's uniform number in a draw), so that they are compared on the same stories.
    Raises InputError for a scale without extent and for fewer than one draw.
    """
    low, high = scale
    if not low < high:
        raise InputError(f"A scale goes from a lower to a higher rating, not from {low:g} to {high:g}.")
    if draws < 1:
        raise InputError(f"The sets are drawn at least once, not {draws} times.")
    rated = np.isfinite(table.human)
    human = table.human[rated]
    scores = score_matrix(table.columns, len(rated))[rated]
    chances = keep_chances(TOP * (human - low) / (high - low))
    levels, which = _levels(human, low, high)
    at_level = chances.T @ np.eye(len(levels))[which]
    sets = tuple(
        BiasedSet(
            number, float(chances[:, place].sum()), _spread(human, chances[:, place]), tuple(at_level[place].tolist())
        )
        for place, number in enumerate(SETS)
    )
    r = _drawn(scores, human, chances, draws, seed)
    rows = tuple(
        _row(column.metric, column.signature, scores[:, place], human, r[:, :, place])
        for place, column in enumerate(table.columns)
    )
    return QualityDrift(len(human), int((~rated).sum()), draws, seed, levels, sets, rows)


def _spread(human: Floats, weights: Floats) -> float | None:
    if not len(human):
        return None
    mean = np.average(human, weights=weights)
    return float(np.sqrt(np.average((human - mean) ** 2, weights=weights)))


def keep_chances(k: Floats) -> Floats:
    """Probability (stories x sets) that set I keeps a story of human score k/7: 1 / (|I - k| + 1)."""
    return 1 / (np.abs(np.array(SETS)[None, :] - k[:, None]) + 1)


def keep_masks(chances: Floats, draws: int, seed: int) -> Iterator[tuple[slice, slice, Bools]]:
    """Which stories each draw keeps in each set: a slice of the draws, one of the stories, and for these the masks
    (draws x sets x stories), until every draw of every story has come.
    """
    rng = np.random.default_rng(seed)
    stories, sets = chances.shape
    upright = np.ascontiguousarray(chances.T)
    for first in range(0, stories, STORIES_A_BLOCK):
        some = slice(first, min(first + STORIES_A_BLOCK, stories))
        block = max(1, CELLS_A_BLOCK // ((some.stop - first) * sets))
        for begin in range(0, draws, block):
            these = slice(begin, min(begin + block, draws))
            luck = rng.random((these.stop - begin, some.stop - first))
            yield these, some, luck[:, None, :] < upright[:, some]


def draws_in_time(stories: int, wanted: int) -> int:
    """The number of draws that an interaction has time for: all `wanted` up to 20,000 stories, at least 100.

    In a large study 100 are enough: the more stories, the less do draws differ.
    """
    return min(wanted, max(100, STORY_DRAWS // max(1, stories)))


def _drawn(scores: Floats, human: Floats, chances: Floats, draws: int, seed: int) -> Floats:
    """r of each metric in each set of each draw (draws x sets x metrics)."""
    prepared = moments(scores, human)
    sums = np.zeros((draws, len(SETS), prepared.columns.shape[1]))
    numbers = np.empty(0)
    for these, some, kept in keep_masks(chances, draws, seed):
        if numbers.shape != kept.shape:
            numbers = np.empty(kept.shape)
        np.copyto(numbers, kept)  # not into a new array each time, whose memory takes longer to come than it to fill
        rows = numbers.reshape(-1, kept.shape[2])
        sums[these] += (rows @ prepared.columns[some]).reshape(kept.shape[0], len(SETS), -1)
    return prepared.pearson(sums.reshape(draws * len(SETS), -1)).reshape(draws, len(SETS), -1)


def _row(metric: str, signature: str, scores: Floats, human: Floats, r: Floats) -> DriftRow:
    reason = why_undefined(scores, human)
    values = []
    for drawn in r.T:
        defined = drawn[np.isfinite(drawn)]
        if len(defined) and len(defined) >= ENOUGH_DRAWS * len(drawn):
            values.append(Estimate(float(defined.mean()), *ends(defined)))
        else:
            few = f"fewer than half of the {len(drawn):,} draws have three stories that differ"
            none = "no draw has three stories that differ"
            values.append(Estimate(None, undefined=reason or (few if len(defined) else none)))
    undefined = tuple(np.isnan(r).sum(0).tolist())
    return DriftRow(metric, signature, int(np.isfinite(scores).sum()), tuple(values), undefined)


def stories_at(human: Floats, level: Level, scale: tuple[float, float]) -> Ints:
    """The stories (places in `human`, NaN where nobody rated) of a level of ratings on this scale."""
    if level.low == level.high:
        return np.flatnonzero(np.abs(human - level.low) < SAME)
    low = -np.inf if level.low <= scale[0] else level.low  # what lies off the scale counts as its nearest end
    high = np.inf if level.high >= scale[1] else level.high
    return np.flatnonzero((human >= low) & (human < high))


def _levels(human: Floats, low: float, high: float) -> tuple[tuple[Level, ...], Ints]:
    """The distinct human scores where they are few, else equal intervals of the scale; and each story's level."""
    # Means of equal votes may differ in their last digit.
    _, first, which = np.unique(np.round(human, 9), return_index=True, return_inverse=True)
    if len(first) <= CLASSES:
        return tuple(Level(value, value) for value in human[first].tolist()), which.reshape(-1)
    edges = np.linspace(low, high, CLASSES + 1)
    levels = tuple(Level(a, b) for a, b in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
    return levels, np.clip(np.searchsorted(edges, human, side="right") - 1, 0, CLASSES - 1).astype(np.intp)
