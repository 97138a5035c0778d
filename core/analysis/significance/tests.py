"""Which metrics differ in their agreement with people: tests of dependent correlations, corrected for their number.

Two metrics are scored on the same stories, so their correlations with the human judgment are dependent. Each pair of
metrics gets Williams' test (Williams 1959; Graham and Baldwin 2014, eq. 1), the permutation test PERM-BOTH (Deutsch,
Dror and Roth 2021) by whole prompts, and a bootstrap interval of the difference by prompt; Holm's (1979) step-down
correction is over all pairs. The tests are two-sided: which of a pair is better was not known beforehand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import Bools, Floats, Ints
from core.errors import InputError
from core.scores import ScoreTable
from core.statistics.groups import numbered, rank_clusters, too_few
from core.statistics.intervals import column_ends
from core.statistics.paired import PairedScores, coefficients, holm, linearised, paired_scores, resampled, williams
from core.statistics.permutation import ENOUGH, permute
from core.statistics.resamples import LARGEST_EXACT

LEVEL = 0.05
"""Metrics are told apart where the corrected p is at most this, as in WMT's metrics tasks and mt-metrics-eval."""
FEWEST = 4
"""Williams' t has n - 3 degrees of freedom."""
MOST_KENDALL = LARGEST_EXACT
"""Above so many stories, the pairs of stories take too long, and so would the influences of every pair of metrics."""
FEWEST_PERMUTATIONS = 1_000
NEAR, ENOUGH_NEAR, MOST_COINS = (0.01, 0.2), 1_000, 10**8
"""Between which corrected p another seed could bring one to the other side of `LEVEL`: so many permutations as extreme
as the data settle these, or as many permutations as toss so many coins, one a prompt, and at most `MOST_NEAR`.
"""
MOST_NEAR = 200_000
COEFFICIENTS = ("pearson", "spearman", "kendall")


@dataclass(frozen=True)
class Ranked:
    """A metric with its correlation over its own `n` stories; `undefined` says why there is none."""

    metric: str
    n: int
    value: float | None
    undefined: str | None = None


@dataclass(frozen=True)
class PairTest:
    """Two metrics over the `n` rated stories that both score; of all pairs, `a` is the one that ranks above `b`.

    `difference`: `a_value` - `b_value`, in -2..2, with its 95 % bootstrap interval `low`, `high`. `williams_p` is for
    Pearson's r only. `permutation_p` was settled after `permutations`. `p_holm` is corrected for all `tests`.
    `linearised`: interval and permutations are, as Spearman's are above `LARGEST_EXACT` stories. None where undefined;
    `undefined` says why.
    """

    a: str
    b: str
    n: int
    a_value: float | None = None
    b_value: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    williams_p: float | None = None
    permutation_p: float | None = None
    permutations: int | None = None
    p_holm: float | None = None
    linearised: bool = False
    undefined: str | None = None
    tests: int = 0

    @property
    def turned(self) -> "PairTest":
        """The same test with its metrics, and so the difference, the other way round."""
        difference, low, high = (None if end is None else -end for end in (self.difference, self.high, self.low))
        ends = replace(self, difference=difference, low=low, high=high)
        return replace(ends, a=self.b, b=self.a, a_value=self.b_value, b_value=self.a_value)

    @property
    def at_most(self) -> bool:
        """Whether its p is only the least that so many permutations can show."""
        return bool(self.permutations) and self.permutation_p == 1 / ((self.permutations or 0) + 1)

    @property
    def separated(self) -> bool:
        """Whether the corrected test distinguishes the two."""
        return self.p_holm is not None and self.p_holm <= LEVEL


@dataclass(frozen=True)
class SignificanceSettings:
    """The settings of the tests. `coefficient`: pearson, spearman or kendall; `resamples`: of the bootstrap, 0 for
    none; `enough`: see `permute`. `near`: whether more permutations decide where a corrected p lies near `LEVEL`.
    """

    coefficient: str = "pearson"
    permutations: int = FEWEST_PERMUTATIONS
    resamples: int = 1000
    seed: int = 0
    enough: int = ENOUGH
    near: bool = False


@dataclass(frozen=True)
class Significance:
    """All pairs of metrics. `n`: rated stories. `ranking`: best first, undefined ones last; `rows` in its order.

    `clusters`: as `clusters_of` makes them.
    """

    settings: SignificanceSettings
    n: int
    ranking: tuple[Ranked, ...]
    rows: tuple[PairTest, ...]
    clusters: tuple[tuple[str, ...], ...]

    @property
    def on_fewer_stories(self) -> bool:
        """Whether a difference is over fewer stories than one of its metrics has, so that it is not that of the two
        coefficients in the ranking.
        """
        own = {ranked.metric: ranked.n for ranked in self.ranking}
        return any(row.n < max(own[row.a], own[row.b]) for row in self.rows if row.difference is not None)


def permutations_for_metrics(metrics: int) -> int:
    """`permutations_for_pairs` for all pairs of this many metrics."""
    return permutations_for_pairs(metrics * (metrics - 1) // 2)


def permutations_for_pairs(pairs: int) -> int:
    """Permutations that let a pair reach a corrected p of 0.01, and so pass `LEVEL` fairly: 1,000 or more.

    The smallest p of N permutations is 1 / (N + 1), and Holm multiplies it by the number of pairs: with 1,000
    permutations no pair of 20 metrics could be told apart, however much they differ.
    """
    return max(FEWEST_PERMUTATIONS, -(-round(pairs * 5 / LEVEL) // 1000) * 1000)


def default_permutations(coefficient: str, metrics: int) -> int:
    """The default number of permutations: `permutations_for_metrics` for Pearson's r.

    Those of ranks take several times as long, and are only as many as bring the smallest p down to `LEVEL` by Holm.
    """
    if coefficient == "pearson":
        return permutations_for_metrics(metrics)
    pairs = metrics * (metrics - 1) // 2
    return max(FEWEST_PERMUTATIONS, -(-round(pairs / LEVEL) // 1000) * 1000)


def offered(table: ScoreTable) -> tuple[str, ...]:
    """The coefficients that can be tested with this many rated stories."""
    few = np.isfinite(table.human).sum() <= MOST_KENDALL
    return COEFFICIENTS if few else tuple(name for name in COEFFICIENTS if name != "kendall")


def settings(
    coefficient: str, metrics: int, *, permutations: int | None = None, resamples: int = 1000, seed: int = 0
) -> SignificanceSettings:
    """Checked settings for this many metrics; raises InputError. `permutations`: None for `default_permutations`, and
    more where a p is near `LEVEL`.
    """
    if coefficient not in COEFFICIENTS:
        raise InputError(f"There is no coefficient {coefficient!r}; choose {', '.join(COEFFICIENTS)}.")
    return SignificanceSettings(
        coefficient,
        default_permutations(coefficient, metrics) if permutations is None else permutations,
        resamples,
        seed,
        near=permutations is None,
    )


def compare_table(table: ScoreTable, names: Sequence[str], settings: SignificanceSettings) -> Significance:
    """Compare all columns of a study's scores; `names`: distinct names for them."""
    scores = np.column_stack([np.empty((len(table.keys), 0)), *(column.values for column in table.columns)])
    return compare_metrics(scores, table.human, table.prompts, names, settings)


def compare_metrics(
    scores: ArrayLike, human: ArrayLike, prompts: ArrayLike, names: Sequence[str], settings: SignificanceSettings
) -> Significance:
    """Compare every pair of metrics, each over the rated stories that both score.

    `scores` (stories x metrics), `human` (stories): NaN where there is none. `prompts`: of each story.
    """
    x, y = np.asarray(scores, dtype=np.float64), np.asarray(human, dtype=np.float64)
    scored = np.isfinite(x) & np.isfinite(y)[:, None]
    ranking = [_ranked(names[i], x[rows, i], y[rows], settings) for i, rows in enumerate(scored.T)]
    order = sorted(range(len(names)), key=lambda i: _place(ranking[i]))
    pairs = np.array([(a, b) for k, a in enumerate(order) for b in order[k + 1 :]], dtype=np.intp).reshape(-1, 2)
    differences = _differences(x, y, prompts, pairs, names, settings)
    best = tuple(ranking[i] for i in order)
    return Significance(settings, int(np.isfinite(y).sum()), best, differences, clusters_of(best, differences))


def compare_in_size(
    first: ArrayLike,
    second: ArrayLike,
    human: ArrayLike,
    prompts: ArrayLike,
    names: tuple[str, str],
    settings: SignificanceSettings,
) -> PairTest:
    """Compare how large two metrics' correlations are, whatever their signs: each is turned to rise with the ratings.

    One score a story of each, NaN where there is none; over the rated stories that both score. There is one pair, so
    Holm's correction changes nothing.
    """
    y = np.asarray(human, dtype=np.float64)
    scores = np.column_stack([np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)])
    rows = np.flatnonzero(np.isfinite(scores).all(1) & np.isfinite(y))
    if len(rows):
        centred = y[rows] - y[rows].mean()
        scores = scores * np.where(centred @ (scores[rows] - scores[rows].mean(0)) < 0, -1.0, 1.0)
    return _differences(scores, y, prompts, np.array([[0, 1]], dtype=np.intp), names, settings)[0]


def _differences(
    x: Floats, y: Floats, prompts: ArrayLike, pairs: Ints, names: Sequence[str], settings: SignificanceSettings
) -> tuple[PairTest, ...]:
    """The tests of these pairs (pairs x 2, column indices), over which Holm's correction is made."""
    data = _Data(x, y, numbered(np.asarray(prompts).tolist())[1], names)
    numbers, counts, reasons = _numbers(data, pairs, settings)
    corrected = holm(numbers[:, NUMBERS.index("permutation_p")])
    if settings.near:
        corrected = _decided(data, pairs, settings, numbers, corrected)
    tests = int(np.isfinite(corrected).sum())
    return tuple(
        replace(
            _difference(names[a], names[b], int(counts[k]), numbers[k], reasons[k], settings.coefficient),
            p_holm=None if np.isnan(corrected[k]) else float(corrected[k]),
            tests=tests,
        )
        for k, (a, b) in enumerate(pairs.tolist())
    )


@dataclass(frozen=True)
class _Data:
    """Scores (stories x metrics), ratings (stories), the number of each story's prompt, and the metrics' names."""

    x: Floats
    y: Floats
    codes: Ints
    names: Sequence[str]


def _numbers(data: _Data, pairs: Ints, settings: SignificanceSettings) -> tuple[Floats, Ints, list[str]]:
    """`NUMBERS` of these pairs (pairs x numbers), over how many stories each is, and why some are NaN."""
    scored = np.isfinite(data.x) & np.isfinite(data.y)[:, None]
    numbers = np.full((len(pairs), len(NUMBERS)), np.nan)
    counts, reasons = np.zeros(len(pairs), dtype=np.intp), [""] * len(pairs)
    for keep, mine in _complete(scored, pairs):
        rows = np.flatnonzero(keep)
        numbers[mine], why = _compare(data.x[rows], data.y[rows], data.codes[rows], pairs[mine], data.names, settings)
        counts[mine] = len(rows)
        for number, reason in zip(mine.tolist(), why, strict=True):
            reasons[number] = reason
    return numbers, counts, reasons


def _decided(data: _Data, pairs: Ints, settings: SignificanceSettings, numbers: Floats, corrected: Floats) -> Floats:
    """The p corrected once more, with those of `numbers` that lay near `LEVEL` by more permutations: else the seed
    would say which metrics are told apart.
    """
    most = min(MOST_NEAR, MOST_COINS // max(1, int(data.codes.max(initial=0)) + 1))
    longer = replace(settings, permutations=max(most, settings.permutations), resamples=0, enough=ENOUGH_NEAR)
    drawn = [NUMBERS.index("permutation_p"), NUMBERS.index("permutations")]
    decided = np.zeros(len(pairs), dtype=bool)
    while (near := (corrected > NEAR[0]) & (corrected < NEAR[1]) & ~decided).any():
        rows = np.flatnonzero(near)
        numbers[rows[:, None], drawn] = _numbers(data, pairs[rows], longer)[0][:, drawn]
        decided |= near
        corrected = holm(numbers[:, drawn[0]])
    return corrected


NUMBERS = ("a_value", "b_value", "difference", "low", "high", "williams_p", "permutation_p", "permutations")


def _place(ranked: Ranked) -> float:
    return 2.0 if ranked.value is None else -ranked.value  # undefined ones last


def _difference(a: str, b: str, n: int, row: Floats, reason: str, coefficient: str) -> PairTest:
    """Before it is corrected for the other tests."""
    numbers = {name: None if np.isnan(value) else float(value) for name, value in zip(NUMBERS, row, strict=True)}
    drawn = numbers.pop("permutations")
    return PairTest(
        a,
        b,
        n,
        a_value=numbers["a_value"],
        b_value=numbers["b_value"],
        difference=numbers["difference"],
        low=numbers["low"],
        high=numbers["high"],
        williams_p=numbers["williams_p"],
        permutation_p=numbers["permutation_p"],
        permutations=None if drawn is None else int(drawn),
        linearised=drawn is not None and linearised(coefficient, n),
        undefined=reason or None,
    )


def clusters_of(ranking: Sequence[Ranked], rows: Sequence[PairTest]) -> tuple[tuple[str, ...], ...]:
    """Runs of the ranking within which no corrected test distinguishes two metrics, by `rank_clusters`.

    Undefined metrics are in none, and there is none at all where no pair could be tested.
    """
    if all(row.p_holm is None for row in rows):
        return ()
    apart = {(row.a, row.b) for row in rows if row.separated}
    return rank_clusters([ranked.metric for ranked in ranking if ranked.value is not None], apart)


def _complete(scored: Bools, pairs: Ints) -> Iterator[tuple[Bools, Ints]]:
    """The stories that both metrics of a pair score, with the indices of all pairs that share them."""
    groups: dict[bytes, list[int]] = {}
    for number, (a, b) in enumerate(pairs):
        groups.setdefault(np.packbits(scored[:, a] & scored[:, b]).tobytes(), []).append(number)
    for mine in groups.values():
        a, b = pairs[mine[0]]
        yield scored[:, a] & scored[:, b], np.array(mine)


def _ranked(name: str, x: Floats, y: Floats, settings: SignificanceSettings) -> Ranked:
    reason = _unfit(y) or _constant(name, x)
    if reason:
        return Ranked(name, len(x), None, reason)
    data = paired_scores(x[:, None], y, np.zeros(len(x), dtype=np.intp))
    return Ranked(name, len(x), float(coefficients(data, settings.coefficient)[0]))


def _unfit(y: Floats) -> str:
    if len(y) < FEWEST:
        return too_few(len(y), "rated story has", "rated stories have", "the scores", FEWEST)
    return "every story has the same rating" if np.ptp(y) == 0 else ""


def _constant(name: str, x: Floats) -> str:
    return f"{name} gives every story the same score" if np.ptp(x) == 0 else ""


def _compare(
    x: Floats, y: Floats, codes: Ints, pairs: Ints, names: Sequence[str], settings: SignificanceSettings
) -> tuple[Floats, list[str]]:
    """`NUMBERS` (pairs x numbers) over complete stories, and why some are NaN."""
    numbers = np.full((len(pairs), len(NUMBERS)), np.nan)
    unfit = _unfit(y)
    if unfit:
        return numbers, [unfit] * len(pairs)
    columns, own = np.unique(pairs, return_inverse=True)
    own = own.reshape(-1, 2)
    constant = [_constant(names[i], x[:, i]) for i in columns.tolist()]
    reasons = [constant[a] or constant[b] for a, b in own.tolist()]
    varied = np.array([k for k, reason in enumerate(constant) if not reason], dtype=np.intp)
    tested = np.array([k for k, reason in enumerate(reasons) if not reason], dtype=np.intp)
    if len(tested):
        data = paired_scores(x[:, columns[varied]], y, codes, seed=settings.seed)
        numbers[tested], reason = _tested(data, np.searchsorted(varied, own[tested]), settings)
        for k in tested.tolist():
            same = settings.coefficient == "pearson" and np.isnan(numbers[k, NUMBERS.index("williams_p")])
            reasons[k] = reason or ("Williams' test: the two metrics are one but for scale" if same else "")
    return numbers, reasons


def _tested(data: PairedScores, pairs: Ints, settings: SignificanceSettings) -> tuple[Floats, str]:
    """`NUMBERS` of pairs of metrics (pairs x numbers), and why the resampled ones are NaN."""
    values = coefficients(data, settings.coefficient)
    first, second = pairs.T
    difference = values[first] - values[second]
    nothing = np.full(len(pairs), np.nan)
    known = [values[first], values[second], difference]
    williams_p = nothing
    if settings.coefficient == "pearson":
        both = data.scores.T @ data.scores / data.stories
        williams_p = williams(values[first], values[second], both[first, second], data.stories)
    if data.prompts < 2:
        reason = "all stories have one prompt; permutations and intervals need two or more"
    elif settings.coefficient == "kendall" and data.stories > MOST_KENDALL:
        reason = f"Kendall's tau is tested over at most {MOST_KENDALL:,} stories"
    else:
        permuted = permute(
            data,
            settings.coefficient,
            pairs,
            difference,
            permutations=settings.permutations,
            seed=settings.seed,
            enough=settings.enough,
        )
        drawn = resampled(data, settings.coefficient, seed=settings.seed, resamples=settings.resamples)
        ends = column_ends(drawn[:, first] - drawn[:, second])
        return np.column_stack([*known, *ends, williams_p, permuted.p, permuted.drawn]), ""
    return np.column_stack([*known, nothing, nothing, williams_p, nothing, nothing]), reason
