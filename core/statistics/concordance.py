"""Kendall's W: how far annotators rank the stories of a prompt alike (Kendall and Babington Smith 1939, with ties)."""

import numpy as np

from core.arrays import Floats, Ints
from core.statistics.draws import Draws
from core.statistics.intervals import Estimate, estimate


def kendall_w(values: Floats, units: Ints, annotators: Ints, prompts: Ints, draws: Draws) -> Estimate:
    """Mean over prompts of W, 0 (no concordance) to 1 (all rank alike).

    `values`, `units`, `annotators`: a rating each, and the number of its story and of its annotator, negative where
    unknown; `prompts`: each story's number in the draws. A prompt counts where two annotators or more rated all of
    its stories, two or more, and do not all rate them equal; annotators who left some out are left out there.
    """
    concordances = prompt_concordances(values, units, annotators, prompts)
    counted = np.flatnonzero(np.isfinite(concordances))
    if not len(counted):
        return Estimate(None, undefined="no prompt has two stories that the same two annotators rated apart")
    found = concordances[counted]
    sums = draws.copies[:, counted] @ np.column_stack([found, np.ones(len(counted))])
    with np.errstate(invalid="ignore", divide="ignore"):
        return estimate(float(found.mean()), sums[:, 0] / sums[:, 1], counted)


def prompt_concordances(values: Floats, units: Ints, annotators: Ints, prompts: Ints) -> Floats:
    """W of each prompt by its number, NaN where it has none.

    W = 12 S / (m^2 (n^3 - n) - m T) for m annotators and n stories; S: the squared deviations of the stories' sums of
    ranks from their mean; T: the sum over annotators and their ties of t^3 - t, t stories tied.
    """
    number = int(prompts.max(initial=-1)) + 1
    stories = np.bincount(prompts, minlength=number)
    _, panels = np.unique(np.column_stack([prompts[units], annotators]), axis=0, return_inverse=True)
    complete = (annotators >= 0) & (np.bincount(panels)[panels] == stories[prompts[units]])
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
