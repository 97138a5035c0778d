"""How far ratings spread, and by what: the variance components that a plan rests on, stated or from a past study.

A rating of one story is taken as the sum of what its prompt, its system, the story itself, its rater's leniency with
that prompt, and the rater's judgment of that story add, each independent of the others. Components are estimated by
setting mean squares equal to what they expect (Searle, Casella and McCulloch 1992), one after the other:

- rating: the residual of raters by stories, where the same raters rated all stories of a prompt;
- rater: what ratings of one story differ by, less that;
- story: half of what differences of two systems' stories of one prompt vary by over prompts, less what raters add;
- prompt: what two systems' stories of one prompt vary by together; system: what the systems' means differ by.

A negative estimate is 0. Of several stories of a system and prompt the first is taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from core.analysis.judgments.judged_story import JudgedStory
from core.analysis.judgments.rating_table import RatingTable, table_of
from core.annotation.studies import Study
from core.annotation.target import usual_target
from core.arrays import Bools, Floats, Ints
from core.errors import InputError
from core.settings import described, setting
from core.statistics.groups import numbered, too_few

FEWEST_PROMPTS = 10
STATE = "state the standard deviations instead"


@dataclass(frozen=True)
class Spread:
    """Standard deviations, in points of the scale; the usual ones are of a scale from 1 to 5.

    They lie between those of MANS's stories, whose raters agree (.65 for a story, .33 for a rating), and of HANNA's
    criteria, whose raters do not (0 to .2, and .9 to 1.4). `system`: of systems' means, known of a past study alone.
    """

    prompt: float = setting(
        0.2, "SD of prompts: what all stories of one have in common.", label="SD of prompts", least=0.0
    )
    story: float = setting(
        0.5, "SD of a system's stories, their prompts' part taken off.", label="SD of stories", least=0.0
    )
    rater: float = setting(
        0.3,
        "SD of a rater's leniency, shared by the stories that they rate of a prompt.",
        label="SD of raters",
        least=0.0,
    )
    rating: float = setting(
        0.8, "SD of the ratings of one story, raters' leniency taken off.", label="SD of ratings", least=0.0
    )
    system: float = 0.0

    def difference(self, ratings: int, *, shared: bool) -> float:
        """The variance over prompts of the difference of two systems' mean ratings, of `ratings` each.

        `shared`: the same raters rate both, and how lenient they are cancels, as what the prompt adds always does.
        """
        noise = self.rating**2 + (0.0 if shared else self.rater**2)
        return 2 * (self.story**2 + noise / ratings)

    def reliability(self, ratings: int) -> float | None:
        """Of a story's mean of so many ratings, 0..1: how much of its variance is the story's, whatever its prompt and
        system; None where nothing varies.
        """
        between = self.prompt**2 + self.system**2 + self.story**2
        total = between + (self.rating**2 + self.rater**2) / ratings
        return between / total if total > 0 else None


@dataclass(frozen=True)
class PastSpread:
    """What a past study's ratings spread by. `ratings`: a story's, the mean; `shared`: whether the same raters rated
    all stories of a prompt, so that their leniency could be told from the rest.
    """

    spread: Spread
    prompts: int
    systems: int
    stories: int
    ratings: float
    shared: bool

    @property
    def caution(self) -> str | None:
        """What to know before a plan rests on it; None where there is nothing."""
        if self.spread.story > 0:
            return None
        return (
            "The ratings of one story differ as much as those of a system's different stories, so what stories add is "
            "taken as 0: the plan then asks for as many ratings in all, whether of few prompts or of many."
        )


@dataclass(frozen=True)
class _Ratings:
    """Single ratings with their story's prompt and system, and the number of the panel that gave them, -1 where it is
    of one story alone.
    """

    values: Floats
    units: Ints
    panels: Ints
    prompts: Ints
    systems: Ints


def check_past(study: Study) -> None:
    """Raise InputError for a study on which no plan can rest: a plan is about ratings of single stories."""
    if usual_target(study.scheme).is_preference:
        raise InputError(
            f"{study.name} compares pairs of stories, and a plan is about ratings of single ones; rest it on stated "
            "numbers."
        )


def stated(values: dict[str, float | None], spread: Spread) -> Spread:
    """The spread with what was stated in place of its own; raises InputError for a number below 0."""
    given = {name: value for name, value in values.items() if value is not None}
    for name, value in given.items():
        if not np.isfinite(value) or value < 0:
            raise InputError(f"The {described(Spread)[name][0].label} is a number from 0 on, not {value:g}.")
    return replace(spread, **given)


def past_spread(judged: RatingTable | Sequence[JudgedStory]) -> PastSpread:
    """What the single ratings of a study's stories spread by.

    Raises InputError, saying what lacks, where they do not tell: no story with two ratings, fewer than ten prompts with
    stories of two systems.
    """
    every = table_of(judged)
    several = np.bincount(every.counted.single.units, minlength=len(every.prompts)) > 0
    table = every.of(several & ~every.controls)
    names, systems = numbered(table.groups)
    asked, prompts = numbered(table.prompts)
    single, stories = table.counted.single, len(table.prompts)
    given = _Ratings(single.values, single.units, single.panels, prompts, systems)
    within = _within(given, stories)
    if within is None:
        raise InputError(f"No story of the study has two single ratings, so how far raters differ is unknown: {STATE}.")
    residual = _residual(given)
    rating = within if residual is None else min(within, residual)
    noise = (rating, max(0.0, within - rating))
    story, prompt = _story_and_prompt(given, len(asked), len(names), noise)
    system = _system(given, len(asked), len(names), story + (noise[0] + noise[1]) / (len(single.units) / stories))
    spread = Spread(*(float(np.sqrt(part)) for part in (prompt, story, noise[1], rating, system)))
    each = len(single.units) / stories
    return PastSpread(spread, len(asked), len(names), stories, each, residual is not None)


def _within(given: _Ratings, stories: int) -> float | None:
    """The variance of the ratings of one story; None where no story has two."""
    counts = np.bincount(given.units, minlength=stories)
    freedom = int((counts - 1).clip(0).sum())
    if not freedom:
        return None
    means = np.bincount(given.units, given.values, stories) / np.maximum(counts, 1)
    return float(((given.values - means[given.units]) ** 2).sum() / freedom)


def _residual(given: _Ratings) -> float | None:
    """The residual variance of raters by stories, over the panels that rated all of their prompt's stories; None where
    no prompt has two such panels and two stories.
    """
    squares, freedom = 0.0, 0
    of_prompt = given.prompts[given.units]
    stories = np.bincount(given.prompts)
    order = np.lexsort((given.units, given.panels, of_prompt))
    values, panels = given.values[order], given.panels[order]
    for rows in np.split(np.arange(len(order)), np.flatnonzero(np.diff(of_prompt[order])) + 1):
        size = int(stories[of_prompt[order[rows[0]]]])
        numbers, counts = np.unique(panels[rows], return_counts=True)
        complete = numbers[(counts == size) & (numbers >= 0)]
        if len(complete) < 2 or size < 2:
            continue
        table = values[rows][np.isin(panels[rows], complete)].reshape(len(complete), size)
        rest = table - table.mean(0) - table.mean(1)[:, None] + table.mean()
        squares, freedom = squares + float((rest**2).sum()), freedom + (len(complete) - 1) * (size - 1)
    return squares / freedom if freedom else None


def _story_and_prompt(given: _Ratings, prompts: int, systems: int, noise: tuple[float, float]) -> tuple[float, float]:
    """Variances of stories and of prompts from all pairs of systems; `noise`: of a rating, and of a rater."""
    means, counts, panels = _cells(given, prompts, systems)
    differences = together = freedom = 0.0
    most = 0
    for first, second in combinations(range(systems), 2):
        both = np.flatnonzero((counts[:, first] > 0) & (counts[:, second] > 0))
        most = max(most, len(both))
        if len(both) < 2:
            continue
        one, other = means[both, first], means[both, second]
        n_one, n_other = counts[both, first], counts[both, second]
        shared = _shared(panels, first, second, prompts)[both] / (n_one * n_other)
        alone = (noise[0] + noise[1]) * (1 / n_one + 1 / n_other) - 2 * noise[1] * shared
        left = len(both) - 1
        differences += left * float((one - other).var(ddof=1) - alone.mean())
        together += left * float(np.cov(one, other)[0, 1] - (noise[1] * shared).mean())
        freedom += left
    if most < FEWEST_PROMPTS:
        lack = too_few(most, "prompt has", "prompts have", "rated stories of the same two systems", FEWEST_PROMPTS)
        raise InputError(f"The study does not tell how far stories differ, as {lack}: {STATE}.")
    return max(0.0, differences / freedom / 2), max(0.0, together / freedom)


def _cells(given: _Ratings, prompts: int, systems: int) -> tuple[Floats, Ints, tuple[Ints, Bools]]:
    """Mean and number of ratings of each prompt's first story by each system (prompts x systems); and the prompt of
    every panel with which systems' stories it rated (panels x systems).
    """
    cells = given.prompts * systems + given.systems
    _, first = np.unique(cells, return_index=True)
    kept = np.isin(given.units, first)
    of = cells[given.units[kept]]
    counts = np.bincount(of, minlength=prompts * systems)
    sums = np.bincount(of, given.values[kept], prompts * systems)
    numbers, panels = np.unique(given.panels[kept], return_inverse=True)
    rated, prompt = np.zeros((len(numbers), systems), dtype=bool), np.zeros(len(numbers), dtype=np.intp)
    rated[panels, of % systems] = True
    prompt[panels] = of // systems
    rated[numbers < 0] = False  # nobody knows whose those ratings are
    shape = (prompts, systems)
    return (sums / np.maximum(counts, 1)).reshape(shape), counts.reshape(shape), (prompt, rated)


def _shared(panels: tuple[Ints, Bools], first: int, second: int, prompts: int) -> Ints:
    """By prompt, how many panels rated both systems' stories."""
    prompt, rated = panels
    return np.bincount(prompt[rated[:, first] & rated[:, second]], minlength=prompts)


def _system(given: _Ratings, prompts: int, systems: int, noise: float) -> float:
    """The variance of systems from that of their means; `noise`: of a story's mean rating, its prompt aside."""
    means, counts, _ = _cells(given, prompts, systems)
    rated = counts > 0
    number = rated.sum(0)
    if (number > 0).sum() < 2:
        return 0.0
    own = np.where(rated, means, 0).sum(0)[number > 0] / number[number > 0]
    return max(0.0, float(own.var(ddof=1) - (noise / number[number > 0]).mean()))
