"""Metrics whose classifier says yes with a logit: the score is that logit or its probability, and each follows from
the other, so that no story is read for the second.
"""

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.metrics.base import Derivation, Option
from core.metrics.trained.base import TrainedMetric
from core.stories import Story

PROBABILITY, LOGIT = "probability", "logit"
_SURE = 1e-10
"""What is left to 1 of the highest probability that tells its logit: beyond it float64 has fewer digits than the
classifier's float32."""
_NEVER = 1e-300
"""Lower ones have fewer digits as well."""


def of_option(yes: str) -> Option:
    """Which of both; `yes`: what the classifier says yes to."""
    return Option((PROBABILITY, LOGIT), f"P({yes}), or its logit, which spreads stories at both ends", title="Score")


def probability(logit: float) -> float:
    """Return the probability (0 to 1) of a logit."""
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else math.exp(logit) / (1 + math.exp(logit))


def logit(probability: float) -> float | None:
    """Of a probability: the very logit that it was made of, in single precision, but for those within 1e-8 of 0; None
    where the probability is too near 0 or 1 to tell.
    """
    if not _NEVER < probability <= 1 - _SURE:
        return None
    return single(math.log(probability) - math.log1p(-probability))


def single(number: float) -> float:
    """Return a number in single precision, as classifiers compute it."""
    return float(np.float32(number))


class OddsMetric(TrainedMetric):
    """One with an option `of`."""

    def number(self, logit: float) -> float:
        """What is asked for of a story's logit."""
        return logit if self.chosen["of"] == LOGIT else probability(logit)

    def derivations(self) -> tuple[Derivation, ...]:
        """Return how the logit follows from the probability, or the probability from the logit."""
        of = self.chosen["of"]
        other = self.with_options({"of": PROBABILITY if of == LOGIT else LOGIT})
        return (Derivation(other.signature, _logit if of == LOGIT else _probability),)

    def with_options(self, options: Mapping[str, str]) -> "OddsMetric":
        """The same metric with these options instead."""
        return type(self)(replace(self.settings, options={**(self.settings.options or {}), **options}))


def _logit(_story: Story, value: float) -> float | None:
    return logit(value)


def _probability(_story: Story, value: float) -> float | None:
    return probability(value)
