"""What people said of a study's stories: means, agreement, error types."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.judgments.boxes import Box, box
from core.analysis.judgments.distribution import Distribution, distribution_of
from core.analysis.judgments.error_types import (
    Deductions,
    Errors,
    ErrorSummary,
    Given,
    deductions,
    errors,
    steps_of,
    summaries,
)
from core.analysis.judgments.judged_story import JudgedStory
from core.analysis.judgments.positions import PositionEffect, position_effect
from core.analysis.judgments.rating_table import RatingColumns, RatingTable, table_of, together
from core.analysis.judgments.reliability import NO_MEANS, ONLY_MEANS, Averaged, Reliability
from core.analysis.judgments.repeats import repeats_text
from core.analysis.judgments.shares import rating_shares
from core.annotation.raters import AgainstTheRest, against_the_rest
from core.annotation.scheme import Scheme
from core.arrays import Ints
from core.scores import RATED, WON
from core.statistics.agreement import (
    LEVELS,
    AlphaReading,
    alphas,
    ceiling,
    draws_of_one,
    fleiss_kappa,
    icc,
    kendall_w,
    padded,
    reading,
    single_rater,
)
from core.statistics.draws import Draws, draw_prompts
from core.statistics.groups import GroupSummary, group_summaries, members, numbered
from core.statistics.intervals import Estimate

HIDDEN = "the data hides who rated"


@dataclass(frozen=True)
class Alpha:
    """Alpha at each level of measurement, and the 95 % bootstrap interval (by prompt) of the scheme's own level."""

    nominal: float | None
    ordinal: float | None
    interval: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Agreement:
    """Agreement for one selection of stories and ratings; `alpha` by level of measurement.

    `paired`: the stories with two ratings or more, on which alpha rests; `prompts`: how many prompts those have.
    `averaged`: the stories with means of several raters, which are left out.
    """

    stories: int
    ratings: int
    paired: int
    prompts: int
    alpha: Mapping[str, Estimate]
    fleiss_kappa: Estimate
    icc: Estimate
    kendall_w: Estimate
    averaged: Averaged = NO_MEANS

    @property
    def reliability(self) -> Reliability:
        """Whether these ratings agree at all, as the analyses of metrics ask it."""
        return Reliability(self.alpha["interval"], self.paired, self.prompts, self.averaged)


@dataclass(frozen=True)
class Judgments:
    """All summaries, without the control stories, which inflate agreement; controls appear only in figures by system.

    `alpha` and `reading` are of `agreement["valid"]`, `reading` at the scheme's `level`. The other two variants:
    `with_controls`, and `before_rejection`, which adds the ratings of rejected panels. `shares`: the figures of the
    scheme that are shares of a system's ratings.
    `ceiling` is None where the ratings do not agree: it is unknown then. `panels_valid` and `panels_rejected` were
    handed in here; imports are not counted. `repeated`: an annotator's second and later ratings of a story, which
    count within the mean of theirs. `boxes`: of every system's stories, `box` of all of them, None where there is
    none. `errors`, `deductions`: see there.
    """

    stories: int
    ratings: int
    annotators: int | None
    raters_identified: bool
    mean: float | None
    one_rater: float | None
    ceiling: float | None
    level: str
    reading: AlphaReading | None
    alpha: Alpha
    by_system: Mapping[str, GroupSummary]
    distribution: Distribution
    shares: Mapping[str, Mapping[str, Estimate]]
    error_types: Mapping[str, ErrorSummary]
    error_counts: Mapping[str, float]
    agreement: Mapping[str, Agreement]
    against_the_rest: AgainstTheRest
    position_effect: PositionEffect
    panels_valid: int
    panels_rejected: int
    repeated: int
    boxes: Mapping[str, Box]
    box: Box | None
    errors: Errors
    deductions: Deductions

    @property
    def compared(self) -> bool:
        """Whether stories are judged by the share of their comparisons that they won, and have no ratings."""
        return self.agreement["valid"].averaged.compared

    @property
    def judgment(self) -> str:
        """What a story's human judgment is, in words."""
        return WON if self.compared else RATED

    @property
    def a_story(self) -> float:
        """How many ratings or comparisons a rated story has on average; 0 where none is rated."""
        return self.ratings / self.stories if self.stories else 0.0

    @property
    def remarks(self) -> tuple[str, ...]:
        """What must be known of the ratings to read the rest, a sentence each."""
        return (repeats_text(self.repeated),) if self.repeated else ()


def summarise(
    rated: RatingTable | Sequence[JudgedStory],
    scheme: Scheme,
    *,
    annotators: int | None,
    raters_identified: bool,
    seed: int = 0,
    resamples: int = 1000,
) -> Judgments:
    """Summarise the judged stories; `annotators` is None where the data hides who rated."""
    table = table_of(rated)
    table = table.of((table.behind > 0) | (np.bincount(table.rejected.units, minlength=len(table.prompts)) > 0))
    counted, tried = table.of(table.behind > 0), table.of(~table.controls)
    judged = counted.of(~counted.controls)
    draws = draw_prompts(table.prompts, seed=seed, resamples=resamples)
    valid, prompts = judged.counted.single, draws.of(judged.prompts)
    of_all = valid if judged is counted else counted.counted.single
    of_counted = prompts if judged is counted else draws.of(counted.prompts)
    agreement = _variants(judged, counted, tried, draws, raters_identified)
    alpha, averaged = agreement["valid"].alpha, agreement["valid"].averaged
    own = alpha[scheme.level]
    given = _given(of_all, counted.types, scheme, of_counted)
    of_judged = given if judged is counted else given.of(np.flatnonzero(~counted.controls))
    error_types, counts = summaries(of_judged, scheme.highest, scheme.catch_all, draws)
    means, controls = counted.means, counted.controls
    ratings = padded(valid.values, valid.units, len(judged.prompts))
    return Judgments(
        stories=len(judged.prompts),
        ratings=int(judged.behind.sum()),
        annotators=annotators,
        raters_identified=raters_identified,
        mean=float(means[~controls].mean()) if len(judged.prompts) else None,
        one_rater=single_rater(ratings, seed=seed, draws=draws_of_one(ratings))
        if len(judged.prompts) and not averaged.stories
        else None,
        ceiling=None if agreement["valid"].reliability.caution else ceiling(ratings),
        level=scheme.level,
        reading=reading(own.value) if own.value is not None else None,
        alpha=Alpha(**{level: alpha[level].value for level in LEVELS}, low=own.low, high=own.high),
        by_system=group_summaries(counted.groups, means, of_counted, draws),
        distribution=_distribution(of_all, counted.groups, scheme),
        shares=rating_shares(
            valid.values,
            [judged.groups[unit] for unit in valid.units.tolist()],
            prompts[valid.units],
            scheme.shares,
            scheme.main.steps,
            draws,
        )
        if scheme.shares
        else {},
        error_types=error_types,
        error_counts=counts,
        agreement=agreement,
        against_the_rest=against_the_rest(valid.values, valid.units, valid.annotators, prompts, draws)
        if raters_identified
        else AgainstTheRest({}, HIDDEN),
        position_effect=position_effect(
            valid.values, valid.units, valid.panels, valid.positions, prompts, draws, seed=seed
        ),
        panels_valid=len(np.unique(counted.counted.panels[counted.counted.positions > 0])),
        panels_rejected=len(np.unique(table.rejected.panels)),
        repeated=int((judged.counted.times - 1).sum()),
        boxes={name: box(means[mine]) for name, mine in members(counted.groups).items()},
        box=box(means[~controls]) if len(judged.prompts) else None,
        errors=errors(given, counted.groups, controls.tolist(), draws),
        deductions=deductions(of_judged, scheme.lowest, scheme.highest, draws, deducts=scheme.deducts),
    )


def keys_in_cell(table: RatingTable, scheme: Scheme, implied: int, given: int) -> tuple[str, ...]:
    """The stories with a rating in this cell of `Deductions.table`, each once; no controls, as there."""
    judged = table.of((table.behind > 0) & ~table.controls)
    of_judged = _given(judged.counted.single, judged.types, scheme, np.arange(len(judged.prompts)))
    inside = (steps_of(of_judged, scheme.lowest, scheme.highest) == (implied, given)).all(1)
    return tuple(judged.keys[unit] for unit in np.unique(of_judged.units[inside]).tolist())


def agreement_on(
    rated: RatingTable | Sequence[JudgedStory], *, raters_identified: bool, seed: int = 0, resamples: int = 1000
) -> Agreement:
    """How far the ratings that count of these stories agree."""
    table = table_of(rated)
    draws = draw_prompts(table.prompts, seed=seed, resamples=resamples)
    return _agreement(table, table.counted.single, draws, raters_identified)


def _variants(
    judged: RatingTable, counted: RatingTable, tried: RatingTable, draws: Draws, raters_identified: bool
) -> dict[str, Agreement]:
    """The agreement of the ratings that count, the same with the controls, and with the ratings of rejected panels."""
    valid = _agreement(judged, judged.counted.single, draws, raters_identified)
    rejected = tried.rejected.take(~tried.rejected.compared)
    return {
        "valid": valid,
        "with_controls": valid
        if counted is judged
        else _agreement(counted, counted.counted.single, draws, raters_identified),
        "before_rejection": valid
        if tried is judged and not len(rejected.units)
        else _agreement(tried, together(tried.counted.single, rejected), draws, raters_identified),
    }


def _averaged(table: RatingTable) -> Averaged:
    behind = table.behind - np.bincount(table.counted.single.units, minlength=len(table.prompts))
    return Averaged(int((behind > 0).sum()), int(behind.sum()), bool(table.counted.compared.any()))


def _agreement(table: RatingTable, given: RatingColumns, draws: Draws, raters_identified: bool) -> Agreement:
    """`given`: those of the table's stories that are compared."""
    averaged, prompts = _averaged(table), draws.of(table.prompts)
    ratings = padded(given.values, given.units, len(prompts))
    paired = np.isfinite(ratings).sum(1) >= 2
    if averaged.stories and not paired.any():
        nothing = Estimate(None, undefined=ONLY_MEANS)
        of_alpha = dict.fromkeys(LEVELS, nothing)
        return Agreement(len(prompts), len(given.values), 0, 0, of_alpha, nothing, nothing, nothing, averaged)
    return Agreement(
        stories=len(prompts),
        ratings=len(given.values),
        paired=int(paired.sum()),
        prompts=len(np.unique(prompts[paired])),
        alpha=alphas(ratings, prompts, draws),
        fleiss_kappa=fleiss_kappa(ratings, prompts, draws),
        icc=icc(ratings, prompts, draws),
        kendall_w=kendall_w(given.values, given.units, given.annotators, prompts, draws)
        if raters_identified
        else Estimate(None, undefined=HIDDEN),
        averaged=averaged,
    )


def _distribution(given: RatingColumns, groups: Sequence[str], scheme: Scheme) -> Distribution:
    """The distribution of single ratings."""
    names, of = numbered(groups)
    return distribution_of(given.values, of[given.units], names, scheme.main.steps)


def _given(given: RatingColumns, types: Sequence[str], scheme: Scheme, prompts: Ints) -> Given:
    """Error types and points of every single rating, without types that the scheme no longer has."""
    names = tuple(error_type.name for error_type in scheme.error_types)
    votes, points = np.zeros((2, len(given.values), len(names)))
    for number, name in enumerate(names):
        if name in types:
            votes[:, number] = given.votes[:, types.index(name)]
            points[:, number] = given.points[:, types.index(name)]
    return Given(given.values, given.units, votes, points, names, prompts)
