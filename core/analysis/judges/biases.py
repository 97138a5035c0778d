"""What biases a judge, as far as its ratings alone can tell: leniency, length, its own family, the wording it is given.

Each is a figure with a 95 % interval from draws of whole prompts, in which all judges share.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.correlation.partial import PartialCorrelation, partials, words_alone
from core.analysis.judges.columns import JudgeRatings, judges_of
from core.arrays import Bools, Floats, Ints
from core.scores import ScoreTable
from core.statistics.draws import Draws, draw_prompts
from core.statistics.intervals import Estimate, estimate
from core.statistics.moments import moments

NO_STORY = "no story has both its rating and people's"
ONE_WORDING = "it comes in one wording"
ONE_JUDGE = "there is one judge"
NO_FAMILY = "no system has its name"
ONE_SIDE = "no story of its family, or none of others, has both ratings"
_WORD = re.compile(r"[a-z]{2,}")


@dataclass(frozen=True)
class JudgeBiases:
    """One judge's biases on a target.

    `lenient`: its mean rating above people's, in points of the scale. `pooled`, `equal_length`: Pearson's r with
    people, and the partial correlation at equal length. `longer`: r of the number of words with how far the judge is
    above people: above 0 it favours length more than they do. `length`: r of the number of words with its own ratings
    of these stories, as who rates all alike is above people wherever they are low. `family`: how much more it is above
    people on the stories of systems that are called like it (`relatives`) than on the others, in points. `wordings`:
    the spread (root mean variance over stories, in points) between the variants of its prompt, of which there are
    `variants`.
    """

    judge: JudgeRatings
    lenient: Estimate
    pooled: Estimate
    equal_length: Estimate
    longer: Estimate
    length: Estimate
    family: Estimate
    relatives: tuple[str, ...]
    wordings: Estimate
    variants: int


@dataclass(frozen=True)
class Biases:
    """Every judge's biases, in the order of the table's columns. `words`: r of the number of words with people over all
    rated stories, as an analysis of metrics gives it; a judge that does not pass it has learnt length.
    `between_judges`: the spread between judges, each the mean of its variants.
    """

    rows: tuple[JudgeBiases, ...]
    words: Estimate
    between_judges: Estimate


def judge_biases(table: ScoreTable, criteria: Sequence[str], *, seed: int = 0, resamples: int = 1000) -> Biases:
    """Of every judge of the table that rates these criteria."""
    judges = judges_of(table.columns, criteria)
    lengths = table.words.astype(np.float64)
    draws = draw_prompts(table.prompts, seed=seed, resamples=resamples)
    prompts = draws.of(table.prompts)
    values = [judge.values for judge in judges]
    held = partials(values, table.human, table.systems, lengths, table.prompts, seed=seed, resamples=resamples)
    longer = _correlated([own - table.human for own in values], lengths, prompts, draws)
    of_both = [np.where(np.isfinite(table.human), own, np.nan) for own in values]
    own_length = _correlated(of_both, lengths, prompts, draws)
    by_judge = _variants(judges)
    wordings = {name: _spread([values[i] for i in of], prompts, draws, ONE_WORDING) for name, of in by_judge.items()}
    rows = []
    for judge, partial, own_longer, length in zip(judges, held, longer, own_length, strict=True):
        above = judge.values - table.human
        relatives = family(judge.judge, table.systems)
        favour = _favour(above, np.isin(table.systems, relatives), prompts, draws)
        rows.append(
            JudgeBiases(
                judge,
                _mean(above, prompts, draws),
                _as_estimate(partial.pooled),
                _as_estimate(partial.equal_length),
                own_longer,
                length,
                favour if relatives else Estimate(None, undefined=NO_FAMILY),
                relatives,
                wordings[judge.judge],
                len(by_judge[judge.judge]),
            )
        )
    means = [np.mean([values[i] for i in of], axis=0) for of in by_judge.values()]
    alone = words_alone(table, seed=seed, resamples=resamples)
    words = _as_estimate(PartialCorrelation(alone.pearson, alone.undefined))
    return Biases(tuple(rows), words, _spread(means, prompts, draws, ONE_JUDGE))


def _as_estimate(partial: PartialCorrelation) -> Estimate:
    return Estimate(partial.r.value, partial.r.low, partial.r.high, partial.undefined)


def family(judge: str, systems: Sequence[str]) -> tuple[str, ...]:
    """The systems that begin with the same word as the judge, by the last part of a name with slashes: `Llama-13B` and
    `meta-llama/Llama-3-8B` are of one family.
    """
    own = _first_word(judge)
    return tuple(name for name in sorted(set(systems)) if own and _first_word(name) == own)


def _first_word(name: str) -> str:
    match = _WORD.search(name.rsplit("/", 1)[-1].casefold())
    return match[0] if match else ""


def _variants(judges: Sequence[JudgeRatings]) -> Mapping[str, list[int]]:
    """By judge, the places of its variants; without that of their mean, which is called after the judge alone."""
    result: dict[str, list[int]] = {}
    for number, judge in enumerate(judges):
        result.setdefault(judge.judge, []).append(number)
    return {
        name: [number for number in of if judges[number].variant]
        if any(judges[number].variant for number in of)
        else of
        for name, of in result.items()
    }


def _correlated(columns: Sequence[Floats], lengths: Floats, prompts: Ints, draws: Draws) -> list[Estimate]:
    """Pearson's r of each column with the number of words."""
    if not columns:
        return []
    of = moments(np.column_stack(columns), lengths)
    values = of.pearson(of.columns.sum(0)[None])[0]
    drawn = of.pearson(draws.sums(of.columns, prompts))
    return [
        estimate(float(value), own, prompts[np.isfinite(column)])
        if np.isfinite(value)
        else Estimate(None, undefined="it, or the number of words, is the same for every story")
        for value, own, column in zip(values, drawn.T, columns, strict=True)
    ]


def _mean(above: Floats, prompts: Ints, draws: Draws) -> Estimate:
    given = np.isfinite(above)
    if not given.any():
        return Estimate(None, undefined=NO_STORY)
    sums = draws.sums(np.column_stack([np.where(given, above, 0), given]), prompts)
    return estimate(float(above[given].mean()), _ratio(sums[:, 0], sums[:, 1]), prompts[given])


def _favour(above: Floats, own: Bools, prompts: Ints, draws: Draws) -> Estimate:
    """The mean of `above` on `own` stories less that on the others."""
    given = np.isfinite(above)
    sides = [given & own, given & ~own]
    if not all(side.any() for side in sides):
        return Estimate(None, undefined=ONE_SIDE)
    sums = draws.sums(np.column_stack([part for side in sides for part in (np.where(side, above, 0), side)]), prompts)
    value = float(above[sides[0]].mean() - above[sides[1]].mean())
    return estimate(value, _ratio(sums[:, 0], sums[:, 1]) - _ratio(sums[:, 2], sums[:, 3]), prompts[given])


def _spread(columns: Sequence[Floats], prompts: Ints, draws: Draws, alone: str) -> Estimate:
    """The root of the mean variance of a story's ratings between columns, over the stories that all of them rate."""
    if len(columns) < 2:
        return Estimate(None, undefined=alone)
    variance = np.var(columns, axis=0, ddof=1)
    given = np.isfinite(variance)
    if not given.any():
        return Estimate(None, undefined="no story is rated by all of them")
    sums = draws.sums(np.column_stack([np.where(given, variance, 0), given]), prompts)
    return estimate(float(np.sqrt(variance[given].mean())), np.sqrt(_ratio(sums[:, 0], sums[:, 1])), prompts[given])


def _ratio(total: Floats, number: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(total / number)
