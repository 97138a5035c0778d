"""How many prompts and ratings it takes to see that one metric agrees with people more than another.

Both correlations are with the same judgments, so the test is Williams' (1959), and its power that of a noncentral t
around the t that the true correlations give (Graham and Baldwin 2014). Correlations are stated as they were with
judgments free of raters' noise; with the mean of r ratings each is attenuated by the root of its reliability, so more
ratings make the difference larger as well as surer. Stories of one prompt may depend on one another: `effect` says how
many times the variance of the difference is that of independent stories.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import optimize

from core.analysis.planning.design import RATINGS, Design, Setup, design, with_cheapest
from core.analysis.planning.spread import Spread
from core.arrays import Floats
from core.errors import InputError
from core.metrics.naming import place_of, unique_names
from core.scores import ScoreTable
from core.settings import setting
from core.statistics.agreement import ceiling
from core.statistics.groups import numbered
from core.statistics.moments import moments, weighted_pearson
from core.statistics.paired import williams_t
from core.statistics.power import LARGE, fewest, needed_noncentrality

FEWEST_PROMPTS = 10


@dataclass(frozen=True)
class Correlations:
    """Of the better metric with judgments free of noise, of the two metrics with one another, and the design effect of
    stories that share a prompt, 1 for none.
    """

    correlation: float = setting(
        0.4, "Of the better metric with people, were their ratings free of noise.", label="Better metric's r"
    )
    between: float = setting(0.6, "Correlation of the two metrics with one another.", label="r between the metrics")
    effect: float = setting(
        1.0, "How many times the variance of independent stories that of a prompt's is.", label="Design effect"
    )


@dataclass(frozen=True)
class MetricsPlan:
    """`delta`: by how much the better metric's correlation is higher, with judgments free of noise."""

    delta: float
    correlations: Correlations
    designs: tuple[Design, ...]


def plan_metrics(delta: float, correlations: Correlations, spread: Spread, setup: Setup) -> MetricsPlan:
    """Designs that see the difference; raises InputError where the three correlations cannot be."""
    setup.checked()
    _check(delta, correlations)
    designs = []
    for ratings in RATINGS:
        reliability = spread.reliability(ratings)
        if not reliability:
            raise InputError("All stories would be rated alike: state an SD of prompts or of stories above 0.")
        found = _Difference(correlations, float(np.sqrt(reliability)), setup)
        prompts = found.prompts(delta)
        seen = None if setup.prompts is None else found.seen(setup.prompts)
        designs.append(design(setup, ratings, prompts, seen))
    return MetricsPlan(delta, correlations, with_cheapest(designs))


def _check(delta: float, of: Correlations) -> None:
    if not np.isfinite(delta) or delta <= 0:
        raise InputError(f"The difference between two metrics' correlations is a number above 0, not {delta:g}.")
    for name, value in (("better metric's correlation", of.correlation), ("metrics' correlation", of.between)):
        if not -1 < value < 1:
            raise InputError(f"The {name} lies between -1 and 1, not at {value:g}.")
    if not np.isfinite(of.effect) or of.effect <= 0:
        raise InputError(f"The design effect is a number above 0, such as 1; it is {of.effect:g}.")
    if not _possible(of.correlation, of.correlation - delta, of.between):
        raise InputError(
            f"Two metrics that correlate {of.between:g} with one another cannot correlate {of.correlation:g} and "
            f"{of.correlation - delta:g} with people: state a smaller difference, or a correlation between the two "
            "that is further from 1."
        )


def _possible(first: float, second: float, between: float) -> bool:
    """Whether three correlations can be those of three variables."""
    left = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    return abs(second) < 1 and left > 0


@dataclass(frozen=True)
class _Difference:
    """Two metrics of which the better correlates so with people, whose judgments attenuate both."""

    of: Correlations
    attenuation: float
    setup: Setup

    def t(self, delta: float, prompts: int) -> tuple[float, float]:
        """Williams' t of the true correlations, and its degrees of freedom."""
        stories = prompts * self.setup.systems / self.of.effect
        if stories <= 3:
            return 0.0, 0.0
        first, second = (self.attenuation * r for r in (self.of.correlation, self.of.correlation - delta))
        t = williams_t(np.array(first), np.array(second), np.array(self.of.between), stories)
        return float(t), stories - 3

    def enough(self, delta: float, prompts: int) -> bool:
        """Whether the difference is found with the power that is asked for."""
        t, freedom = self.t(delta, prompts)
        return freedom >= 1 and t >= self._needed(freedom)

    def prompts(self, delta: float) -> int | None:
        """The fewest prompts that find it."""
        return fewest(lambda prompts: self.enough(delta, prompts), 2)

    def seen(self, prompts: int) -> float | None:
        """The least difference that so many prompts find; None where even the largest possible one is not."""
        largest = self._largest()
        if not self.enough(largest, prompts):
            return None
        needed = self._needed(self.t(largest, prompts)[1])
        return float(optimize.brentq(lambda delta: self.t(delta, prompts)[0] - needed, 0.0, largest, xtol=1e-9))

    def _needed(self, freedom: float) -> float:
        """The t that it takes; of whole degrees of freedom, as there are fewer of them to work out."""
        return needed_noncentrality(float(min(int(freedom), LARGE)), self.setup.power, self.setup.alpha)

    def _largest(self) -> float:
        """The largest difference that these correlations allow."""
        rest = np.sqrt((1 - self.of.correlation**2) * (1 - self.of.between**2))
        return float(self.of.correlation - (self.of.correlation * self.of.between - rest)) * (1 - 1e-9)


@dataclass(frozen=True)
class PastMetrics:
    """What a past study says of two metrics, the better one first. `difference`: of their correlations with judgments
    free of noise.
    """

    metrics: tuple[str, str]
    correlations: Correlations
    difference: float
    stories: int
    prompts: int


def past_metrics(table: ScoreTable, metrics: Sequence[str] = ()) -> PastMetrics:
    """What a past study says of two of its metrics: these, or the first two of the table. Raises InputError where it
    has none, or does not tell.
    """
    pairs = [(column.metric, column.signature) for column in table.columns]
    called = unique_names(pairs)
    if metrics and len(metrics) != 2:
        raise InputError(f"Two metrics are compared, not {len(metrics)}.")
    if len(called) < 2:
        raise InputError("The study has scores of fewer than two metrics: state the metrics' correlations instead.")
    first, second = (place_of(name, pairs) for name in metrics) if metrics else (0, 1)
    if first == second:
        raise InputError(f"Two different metrics are compared, not {called[first]} twice.")
    top = ceiling(table.ratings) if table.ratings.size else None
    columns = table.columns[first].values, table.columns[second].values
    return compared((called[first], called[second]), columns, table.human, table.prompts, top**2 if top else None)


def compared(
    names: tuple[str, str],
    scores: tuple[Floats, Floats],
    human: Floats,
    prompts: Sequence[str],
    reliability: float | None,
) -> PastMetrics:
    """The three correlations of two metrics and people, those with people freed of noise, and their design effect: how
    many times the jackknife's variance of the difference by prompt is that of Williams' test.

    `scores`, `human`: one a story, NaN where there is none; `reliability`: of the mean ratings, 0..1. Raises InputError
    where they do not tell.
    """
    kept = np.isfinite(scores[0]) & np.isfinite(scores[1]) & np.isfinite(human)
    asked, clusters = numbered([prompts[row] for row in np.flatnonzero(kept).tolist()])
    if len(asked) < FEWEST_PROMPTS:
        raise InputError(
            f"{len(asked)} prompts have stories with a rating and both scores, of {names[0]} and {names[1]}; "
            f"{FEWEST_PROMPTS} are needed."
        )
    if not reliability:
        raise InputError(
            "How far noise attenuates the study's correlations is unknown, as its stories do not differ more than its "
            "ratings: state the metrics' correlations instead."
        )
    first, second, y = (values[kept] for values in (*scores, human))
    parts = moments(np.column_stack([first, second]), y)
    by_prompt = np.zeros((len(asked), parts.columns.shape[1]))
    np.add.at(by_prompt, clusters, parts.columns)
    total = by_prompt.sum(0)
    r1, r2 = parts.pearson(np.vstack([total, total - by_prompt])).T  # of all stories, then without each prompt's
    between = weighted_pearson(np.ones((1, len(y))), first, second)[0]
    if not np.isfinite([r1[0], r2[0], between]).all():
        raise InputError(f"{names[0]}, {names[1]} or the ratings do not vary over these stories.")
    if r2[0] > r1[0]:
        names, r1, r2 = (names[1], names[0]), r2, r1
    gaps = (r1 - r2)[1:]
    variance = (len(gaps) - 1) * float(np.nanvar(gaps))
    t = float(williams_t(r1[:1], r2[:1], np.array([between]), len(y))[0])
    alone = ((r1[0] - r2[0]) / t) ** 2 if t else 0.0
    effect = max(1.0, variance / alone) if alone > 0 else 1.0
    r1_true, r2_true = (float(np.clip(r[0] / np.sqrt(reliability), -0.99, 0.99)) for r in (r1, r2))
    correlations = replace(Correlations(r1_true, float(between)), effect=effect)
    return PastMetrics(names, correlations, r1_true - r2_true, len(y), len(asked))
