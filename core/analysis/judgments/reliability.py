"""Whether the ratings of a sample agree at all; if they do not, no correlation with them says anything about a metric.

Krippendorff's alpha (2011, "Computing Krippendorff's alpha-reliability") at the interval level, as it is the mean of a
story's ratings that metrics are held against. It is made of sums over stories, so that its bootstrap by prompt is a
product of matrices at any size.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.annotation.target import in_a_sentence
from core.arrays import Floats, Ints, blocks, room
from core.scores import ScoreTable
from core.statistics.agreement import ALL_EQUAL, NEGLIGIBLE, NO_PAIR, in_words
from core.statistics.correlation import prompt_numbers
from core.statistics.draws import drawn_in_blocks
from core.statistics.intervals import Estimate, ends
from core.statistics.large.draws import in_draws
from core.statistics.large.prompts import renumbered
from core.wording import digits, real_minus, so_many

RESAMPLES = 1000
OPPOSED = (
    "Ratings of one story lie further apart than by chance: check whether rows or stories of a file were mixed up, or "
    "people understood the scale in opposite ways."
)
"""What is likely where people differ about a story more than about any two."""
FEW_PROMPTS = 10
"""Prompts are what the bootstrap draws: below so many an interval, and what is read off it, can mislead."""
FEW = "too few prompts to say"
ONLY_MEANS = "there are means of several raters, and no story has two single ratings"


HIDDEN_BY_SHARES = "what one rater or a perfect metric reaches, and what more ratings a story would do, cannot be told"


@dataclass(frozen=True)
class Averaged:
    """The stories judged by means of several raters, and how many raters are behind these means in all; `compared`: by
    the share of their comparisons that they won, and how many of these there are.
    """

    stories: int = 0
    raters: int = 0
    compared: bool = False

    @property
    def of_raters(self) -> bool:
        """Whether there are means of several raters."""
        return self.stories > 0 and not self.compared

    @property
    def won(self) -> str:
        """What stands for a judgment of stories that were compared."""
        return (
            "People compared these stories in pairs: what stands for a judgment is the share of a story's comparisons "
            f"that it won, {self.raters / self.stories:.3g} a story."
        )

    @property
    def by_itself(self) -> str | None:
        """The caution for who has no other page, as a file's reader; of compared stories it names none."""
        if not self.compared or not self.stories:
            return self.caution
        return f"{self.won} How far people agree on pairs, {HIDDEN_BY_SHARES} by these shares."

    @property
    def caution(self) -> str | None:
        """What cannot be computed for these stories; None where there are none."""
        if not self.stories:
            return None
        if self.compared:
            return f"{self.won} How far people agree on pairs stands on Preferences; {HIDDEN_BY_SHARES}."
        each = self.raters / self.stories
        return (
            f"The ratings of {self.stories:,} {'story is a mean' if self.stories == 1 else 'stories are means'} of "
            f"several raters, {each:.3g} a story. Means hide single ratings, so how far people agree, what one rater "
            "or a perfect metric reaches, which error types people name and what more ratings a story would do cannot "
            "be told."
        )


NO_MEANS = Averaged()


@dataclass(frozen=True)
class Reliability:
    """`alpha` of the single ratings, at most 1, undefined where no story has two; `stories`: that have two or more, of
    so many `prompts`.

    `averaged`: the stories that came with means instead. `criterion`: of which of several criteria the ratings are, or
    of which mean of them; "" where there is one.
    """

    alpha: Estimate
    stories: int
    prompts: int
    averaged: Averaged = NO_MEANS
    criterion: str = ""

    @property
    def disagree(self) -> bool:
        """Whether alpha is 0 or less, or its interval holds 0: then nothing shows that people saw the same thing."""
        value, low = self.alpha.value, self.alpha.low
        return value is not None and (value <= 0 or (low is not None and low <= 0))

    @property
    def small(self) -> bool:
        """Whether alpha rests on too few prompts for a word like "good" to mean anything."""
        return self.prompts < FEW_PROMPTS

    @property
    def read(self) -> str:
        """How alpha reads; of too few prompts that and not its size. "" of none."""
        return FEW if self.small and self.alpha.value is not None else in_words(self.alpha)

    @property
    def opposed(self) -> str:
        """What to check where all of alpha's interval lies below 0; "" elsewhere."""
        return OPPOSED if self.alpha.high is not None and self.alpha.high < 0 else ""

    @property
    def caution(self) -> str | None:
        """What every analysis says first of ratings that do not agree, or that are means; else None. Its first sentence
        stands alone where there is little room.
        """
        return " ".join(filter(None, (self._disagreement, self.averaged.caution))) or None

    @property
    def _disagreement(self) -> str | None:
        if not self.disagree or self.alpha.value is None:
            return None
        rests = f"rests on {so_many(self.stories, 'story', 'stories')} with two ratings or more"
        if self.alpha.low is not None and self.alpha.high is not None:
            rests = f"has the 95 % interval {_said(self.alpha.low)} to {_said(self.alpha.high)}, and {rests}"
        on = f" on {in_a_sentence(self.criterion)}" if self.criterion else ""
        said = (
            f"Nothing shows that the ratings of these stories agree with one another{on} by Krippendorff's "
            f"interval alpha, {_said(self.alpha.value)}, so they can carry no verdict on a metric. Alpha {rests}. "
            "Interval is the level of the means that metrics are held against. How high a perfect metric could reach "
            "is unknown."
        )
        return f"{said} {self.opposed}".rstrip()


def _said(value: float) -> str:
    return real_minus(digits(value, ".3f"))


def reliability(table: ScoreTable, *, seed: int = 0, resamples: int = RESAMPLES) -> Reliability:
    """The reliability of these stories' ratings; the interval draws whole prompts."""
    averaged = Averaged(int(np.count_nonzero(table.averaged)), int(table.averaged.sum()), table.compared)
    of_ratings = reliability_of(table.ratings, table.prompts, averaged, seed=seed, resamples=resamples)
    return replace(of_ratings, criterion=table.criterion)


def reliability_of(
    ratings: Floats,
    prompts: Sequence[str],
    averaged: Averaged = NO_MEANS,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Reliability:
    """The same of ratings alone: stories x the most that a story has, NaN where it has fewer; a prompt a story."""
    mean, stories = _of_paired(ratings)
    if not stories:
        return Reliability(Estimate(None, undefined=ONLY_MEANS if averaged.stories else NO_PAIR), 0, 0, averaged)
    numbers, number = renumbered(prompt_numbers(len(ratings), prompts))  # all, as Judgments draws them
    by_prompt: Floats = room((number, 4))
    for rows in _paired_rows(ratings):
        np.add.at(by_prompt, numbers[rows], _sums(ratings[rows], mean))
    behind = sum(int(np.count_nonzero(by_prompt[block, 0])) for block in blocks(number))
    value = float(_alpha(by_prompt.sum(0)[None])[0])
    if not np.isfinite(value):
        return Reliability(Estimate(None, undefined=ALL_EQUAL), stories, behind, averaged)
    draws = (_alpha(in_draws(copies, by_prompt)) for copies in drawn_in_blocks(number, seed=seed, resamples=resamples))
    interval = ends(np.concatenate([np.empty(0), *draws])) if behind > 1 else (None, None)
    return Reliability(Estimate(value, *interval), stories, behind, averaged)


def disagreeing(
    by_criterion: Mapping[str, Floats], prompts: Sequence[str], *, seed: int = 0, resamples: int = RESAMPLES
) -> tuple[str, ...]:
    """The criteria on which nothing shows that the ratings agree; `by_criterion`: those of the same stories on each."""
    return tuple(
        name
        for name, ratings in by_criterion.items()
        if reliability_of(ratings, prompts, seed=seed, resamples=resamples).disagree
    )


def _paired_rows(ratings: Floats) -> Iterator[Ints]:
    """The stories that have two ratings or more, some at a time."""
    for block in blocks(len(ratings)):
        yield block.start + np.flatnonzero(np.isfinite(ratings[block]).sum(1) >= 2)


def _of_paired(ratings: Floats) -> tuple[float, int]:
    """The mean rating of the stories that have two or more, and how many stories these are."""
    total, number, stories = 0.0, 0, 0
    for rows in _paired_rows(ratings):
        given = ratings[rows][np.isfinite(ratings[rows])]
        total, number, stories = total + float(given.sum()), number + len(given), stories + len(rows)
    return total / max(1, number), stories


def _sums(ratings: Floats, mean: float) -> Floats:
    """What alpha is made of, one row per story: ratings, their sum and squares, and the squares within, m / (m - 1)
    fold.

    Ratings are taken around their `mean`, or the sums of squares would drown in rounding.
    """
    given = np.isfinite(ratings)
    m = given.sum(1)
    apart = np.where(given, ratings - mean, 0)
    sums = apart.sum(1)
    within = (np.where(given, apart - (sums / m)[:, None], 0) ** 2).sum(1)
    return np.column_stack([m, sums, (apart**2).sum(1), within * m / (m - 1)])


def _alpha(sums: Floats) -> Floats:
    """1 - observed / expected disagreement, from sums over stories (draws x 4); NaN where all ratings are equal."""
    number, total, squares, observed = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = squares - total**2 / number
        return np.where(expected > NEGLIGIBLE * squares, 1 - observed / number * (number - 1) / expected, np.nan)
