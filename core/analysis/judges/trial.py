"""A judge on trial: how far it agrees with people on a target, on which ratings it goes wrong, and on which stories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.correlation.limits import Limits, limits
from core.analysis.correlation.subsets import correlate_within
from core.analysis.judges.alternative import ALIKE
from core.analysis.judges.columns import JudgeRatings, judges_of
from core.analysis.judges.replacement import nearest
from core.analysis.systems.ranking import correlate_means
from core.annotation.criterion import Criterion
from core.arrays import Floats, Ints
from core.scores import ScoreColumn, ScoreTable
from core.statistics.correlation import NAMES, Correlation, correlate_columns
from core.statistics.draws import Draws, draw_prompts
from core.statistics.intervals import Estimate, estimate

NO_STORY = "no story has both its rating and people's"
ONE_STEP, ONE_STEP_OF_PEOPLE = "its ratings are all of one step", "people's ratings are all of one step"
LEAST_SHARE = 0.9
"""Of the rated stories: a judge that has scored fewer was tried, as a few texts without a score leave more."""
MOST_SHOWN = 20
"""Stories of greatest disagreement that are kept a judge."""


@dataclass(frozen=True)
class Confusion:
    """People's mean rating, rounded to a step, beside the judge's.

    `counts` (steps x steps): stories by people's step and the judge's. `exact`: the share on which both are the same;
    `near`: within a step of each other; `kappa`: Cohen's (1968), with quadratic weights. `off_scale`: how many of the
    judge's ratings are off the scale, which count as its nearest end.
    """

    steps: tuple[int, ...]
    counts: Ints
    exact: Estimate
    near: Estimate
    kappa: Estimate
    off_scale: int

    @property
    def commonest(self) -> tuple[int, float, float]:
        """The step that people give most often, and what giving it to every story would reach: the share on which both
        are the same, and within a step.
        """
        people = self.counts.sum(1)
        place = int(people.argmax())
        near = people[max(place - 1, 0) : place + 2].sum()
        return self.steps[place], float(people[place] / people.sum()), float(near / people.sum())


@dataclass(frozen=True)
class Disagreement:
    """A story, by its number in the table: people's mean and the judge's rating, and by how many points the judge is
    `apart` from people, above or below, beyond what it is on average: a strict one does not disagree with everything.
    """

    story: int
    human: float
    judge: float
    apart: float


@dataclass(frozen=True)
class JudgeTrial:
    """One judge against people on `n` stories. `pooled`: over single stories; `prompt`: among the stories of a prompt,
    averaged over prompts; `system`: over the systems' means.
    """

    judge: JudgeRatings
    n: int
    pooled: Correlation
    prompt: Correlation
    system: Correlation
    confusion: Confusion
    disagreements: tuple[Disagreement, ...]


@dataclass(frozen=True)
class Trial:
    """All judges of a target, those that agree most with people first, by Pearson's r over single stories.

    `rated`: stories that people rated; `judged`: those of them that a judge has rated, too. `limits`: by coefficient,
    one human rater and what a perfect judge could reach over single stories, on these: on all, where no judge has any.
    """

    rated: int
    judges: tuple[JudgeTrial, ...]
    limits: Mapping[str, Limits]
    judged: int = 0

    @property
    def on_part(self) -> tuple[JudgeTrial, ...]:
        """The judges that have rated clearly fewer stories than the limits are of."""
        return tuple(row for row in self.judges if row.n < LEAST_SHARE * self.judged)


def put_on_trial(
    table: ScoreTable, criteria: Sequence[str], criterion: Criterion, *, seed: int = 0, resamples: int = 1000
) -> Trial:
    """Every judge of the table that rates these criteria. `criterion`: the target as one question, for its scale.

    Intervals are 95 %, from draws of whole prompts.
    """
    judges = judges_of(table.columns, criteria)
    values = [judge.values for judge in judges]
    both = np.flatnonzero(np.isfinite(table.human) & np.isfinite(values).any(0)) if judges else np.zeros(0, np.intp)
    beside = table.take(both) if 0 < len(both) < table.rated else table
    of = {name: limits(beside, name, seed=seed) for name in NAMES}
    if not judges:
        return Trial(table.rated, (), of)
    pooled = correlate_columns(values, table.human, table.prompts, seed=seed, resamples=resamples)
    within = correlate_within(values, table.human, table.prompts, seed=seed, resamples=resamples)
    means = correlate_means(as_table(table, judges), seed=seed, resamples=resamples, soft=False)
    over = [row.correlation for row in means]
    draws = draw_prompts(table.prompts, seed=seed, resamples=resamples)
    found = [
        JudgeTrial(
            judge,
            int((np.isfinite(judge.values) & np.isfinite(table.human)).sum()),
            *of_judge,
            confusion(table, judge.values, criterion, draws),
            disagreements(table.human, judge.values),
        )
        for judge, of_judge in zip(judges, zip(pooled, within, over, strict=True), strict=True)
    ]
    found.sort(
        key=lambda trial: -2.0 if trial.pooled.pearson.value is None else trial.pooled.pearson.value, reverse=True
    )
    return Trial(table.rated, tuple(found), of, len(both))


def as_table(table: ScoreTable, judges: Sequence[JudgeRatings]) -> ScoreTable:
    """The stories with the judges as their only columns."""
    columns = (ScoreColumn(judge.name, judge.signatures[0], judge.values, {}) for judge in judges)
    return replace(table, columns=tuple(columns))


def confusion(table: ScoreTable, judge: Floats, criterion: Criterion, draws: Draws) -> Confusion:
    """People's ratings beside a judge's; `draws`: of the table's prompts."""
    steps = np.array(criterion.steps, dtype=np.float64)
    size = len(steps)
    both = np.flatnonzero(np.isfinite(judge) & np.isfinite(table.human))
    places = [np.searchsorted(steps, nearest(values[both], steps)) for values in (table.human, judge)]
    off = int(((judge[both] < steps[0]) | (judge[both] > steps[-1])).sum())
    if not len(both):
        nothing = Estimate(None, undefined=NO_STORY)
        return Confusion(criterion.steps, np.zeros((size, size), dtype=np.intp), nothing, nothing, nothing, off)
    prompts = draws.of([table.prompts[row] for row in both.tolist()])
    by_prompt = np.zeros((len(draws.numbers), size * size))
    np.add.at(by_prompt, (prompts, places[0] * size + places[1]), 1.0)
    counts = by_prompt.sum(0)
    once, drawn = (_figures(rows.reshape(-1, size, size)) for rows in (counts[None], draws.copies @ by_prompt))
    exact, near = (estimate(float(once[i][0]), drawn[i], prompts) for i in range(2))
    kappa = (
        estimate(float(once[2][0]), drawn[2], prompts)
        if np.isfinite(once[2][0])
        else Estimate(None, undefined=ONE_STEP if np.ptp(places[0]) else ONE_STEP_OF_PEOPLE)
    )
    return Confusion(criterion.steps, counts.reshape(size, size).astype(np.intp), exact, near, kappa, off)


def in_cell(human: Floats, judge: Floats, steps: Sequence[int], cell: tuple[int, int]) -> Ints:
    """The numbers of the stories in one cell of a `Confusion`; `cell`: people's step and the judge's."""
    scale = np.array(steps, dtype=np.float64)
    both = np.flatnonzero(np.isfinite(human) & np.isfinite(judge))
    inside = (nearest(human[both], scale) == cell[0]) & (nearest(judge[both], scale) == cell[1])
    return np.asarray(both[inside], dtype=np.intp)


def _figures(counts: Floats) -> tuple[Floats, Floats, Floats]:
    """Shares equal and within a step, and kappa with quadratic weights, of tables of counts (tables x steps x steps);
    kappa is NaN where either side has a single rating.
    """
    size = counts.shape[1]
    gaps = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(np.float64)
    n = counts.sum((1, 2))
    rows, columns = counts.sum(2), counts.sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        exact, near = ((counts * (gaps <= most)).sum((1, 2)) / n for most in (0, 1))
        expected = np.einsum("ti,ij,tj->t", rows, gaps**2, columns) / n
        varied = ((rows > 0).sum(1) > 1) & ((columns > 0).sum(1) > 1)
        kappa = np.where(varied, 1 - (counts * gaps**2).sum((1, 2)) / expected, np.nan)
    return exact, near, kappa


def disagreements(human: Floats, judge: Floats, most: int = MOST_SHOWN) -> tuple[Disagreement, ...]:
    """The stories on which a judge and people are farthest apart, the farthest first; none where either gives every
    story the same.
    """
    both = np.flatnonzero(np.isfinite(human) & np.isfinite(judge))
    x, y = human[both], judge[both]
    if len(both) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return ()
    apart = y - x - (y - x).mean()
    order = [i for i in np.argsort(-np.abs(apart), kind="stable")[:most] if abs(apart[i]) > ALIKE]
    return tuple(Disagreement(int(both[i]), float(x[i]), float(y[i]), float(apart[i])) for i in order)
