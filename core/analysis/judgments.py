"""What people said of a study's stories: means, agreement, error types."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from core.analysis.positions import PositionEffect, position_effect
from core.analysis.raters import AgainstTheRest, against_the_rest
from core.analysis.shares import rating_shares
from core.annotation.agreement import (
    ALL_EQUAL,
    LEVELS,
    Reading,
    alphas,
    ceiling,
    fleiss_kappa,
    icc,
    one_rater,
    padded,
    reading,
)
from core.annotation.concordance import kendall_w
from core.annotation.draws import Draws, Estimate, Floats, Ints, draw_prompts, estimate
from core.annotation.scheme import Scheme

UNKNOWN = -1
"""The number of an annotator or panel that is not known."""
HIDDEN = "the data hides who rated"


@dataclass(frozen=True, slots=True)
class Rating:
    """One rating of a story: the overall one, and the names of the error types given.

    `annotator`: who gave it, None where an import hides that. `panel`: the assignment it belongs to. `position`: the
    story's place in that panel as it was shown, from 1; None for imports.
    """

    overall: float
    error_types: frozenset[str] = frozenset()
    annotator: int | None = None
    panel: int | None = None
    position: int | None = None


@dataclass(frozen=True)
class JudgedStory:
    """A rated story: the ratings that count, and those of rejected panels. There may be none that counts.

    `group`: its system, or its source where no system wrote it. `control`: it is in the panels only to judge them.
    """

    prompt: str
    group: str
    ratings: tuple[Rating, ...]
    control: bool = False
    rejected: tuple[Rating, ...] = ()

    @property
    def mean(self) -> float:
        """Mean overall rating: the human judgment. Of a story with no rating that counts there is none."""
        return sum(rating.overall for rating in self.ratings) / len(self.ratings)


@dataclass(frozen=True)
class GroupSummary:
    """Stories of one system (or of people, or the negatives): how many, mean and SD of their mean ratings.

    `low`, `high`: the mean's 95 % bootstrap interval by prompt.
    """

    n: int
    mean: float
    sd: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class ErrorSummary:
    """`share` of the stories that not everyone gave the top; `alpha`: nominal, of giving this type or not.

    `low`, `high`: alpha's 95 % bootstrap interval by prompt; `undefined`: why there is no alpha.
    """

    share: float
    alpha: float | None
    low: float | None = None
    high: float | None = None
    undefined: str | None = None


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
    """Agreement over one choice of stories and ratings; `alpha` by level of measurement."""

    stories: int
    ratings: int
    alpha: Mapping[str, Estimate]
    fleiss_kappa: Estimate
    icc: Estimate
    kendall_w: Estimate


@dataclass(frozen=True)
class Judgments:
    """All of it without the control stories, which inflate agreement; they appear in `by_system` and `distribution`.

    `alpha` and `reading` are of `agreement["valid"]`, `reading` at the scheme's `level`. The other two variants:
    `with_controls`, and `before_rejection`, which adds the ratings of rejected panels. `distribution`: how many
    ratings of a system are at each step. `shares`: the figures of the scheme that are shares of a system's ratings.
    `panels_valid` and `panels_rejected` were handed in here; imports are not counted.
    """

    stories: int
    ratings: int
    annotators: int | None
    raters_identified: bool
    mean: float | None
    one_rater: float | None
    ceiling: float | None
    level: str
    reading: Reading | None
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


@dataclass(frozen=True)
class _Columns:
    """Ratings of stories as columns, a story's side by side; `prompts` has one entry a story."""

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
    """`ratings`: those of each story; `prompts`: each story's."""
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
    valid = _columns([s.prompt for s in judged], [s.ratings for s in judged], draws)
    variants = {
        "valid": valid,
        "with_controls": _columns([s.prompt for s in counted], [s.ratings for s in counted], draws),
        "before_rejection": _columns([s.prompt for s in tried], [s.ratings + s.rejected for s in tried], draws),
    }
    agreement = {name: _agreement(columns, draws, raters_identified) for name, columns in variants.items()}
    alpha = agreement["valid"].alpha
    own = alpha[scheme.level]
    summaries, counts = _error_types(judged, scheme, valid, draws)
    return Judgments(
        stories=len(judged),
        ratings=len(valid.values),
        annotators=annotators,
        raters_identified=raters_identified,
        mean=float(np.mean([s.mean for s in judged])) if judged else None,
        one_rater=one_rater(valid.table, seed=seed) if judged else None,
        ceiling=ceiling(valid.table),
        level=scheme.level,
        reading=reading(own.value) if own.value is not None else None,
        alpha=Alpha(**{level: alpha[level].value for level in LEVELS}, low=own.low, high=own.high),
        by_system=_by_group(counted, draws),
        distribution=_distribution(counted, scheme),
        shares=rating_shares(
            valid.values, [judged[unit].group for unit in valid.units], valid.prompts[valid.units], scheme.shares, draws
        )
        if scheme.shares
        else {},
        error_types=summaries,
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
    )


def _agreement(columns: _Columns, draws: Draws, raters_identified: bool) -> Agreement:
    table = columns.table
    return Agreement(
        stories=len(columns.prompts),
        ratings=len(columns.values),
        alpha=alphas(table, columns.prompts, draws),
        fleiss_kappa=fleiss_kappa(table, columns.prompts, draws),
        icc=icc(table, columns.prompts, draws),
        kendall_w=kendall_w(columns.values, columns.units, columns.annotators, columns.prompts, draws)
        if raters_identified
        else Estimate(None, undefined=HIDDEN),
    )


def _by_group(counted: Sequence[JudgedStory], draws: Draws) -> dict[str, GroupSummary]:
    groups: dict[str, list[JudgedStory]] = {}
    for story in counted:
        groups.setdefault(story.group, []).append(story)
    found = {}
    for group, stories in sorted(groups.items()):
        means, prompts = np.array([s.mean for s in stories]), draws.of([s.prompt for s in stories])
        sums = draws.sums(np.column_stack([means, np.ones(len(means))]), prompts)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = estimate(float(means.mean()), sums[:, 0] / sums[:, 1], prompts)
        sd = float(means.std(ddof=1)) if len(means) > 1 else None
        found[group] = GroupSummary(len(means), float(means.mean()), sd, mean.low, mean.high)
    return found


def _distribution(counted: Sequence[JudgedStory], scheme: Scheme) -> dict[str, Mapping[int, int]]:
    found: dict[str, dict[int, int]] = {}
    for story in sorted(counted, key=lambda s: s.group):
        steps = found.setdefault(story.group, dict.fromkeys((step for step, _ in scheme.scale), 0))
        for rating in story.ratings:
            steps[int(rating.overall)] = steps.get(int(rating.overall), 0) + 1
    return dict(found)


def _error_types(
    judged: Sequence[JudgedStory], scheme: Scheme, valid: _Columns, draws: Draws
) -> tuple[dict[str, ErrorSummary], dict[str, float]]:
    """UNION Table 2: of the stories that not everyone found best, the share with each type, and with 1, 2, … types."""
    every = [r.error_types for s in judged for r in s.ratings]
    faulted = [s for s in judged if any(r.overall < scheme.highest for r in s.ratings)]
    if not faulted or not any(every):
        return {}, {}
    given = [frozenset[str]().union(*(r.error_types for r in s.ratings)) for s in faulted]
    summaries, counts = {}, {}
    for error_type in scheme.error_types:
        name = error_type.name
        votes = padded(np.array([float(name in types) for types in every]), valid.units, len(judged))
        alpha = alphas(votes, valid.prompts, draws)["nominal"]
        why = "no two ratings differ in it" if alpha.undefined == ALL_EQUAL else alpha.undefined
        share = sum(name in g for g in given) / len(faulted)
        summaries[name] = ErrorSummary(share, alpha.value, alpha.low, alpha.high, why)
    named = [e.name for e in scheme.error_types if e.name != scheme.catch_all]
    for number in range(1, len(named) + 1):
        counts[str(number)] = sum(sum(name in g for name in named) == number for g in given) / len(faulted)
    return summaries, counts
