"""Does a difference in a metric mean a difference to people? OpenMEVA (2021) section 4.2, Figure 2.

After Mathur et al. (2020): stories are sorted by their human judgment and cut into overlapping sets; for every ordered
pair of sets stand the difference of their mean ratings (x, as in the paper) and of their mean scores (y). The sets
overlap and are sorted on the outcome, so the t-tests are descriptive: no p-value here says how sure anything is.

Over all ordered pairs the differences have mean zero: the line goes through the origin, and R squared and slope are
those of the sets' means. Over the pairs that the figure shows, those right of x = 0, the line has an intercept; their
sums too follow from the sets' means and from how many sets lie below and above each. No pair is needed for either.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from core.analysis.difference.windows import Plan, Sets, plan
from core.arrays import Bools, Floats, Ints
from core.scores import ScoreTable
from core.statistics.correlation import STAR, why_undefined
from core.statistics.intervals import ends
from core.wording import digits

FEWEST = 50
ORDERS, ORDERS_OF_MANY, MANY = 300, 100, 20_000
"""Orders of the tied stories behind the range of R squared, and how many above MANY stories."""
CELLS_A_BLOCK = 2_000_000
"""Orders times stories times metrics held at once: memory must not grow with either."""
NO_SPREAD = 1e-13
"""Of the range of all values: a spread or a difference below it is rounding."""
ROUNDING = 1e-9
"""Of R squared: without ties all orders are the same but for rounding."""


class Convention(StrEnum):
    """Which pairs of sets the line is fitted to.

    PLANE: all ordered pairs, so that it goes through the origin. PAPER: the pairs that Figure 2 shows, whose
    difference in human judgment is above zero, with an intercept; R squared is the square of Pearson's r between the
    axes there.
    """

    PLANE = "plane"
    PAPER = "paper"


@dataclass(frozen=True)
class Difference:
    """One metric over its `n` scored and rated stories.

    `r2` (0..1), `slope` (units of the metric a point of the rating) and `intercept` (units of the metric; 0 by the
    convention PLANE) of the metric's differences on the human ones, over the pairs that `convention` names, for the
    order that the seed gives to tied stories, one draw out of all; `r2_median`, `r2_low`, `r2_high`: the middle and
    95 % of `orders` such orders. Of all `plan.pairs` ordered pairs: those whose difference is significant to both, to
    people only, to the metric only, to neither; `opposed`: of both, those where the two point in opposite
    directions.
    """

    n: int
    plan: Plan
    convention: Convention = Convention.PLANE
    r2: float | None = None
    r2_median: float | None = None
    r2_low: float | None = None
    r2_high: float | None = None
    orders: int = 0
    slope: float | None = None
    intercept: float | None = None
    both: int = 0
    human_only: int = 0
    metric_only: int = 0
    neither: int = 0
    opposed: int = 0
    undefined: str | None = None
    sets: Sets | None = None

    @property
    def unusual(self) -> bool:
        """Whether this seed's order of tied stories gives an R squared outside the middle 95 % of orders."""
        if self.r2 is None or self.r2_low is None or self.r2_high is None:
            return False
        return not self.r2_low - ROUNDING <= self.r2 <= self.r2_high + ROUNDING

    @property
    def apart(self) -> int:
        """Ordered pairs of sets that people distinguish."""
        return self.both + self.human_only

    @property
    def alike(self) -> int:
        """Ordered pairs of different sets that people do not distinguish; a set paired with itself does not count."""
        return self.metric_only + self.neither - self.plan.number


@dataclass(frozen=True)
class MetricDifference:
    """A study's metric with its differences."""

    metric: str
    signature: str
    difference: Difference


def difference_table(
    table: ScoreTable, *, seed: int = 0, convention: Convention = Convention.PLANE
) -> tuple[MetricDifference, ...]:
    """The differences of every column of a study's scores."""
    result = differences([column.values for column in table.columns], table.human, seed=seed, convention=convention)
    return tuple(
        MetricDifference(column.metric, column.signature, difference)
        for column, difference in zip(table.columns, result, strict=True)
    )


def differences(
    metrics: Sequence[ArrayLike], human: ArrayLike, *, seed: int = 0, convention: Convention = Convention.PLANE
) -> tuple[Difference, ...]:
    """The differences of each metric (metrics x stories; NaN where there is no score) against `human` (stories).

    Each metric's sets are made of the stories that it scores; the orders of tied stories depend on the seed and on the
    rated stories alone, so that a metric's result is the same whatever stands beside it.
    """
    y = np.asarray(human, dtype=np.float64)
    rated = np.isfinite(y)
    x = np.asarray(metrics, dtype=np.float64).reshape(len(metrics), len(y))[:, rated]
    y = y[rated]
    result: list[Difference | None] = [None] * len(x)
    groups: list[_Group] = []
    for scored, members in _by_stories(np.isfinite(x)):
        reasons = {i: why_undefined(x[i, scored], y[scored], FEWEST) for i in members.tolist()}
        for i in members[[reasons[i] is not None for i in members.tolist()]].tolist():
            n = int(scored.sum())
            result[i] = Difference(n, plan(n), convention, undefined=reasons[i])
        members = members[[reasons[i] is None for i in members.tolist()]]
        if len(members):
            groups.append(_Group(scored, members, x[members], y, convention))
    if groups:
        for group, drawn in zip(groups, _over_orders(groups, y, seed), strict=True):
            for place, difference in zip(group.members.tolist(), group.results(drawn), strict=True):
                result[place] = difference
    return tuple(item for item in result if item is not None)


def _by_stories(scored: Bools) -> Iterator[tuple[Bools, Ints]]:
    """Metrics (rows) that score the same stories, together."""
    kinds: dict[bytes, list[int]] = {}
    for row, mask in enumerate(np.packbits(scored, axis=1)):
        kinds.setdefault(mask.tobytes(), []).append(row)
    for rows in kinds.values():
        yield scored[rows[0]], np.array(rows, dtype=np.intp)


def _over_orders(groups: "list[_Group]", y: Floats, seed: int) -> "list[_Drawn]":
    """Each group's sets over the seed's random orders of tied stories; the first order is the one shown."""
    orders = ORDERS if len(y) <= MANY else ORDERS_OF_MANY
    codes = np.unique(y, return_inverse=True)[1]
    rng = np.random.default_rng(seed)
    block = max(1, CELLS_A_BLOCK // (len(y) * max(len(group.members) for group in groups)))
    r2: list[list[Floats]] = [[] for _ in groups]
    shown: list[Ints] = []
    for begin in range(0, orders, block):
        # A random fraction on top of each story's place shuffles ties and nothing else.
        luck = rng.random((min(block, orders - begin), len(y)))
        luck += codes
        drawn = np.argsort(luck, axis=1)
        for number, group in enumerate(groups):
            kept = group.numbers(drawn)
            if begin == 0:
                shown.append(kept[0])
            r2[number].append(group.r2(kept[:, group.used]))
    return [_Drawn(order, np.concatenate(blocks)) for order, blocks in zip(shown, r2, strict=True)]


@dataclass(frozen=True)
class _Drawn:
    """`order` (stories): of the first draw. `r2` (draws x metrics)."""

    order: Ints
    r2: Floats


class _Group:
    """Metrics (rows of `x`) that score the same stories: `scored` tells which of the rated ones; `y`: their ratings."""

    def __init__(self, scored: Bools, members: Ints, x: Floats, y: Floats, convention: Convention) -> None:
        self.scored, self.members, self.convention = scored, members, convention
        self.plan = plan(int(scored.sum()))
        own, given = x[:, scored], y[scored]
        self.centre, self.scale = own.mean(1), np.ptp(own, axis=1)  # tiny and huge scores alike
        self.x = np.ascontiguousarray(((x - self.centre[:, None]) / self.scale[:, None]).T)
        self.low, self.range = float(given.min()), float(np.ptp(given))
        self.places = self.plan.starts[:, None] + np.arange(self.plan.size)
        self.human = ((np.sort(given) - self.low) / self.range)[self.places]
        self.used = np.unique(self.places)  # where the stride is longer than a set, not every story is in one
        starts = np.searchsorted(self.used, self.plan.starts)
        ends = np.searchsorted(self.used, self.plan.starts + self.plan.size)
        self.edges = np.unique(np.concatenate([starts, ends]))
        self.first, self.last = np.searchsorted(self.edges, starts), np.searchsorted(self.edges, ends)

    def numbers(self, orders: Ints) -> Ints:
        """The orders of all rated stories (draws x stories), restricted to these metrics' stories."""
        if self.scored.all():
            return orders
        return np.asarray(orders[self.scored[orders]].reshape(len(orders), -1))

    def r2(self, orders: Ints) -> Floats:
        """R squared (draws x metrics) of orders of the used stories: sums between the sets' ends, then prefix sums."""
        parts = np.add.reduceat(self.x[orders], self.edges[:-1], axis=1)
        prefix = np.zeros((len(orders), len(self.edges), parts.shape[2]))
        np.cumsum(parts, axis=1, out=prefix[:, 1:])
        means = (prefix[:, self.last] - prefix[:, self.first]) / self.plan.size
        human, line = self.human.mean(1), LINES[self.convention]
        return np.stack([line(human, means[:, :, i])[0] for i in range(means.shape[2])], axis=1)

    def results(self, drawn: _Drawn) -> Iterator[Difference]:
        """One result per metric."""
        human, human_apart = _apart(self.human)
        for row in range(len(self.members)):
            metric, metric_apart = _apart(self.x[drawn.order, row][self.places])
            r2, slope, intercept = LINES[self.convention](human, metric[None])
            n, draws = len(drawn.order), drawn.r2[:, row]
            if not np.isfinite(r2[0]):
                yield Difference(n, self.plan, self.convention, undefined=_why_no_line(human, metric))
                continue
            opposed = np.sign(human[:, None] - human) * np.sign(metric[:, None] - metric) < 0
            low, high = ends(draws)
            yield Difference(
                n,
                self.plan,
                self.convention,
                r2=float(r2[0]),
                r2_median=float(np.nanpercentile(draws, 50)),
                r2_low=low,
                r2_high=high,
                orders=len(draws),
                slope=float(slope[0] * self.scale[row] / self.range),
                intercept=float(intercept[0] * self.scale[row]),
                both=int(np.count_nonzero(human_apart & metric_apart)),
                human_only=int(np.count_nonzero(human_apart & ~metric_apart)),
                metric_only=int(np.count_nonzero(~human_apart & metric_apart)),
                neither=int(np.count_nonzero(~human_apart & ~metric_apart)),
                opposed=int(np.count_nonzero(human_apart & metric_apart & opposed)),
                sets=Sets(
                    human * self.range + self.low,
                    metric * self.scale[row] + self.centre[row],
                    human_apart,
                    metric_apart,
                    drawn.order,
                ),
            )


def _why_no_line(human: Floats, metric: Floats) -> str:
    """Why no line can be fitted to these means of sets; None if one can."""
    if np.ptp(human) <= NO_SPREAD:
        return "all sets have the same mean rating"
    if np.ptp(metric) <= NO_SPREAD:
        return "all sets have the same mean score"
    return "the sets have only two different mean ratings, and the paper's line needs three"


Line = tuple[Floats, Floats, Floats]
"""R squared, slope and intercept (draws each); NaN where there is no line."""


def _through_origin(human: Floats, metric: Floats) -> Line:
    """The line of each row of `metric` (draws x sets) on `human` (sets) over all ordered pairs of sets."""
    x, y = human - human.mean(), metric - metric.mean(1, keepdims=True)
    flat = (np.ptp(metric, axis=1) <= NO_SPREAD) | (np.ptp(human) <= NO_SPREAD)
    return (*_least_squares(x @ x, y @ x, (y * y).sum(1), flat), np.where(flat, np.nan, 0.0))


def _right_half(human: Floats, metric: Floats) -> Line:
    """The line of each row of `metric` (draws x sets) on `human` (sets, ascending) over the pairs right of x = 0."""
    x, y = human - human.mean(), metric - metric.mean(1, keepdims=True)
    firsts = np.flatnonzero(np.diff(x, prepend=-np.inf) > NO_SPREAD)  # sets of one mean rating make no pair here
    many = np.diff(firsts, append=len(x))
    below = np.repeat(firsts, many)
    above = len(x) - below - np.repeat(many, many)
    pairs = int(below.sum())
    weight = (below - above).astype(np.float64)
    means = np.array(x @ weight), y @ weight
    within = np.add.reduceat(y * y, firsts, axis=1) * many - np.add.reduceat(y, firsts, axis=1) ** 2
    # Over all pairs of m numbers the squared differences add up to m times the squares about their mean.
    x_only, both = len(x) * (x @ x), len(x) * (y @ x)
    y_only = len(x) * (y * y).sum(1) - within.sum(1)
    flat = (np.ptp(metric, axis=1) <= NO_SPREAD) | np.array(len(firsts) < 3)
    over = max(1, pairs)
    r2, slope = _least_squares(
        x_only - means[0] ** 2 / over, both - means[0] * means[1] / over, y_only - means[1] ** 2 / over, flat
    )
    return r2, slope, (means[1] - slope * means[0]) / over


def _least_squares(x_only: float, both: Floats, y_only: Floats, flat: Bools) -> tuple[Floats, Floats]:
    """R squared and slope from centred sums of squares and products (draws)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        r2 = np.where(flat, np.nan, np.minimum(1, both**2 / (x_only * y_only)))
        return r2, np.where(flat, np.nan, both / x_only)


LINES: Mapping[Convention, Callable[[Floats, Floats], Line]] = {
    Convention.PLANE: _through_origin,
    Convention.PAPER: _right_half,
}


def _apart(values: Floats) -> tuple[Floats, Bools]:
    """Means of sets (sets x stories), and which pairs Student's two-sided t-test for two samples distinguishes.

    Sets of one size: Welch's t is the same number, with fewer degrees of freedom. Sets without any spread are apart
    where their means differ, which is SciPy's limit too. Comparing with the critical t needs no p-value a pair.
    """
    size = values.shape[1]
    means, variances = values.mean(1), values.var(1, ddof=1)
    variances[variances <= NO_SPREAD**2] = 0
    gaps = np.abs(means[:, None] - means)
    gaps[gaps <= NO_SPREAD] = 0
    critical = stats.t.isf(STAR / 2, 2 * size - 2)
    return means, gaps > critical * np.sqrt((variances[:, None] + variances) / size)


def closest_first(differences: Sequence[Difference]) -> list[int]:
    """Their places: the highest median R squared first, then those that fall where people's ratings rise, then those
    that are undefined.
    """

    def rank(place: int) -> tuple[bool, bool, float]:
        difference = differences[place]
        return difference.r2_median is None, (difference.slope or 0) < 0, -(difference.r2_median or 0.0)

    return sorted(range(len(differences)), key=rank)


def reading(difference: Difference) -> str:
    """The result in a sentence: which differences that people see the metric sees too, and which it sees alone."""
    if difference.undefined is not None or difference.slope is None:
        return f"Undefined: {difference.undefined}."
    lines = ["people tell no pair of sets apart"]
    if difference.apart:
        right = (difference.both - difference.opposed) / difference.apart
        lines = [
            f"of the pairs of sets that people tell apart, the metric tells {digits(right, '.0%')} apart in the same "
            "direction"
        ]
        if difference.opposed:
            lines[0] += f" and {digits(difference.opposed / difference.apart, '.0%')} in the other"
    if difference.alike:
        share = difference.metric_only / difference.alike
        lines.append(f"of the pairs that people do not tell apart, it sees a difference in {digits(share, '.0%')}")
    if difference.slope < 0:
        if difference.convention is Convention.PLANE:
            lines.append("on the whole it falls where ratings rise")
        else:
            lines.append(
                "the line falls: where people see a larger difference the metric sees a smaller one, or one the other "
                "way round"
            )
    if difference.unusual:
        lines.append(
            f"the seed's order of tied stories is an unusual one: it gives R² = {difference.r2:.3f}, while 95 % of "
            f"orders give {difference.r2_low:.3f} to {difference.r2_high:.3f}"
        )
    sentence = "; ".join(lines)
    return f"{sentence[0].upper()}{sentence[1:]}."
