"""How far a metric agrees with people: Pearson, Spearman, Kendall and pairwise accuracy, with bootstrap intervals.

UNION (2020) section 4.3, OpenMEVA (2021) section 4.2. Stories of one prompt are not independent, so the intervals
and `p_cluster` resample whole prompts; `p` is SciPy's, which takes stories as independent, for parity with the papers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from core.arrays import Bools, Floats, Ints, Whole, are_many, selected
from core.scores import ScoreTable
from core.statistics.groups import numbered, too_few
from core.statistics.intervals import MOST_UNDEFINED, Interval, ends, too_many_undefined
from core.statistics.large.prompts import renumbered
from core.statistics.many_stories import ManyStories, Tied, many_stories, pearson_in_blocks
from core.statistics.pairwise import NO_PAIRS, Concordance, Pairwise, concordance
from core.statistics.resamples import FEWEST_LINEAR, LARGEST_OF_FEW, Drawn, Part, Ranks, bootstrap_parts, complete_cases
from core.statistics.threads import each
from core.statistics.ties import TieCalibrated
from core.stored_texts import Shared

NAMES = ("pearson", "spearman", "kendall")
PARTLY = 0.9
"""Below this share of the most stories that a metric has scores of, it says how many it has."""
FEWEST = 3
ROUNDING = 1e-12
"""A drawn coefficient as near to 0 is 0."""
MOST_EXACT = 33
"""Stories without ties, up to which SciPy's p of Kendall's tau is exact."""
STAR = 0.01
"""The papers' level of significance."""
NEARLY_ALIKE = (
    f"more than {MOST_UNDEFINED:.0%} of the draws of prompts have no coefficient, as all of their stories have one "
    "score, or one rating"
)
"""Why there is no interval where nearly all stories are alike."""


@dataclass(frozen=True)
class Coefficient(Interval):
    """One correlation in -1..1, its two p-values, and its 95 % bootstrap interval by prompt; None if undefined.

    `at_most`: no draw lies on the other side of 0, so that `p_cluster` is only the least that so many draws can show.
    """

    value: float | None
    p: float | None = None
    p_cluster: float | None = None
    low: float | None = None
    high: float | None = None
    at_most: bool = False

    @property
    def starred(self) -> bool:
        """Whether the papers would print a star: p < 0.01."""
        return self.p is not None and self.p < STAR


NOTHING = Coefficient(None)


@dataclass(frozen=True)
class Correlation:
    """All coefficients of one metric over `n` stories, or the reason why there are none.

    `linearised`: Spearman's and Kendall's intervals come from the linearised bootstrap, which many stories need.
    `no_interval`: why they have none, or why nothing has; None where there are intervals, or nobody asked for them.
    `prompts`: for a mean of coefficients within prompts, how many prompts it counts, and how many there are; `ties`:
    its acc_eq, where that was asked for. `soft`: over systems, the soft pairwise accuracy.
    """

    n: int
    pearson: Coefficient
    spearman: Coefficient
    kendall: Coefficient
    undefined: str | None = None
    pairwise: Pairwise = NO_PAIRS
    linearised: bool = False
    prompts: tuple[int, int] | None = None
    no_interval: str | None = None
    ties: TieCalibrated | None = None
    soft: float | None = None


def undefined(n: int, reason: str) -> Correlation:
    """No correlation over these `n` stories."""
    return Correlation(n, NOTHING, NOTHING, NOTHING, reason)


def correlate(
    metric: ArrayLike, human: ArrayLike, prompts: ArrayLike | None = None, *, seed: int = 0, resamples: int = 1000
) -> Correlation:
    """Correlate a metric's raw scores with human judgments.

    `metric`, `human`: one number per story, NaN where there is none (pairs with a gap are left out, `n` counts the
    rest). `prompts`: the prompt of each story, the unit of the bootstrap; each story its own where None.
    `resamples` = 0 leaves out the intervals.
    """
    return correlate_columns([metric], human, prompts, seed=seed, resamples=resamples)[0]


def correlate_columns(
    metrics: Sequence[ArrayLike],
    human: ArrayLike,
    prompts: ArrayLike | None = None,
    *,
    seed: int = 0,
    resamples: int = 1000,
    of: int = 0,
) -> tuple[Correlation, ...]:
    """`correlate` of several metrics: those that score the same stories share the work on the judgments.

    `of`: the stories of the whole study, where these are a part of it: the parts of a large study are linearised too.
    """
    if are_many(np.size(human)):
        return _correlate_many(metrics, human, prompts, seed=seed, resamples=resamples, of=of)
    whole = [np.arange(np.size(human))]
    return correlate_groups(metrics, human, whole, prompts, seed=seed, resamples=resamples, of=of)[0]


def correlate_groups(
    metrics: Sequence[ArrayLike],
    human: ArrayLike,
    groups: Sequence[Ints],
    prompts: ArrayLike | None = None,
    *,
    seed: int = 0,
    resamples: int = 1000,
    of: int = 0,
) -> list[tuple[Correlation, ...]]:
    """`correlate_columns` of each group of stories (their numbers).

    Prompts are drawn once for all: those with a rated story, whether of a group or not, scored or not. So a metric's
    numbers are the same whatever stands beside it, and a group's are those of a metric that scores no other story.
    """
    y = np.asarray(human, dtype=np.float64)
    columns = [np.asarray(metric, dtype=np.float64) for metric in metrics]
    clusters, number = drawn_prompts(y, prompts)
    same = each(lambda rows: list(_same_stories(columns, y, clusters, rows)), groups, len(y))
    together = [alike for mine in same for alike in mine if alike.defined] if resamples else []
    parts = [complete_cases(alike.defined, alike.judged, alike.clusters, alike.compared, of) for alike in together]
    drawn = bootstrap_parts(parts, number, seed=seed, resamples=resamples)
    draws = {id(alike): both for alike, *both in zip(together, parts, drawn, strict=True)}
    correlations = []
    for mine in same:
        results: dict[int, Correlation] = {}
        for alike in mine:
            results |= zip(alike.numbers, _results(alike, *draws.get(id(alike), (None, []))), strict=True)
        correlations.append(tuple(results[number] for number in range(len(columns))))
    return correlations


def _correlate_many(
    metrics: Sequence[ArrayLike], human: ArrayLike, prompts: ArrayLike | None, *, seed: int, resamples: int, of: int
) -> tuple[Correlation, ...]:
    """`correlate_columns` of more stories than are worked on at once: one metric after the other."""
    y = np.asarray(human, dtype=np.float64)
    clusters, number = renumbered(prompt_numbers(len(y), prompts), y)
    found: list[ManyStories | Correlation] = []
    for metric in metrics:
        x = np.asarray(metric, dtype=np.float64)
        both = pearson_in_blocks(x, y)
        if reason := _why_none(both.n, constant_metric=both.constant[0], constant_human=both.constant[1]):
            found.append(undefined(both.n, reason))
            continue
        own = (x, y, clusters) if both.n == len(x) else _paired(x, y, clusters)
        found.append(many_stories(*own, number, of))
    parts = [one.part for one in found if isinstance(one, ManyStories)]
    draws = bootstrap_parts(parts, number, seed=seed, resamples=resamples) if resamples else [[{}] for _ in parts]
    drawn = iter(draws)
    return tuple(
        one if isinstance(one, Correlation) else _of_many(one, next(drawn)[0], resampled=resamples > 0) for one in found
    )


def _paired(x: Floats, y: Floats, clusters: Whole) -> tuple[Floats, Floats, Whole]:
    """The stories that have both a score and a judgment."""

    def keep(block: slice) -> Bools:
        return np.asarray(np.isfinite(x[block]) & np.isfinite(y[block]))

    first, second, third = selected((x, y, clusters), keep)
    return first, second, third


def _of_many(found: ManyStories, drawn: Drawn, *, resampled: bool) -> Correlation:
    n = found.n
    tau = _kendall_normal(n, found.sign / 2, (found.metric, found.human))  # of so many no exact p differs from 0
    results = [found.pearson, (found.rho, _spearman_p(found.rho, n)), tau]
    pearson, spearman, kendall = (
        coefficient(value, p, drawn.get(name)) for name, (value, p) in zip(NAMES, results, strict=True)
    )
    linear = bool(drawn) and found.part.how is Ranks.LINEARISED
    none = _why_no_interval(len(found.part.own), found.part.how) if resampled else None
    none = none or _why_none_of_draws(pearson, drawn)
    return Correlation(n, pearson, spearman, kendall, None, found.pairwise, linear, no_interval=none)


def prompt_numbers(stories: int, prompts: "ArrayLike | Shared | None") -> Ints:
    """The number of each story's prompt; a prompt each where None."""
    if prompts is None:
        return np.arange(stories)
    if isinstance(prompts, Shared):
        return prompts.codes
    if isinstance(prompts, tuple):
        return numbered(prompts)[1]
    return numbered(np.asarray(prompts, dtype=object).tolist())[1]  # as text each would take as much as the longest


def drawn_prompts(human: Floats, prompts: ArrayLike | None) -> tuple[Ints, int]:
    """Of each rated story, the number of its prompt among those that are drawn, and how many these are.

    All prompts with a rated story are drawn, whichever stories a figure is of: so the same stories have the same
    interval on every page. An unrated story's number means nothing.
    """
    numbers, rated = prompt_numbers(len(human), prompts), np.isfinite(human)
    drawn = np.bincount(numbers[rated], minlength=int(numbers.max(initial=-1)) + 1) > 0
    return (np.cumsum(drawn) - 1)[numbers], int(drawn.sum())


@dataclass(frozen=True)
class _Same:
    """Metrics (`numbers`) that score the same stories, with their judgments and prompts; `reasons` why a metric has no
    correlation. `defined`, `compared`: of the metrics that have one.
    """

    numbers: list[int]
    reasons: list[str | None]
    judged: Floats
    clusters: Ints
    defined: list[Floats]
    compared: list[Concordance]


def _same_stories(columns: Sequence[Floats], y: Floats, clusters: Ints, rows: Ints) -> Iterator[_Same]:
    """Metrics that score the same of these rated stories, together."""
    alike: dict[bytes, list[int]] = {}
    for number, x in enumerate(columns):
        alike.setdefault((np.isfinite(x[rows]) & np.isfinite(y[rows])).tobytes(), []).append(number)
    for mask, numbers in alike.items():
        keep = rows[np.frombuffer(mask, dtype=bool)]
        scores, judged = [columns[number][keep] for number in numbers], y[keep]
        reasons = [why_undefined(x, judged) for x in scores]
        defined = [x for x, reason in zip(scores, reasons, strict=True) if reason is None]
        yield _Same(numbers, reasons, judged, clusters[keep], defined, _compared(defined, judged))


def _compared(columns: Sequence[Floats], judged: Floats) -> list[Concordance]:
    """The concordance of each column with these judgments; what is said of the judgments alone is held once."""
    if not columns:
        return []
    first = concordance(columns[0], judged)

    def compared(x: Floats) -> Concordance:
        return replace(
            concordance(x, judged), groups=first.groups, same_human=first.same_human, rank_human=first.rank_human
        )

    return [first, *each(compared, columns[1:], len(judged))]


def _results(alike: _Same, part: Part | None, drawn: Sequence[Drawn]) -> Iterator[Correlation]:
    """A result a metric; `part`, `drawn`: its intervals are from these draws, where there are any."""
    none = _why_no_interval(len(part.own), part.how) if part else None
    linear = part is not None and part.how is Ranks.LINEARISED
    pieces = list(zip(alike.defined, alike.compared, drawn or [{} for _ in alike.defined], strict=True))
    results = iter(
        each(lambda of: _correlation(of[0], alike.judged, of[1], of[2], linear, none), pieces, len(alike.judged))
    )
    for reason in alike.reasons:
        yield undefined(len(alike.judged), reason) if reason else next(results)


def _why_no_interval(prompts: int, how: Ranks) -> str | None:
    if prompts == 1:
        return "all stories have the same prompt, which drawn over and over says nothing about others"
    if how is Ranks.NONE:
        return (
            f"Spearman's and Kendall's need {FEWEST_LINEAR} prompts where there are more than {LARGEST_OF_FEW:,} "
            f"stories; here are {prompts}"
        )
    return None


def _why_none_of_draws(pearson: Coefficient, drawn: Drawn) -> str | None:
    return NEARLY_ALIKE if drawn and pearson.low is None else None


def _correlation(
    x: Floats, y: Floats, compared: Concordance, drawn: Drawn, linear: bool, no_interval: str | None
) -> Correlation:
    test = stats.pearsonr(x, y)
    results = [(float(test.statistic), float(test.pvalue)), spearman_test(compared), kendall_test(x, y, compared)]
    pearson, spearman, kendall = (
        coefficient(value, p, drawn.get(name)) for name, (value, p) in zip(NAMES, results, strict=True)
    )
    pairs, linearised = compared.pairwise(), bool(drawn) and linear
    no_interval = no_interval or _why_none_of_draws(pearson, drawn)
    return Correlation(len(x), pearson, spearman, kendall, None, pairs, linearised, no_interval=no_interval)


def spearman_test(compared: Concordance) -> tuple[float, float]:
    """Spearman's rho and its two-sided p, those of SciPy's `spearmanr`, from mid-ranks that are known already."""
    rho = float(np.corrcoef(compared.rank_metric, compared.rank_human)[0, 1])
    return rho, _spearman_p(rho, len(compared.sign))


def _spearman_p(rho: float, n: int) -> float:
    with np.errstate(divide="ignore"):
        t = abs(rho) * np.sqrt(np.maximum((n - 2) / np.float64((1 + rho) * (1 - rho)), 0))
    return float(2 * special.stdtr(n - 2, -t))


def kendall_test(x: Floats, y: Floats, compared: Concordance) -> tuple[float, float]:
    """Kendall's tau-b and its two-sided p, those of SciPy's `kendalltau`, from pairs that are counted already.

    Of many stories p is the normal one with Kendall's variance under ties (Kendall 1970, Rank Correlation Methods,
    chapter 4); where SciPy's is exact, it is asked.
    """
    n = len(x)
    ties = [(same.sum() - n) / 2 for same in (compared.same_metric, compared.same_human)]
    pairs, excess = n * (n - 1) / 2, compared.sign.sum() / 2
    if n <= MOST_EXACT or (not any(ties) and pairs - abs(excess) <= 2):
        test = stats.kendalltau(x, y)
        return float(test.statistic), float(test.pvalue)
    others = [same - 1 for same in (compared.same_metric, compared.same_human)]  # of each story, those it ties with
    sides = [
        Tied(tied, (of * (of - 1)).sum(), (of * (2 * of + 7)).sum()) for tied, of in zip(ties, others, strict=True)
    ]
    return _kendall_normal(n, excess, (sides[0], sides[1]))


def _kendall_normal(n: int, excess: float, sides: tuple[Tied, Tied]) -> tuple[float, float]:
    """Tau-b and the normal p by the ties of either side."""
    pairs, (a, b) = n * (n - 1) / 2, sides
    tau = np.clip(excess / np.sqrt(pairs - a.pairs) / np.sqrt(pairs - b.pairs), -1, 1)
    variance = (2 * pairs * (2 * n + 5) - (a.spreads + b.spreads)) / 18 + a.pairs * b.pairs / pairs
    variance += a.threes * b.threes / (18 * pairs * (n - 2))
    return float(tau), float(2 * stats.norm.sf(abs(excess) / np.sqrt(variance)))


@dataclass(frozen=True)
class MetricCorrelation:
    """A metric of a study with its correlation; `subset` is None for all stories, else a string of `subsets`."""

    metric: str
    signature: str
    subset: str | None
    correlation: Correlation


def correlate_table(
    table: ScoreTable, *, seed: int = 0, resamples: int = 1000, subset: str | None = None, of: int = 0
) -> tuple[MetricCorrelation, ...]:
    """Correlate every column of a study's scores with its human judgments.

    `subset`: what the stories are called, and `of`: how many the whole study has, where they are a part of it.
    """
    columns = [column.values for column in table.columns]
    correlations = correlate_columns(columns, table.human, table.prompts, seed=seed, resamples=resamples, of=of)
    return named(table, correlations, subset)


def named(table: ScoreTable, correlations: Sequence[Correlation], subset: str | None) -> tuple[MetricCorrelation, ...]:
    """Correlations, one a column, with the names of the columns."""
    return tuple(
        MetricCorrelation(column.metric, column.signature, subset, correlation)
        for column, correlation in zip(table.columns, correlations, strict=True)
    )


def why_undefined(x: Floats, y: Floats, fewest: int = FEWEST) -> str | None:
    """Why these stories' scores and ratings have no correlation, None where they have one; gaps (NaN) are left out.

    `fewest`: stories that are needed.
    """
    paired = np.isfinite(x) & np.isfinite(y)
    n = int(np.count_nonzero(paired))
    x_constant, y_constant = (n >= fewest and bool(np.ptp(values[paired]) == 0) for values in (x, y))
    return _why_none(n, constant_metric=x_constant, constant_human=y_constant, fewest=fewest)


def _why_none(n: int, *, constant_metric: bool, constant_human: bool, fewest: int = FEWEST) -> str | None:
    if n < fewest:
        return too_few(n, "story has", "stories have", "both a score and a rating", fewest)
    if constant_metric:
        return "the metric gives every story the same score"
    if constant_human:
        return "every story has the same rating"
    return None


def coefficient(value: float, p: float | None, drawn: Floats | None) -> Coefficient:
    """`value` with the interval of its draws, and with the p that they give; neither where too many are undefined."""
    known = drawn[np.isfinite(drawn)] if drawn is not None else np.empty(0)
    if drawn is None or not len(known) or too_many_undefined(drawn):
        return Coefficient(value, p)
    low, high = ends(known)
    tail = min(np.count_nonzero(known <= ROUNDING), np.count_nonzero(known >= -ROUNDING))
    p_cluster = min(1.0, 2 * float(tail + 1) / (len(known) + 1))
    return Coefficient(value, p, p_cluster, low, high, at_most=tail == 0)
