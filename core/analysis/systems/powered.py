"""Systems by people and a metric together: prediction-powered means of their ratings.

A system's stories that have a rating are people's sample, and those with a score and without a rating are what the
metric adds. It must have been chance which prompts were rated.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from core.scores import ScoreTable
from core.statistics.groups import members, numbered
from core.statistics.prediction_powered import PoweredMean, powered_mean


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


def nothing_to_gain(systems: Sequence[PoweredSystem]) -> str | None:
    """Why a metric adds nothing to any system's mean, and what to do, as sentences; None where it may add to one."""
    if any(row.mean.powered is not None for row in systems):
        return None
    if not any(row.mean.n_rated for row in systems):
        return "No story here is rated. Have some rated."
    if not any(row.mean.n_unrated for row in systems):
        return (
            "Every story with a score is rated, so the metric has nothing to add. Import more stories of these systems "
            "and score them to gain from it."
        )
    reasons = dict.fromkeys(row.mean.undefined for row in systems if row.mean.n_rated and row.mean.n_unrated)
    if not reasons:
        return "The systems that have rated stories have no further story with a score. Score more of their stories."
    return f"The metric has nothing to add yet: {'; '.join(filter(None, reasons))}. Have more prompts rated, or scored."


def gain_sentence(systems: Sequence[PoweredSystem]) -> str:
    """How many systems' intervals the metric narrows, and how far; of systems of which at least one is powered."""
    ratios = [ratio for row in systems if (ratio := row.mean.width_ratio) is not None]
    narrower = [ratio for ratio in ratios if ratio < 1]
    if not narrower:
        return "The metric narrows no system's interval: people alone say as much."
    width = f"to {100 * np.mean(narrower):.0f} % of its width"
    if len(ratios) == 1:
        return f"The metric narrows the system's interval, {width}."
    return (
        f"The metric narrows the interval of {len(narrower)} of {len(ratios)} systems, {width}"
        f"{' on average' if len(narrower) > 1 else ''}."
    )
