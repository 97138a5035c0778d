"""What people said of a study's stories: means, agreement, error types."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from core.analysis.judgments.boxes import Box, box
from core.analysis.judgments.error_types import Deductions, Errors, ErrorSummary, Given, deductions, errors, summaries
from core.analysis.judgments.positions import PositionEffect, position_effect
from core.analysis.judgments.reliability import NO_MEANS, ONLY_MEANS, Averaged, Reliability
from core.analysis.judgments.repeats import repeats_text
from core.analysis.judgments.shares import rating_shares
from core.annotation.raters import AgainstTheRest, against_the_rest
from core.annotation.scheme import Scheme
from core.arrays import Floats, Ints
from core.scores import RATED, WON
from core.statistics.agreement import (
    LEVELS,
    AlphaReading,
    alphas,
    ceiling,
    fleiss_kappa,
    icc,
    kendall_w,
    padded,
    reading,
    single_rater,
)
from core.statistics.draws import Draws, draw_prompts
from core.statistics.groups import GroupSummary, group_summaries, members
from core.statistics.intervals import Estimate

UNKNOWN = -1
"""The number of an annotator or panel that is not known."""
HIDDEN = "the data hides who rated"
FEW_PROMPTS = 10
"""Prompts are what the bootstrap draws: below so many an interval, and what is read off it, can mislead."""


@dataclass(frozen=True, slots=True)
class Rating:
    """One rating of a story: the overall one, and the names of the error types given.

    `annotator`: who gave it, None where an import hides that. `panel`: the assignment it belongs to. `position`: the
    story's place in that panel as it was shown, from 1; None for imports. `points`: taken off, by error type; none
    where the scheme takes none. `times`: how many ratings of this story by this annotator it is the mean of. `raters`:
    how many raters' mean it came as, 1 of a single rating. `compared`: it is the share of so many comparisons that the
    story won.
    """

    overall: float
    error_types: frozenset[str] = frozenset()
    annotator: int | None = None
    panel: int | None = None
    position: int | None = None
    points: tuple[tuple[str, int], ...] = ()
    times: int = 1
    raters: int = 1
    compared: bool = False


@dataclass(frozen=True)
class JudgedStory:
    """A rated story: the ratings that count (possibly none), and those of rejected panels.

    `group`: its system, or its source where no system wrote it. `control`: it is in the panels only to judge them.
    """

    prompt: str
    group: str
    ratings: tuple[Rating, ...]
    control: bool = False
    rejected: tuple[Rating, ...] = ()

    @property
    def mean(self) -> float:
        """Mean overall rating: the human judgment. Of a story with no rating that counts there is none.

        A mean of several raters weighs as many ratings.
        """
        return sum(rating.overall * rating.raters for rating in self.ratings) / self.behind

    @property
    def behind(self) -> int:
        """How many ratings its judgment rests on, those behind means too."""
        return sum(rating.raters for rating in self.ratings)

    @property
    def rejected_single(self) -> tuple[Rating, ...]:
        """Those of rejected panels, where they are ratings of one person each."""
        return tuple(rating for rating in self.rejected if not rating.compared)

    @property
    def single(self) -> tuple[Rating, ...]:
        """The ratings without those that came as means, or are shares of comparisons won."""
        return tuple(rating for rating in self.ratings if rating.raters == 1 and not rating.compared)


def merged(ratings: Sequence[Rating]) -> tuple[Rating, ...]:
    """One story's ratings, those of one annotator as one (see `repeats`): their mean, every error type that they ever
    gave, and the most points that they took off for it.
    """
    of: dict[int, list[Rating]] = {}
    for place, rating in enumerate(ratings):
        of.setdefault(-1 - place if rating.annotator is None else rating.annotator, []).append(rating)
    if len(of) == len(ratings):
        return tuple(ratings)
    return tuple(mine[0] if len(mine) == 1 else _mean(mine) for mine in of.values())


def compared(ratings: Sequence[Rating]) -> tuple[Rating, ...]:
    """One story's comparisons, each 1, 0 or .5, as one judgment: the share that it won. Whoever made them compared it
    with different stories, so they are no ratings that could agree.
    """
    if not ratings:
        return ()
    return (Rating(sum(rating.overall for rating in ratings) / len(ratings), raters=len(ratings), compared=True),)


def _mean(mine: Sequence[Rating]) -> Rating:
    points: dict[str, int] = {}
    for name, taken in chain.from_iterable(rating.points for rating in mine):
        points[name] = max(taken, points.get(name, 0))
    return replace(
        mine[0],
        overall=sum(rating.overall for rating in mine) / len(mine),
        error_types=frozenset().union(*(rating.error_types for rating in mine)),
        points=tuple(sorted(points.items())),
        times=sum(rating.times for rating in mine),
    )


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
        return Reliability(self.alpha["interval"], self.paired, self.averaged)

    @property
    def small(self) -> bool:
        """Whether it rests on too few prompts for a word like "good" to mean anything."""
        return self.prompts < FEW_PROMPTS


@dataclass(frozen=True)
class Judgments:
    """All summaries, without the control stories, which inflate agreement; controls appear only in figures by system.

    `alpha` and `reading` are of `agreement["valid"]`, `reading` at the scheme's `level`. The other two variants:
    `with_controls`, and `before_rejection`, which adds the ratings of rejected panels. `distribution`: how many
    ratings of a system are at each step. `shares`: the figures of the scheme that are shares of a system's ratings.
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
    distribution: Mapping[str, Mapping[int, int]]
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


@dataclass(frozen=True)
class _Columns:
    """Ratings as columns, a story's side by side; `prompts` has one entry per story."""

    values: Floats
    units: Ints
    annotators: Ints
    panels: Ints
    positions: Ints
    prompts: Ints

    @property
    def table(self) -> Floats:
        """Stories x ratings, NaN where a story has fewer than the most rated one."""
        return padded(self.values, self.units, len(self.prompts))


def _repeated(rows: Sequence[Sequence[object]]) -> Ints:
    return np.repeat(np.arange(len(rows)), np.array([len(row) for row in rows], dtype=np.intp))


def _columns(prompts: Sequence[str], ratings: Sequence[tuple[Rating, ...]], draws: Draws) -> _Columns:
    """Build the columns. `ratings`: each story's; `prompts`: each story's."""
    every = list(chain.from_iterable(ratings))
    known = [(r.annotator, r.panel, r.position) for r in every]
    return _Columns(
        np.array([r.overall for r in every], dtype=np.float64),
        _repeated(ratings),
        np.array([UNKNOWN if annotator is None else annotator for annotator, _, _ in known], dtype=np.intp),
        np.array([UNKNOWN if panel is None else panel for _, panel, _ in known], dtype=np.intp),
        np.array([position or 0 for _, _, position in known], dtype=np.intp),
        draws.of(prompts),
    )


def summarise(
    stories: Sequence[JudgedStory],
    scheme: Scheme,
    *,
    annotators: int | None,
    raters_identified: bool,
    seed: int = 0,
    resamples: int = 1000,
) -> Judgments:
    """Summarise the judged stories; `annotators` is None where the data hides who rated."""
    draws = draw_prompts([s.prompt for s in stories if s.ratings or s.rejected], seed=seed, resamples=resamples)
    counted = [s for s in stories if s.ratings]
    judged = [s for s in counted if not s.control]
    tried = [s for s in stories if not s.control and (s.ratings or s.rejected)]
    valid = _columns([s.prompt for s in judged], [s.single for s in judged], draws)
    with_controls = _columns([s.prompt for s in counted], [s.single for s in counted], draws)
    variants = {
        "valid": valid,
        "with_controls": with_controls,
        "before_rejection": _columns([s.prompt for s in tried], [s.single + s.rejected_single for s in tried], draws),
    }
    of = {"valid": judged, "with_controls": counted, "before_rejection": tried}
    agreement = {
        name: _agreement(columns, draws, raters_identified, _averaged(of[name])) for name, columns in variants.items()
    }
    alpha, averaged = agreement["valid"].alpha, agreement["valid"].averaged
    own = alpha[scheme.level]
    given = _given(counted, scheme, with_controls)
    of_judged = given.of(np.flatnonzero([not s.control for s in counted]))
    error_types, counts = summaries(of_judged, scheme.highest, scheme.catch_all, draws)
    means = np.array([s.mean for s in counted])
    groups, controls = [s.group for s in counted], [s.control for s in counted]
    return Judgments(
        stories=len(judged),
        ratings=sum(s.behind for s in judged),
        annotators=annotators,
        raters_identified=raters_identified,
        mean=float(means[~np.array(controls)].mean()) if judged else None,
        one_rater=single_rater(valid.table, seed=seed) if judged and not averaged.stories else None,
        ceiling=None if agreement["valid"].reliability.caution else ceiling(valid.table),
        level=scheme.level,
        reading=reading(own.value) if own.value is not None else None,
        alpha=Alpha(**{level: alpha[level].value for level in LEVELS}, low=own.low, high=own.high),
        by_system=group_summaries(groups, means, with_controls.prompts, draws),
        distribution=_distribution(counted, scheme),
        shares=rating_shares(
            valid.values, [judged[unit].group for unit in valid.units], valid.prompts[valid.units], scheme.shares, draws
        )
        if scheme.shares
        else {},
        error_types=error_types,
        error_counts=counts,
        agreement=agreement,
        against_the_rest=against_the_rest(valid.values, valid.units, valid.annotators, valid.prompts, draws)
        if raters_identified
        else AgainstTheRest({}, HIDDEN),
        position_effect=position_effect(
            valid.values, valid.units, valid.panels, valid.positions, valid.prompts, draws, seed=seed
        ),
        panels_valid=len({r.panel for s in counted for r in s.ratings if r.position is not None}),
        panels_rejected=len({r.panel for s in stories for r in s.rejected}),
        repeated=sum(r.times - 1 for s in judged for r in s.ratings),
        boxes={name: box(means[mine]) for name, mine in members(groups).items()},
        box=box(means[~np.array(controls)]) if judged else None,
        errors=errors(given, groups, controls, draws),
        deductions=deductions(of_judged, scheme.lowest, scheme.highest, draws, deducts=scheme.deducts),
    )


def agreement_on(
    stories: Sequence[JudgedStory], *, raters_identified: bool, seed: int = 0, resamples: int = 1000
) -> Agreement:
    """How far the ratings that count of these stories agree."""
    draws = draw_prompts([s.prompt for s in stories], seed=seed, resamples=resamples)
    columns = _columns([s.prompt for s in stories], [s.single for s in stories], draws)
    return _agreement(columns, draws, raters_identified, _averaged(stories))


def _averaged(stories: Sequence[JudgedStory]) -> Averaged:
    behind = [s.behind - len(s.single) for s in stories]
    by_pairs = any(rating.compared for story in stories for rating in story.ratings)
    return Averaged(sum(number > 0 for number in behind), sum(behind), by_pairs)


def _agreement(columns: _Columns, draws: Draws, raters_identified: bool, averaged: Averaged) -> Agreement:
    table = columns.table
    paired = np.isfinite(table).sum(1) >= 2
    if averaged.stories and not paired.any():
        nothing = Estimate(None, undefined=ONLY_MEANS)
        of_alpha = dict.fromkeys(LEVELS, nothing)
        return Agreement(len(columns.prompts), len(columns.values), 0, 0, of_alpha, nothing, nothing, nothing, averaged)
    return Agreement(
        stories=len(columns.prompts),
        ratings=len(columns.values),
        paired=int(paired.sum()),
        prompts=len(np.unique(columns.prompts[paired])),
        alpha=alphas(table, columns.prompts, draws),
        fleiss_kappa=fleiss_kappa(table, columns.prompts, draws),
        icc=icc(table, columns.prompts, draws),
        kendall_w=kendall_w(columns.values, columns.units, columns.annotators, columns.prompts, draws)
        if raters_identified
        else Estimate(None, undefined=HIDDEN),
        averaged=averaged,
    )


def _distribution(counted: Sequence[JudgedStory], scheme: Scheme) -> dict[str, Mapping[int, int]]:
    """The distribution of single ratings; an imported rating between two steps counts as the lower one."""
    every = [step for step, _ in scheme.scale]
    result: dict[str, dict[int, int]] = {}
    for story in sorted(counted, key=lambda s: s.group):
        steps = result.setdefault(story.group, dict.fromkeys(every, 0))
        for rating in story.single:
            steps[every[max(0, bisect_right(every, rating.overall) - 1)]] += 1
    return dict(result)


def _given(counted: Sequence[JudgedStory], scheme: Scheme, columns: _Columns) -> Given:
    """Error types and points of every counted rating, without types that the scheme no longer has."""
    names = tuple(error_type.name for error_type in scheme.error_types)
    column = {name: number for number, name in enumerate(names)}
    votes, points = np.zeros((2, len(columns.values), len(names)))
    for row, rating in enumerate(chain.from_iterable(story.single for story in counted)):
        for name in rating.error_types:
            if name in column:
                votes[row, column[name]] = 1
        for name, taken in rating.points:
            if name in column:
                points[row, column[name]] = taken
    return Given(columns.values, columns.units, votes, points, names, columns.prompts)
