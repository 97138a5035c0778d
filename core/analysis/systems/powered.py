"""Systems by people and a metric together: prediction-powered means of their ratings.

A system's stories that have a rating are people's sample, and those with a score and without a rating are what the
metric adds. It must have been chance which prompts were rated.
"""

from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from core.scores import ScoreTable
from core.statistics.groups import members, numbered
from core.statistics.prediction_powered import ALL_RATED, PoweredMean, powered_mean


@dataclass(frozen=True)
class PoweredSystem:
    """A system's mean, by people alone and with the metric."""

    system: str
    mean: PoweredMean


def powered_systems(table: ScoreTable, place: int, *, human: Floats | None = None) -> tuple[PoweredSystem, ...]:
    """Each system's means with the metric at this place of the table, systems by name.

    `human`: the judgment of each story in place of its mean rating.
    """
    judged = table.human if human is None else human
    scores, prompts = table.columns[place].values, numbered(table.prompts)[1]
    return tuple(
        PoweredSystem(system, powered_mean(judged[rows], scores[rows], prompts[rows]))
        for system, rows in members(table.systems).items()
    )


def nothing_to_gain(systems: tuple[PoweredSystem, ...]) -> str | None:
    """Why a metric adds nothing to any system's mean, as a sentence; None where it may add to one."""
    if any(row.mean.powered is not None for row in systems):
        return None
    reasons = dict.fromkeys(row.mean.undefined or "" for row in systems if row.mean.n_rated)
    if not any(row.mean.n_unrated for row in systems):
        rated = any(row.mean.n_rated for row in systems)
        return "Every story with a score is rated: there is nothing for the metric to add." if rated else None
    few = [reason for reason in reasons if reason != ALL_RATED]
    return f"The metric adds nothing: {'; '.join(few)}." if few else None


def gain(systems: tuple[PoweredSystem, ...]) -> tuple[int, int, float] | None:
    """Of the systems whose interval the metric narrows: how many, of how many, and their mean width over that of people
    alone; None where there is none.
    """
    ratios = [ratio for row in systems if (ratio := row.mean.width_ratio) is not None]
    narrower = [ratio for ratio in ratios if ratio < 1]
    return (len(narrower), len(ratios), float(np.mean(narrower))) if narrower else None
