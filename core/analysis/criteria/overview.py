"""What a study's criteria are: how far raters agree on each, and how far the criteria say the same (halo)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.judgments.judged_story import JudgedStory
from core.analysis.judgments.judgments import Agreement, agreement_on
from core.analysis.judgments.rating_table import RatingTable, table_of
from core.annotation.scheme import Scheme
from core.annotation.target import Target, on_target
from core.arrays import Floats
from core.scores import ScoreTable
from core.statistics.correlation import Coefficient, correlate_columns
from core.statistics.intervals import Estimate
from core.stored_texts import strings_at


@dataclass(frozen=True)
class CriterionSummary:
    """A criterion: rated stories, their mean and standard deviation, and the agreement of the ratings that count.

    `alpha`: Krippendorff's at the criterion's `level`.
    """

    criterion: str
    stories: int
    ratings: int
    mean: float | None
    sd: float | None
    level: str
    alpha: Estimate
    agreement: Agreement


@dataclass(frozen=True)
class CriteriaMatrix:
    """Correlations among the stories' mean ratings on each pair of criteria (k x k), by their names."""

    coefficient: str
    criteria: tuple[str, ...]
    cells: tuple[tuple[Coefficient, ...], ...]

    @property
    def values(self) -> Floats:
        """k x k, NaN where undefined, 1 on the diagonal."""
        return np.array([[np.nan if c.value is None else c.value for c in row] for row in self.cells], dtype=np.float64)


def criteria_summaries(
    scheme: Scheme,
    judged: Mapping[str, RatingTable | Sequence[JudgedStory]],
    *,
    raters_identified: bool,
    seed: int = 0,
    resamples: int = 1000,
) -> tuple[CriterionSummary, ...]:
    """Every criterion of the scheme. `judged`: by criterion, the stories that are rated on it; controls left out."""
    summaries = []
    for name in scheme.names:
        every = table_of(judged.get(name, ()))
        stories = every.of((every.behind > 0) & ~every.controls)
        level = on_target(scheme, Target((name,))).level
        agreed = agreement_on(stories, raters_identified=raters_identified, seed=seed, resamples=resamples)
        means = stories.means
        summaries.append(
            CriterionSummary(
                name,
                len(means),
                int(stories.behind.sum()),
                float(means.mean()) if len(means) else None,
                float(means.std(ddof=1)) if len(means) > 1 else None,
                level,
                agreed.alpha[level],
                agreed,
            )
        )
    return tuple(summaries)


def criteria_matrix(
    table: ScoreTable, coefficient: str = "pearson", *, seed: int = 0, resamples: int = 1000
) -> CriteriaMatrix:
    """Correlate the criteria's mean ratings of the systems' stories, with intervals by prompt."""
    names = tuple(table.criteria)
    means = [table.criteria[name] for name in names]
    cells: list[list[Coefficient]] = [[Coefficient(1.0)] * len(names) for _ in names]
    for i, human in enumerate(means):
        others = means[:i]
        if not others:
            continue
        found = correlate_columns(others, human, table.prompts, seed=seed, resamples=resamples)
        for j, correlation in enumerate(found):
            cells[i][j] = cells[j][i] = getattr(correlation, coefficient)
    return CriteriaMatrix(coefficient, names, tuple(tuple(row) for row in cells))


def farthest_apart(table: ScoreTable, first: str, second: str, most: int = 100) -> list[str]:
    """The keys of the stories on which two criteria part most, in standard deviations, each criterion around its own
    mean; the farthest first.
    """
    means = np.array([table.criteria[name] for name in (first, second)])
    places = np.flatnonzero(np.isfinite(means).all(axis=0))
    both = means[:, places]
    spread = both.std(axis=1, keepdims=True)
    if not len(places) or not spread.all():
        return []
    one, other = (both - both.mean(axis=1, keepdims=True)) / spread
    order = np.argsort(-np.abs(one - other), kind="stable")[:most]
    return list(strings_at(table.keys, places[order]))
