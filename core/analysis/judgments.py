"""What people said of a study's stories: means, agreement, error types."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.annotation.agreement import Alpha, alpha_interval, ceiling, krippendorff_alpha, one_rater
from core.annotation.scheme import Scheme

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class JudgedStory:
    """A rated story with its valid ratings: (overall, names of the error types given) a rating."""

    prompt: str
    group: str
    ratings: tuple[tuple[float, frozenset[str]], ...]
    control: bool = False

    @property
    def mean(self) -> float:
        """Mean overall rating: the human judgment."""
        return float(np.mean([overall for overall, _ in self.ratings]))


@dataclass(frozen=True)
class GroupSummary:
    """Stories of one system (or of people, or the negatives): how many, mean and SD of their mean ratings."""

    n: int
    mean: float
    sd: float | None


@dataclass(frozen=True)
class ErrorSummary:
    """`share` of the stories that not everyone gave the top; `alpha`: nominal, of giving this type or not."""

    share: float
    alpha: float | None


@dataclass(frozen=True)
class Judgments:
    """All of it without the control stories, which inflate agreement; they appear in `by_system` alone."""

    stories: int
    ratings: int
    annotators: int | None
    raters_identified: bool
    mean: float | None
    one_rater: float | None
    ceiling: float | None
    alpha: Alpha
    by_system: Mapping[str, GroupSummary]
    error_types: Mapping[str, ErrorSummary]
    error_counts: Mapping[str, float]


def rating_table(rows: Sequence[Sequence[float]]) -> Floats:
    """Stories x ratings, NaN where a story has fewer than the most rated one."""
    width = max((len(row) for row in rows), default=0)
    table = np.full((len(rows), width), np.nan)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table


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
    judged = [s for s in stories if s.ratings and not s.control]
    table = rating_table([[overall for overall, _ in s.ratings] for s in judged])
    level = alpha_interval(table, [s.prompt for s in judged], scheme.level, seed=seed, resamples=resamples)
    low, high = level if level else (None, None)
    alphas = {name: krippendorff_alpha(table, name) for name in ("nominal", "ordinal", "interval")}
    shares, counts = _error_types(judged, scheme)
    return Judgments(
        stories=len(judged),
        ratings=sum(len(s.ratings) for s in judged),
        annotators=annotators,
        raters_identified=raters_identified,
        mean=float(np.mean([s.mean for s in judged])) if judged else None,
        one_rater=one_rater(table, seed=seed) if judged else None,
        ceiling=ceiling(table) if judged else None,
        alpha=Alpha(**alphas, low=low, high=high),
        by_system=_by_group(stories),
        error_types=shares,
        error_counts=counts,
    )


def _by_group(stories: Sequence[JudgedStory]) -> dict[str, GroupSummary]:
    groups: dict[str, list[float]] = {}
    for story in stories:
        if story.ratings:
            groups.setdefault(story.group, []).append(story.mean)
    return {
        group: GroupSummary(len(means), float(np.mean(means)), float(np.std(means, ddof=1)) if len(means) > 1 else None)
        for group, means in sorted(groups.items())
    }


def _error_types(judged: Sequence[JudgedStory], scheme: Scheme) -> tuple[dict[str, ErrorSummary], dict[str, float]]:
    """UNION Table 2: of the stories that not everyone found best, the share with each type, and with 1, 2, … types."""
    if not any(types for s in judged for _, types in s.ratings):
        return {}, {}
    faulted = [s for s in judged if any(overall < scheme.highest for overall, _ in s.ratings)]
    if not faulted:
        return {}, {}
    given = [frozenset[str]().union(*(types for _, types in s.ratings)) for s in faulted]
    summaries, counts = {}, {}
    for error_type in scheme.error_types:
        name = error_type.name
        votes = rating_table([[float(name in types) for _, types in s.ratings] for s in judged])
        summaries[name] = ErrorSummary(
            sum(name in g for g in given) / len(faulted), krippendorff_alpha(votes, "nominal")
        )
    counted = [e.name for e in scheme.error_types if e.name != scheme.catch_all]
    for number in range(1, len(counted) + 1):
        counts[str(number)] = sum(sum(name in g for name in counted) == number for g in given) / len(faulted)
    return summaries, counts
