"""Sums over a text's tokens, from what a language model measures of each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.models.language import LanguageModel


@dataclass(frozen=True)
class Likelihood:
    """Negative log-likelihood (nats) and p / p_max, summed over the scored tokens, and how many they are."""

    nll: float
    fraction: float
    tokens: int


def likelihoods(
    model: LanguageModel,
    pairs: Sequence[tuple[str, str]],
    on_progress: Callable[[int], None] | None = None,
    window: int | None = None,
    stride: int | None = None,
) -> list[Likelihood]:
    """Of each pair's text given what comes before, in input order."""
    measured = model.measures(pairs, on_progress, window, stride)
    sums = [rows.sum(0, dtype=np.float64).tolist() for rows in measured]
    return [Likelihood(nll, fraction, len(rows)) for (nll, fraction, *_), rows in zip(sums, measured, strict=True)]
