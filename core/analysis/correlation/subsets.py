"""Correlations on some of the stories: a system's, those with an error type, and within prompts.

A subset is named `system:X`, `error:X` or `prompt`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import Bools, Floats, Ints
from core.scores import ScoreTable
from core.statistics.correlation import (
    FEWEST,
    NAMES,
    Correlation,
    MetricCorrelation,
    coefficient,
    correlate_columns,
    correlate_groups,
    named,
    prompt_numbers,
    undefined,
)
from core.statistics.draws import drawn_sums
from core.statistics.groups import members
from core.statistics.pairwise import Concordance, Pairwise, concordance
from core.statistics.threads import each
from core.statistics.ties import tie_calibrated_columns

WITHIN_PROMPTS = "prompt"


@dataclass(frozen=True)
class Definition:
    """Which stories are reasonable, which have an error type, and what metrics are correlated with.

    `needed`: of a story's ratings (an array), how many must name a type. `only`: that type and no other.
    `best`: a reasonable story has the best rating from everyone; else its mean is above three quarters of the scale,
    and that of an unreasonable one is not. `labels`: correlate with 1 for reasonable, 0 for not; else with the mean
    rating.
    """

    name: str
    source: str
    needed: Callable[[Ints], Ints]
    only: bool
    best: bool
    labels: bool
    words: str


MANS = Definition(
    "mans",
    "OpenMEVA (2021), section 4.2",
    lambda given: given // 2 + 1,
    only=True,
    best=False,
    labels=True,
    words=(
        "Reasonable: a mean rating above three quarters of the scale (in the paper above 4 of 1 to 5). Of a type: a "
        "mean that is not, and exactly one type that more than half of the story's ratings name (in the paper 3 of 5). "
        "Correlated with 1 for reasonable, 0 for not."
    ),
)
UNION = Definition(
    "union",
    "UNION (2020), section 4.5",
    lambda given: -(-3 * given // 7),
    only=False,
    best=True,
    labels=False,
    words=(
        "Reasonable: the best rating from everyone. Of a type: at least three sevenths of the story's ratings name it "
        "(in the paper 3 of 7); a story may be of several. Correlated with the mean rating."
    ),
)
DEFINITIONS = {definition.name: definition for definition in (MANS, UNION)}


@dataclass(frozen=True)
class ErrorSet:
    """The evaluation set of an error type: indices of the reasonable stories, and of the unreasonable ones with this
    type.
    """

    error_type: str
    reasonable: Ints
    unreasonable: Ints

    @property
    def rows(self) -> Ints:
        """Both kinds of stories, in the table's order."""
        return np.union1d(self.reasonable, self.unreasonable)


def definition_for(scale: tuple[float, float]) -> Definition:
    """The definition of the paper that uses this scale: UNION's for two steps, OpenMEVA's for more."""
    return UNION if scale[1] - scale[0] == 1 else MANS


def reasonable(table: ScoreTable, definition: Definition, scale: tuple[float, float]) -> Bools:
    """Which stories are reasonable; an unrated one is not. `scale`: lowest and highest rating."""
    low, high = scale
    return np.asarray(table.human >= high if definition.best else table.human > low + 0.75 * (high - low))


def error_sets(table: ScoreTable, definition: Definition, scale: tuple[float, float]) -> tuple[ErrorSet, ...]:
    """A set per error type of the scheme, in its order, without unrated stories. `scale`: lowest and highest rating."""
    given = _given(table)
    rated = np.isfinite(table.human)
    good = reasonable(table, definition, scale)
    names = {name: rated & (votes >= np.maximum(definition.needed(given), 1)) for name, votes in table.votes.items()}
    several = np.sum(list(names.values()), axis=0) > 1 if definition.only and names else np.zeros(len(rated), bool)
    return tuple(
        ErrorSet(name, np.flatnonzero(good), np.flatnonzero(of & ~good & ~several)) for name, of in names.items()
    )


def _given(table: ScoreTable) -> Ints:
    """The number of ratings of each story."""
    if not len(table.ratings):
        return np.zeros(len(table.keys), dtype=np.intp)
    return np.asarray(np.isfinite(table.ratings).sum(1), dtype=np.intp)


def by_error(
    table: ScoreTable, definition: Definition, scale: tuple[float, float], *, seed: int = 0, resamples: int = 1000
) -> tuple[MetricCorrelation, ...]:
    """Every metric on every error type's evaluation set."""
    correlations: list[MetricCorrelation] = []
    prompts, of = prompt_numbers(len(table.keys), table.prompts), _rated(table)
    for errors in error_sets(table, definition, scale):
        rows = errors.rows
        columns = [column.values[rows] for column in table.columns]
        judged = np.isin(rows, errors.reasonable).astype(np.float64) if definition.labels else table.human[rows]
        if len(errors.reasonable) and len(errors.unreasonable):
            mine = correlate_columns(columns, judged, prompts[rows], seed=seed, resamples=resamples, of=of)
        else:
            mine = (undefined(len(rows), _why_no_set(table, errors)),) * len(columns)
        correlations += named(table, mine, f"error:{errors.error_type}")
    return tuple(correlations)


def _why_no_set(table: ScoreTable, errors: ErrorSet) -> str:
    if not len(errors.reasonable):
        return "there is no reasonable story"
    if not any(votes.any() for votes in table.votes.values()):
        return "the ratings name no error types"
    return "there is no unreasonable story of this type"


def _rated(table: ScoreTable) -> int:
    """The number of stories that people rated."""
    return int(np.isfinite(table.human).sum())


def by_system(table: ScoreTable, *, seed: int = 0, resamples: int = 1000) -> tuple[MetricCorrelation, ...]:
    """Every metric on every system's stories (OpenMEVA 2021, section 4.3, Table 4), in the same draws of prompts."""
    systems = members(table.systems)
    columns, prompts = [column.values for column in table.columns], table.prompts
    by_group = correlate_groups(
        columns, table.human, list(systems.values()), prompts, seed=seed, resamples=resamples, of=_rated(table)
    )
    return tuple(
        correlation
        for system, mine in zip(systems, by_group, strict=True)
        for correlation in named(table, mine, f"system:{system}")
    )


def within_prompts(table: ScoreTable, *, seed: int = 0, resamples: int = 1000) -> tuple[MetricCorrelation, ...]:
    """Every metric's correlation with people among the stories of a prompt, averaged over prompts."""
    columns = [column.values for column in table.columns]
    means = correlate_within(columns, table.human, table.prompts, seed=seed, resamples=resamples)
    prompts = prompt_numbers(len(table.human), table.prompts)
    ties = tie_calibrated_columns(columns, table.human, prompts, seed=seed)
    return named(table, [replace(mean, ties=own) for mean, own in zip(means, ties, strict=True)], WITHIN_PROMPTS)


def correlate_within(
    metrics: Sequence[ArrayLike], human: ArrayLike, prompts: ArrayLike, *, seed: int = 0, resamples: int = 1000
) -> tuple[Correlation, ...]:
    """The mean of each metric's coefficients within single prompts, with intervals by prompt; each prompt counts once.

    A prompt counts where at least three of its stories have a score and a rating and neither is the same for all;
    `prompts` of a result tells how many do, of those with any such story, and `n` their stories. Pairwise accuracy
    is over the same prompts. There is no p but that of the bootstrap: single prompts are too small for one each.
    """
    y = np.asarray(human, dtype=np.float64)
    groups = prompt_numbers(len(y), prompts)
    number = int(groups.max(initial=-1)) + 1
    single = each(lambda metric: _by_prompt(np.asarray(metric, dtype=np.float64), y, groups, number), metrics, len(y))
    if not single:
        return ()
    values = np.column_stack([of_prompts.values for of_prompts in single])
    counted = np.isfinite(values)
    (sums,) = drawn_sums([np.hstack([np.where(counted, values, 0), counted])], seed=seed, resamples=resamples)
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = (sums[:, : values.shape[1]] / sums[:, values.shape[1] :]).T.reshape(len(single), len(NAMES), -1)
    return tuple(_mean(of_prompts, draws) for of_prompts, draws in zip(single, drawn, strict=True))


@dataclass(frozen=True)
class _Single:
    """Coefficients within single prompts (prompts x 3, NaN where undefined), and the columns they belong to."""

    values: Floats
    stories: int
    prompts: int
    pairwise: Pairwise


def _by_prompt(x: Floats, y: Floats, groups: Ints, number: int) -> _Single:
    keep = np.isfinite(x) & np.isfinite(y)
    x, y, groups = x[keep], y[keep], groups[keep]
    compared = concordance(x, y, groups)
    values = prompt_coefficients(x, y, groups, number, compared)
    chosen = np.isfinite(values[groups, 0])
    return _Single(
        values, int(chosen.sum()), int(compared.groups.max(initial=-1)) + 1, compared.among(chosen).pairwise()
    )


def prompt_coefficients(x: Floats, y: Floats, groups: Ints, number: int, compared: Concordance) -> Floats:
    """The three coefficients of each of `number` groups (groups x 3), in the order of NAMES.

    NaN where a group has fewer than three stories, or the same score or rating for all of them. `x`, `y` without gaps.
    `compared`: their concordance within groups.
    """
    own = compared.groups
    values = np.full((number, len(NAMES)), np.nan)
    if not len(own):
        return values
    kendall = compared.tau_b()
    spearman = _pearson_within(compared.rank_metric, compared.rank_human, own)
    coefficients = np.column_stack([_pearson_within(x, y, own), spearman, kendall])
    coefficients[(np.bincount(own) < FEWEST) | ~np.isfinite(coefficients).all(1)] = np.nan
    values[np.bincount(groups, minlength=number) > 0] = coefficients
    return values


def _pearson_within(x: Floats, y: Floats, groups: Ints) -> Floats:
    x, y = _around_own_mean(x, groups), _around_own_mean(y, groups)
    both, own_x, own_y = (np.bincount(groups, product) for product in (x * y, x * x, y * y))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.clip(both / np.sqrt(own_x) / np.sqrt(own_y), -1, 1))


def _around_own_mean(values: Floats, groups: Ints) -> Floats:
    """Deviations from the groups' means over the power of two above each group's largest, so that none overflows."""
    apart = values - (np.bincount(groups, values) / np.bincount(groups))[groups]
    farthest = np.zeros(len(apart))
    np.maximum.at(farthest, groups, np.abs(apart))
    return np.asarray(np.ldexp(apart, -np.frexp(farthest)[1][groups]))


def _mean(single: _Single, drawn: Floats) -> Correlation:
    counted = np.isfinite(single.values[:, 0])
    prompts = (int(counted.sum()), single.prompts)
    if not counted.any():
        reason = f"a prompt counts that has {FEWEST} stories or more with scores and ratings that differ; there is none"
        return replace(undefined(0, reason), prompts=prompts)
    means = single.values[counted].mean(0)
    none = "a single prompt counts, which drawn over and over says nothing about others" if prompts[0] == 1 else None
    pearson, spearman, kendall = (
        coefficient(float(mean), None, draws if prompts[0] > 1 else None)
        for mean, draws in zip(means, drawn, strict=True)
    )
    return Correlation(
        single.stories, pearson, spearman, kendall, None, single.pairwise, prompts=prompts, no_interval=none
    )
