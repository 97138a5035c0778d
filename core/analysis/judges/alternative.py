"""May a judge stand in for a person? The alternative annotator test of Calderon, Reichart and Dror (2025).

One person after another is set aside, and the judge beside them: whose values are nearer to those of the others? A
judge wins against a person where a test shows that it is at least as near as often as they are, less an allowance,
epsilon, for what a person costs. Winning counts people, the advantage probability instances, without a test: a judge
may win against nobody and still be as near as a person on many instances.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy import special, stats

from core.arrays import Bools, Floats
from core.errors import InputError

FEWEST_INSTANCES, FEWEST_PEOPLE, FEWEST_BESIDE = 30, 3, 2
"""Instances of a person for the t-test, people with so many for a verdict, and people of an instance, so that somebody
is beside: the conditions of the paper.
"""
FEWEST_TESTED = 5
"""Instances below which nobody counts: of four no outcome is significant, as a half to the power of 4 is above 0.05."""
FALSE_DISCOVERIES = 0.05
"""Rate at which Benjamini and Yekutieli's correction over people is done."""
PASSES = 0.5
"""Winning rate from which a judge may stand in."""
ALIKE = 1e-12
"""Root mean square differences so near to one another are the same number."""


class Alignment(StrEnum):
    """How near a value is to the others' values of an instance: the share that is equal to it, or minus the root mean
    square difference.
    """

    ACCURACY = "accuracy"
    RMSE = "neg_rmse"


class Annotators(StrEnum):
    """Who the people are."""

    EXPERT = "expert"
    SKILLED = "skilled"
    CROWD = "crowd"


EPSILON = {Annotators.EXPERT: 0.2, Annotators.SKILLED: 0.15, Annotators.CROWD: 0.1}
"""How much more often a person may be nearer, and the judge still wins: what expert time costs more than a crowd's."""


@dataclass(frozen=True)
class PersonComparison:
    """The judge beside one person, on `n` instances that both and others have.

    `judge`, `human`: the shares of these on which the judge, and the person, is at least as near to the others; equally
    near counts for both; None where `n` is 0. `p`: of the hypothesis that the person is nearer by epsilon or more
    often, one-sided; by Wilcoxon's test where there are fewer than 30 instances (`few`); None of who does not count.
    `won`: whether it is rejected, with Benjamini and Yekutieli's correction over people.
    """

    person: str
    n: int
    judge: float | None
    human: float | None
    p: float | None
    won: bool
    few: bool


@dataclass(frozen=True)
class AlternativeTest:
    """Whether a judge may stand in for one of these people.

    `winning_rate`: the share of people against whom the judge wins, of those who count: with 30 instances or more, or
    with 5 where nobody has so many. `advantage_probability`: the mean over them of the share of instances on which the
    judge is at least as near to the others. `passed`: winning rate of a half or more; None where fewer than three
    people have 30 instances, which is no ground for a verdict. `instances`: of those who count, each once. `undefined`:
    why there is no test.
    """

    epsilon: float
    alignment: Alignment
    people: tuple[PersonComparison, ...]
    winning_rate: float | None
    advantage_probability: float | None
    passed: bool | None
    instances: int = 0
    undefined: str | None = None

    @property
    def counted(self) -> tuple[PersonComparison, ...]:
        """The people whose comparison is tested."""
        return tuple(row for row in self.people if row.p is not None)

    @property
    def with_enough(self) -> int:
        """How many people have the instances that a verdict takes."""
        return sum(not row.few for row in self.people)

    @property
    def too_few(self) -> bool:
        """Whether there is a test, and no ground for a verdict."""
        return self.winning_rate is not None and self.passed is None

    def cautions(self, instances: str = "instances") -> tuple[str, ...]:
        """What must be known to read it, a sentence each; `instances`: what they are, in the plural."""
        counted = self.counted
        if not counted:
            return ()
        few, aside = sum(row.few for row in counted), len(self.people) - len(counted)
        result = []
        if self.too_few:
            result.append(
                f"There is no verdict: it takes {FEWEST_PEOPLE} people with {FEWEST_INSTANCES} {instances} each beside "
                f"the judge and somebody else, and {self.with_enough or 'nobody'} "
                f"{'have' if self.with_enough > 1 else 'has'} so many."
            )
        if few:
            result.append(
                f"As nobody has {FEWEST_INSTANCES} {instances}, Wilcoxon's exact test takes the place of the t-test."
            )
        if aside:
            result.append(
                f"{aside} of {len(self.people)} people {'is' if aside == 1 else 'are'} left out, with fewer than "
                f"{FEWEST_TESTED if few else FEWEST_INSTANCES} such {instances}."
            )
        return tuple(result)


def alternative_test(
    values: Floats,
    judge: Floats,
    people: Sequence[str],
    *,
    alignment: Alignment = Alignment.RMSE,
    epsilon: float = EPSILON[Annotators.CROWD],
) -> AlternativeTest:
    """Test one judge. `values` (people x instances): each one's value, NaN where there is none, codes of categories
    where the alignment is accuracy; `judge` (instances), likewise; `people`: a name each.

    Raises InputError where shapes do not fit, or epsilon is not in 0 to 1.
    """
    if values.shape != (len(people), len(judge)):
        raise InputError(f"There are {len(people)} people and {len(judge)} instances, but values of {values.shape}.")
    if not 0 <= epsilon <= 1:
        raise InputError(f"Epsilon is a share from 0 to 1, not {epsilon:g}.")
    nearer, as_near = _compared(values, judge, alignment)
    known = np.isfinite(nearer)
    n = known.sum(1)
    enough = n >= (FEWEST_INSTANCES if (n >= FEWEST_INSTANCES).any() else FEWEST_TESTED)
    p = np.where(enough, _p(np.where(known, as_near - nearer, 0.0), known, epsilon), np.nan)
    won = np.zeros(len(n), dtype=np.bool_)
    won[enough] = _rejected(p[enough])
    with np.errstate(invalid="ignore"):
        of_judge, of_person = (np.nansum(side, 1) / np.where(n > 0, n, np.nan) for side in (nearer, as_near))
    rows = tuple(
        PersonComparison(
            name,
            int(n[i]),
            float(of_judge[i]) if n[i] else None,
            float(of_person[i]) if n[i] else None,
            float(p[i]) if enough[i] else None,
            bool(won[i]),
            bool(n[i] < FEWEST_INSTANCES),
        )
        for i, name in enumerate(people)
    )
    if not enough.any():
        why = "it needs two people who rated the same stories as the judge"
        if n.any():
            why = f"nobody has {FEWEST_TESTED} instances or more with the judge's value and another person's"
        return AlternativeTest(epsilon, alignment, rows if n.any() else (), None, None, None, 0, why)
    rate, grounds = float(won[enough].mean()), int((n >= FEWEST_INSTANCES).sum()) >= FEWEST_PEOPLE
    return AlternativeTest(
        epsilon,
        alignment,
        rows,
        rate,
        float(of_judge[enough].mean()),
        rate >= PASSES if grounds else None,
        int(known[enough].any(0).sum()),
    )


def _compared(values: Floats, judge: Floats, alignment: Alignment) -> tuple[Floats, Floats]:
    """People x instances: 1 where the judge is at least as near to the others as the person, and where the person is as
    the judge, else 0; NaN where the person, the judge or the others have no value.
    """
    given = np.isfinite(values)
    others = given.sum(0) - given
    usable = given & np.isfinite(judge) & (others >= FEWEST_BESIDE - 1)
    if alignment is Alignment.ACCURACY:
        of_judge, of_person = _equal(values, judge, given)
        nearer, as_near = of_judge >= of_person, of_person >= of_judge
    else:
        of_judge, of_person = _squares(values, judge, given, others)
        close = np.abs(of_judge - of_person) <= ALIKE * np.maximum(1, of_person)
        nearer, as_near = (of_judge <= of_person) | close, (of_person <= of_judge) | close
    return _where(usable, nearer), _where(usable, as_near)


def _where(usable: Bools, held: Bools) -> Floats:
    return np.where(usable, held.astype(np.float64), np.nan)


def _equal(values: Floats, judge: Floats, given: Bools) -> tuple[Floats, Floats]:
    """How many others say the same as the judge, and as the person."""
    same_as_judge = (values == judge) & given
    of_judge = same_as_judge.sum(0) - same_as_judge
    of_person = np.zeros(values.shape)
    for value in np.unique(values[given]):
        says = values == value
        of_person += says * (says.sum(0) - 1.0)
    return of_judge.astype(np.float64), of_person


def _squares(values: Floats, judge: Floats, given: Bools, others: Floats) -> tuple[Floats, Floats]:
    """The mean square difference of the judge's, and of the person's, value from the others'."""
    filled = np.where(given, values, 0.0)
    sums, squares = filled.sum(0) - filled, (filled**2).sum(0) - filled**2
    with np.errstate(invalid="ignore", divide="ignore"):
        mean, mean_square = sums / others, squares / others
        return judge**2 - 2 * judge * mean + mean_square, filled**2 - 2 * filled * mean + mean_square


def _p(differences: Floats, known: Bools, epsilon: float) -> Floats:
    """Each person's one-sided p of the hypothesis that the mean difference is epsilon or more; `differences` (people x
    instances) are 0 where not `known`.
    """
    n = known.sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = differences.sum(1) / n
        spread = np.sqrt((np.where(known, differences - mean[:, None], 0.0) ** 2).sum(1) / (n - 1))
        result = special.stdtr(n - 1, (mean - epsilon) / (spread / np.sqrt(n)))
    for i in np.flatnonzero(n):
        own = differences[i, known[i]]
        if n[i] < FEWEST_INSTANCES:
            result[i] = _signed_ranks(own - epsilon)
        elif own.min() == own.max():  # no t-test has a standard error of 0; what is certain is certain
            result[i] = 0.0 if own[0] < epsilon else 1.0
    return np.asarray(result)


def _signed_ranks(differences: Floats) -> float:
    """Wilcoxon's (1945) exact one-sided p that differences tend to be below 0: the share of all ways to give these
    ranks a sign, tied ones their mean, in which those of positive ones sum to no more. Zeros are left out.
    """
    nonzero = differences[differences != 0]
    ranks = np.rint(2 * stats.rankdata(np.abs(nonzero))).astype(np.intp)  # doubled, so that a tied one is whole
    ways = np.zeros(int(ranks.sum()) + 1)
    ways[0] = 1
    for rank in ranks:
        ways[rank:] += ways[:-rank].copy()
    return float(ways[: int(ranks[nonzero > 0].sum()) + 1].sum() / ways.sum())


def _rejected(p: Floats) -> Bools:
    """Benjamini and Yekutieli (2001), at the rate above: whichever way the tests depend on one another."""
    return np.asarray(stats.false_discovery_control(p, method="by") <= FALSE_DISCOVERIES)
