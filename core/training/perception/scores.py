"""From critics' answers about pairs to a system's Perception Score (Gu et al. 2020, equations 15 and 16, Table 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.arrays import Floats
from core.scores import ScoreColumn
from core.statistics.draws import draw_prompts
from core.statistics.intervals import Estimate, ends, wilson

PERCEPTION = "perception"
"""What its column is called among metrics."""
UNTESTED = "no critic was tested on this story"


class Weights(StrEnum):
    """How pairs are weighed by c and m: as the paper prints it, which weighs what is sure down; as its text says,
    which weighs it up; or all alike.
    """

    PAPER = "paper"
    CONFIDENCE = "confidence"
    NONE = "none"


class Without(StrEnum):
    """Which of the two is left out of the weights (Table 2)."""

    NOTHING = "nothing"
    M = "m"
    C = "c"


@dataclass(frozen=True, slots=True)
class CriticScores:
    """What one critic says of a group's texts; one value per text, means over its references.

    `keys` of the stories, `contexts` of their prompts; `generated`: P_generated, .5 where it cannot tell the text from
    a reference; `confidence`: c; `certainty`: m. All in 0..1.
    """

    group: str
    keys: tuple[str, ...]
    contexts: tuple[str, ...]
    generated: tuple[float, ...]
    confidence: tuple[float, ...]
    certainty: tuple[float, ...]


@dataclass(frozen=True)
class Trained:
    """One critic: for which system, by which seed, on how many texts; `figures` of its held-out pairs; `judged`: its
    own system's test texts first, then those of other groups.
    """

    system: str
    seed: int
    trained: int
    held_out: int
    figures: Mapping[str, float]
    seconds: float
    judged: tuple[CriticScores, ...]


@dataclass(frozen=True)
class PerceptionScore:
    """Of one group by the critics of one system: the mean over seeds of the weighted means of P_generated.

    `score`: with the interval of draws of whole contexts. `seeds`: each seed's own; `spread`: their standard deviation,
    None for one seed. `n` texts tested.
    """

    system: str
    group: str
    n: int
    score: Estimate
    seeds: tuple[float, ...]
    spread: float | None


@dataclass(frozen=True)
class ReliabilityBin:
    """Pairs of about equal confidence: mean c, and the share whose reference the critic puts on top, with `low` and
    `high` of its 95 % interval.
    """

    confidence: float
    right: float
    low: float
    high: float
    n: int


def weights_of(judged: CriticScores, how: Weights, without: Without = Without.NOTHING) -> Floats:
    """A weight a text, summing to 1 (equation 16)."""
    confidence, certainty = np.array(judged.confidence), np.array(judged.certainty)
    parts = {Without.NOTHING: confidence + certainty, Without.M: confidence, Without.C: certainty}
    sure = np.maximum(parts[without], 1e-6)
    raw = {Weights.PAPER: 1 / sure, Weights.CONFIDENCE: sure, Weights.NONE: np.ones_like(sure)}[how]
    return np.asarray(raw / raw.sum())


def perception_scores(
    trained: Sequence[Trained],
    how: Weights = Weights.PAPER,
    without: Without = Without.NOTHING,
    *,
    group: str | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> tuple[PerceptionScore, ...]:
    """A system's score by its critics, system by system. `group`: of that group's texts instead of the system's own,
    where they were judged. `seed`: of the draws.
    """
    scores = []
    for system in dict.fromkeys(critic.system for critic in trained):
        own = [
            judged
            for critic in trained
            if critic.system == system
            for judged in critic.judged
            if judged.group == (group or system)
        ]
        if own:
            scores.append(_score(system, own, how, without, seed=seed, resamples=resamples))
    return tuple(scores)


def _score(
    system: str, critics: Sequence[CriticScores], how: Weights, without: Without, *, seed: int, resamples: int
) -> PerceptionScore:
    seeds = [float(weights_of(judged, how, without) @ np.array(judged.generated)) for judged in critics]
    draws = draw_prompts(critics[0].contexts, seed=seed, resamples=resamples)
    places, number = draws.of(critics[0].contexts), len(draws.numbers)
    low: float | None = None
    high: float | None = None
    if number > 1 and resamples:
        drawn = []
        for judged in critics:
            weight = weights_of(judged, how, without)
            sums = np.bincount(places, weight * np.array(judged.generated), number)
            drawn.append((draws.copies @ sums) / (draws.copies @ np.bincount(places, weight, number)))
        low, high = ends(np.mean(drawn, 0))
    spread = float(np.std(seeds, ddof=1)) if len(seeds) > 1 else None
    score = Estimate(float(np.mean(seeds)), low, high)
    return PerceptionScore(system, critics[0].group, len(critics[0].keys), score, tuple(seeds), spread)


def perception_column(
    trained: Sequence[Trained],
    keys: Sequence[str],
    signature: str,
    how: Weights = Weights.PAPER,
    without: Without = Without.NOTHING,
    *,
    critics_of: str | None = None,
) -> ScoreColumn:
    """As a metric's scores of the stories of these keys: a system's weighted mean of them is its Perception Score.

    A story's value is the mean of P_generated over seeds, each as its weight says. `critics_of`: all stories by the
    critics of that system; else each by its own system's. Stories that were trained on have no value.
    """
    values: dict[str, float] = {}
    weights: dict[str, float] = {}
    for critic in trained:
        for judged in critic.judged:
            if critic.system == critics_of or (critics_of is None and judged.group == critic.system):
                of_texts = weights_of(judged, how, without)
                for key, weight, generated in zip(judged.keys, of_texts, judged.generated, strict=True):
                    weights[key] = weights.get(key, 0.0) + float(weight)
                    values[key] = values.get(key, 0.0) + float(weight) * generated
    column = np.array([values[key] / weights[key] if key in values else np.nan for key in keys])
    reasons = {i: UNTESTED for i, key in enumerate(keys) if key not in values}
    return ScoreColumn(PERCEPTION, signature, column, reasons, np.array([weights.get(key, np.nan) for key in keys]))


def reliability(trained: Sequence[Trained], bins: int = 5) -> tuple[ReliabilityBin, ...]:
    """Is a critic right as often as it is sure? Test pairs of the critics' own systems, in bins of equal numbers.

    A pair is one, however many seeds have judged it: its c and how often it is right are their means. Intervals take
    pairs as independent.
    """
    sure: dict[tuple[str, str], list[float]] = {}
    right: dict[tuple[str, str], list[float]] = {}
    for critic in trained:
        for judged in critic.judged:
            if judged.group == critic.system:
                for key, confidence, generated in zip(judged.keys, judged.confidence, judged.generated, strict=True):
                    sure.setdefault((critic.system, key), []).append(confidence)
                    right.setdefault((critic.system, key), []).append((generated < 0.5) + 0.5 * (generated == 0.5))
    confidences, shares = (np.array([np.mean(some) for some in by_pair.values()]) for by_pair in (sure, right))
    reliabilities = []
    for part in np.array_split(np.argsort(confidences, kind="stable"), bins):
        if len(part):
            share = float(shares[part].mean())
            low, high = wilson(share, len(part))
            reliabilities.append(ReliabilityBin(float(confidences[part].mean()), share, low, high, len(part)))
    return tuple(reliabilities)


WAYS = {
    "paper": (Weights.PAPER, Without.NOTHING),
    "paper without m": (Weights.PAPER, Without.M),
    "paper without c": (Weights.PAPER, Without.C),
    "confidence": (Weights.CONFIDENCE, Without.NOTHING),
    "none": (Weights.NONE, Without.NOTHING),
}
"""The paper's weights and its Table 2; the weights that its text describes; none."""


def perception_rows(
    trained: Sequence[Trained], *, seed: int = 0, resamples: int = 1000
) -> list[dict[str, PerceptionScore]]:
    """One row per system: its score by each of the ways."""
    by_way = [perception_scores(trained, *way, seed=seed, resamples=resamples) for way in WAYS.values()]
    return [dict(zip(WAYS, scores, strict=True)) for scores in zip(*by_way, strict=True)]
