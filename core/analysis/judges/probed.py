"""What a bias run says of a judge: whether it repeats itself, minds other words, obeys a story, sees damage, and stays
where nothing has changed.

Each is a figure with a 95 % interval from draws of whole prompts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.judges.alternative import ALIKE
from core.analysis.judges.columns import JudgeRatings
from core.analysis.judges.probes import Check, ProbeRatings
from core.arrays import Floats, Ints
from core.scores import IMPORTED, ScoreColumn, ScoreTable
from core.statistics.draws import Draws, draw_prompts
from core.statistics.intervals import Estimate, estimate

MOVED = 0.5
"""Points from which on a rating has moved."""
NOT_RUN = "no bias run yet"
BROUGHT = "imported: there is no model to ask"
UNREAD = "no rating could be read"
NOTHING = {
    Check.WORDING: "its template is the study's own, which has no other wordings",
    Check.DISCRIMINATION: "no story could be damaged: the damages are of English stories of several sentences",
    Check.INVARIANCE: "no story could be changed: the changes are of English stories of several sentences",
}
"""Why a run asked nothing in a check."""


@dataclass(frozen=True)
class Shift:
    """How ratings move under one variant of a check, or under all of them.

    `points`: in points of the scale: of `repeat` the root mean square difference, of `wording` the root mean variance
    of a story's ratings between wordings, of `injection` the mean rise, of `discrimination` the mean fall, of
    `invariance` the mean absolute difference. `share`, 0..1: of `injection` those that rise by half a point or more, of
    `discrimination` those that fall, ties as half, of the others those that move by half a point or more, of `wording`
    from one wording to another. `n`: pairs of ratings, of `wording` stories, and `prompts`: of these; `unread`: those
    without a rating.
    """

    variant: str
    points: Estimate
    share: Estimate
    n: int
    prompts: int
    unread: int


@dataclass(frozen=True)
class CheckResult:
    """One check: all of its variants together, and each where there are several that can be told apart."""

    check: Check
    whole: Shift
    variants: tuple[Shift, ...] = ()


@dataclass(frozen=True)
class ProbedBiases:
    """What a bias run found, check by check. `stories`: that were asked about; `undefined`: why there is nothing."""

    stories: int
    checks: Mapping[Check, CheckResult]
    undefined: str | None = None


def with_probed(table: ScoreTable, judges: Sequence[tuple[str, str]]) -> ScoreTable:
    """The table with a column of no scores for each of these metrics and signatures that it has none of: a judge whose
    biases are measured need not have rated the study.
    """
    have = {column.signature for column in table.columns}
    empty = np.full(len(table.keys), np.nan)
    more = tuple(ScoreColumn(metric, text, empty, {}) for metric, text in judges if text not in have)
    return replace(table, columns=(*table.columns, *more))


def probed_biases(
    judge: JudgeRatings, probed: Mapping[str, Sequence[ProbeRatings]], *, seed: int = 0, resamples: int = 1000
) -> ProbedBiases:
    """What a judge's bias run found. `probed`: the ratings of every run, check by check, by signature; of several
    criteria the means count, where all have a rating.
    """
    if any(text.startswith(IMPORTED) for text in judge.signatures):
        return ProbedBiases(0, {}, BROUGHT)
    if not all(text in probed for text in judge.signatures):
        return ProbedBiases(0, {}, NOT_RUN)
    runs = [{of.check: of for of in probed[text]} for text in judge.signatures]
    ratings = [_mean([run[check] for run in runs]) for check in Check if all(check in run for run in runs)]
    ratings = [of for of in ratings if of.variants]
    draws = draw_prompts([prompt for of in ratings for prompt in of.prompts], seed=seed, resamples=resamples)
    asked = {int(number) for of in ratings for number in of.stories}
    return ProbedBiases(len(asked), {of.check: _result(of, draws) for of in ratings})


def _mean(parts: Sequence[ProbeRatings]) -> ProbeRatings:
    """Of the same judge on several criteria: the probes that all have, with the means of their ratings."""
    first = parts[0]
    if len(parts) == 1:
        return first
    places = [
        {key: place for place, key in enumerate(zip(of.variants, of.stories.tolist(), strict=True))} for of in parts
    ]
    shared = [key for key in places[0] if all(key in of for of in places)]
    taken = [[of[key] for key in shared] for of in places]
    rows = np.array(taken[0], dtype=np.intp)
    return ProbeRatings(
        first.check,
        tuple(variant for variant, _ in shared),
        first.stories[rows],
        tuple(first.prompts[row] for row in taken[0]),
        np.mean([of.before[own] for of, own in zip(parts, taken, strict=True)], axis=0),
        np.mean([of.after[own] for of, own in zip(parts, taken, strict=True)], axis=0),
        tuple(first.reasons[row] for row in taken[0]),
    )


def _result(of: ProbeRatings, draws: Draws) -> CheckResult:
    if of.check is Check.WORDING:
        return CheckResult(of.check, _wordings(of, draws))
    apart = of.after - of.before
    prompts, variants = draws.of(of.prompts), np.array(of.variants)
    names = list(dict.fromkeys(of.variants))
    whole = _shift("", of.check, apart, prompts, draws)
    each = [_shift(name, of.check, apart[variants == name], prompts[variants == name], draws) for name in names]
    return CheckResult(of.check, whole, tuple(each) if len(names) > 1 else ())


def _shift(variant: str, check: Check, apart: Floats, prompts: Ints, draws: Draws) -> Shift:
    """`apart`: how far the rating of each probe is above that of its story as it is."""
    given = np.isfinite(apart)
    unread = int((~given).sum())
    if not given.any():
        nothing = Estimate(None, undefined=UNREAD)
        return Shift(variant, nothing, nothing, 0, 0, unread)
    apart, prompts = apart[given], prompts[given]
    match check:
        case Check.REPEAT:
            points, share = apart**2, _moved(np.abs(apart))
        case Check.INJECTION:
            points, share = apart, _moved(apart)
        case Check.DISCRIMINATION:
            points, share = -apart, np.where(np.abs(apart) <= ALIKE, 0.5, apart < 0)
        case _:
            points, share = np.abs(apart), _moved(np.abs(apart))
    values, drawn = _means(points, share, prompts, draws)
    if check is Check.REPEAT:
        values[0], drawn[:, 0] = np.sqrt(values[0]), np.sqrt(drawn[:, 0])
    return _figures(variant, values, drawn, prompts, unread)


def _figures(variant: str, values: Floats, drawn: Floats, prompts: Ints, unread: int) -> Shift:
    points, share = (estimate(float(values[place]), drawn[:, place], prompts) for place in range(2))
    return Shift(variant, points, share, len(prompts), len(np.unique(prompts)), unread)


def _moved(by: Floats) -> Floats:
    return (by >= MOVED - ALIKE).astype(np.float64)


def _wordings(of: ProbeRatings, draws: Draws) -> Shift:
    """Between all wordings of a story, the judge's own among them; a story counts that is rated in each."""
    names = list(dict.fromkeys(of.variants))
    numbers, rows = np.unique(of.stories, return_inverse=True)
    ratings = np.full((len(numbers), len(names) + 1), np.nan)
    ratings[rows, 0] = of.before
    ratings[rows, [1 + names.index(name) for name in of.variants]] = of.after
    prompts = np.zeros(len(numbers), dtype=np.intp)
    prompts[rows] = draws.of(of.prompts)
    given = np.isfinite(ratings).all(1)
    unread = int((~given).sum())
    if not given.any():
        nothing = Estimate(None, undefined=UNREAD)
        return Shift("", nothing, nothing, 0, 0, unread)
    ratings, prompts = ratings[given], prompts[given]
    values, drawn = _means(np.var(ratings, axis=1, ddof=1), _moved(np.ptp(ratings, axis=1)), prompts, draws)
    values[0], drawn[:, 0] = np.sqrt(values[0]), np.sqrt(drawn[:, 0])
    return _figures("", values, drawn, prompts, unread)


def _means(points: Floats, share: Floats, prompts: Ints, draws: Draws) -> tuple[Floats, Floats]:
    """The means of both (2) and in each draw (draws x 2)."""
    rows = np.column_stack([points, share, np.ones(len(points))])
    sums = draws.sums(rows, prompts)
    with np.errstate(invalid="ignore", divide="ignore"):
        return rows[:, :2].mean(0), sums[:, :2] / sums[:, 2:]
