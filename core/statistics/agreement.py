"""How far annotators agree: Krippendorff's alpha, Fleiss' kappa, ICC(1,k), one rater against the rest, Kendall's W.

Krippendorff (2011), "Computing Krippendorff's alpha-reliability"; Fleiss (1971) as Gwet (2014), "Handbook of
Inter-Rater Reliability", carries it over to unequal numbers of raters; Shrout and Fleiss (1979) for ICC(1,k);
Kendall and Babington Smith (1939) for W, how far annotators rank the stories of a prompt alike.
Ratings come as a table, units (stories) x raters, NaN where a rater did not rate. All of these depend only on which
ratings a unit has, not on whose they are, so the columns need not be people.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import Bools, Floats, Ints
from core.statistics.draws import Draws
from core.statistics.intervals import Estimate, estimate

LEVELS = ("nominal", "ordinal", "interval")
SLIGHT, TENTATIVE, GOOD = 0.2, 0.67, 0.8
"""Where agreement ends to be slight (Landis and Koch 1977), and where conclusions may begin to be tentative, and to be
drawn (Krippendorff 2004, "Content Analysis", has .667 and .8).
"""
NEGLIGIBLE = 1e-12
"""Relative to what it is compared with, a sum of squares below this is rounding."""
DRAWS, RATINGS_DRAWN = 200, 2_000_000
"""Draws of one rating a story; of many stories fewer draws are as exact."""
FEWEST_DRAWS = 5
NO_PAIR = "no story has two ratings"
ALL_EQUAL = "every rating is the same"


class AlphaReading(StrEnum):
    """How OpenMEVA (2021), appendix A.3, after Krippendorff, reads an alpha: below 0.67, up to 0.8, above. At 0 it is
    what chance gives.
    """

    CHANCE = "no better than chance"
    NOT_GOOD = "not good"
    TENTATIVE = "tentative"
    GOOD = "good"


UNSURE = "not surely better than chance: its interval holds 0"
HARDLY = f"hardly better than chance (below {SLIGHT})"
_BOUNDS = {
    AlphaReading.CHANCE: "0 or below",
    AlphaReading.NOT_GOOD: f"below {TENTATIVE} on Krippendorff's scale",
    AlphaReading.TENTATIVE: "0.67 to 0.8 on Krippendorff's scale",
    AlphaReading.GOOD: "above 0.8 on Krippendorff's scale",
}


def reading(alpha: float) -> AlphaReading:
    """The paper's word for an alpha, and what 0 or less is."""
    if alpha <= 0:
        return AlphaReading.CHANCE
    if alpha < TENTATIVE:
        return AlphaReading.NOT_GOOD
    return AlphaReading.TENTATIVE if alpha <= GOOD else AlphaReading.GOOD


def in_words(alpha: Estimate) -> str:
    """How an alpha with its interval reads, and which alphas that is said of: by name, or two of them would pass for
    its interval. An alpha near 0 is told from one that is merely not good. "" of none.
    """
    if alpha.value is None:
        return ""
    if alpha.value > 0 and alpha.low is not None and alpha.low <= 0:
        return UNSURE
    if 0 < alpha.value < SLIGHT:
        return HARDLY
    read = reading(alpha.value)
    return f"{read} ({_BOUNDS[read]})"


def _table(ratings: ArrayLike) -> Floats:
    return np.atleast_2d(np.asarray(ratings, dtype=np.float64))


def padded(values: Floats, units: Ints, number: int) -> Floats:
    """The table of `number` units; `values`, `units`: a rating each and its unit, a unit's side by side."""
    counts = np.bincount(units, minlength=number)
    table = np.full((number, counts.max(initial=0)), np.nan)
    table[units, np.arange(len(units)) - (np.cumsum(counts) - counts)[units]] = values
    return table


def rating_table(rows: Sequence[Sequence[float]]) -> Floats:
    """Units x ratings from each unit's ratings, NaN where a unit has fewer than the most rated one."""
    values = np.array([value for row in rows for value in row], dtype=np.float64)
    return padded(values, np.repeat(np.arange(len(rows)), [len(row) for row in rows]), len(rows))


def value_counts(ratings: ArrayLike) -> tuple[Floats, Floats]:
    """Distinct values, and how often each unit got each (units x values)."""
    table = _table(ratings)
    values = np.unique(table[np.isfinite(table)])
    counts = (table[:, :, None] == values).sum(1).astype(np.float64)
    return values, counts


def krippendorff_alpha(ratings: ArrayLike, level: str = "interval") -> float | None:
    """Alpha of a units x raters table with gaps, at most 1; None where fewer than two values were ever given."""
    values, counts = value_counts(ratings)
    return _point(_coincidences(counts).sum(0), values, level)


def _coincidences(counts: Floats) -> Floats:
    """Each unit's pairs of values (units x values x values), weighted so that its ratings add up to their number."""
    counts = np.where(counts.sum(1, keepdims=True) >= 2, counts, 0)
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(counts.shape[1])
    return np.asarray(pairs / np.maximum(counts.sum(1) - 1, 1)[:, None, None])


def _distances(values: Floats, totals: Floats, level: str) -> Floats:
    """Squared differences between values at a level (… x values x values); the ordinal ones depend on the totals."""
    if level == "nominal":
        return 1.0 - np.eye(len(values))
    if level == "interval":
        return np.asarray((values[:, None] - values[None, :]) ** 2)
    if level == "ordinal":
        middle = np.cumsum(totals, axis=-1) - totals / 2
        return np.asarray((middle[..., :, None] - middle[..., None, :]) ** 2)
    raise ValueError(f"unknown level {level!r}; there are {', '.join(LEVELS)}")


def _alpha(coincidences: Floats, values: Floats, level: str) -> Floats:
    """Alpha of each matrix of coincidences (… x values x values); NaN where it holds a single value."""
    totals = coincidences.sum(-1)
    distances = _distances(values, totals, level)
    expected = (totals[..., :, None] * totals[..., None, :] * distances).sum((-1, -2))
    observed = (coincidences * distances).sum((-1, -2))
    varied = np.count_nonzero(totals, axis=-1) >= 2
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(varied, 1 - observed * (totals.sum(-1) - 1) / expected, np.nan)


def _point(coincidences: Floats, values: Floats, level: str) -> float | None:
    alpha = float(_alpha(coincidences, values, level))
    return alpha if np.isfinite(alpha) else None


def alphas(ratings: ArrayLike, prompts: Ints, draws: Draws) -> dict[str, Estimate]:
    """Alpha at each level of measurement, with its interval. `prompts`: each unit's number in the draws."""
    values, counts = value_counts(ratings)
    paired = counts.sum(1) >= 2
    if not paired.any():
        return dict.fromkeys(LEVELS, Estimate(None, undefined=NO_PAIR))
    counts, prompts = counts[paired], prompts[paired]
    single = _coincidences(counts)
    total, size = single.sum(0), len(values)
    drawn = draws.sums(single.reshape(len(counts), size * size), prompts).reshape(-1, size, size)
    estimates = {}
    for level in LEVELS:
        value = _point(total, values, level)
        if value is None:
            estimates[level] = Estimate(None, undefined=ALL_EQUAL)
        else:
            estimates[level] = estimate(value, _alpha(drawn, values, level), prompts)
    return estimates


def fleiss_kappa(ratings: ArrayLike, prompts: Ints, draws: Draws) -> Estimate:
    """Fleiss' kappa, (A - E) / (1 - E), at most 1, for unequal numbers of ratings too (Gwet 2014).

    A: the mean, over units with two or more ratings, of the share of their pairs of ratings that agree.
    E: the sum over values of the square of the mean, over all rated units, of the value's share of their ratings.
    Where each unit has as many ratings, that is Fleiss (1971). Values are categories: a near miss is a miss.
    """
    values, counts = value_counts(ratings)
    number = counts.sum(1)
    rated = number >= 1
    counts, number, prompts = counts[rated], number[rated], prompts[rated]
    paired = number >= 2
    if not paired.any():
        return Estimate(None, undefined=NO_PAIR)
    if len(values) < 2:
        return Estimate(None, undefined=ALL_EQUAL)
    agreed = (counts * (counts - 1)).sum(1) / np.maximum(number * (number - 1), 1)
    rows = np.column_stack([agreed, paired, counts / number[:, None], np.ones(len(counts))])
    return estimate(float(_kappa(rows.sum(0)[None])[0]), _kappa(draws.sums(rows, prompts)), prompts)


def _kappa(sums: Floats) -> Floats:
    """Kappa from sums over units (draws x [agreement, units with pairs, a share each value, units])."""
    with np.errstate(invalid="ignore", divide="ignore"):
        agreed = sums[:, 0] / sums[:, 1]
        expected = ((sums[:, 2:-1] / sums[:, -1:]) ** 2).sum(1)
        return np.where(1 - expected > NEGLIGIBLE, (agreed - expected) / (1 - expected), np.nan)


def icc(ratings: ArrayLike, prompts: Ints, draws: Draws) -> Estimate:
    """ICC(1,k), the reliability of a unit's mean rating: one-way random effects, (between - within) / between.

    No k enters, so unequal numbers of ratings will do. At most 1; below 0 where units differ less than chance.
    """
    rows, units = _squares(ratings)
    prompts = prompts[units]
    if len(rows) < 2:
        return Estimate(None, undefined="fewer than two stories are rated")
    if not (rows[:, 1] >= 2).any():
        return Estimate(None, undefined=NO_PAIR)
    value = float(_icc(rows.sum(0)[None])[0])
    if not np.isfinite(value):
        return Estimate(None, undefined="all stories have the same mean rating")
    return estimate(value, _icc(draws.sums(rows, prompts)), prompts)


def _squares(ratings: ArrayLike) -> tuple[Floats, Ints]:
    """What an analysis of variance adds up: [1, n, sum, sum ** 2 / n, squares within] of each rated unit; its index."""
    table = _table(ratings)
    given = np.isfinite(table)
    units = np.flatnonzero(given.any(1))
    table, given = table[units], given[units]
    counts = given.sum(1)
    # Sums of squares are of numbers around 0, or they would drown in rounding.
    centred = np.where(given, table - (table[given].mean() if counts.any() else 0), 0)
    sums = centred.sum(1)
    within = (np.where(given, centred - (sums / counts)[:, None], 0) ** 2).sum(1)
    return np.column_stack([np.ones(len(units)), counts, sums, sums**2 / counts, within]), units


def _icc(sums: Floats) -> Floats:
    """ICC(1,k) from sums over units (draws x those five); NaN where the units' means do not differ."""
    units, number, total, squares, within = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        between = squares - total**2 / number
        varied = between > NEGLIGIBLE * (squares + within)
        return np.where(varied, 1 - within / (number - units) / (between / (units - 1)), np.nan)


def ceiling(ratings: ArrayLike) -> float | None:
    """sqrt(ICC(1,k)): the correlation a perfect metric could reach with a mean of k noisy ratings; None if undefined.

    0 where the stories do not differ more than chance.
    """
    rows, _ = _squares(ratings)
    if len(rows) < 2 or not (rows[:, 1] >= 2).any():
        return None
    reliability = float(_icc(rows.sum(0)[None])[0])
    return float(np.sqrt(max(0.0, reliability))) if np.isfinite(reliability) else None


def draws_of_one(ratings: Floats) -> int:
    """How many draws of one rating a story are enough for these (stories x ratings): of many stories fewer are as
    exact.
    """
    return int(np.clip(RATINGS_DRAWN // max(ratings.size, 1), FEWEST_DRAWS, DRAWS))


def single_rater(ratings: ArrayLike, *, seed: int = 0, draws: int = 200, coefficient: str = "pearson") -> float | None:
    """Correlation of one rating, drawn at random a story, with the mean of the story's others; the mean of `draws`.

    `coefficient`: Pearson's r, Spearman's rho ("spearman") or Kendall's tau-b ("kendall"). Not a ceiling: a metric can
    pass it. None where no story has two ratings or nothing varies.
    """
    correlate = _BY_DRAW[coefficient]
    table = _table(ratings)
    given = np.isfinite(table)
    table, given = table[given.sum(1) >= 2], given[given.sum(1) >= 2]
    if len(table) < 3:
        return None
    rng = np.random.default_rng(seed)
    others = (np.where(given, table, 0).sum(1)[:, None] - table) / (given.sum(1)[:, None] - 1)
    ones, rests = (table, others) if correlate is _pearson_by_draw else (_codes(table), _codes(others))
    stories = np.arange(len(table))
    correlations: list[Floats] = []
    at_once = max(1, CELLS_AT_ONCE // table.size)
    for begin in range(0, draws, at_once):
        luck = np.where(given, rng.random((min(at_once, draws - begin), *table.shape)), -1.0)
        most, chosen = luck[:, :, 0], np.zeros(luck.shape[:2], dtype=np.intp)
        for place in range(1, table.shape[1]):  # quicker than along short rows
            chosen[luck[:, :, place] > most] = place
            most = np.maximum(most, luck[:, :, place])
        single, rest = ones[stories, chosen], rests[stories, chosen]
        varied = (np.ptp(single, axis=1) > 0) & (np.ptp(rest, axis=1) > 0)
        correlations.append(correlate(single[varied], rest[varied]))
    every = np.concatenate(correlations)
    return float(every.mean()) if len(every) else None


def _pearson_by_draw(a: Floats, b: Floats) -> Floats:
    """Pearson's r of each row (draws x stories) of one with that of the other; none is constant."""
    a, b = a - a.mean(1, keepdims=True), b - b.mean(1, keepdims=True)
    products = [np.einsum("ds,ds->d", *pair) for pair in ((a, b), (a, a), (b, b))]
    return np.asarray(np.clip(products[0] / np.sqrt(products[1] * products[2]), -1, 1))


def _codes(table: Floats) -> Ints:
    """Each value's number in the order of the different ones."""
    return np.unique(table, return_inverse=True)[1].reshape(table.shape)


def _spearman_by_draw(a: Ints, b: Ints) -> Floats:
    """Spearman's rho of each row of codes of one with that of the other; none is constant."""
    return _pearson_by_draw(_ranks_by_draw(a), _ranks_by_draw(b))


def _ranks_by_draw(codes: Ints) -> Floats:
    """The ranks in each row, equal ones sharing theirs: counted, not sorted, as the codes are few."""
    draws, most = len(codes), int(codes.max(initial=0)) + 1
    flat = codes + most * np.arange(draws)[:, None]
    counts = np.bincount(flat.ravel(), minlength=draws * most).reshape(draws, most)
    return np.take_along_axis(counts.cumsum(1) - (counts - 1) / 2, codes, axis=1)


def _kendall_by_draw(a: Ints, b: Ints) -> Floats:
    """Kendall's tau-b of the same, by SciPy."""
    from scipy import stats  # a worker would start half as long again with it

    return np.array([stats.kendalltau(x, y).statistic for x, y in zip(a, b, strict=True)], dtype=np.float64)


_BY_DRAW: Mapping[str, Callable[[Any, Any], Floats]] = {
    "pearson": _pearson_by_draw,
    "spearman": _spearman_by_draw,
    "kendall": _kendall_by_draw,
}
"""From values, or, where only their order counts, from codes."""
CELLS_AT_ONCE = 300_000
"""Ratings that are drawn from at a time, so that they stay near the processor."""


def kendall_w(values: Floats, units: Ints, annotators: Ints, prompts: Ints, draws: Draws) -> Estimate:
    """Mean over prompts of W, 0 (no concordance) to 1 (all rank alike).

    `values`, `units`, `annotators`: a rating each, and the number of its story and of its annotator, negative where
    unknown; `prompts`: each story's number in the draws. A prompt counts where two annotators or more rated all of
    its stories, two or more, and do not all rate them equal; annotators who left some out are left out there.
    """
    concordances = prompt_concordances(values, units, annotators, prompts)
    counted = np.flatnonzero(np.isfinite(concordances))
    if not len(counted):
        return Estimate(None, undefined=_why_no_w(units, annotators, prompts))
    defined = concordances[counted]
    sums = draws.copies[:, counted] @ np.column_stack([defined, np.ones(len(counted))])
    with np.errstate(invalid="ignore", divide="ignore"):
        return estimate(float(defined.mean()), sums[:, 0] / sums[:, 1], counted)


def prompt_concordances(values: Floats, units: Ints, annotators: Ints, prompts: Ints) -> Floats:
    """W of each prompt by its number, NaN where it has none.

    W = 12 S / (m^2 (n^3 - n) - m T) for m annotators and n stories; S: the squared deviations of the stories' sums of
    ranks from their mean; T: the sum over annotators and their ties of t^3 - t, t stories tied.
    """
    number = int(prompts.max(initial=-1)) + 1
    stories = np.bincount(prompts, minlength=number)
    panels, complete = _of_whole_prompts(units, annotators, prompts)
    values, units, panels = values[complete], units[complete], panels[complete]
    if not len(values):
        return np.full(number, np.nan)
    ranks, ties = ranks_within(panels, values)
    own = prompts[units]
    tied = np.bincount(own, weights=ties, minlength=number)
    raters = np.bincount(own, minlength=number) / np.maximum(stories, 1)
    sums = np.bincount(units, weights=ranks, minlength=len(prompts))
    deviations = np.bincount(prompts, weights=(sums - (raters * (stories + 1) / 2)[prompts]) ** 2, minlength=number)
    room = raters**2 * (stories**3.0 - stories) - raters * tied
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where((raters >= 2) & (room > 0), 12 * deviations / room, np.nan)


def _of_whole_prompts(units: Ints, annotators: Ints, prompts: Ints) -> tuple[Ints, Bools]:
    """Of each rating the number of its annotator and prompt, and whether that annotator rated all of the prompt."""
    own = prompts[units]
    _, panels = np.unique(np.column_stack([own, annotators]), axis=0, return_inverse=True)
    return panels, (annotators >= 0) & (np.bincount(panels)[panels] == np.bincount(prompts)[own])


def _why_no_w(units: Ints, annotators: Ints, prompts: Ints) -> str:
    """What the prompts lack where none has a concordance."""
    stories = np.bincount(prompts, minlength=1)
    if stories.max() < 2:
        return "no prompt has two rated stories"
    _, complete = _of_whole_prompts(units, annotators, prompts)
    ratings = np.bincount(prompts[units[complete]], minlength=len(stories))
    if not (ratings[stories > 1] >= 2 * stories[stories > 1]).any():
        return "it takes two annotators who have each rated all rated stories of a prompt, and no prompt has them"
    return "the annotators who rated all stories of a prompt rated these all alike"


def ranks_within(groups: Ints, values: Floats) -> tuple[Floats, Floats]:
    """Mid-rank, from 1, of each value in its group, and its part in the group's ties (t^2 - 1: adds up to t^3 - t)."""
    order = np.lexsort((values, groups))
    sorted_groups, sorted_values = groups[order], values[order]
    new_group = np.diff(sorted_groups, prepend=-1) != 0
    new_value = new_group | (np.diff(sorted_values, prepend=np.nan) != 0)
    places = np.arange(len(order))
    begins = places[new_group][np.cumsum(new_group) - 1]
    runs = np.cumsum(new_value) - 1
    sizes = np.bincount(runs)[runs]
    middles = places[new_value][runs] + (sizes + 1) / 2
    ranks, ties = np.empty(len(order)), np.empty(len(order))
    ranks[order] = middles - begins
    ties[order] = sizes**2.0 - 1
    return ranks, ties
