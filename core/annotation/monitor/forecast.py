"""How many more panels a study needs, at the rate at which its panels have been rejected so far."""

from dataclasses import dataclass

import numpy as np

from core.statistics.groups import too_few

JEFFREYS = 0.5
DRAWS = 200_000
FEWEST = 10
"""Panels that were judged, below which nothing is forecast: after four, one of them rejected, 100 open slots may take
102 to 354 panels; after ten, two rejected, 104 to 204."""


@dataclass(frozen=True)
class Forecast:
    """`open_slots`: valid panels still wanted. `rejection_rate`: share of the panels judged, None before the first.

    `panels`: how many must be handed in until the slots are filled, the median; `low`, `high`: the 95 % predictive
    interval. All three None, and `undefined` says why, as long as no panel was accepted, or too few were judged.
    """

    open_slots: int
    valid: int
    rejected: int
    rejection_rate: float | None
    panels: int | None = None
    low: int | None = None
    high: int | None = None
    undefined: str | None = None


def forecast(open_slots: int, valid: int, rejected: int) -> Forecast:
    """Forecast the panels left, given how many of those judged were valid and rejected (counts, 0 or more).

    A panel is valid with an unknown probability of Jeffreys' prior, Beta(1/2, 1/2); after what was judged, the
    rejections until `open_slots` more are valid are beta-negative-binomial: drawn, since its exact quantiles take
    seconds where few of many were accepted.
    """
    judged = valid + rejected
    rate = rejected / judged if judged else None
    if open_slots == 0:
        return Forecast(0, valid, rejected, rate, 0, 0, 0)
    if 0 < judged < FEWEST:
        reason = too_few(judged, "panel was", "panels were", "judged", FEWEST)
        return Forecast(open_slots, valid, rejected, rate, undefined=reason)
    if not valid:
        # The prior alone would give an interval without an end.
        reason = "no panel was accepted yet" if judged else "no panel was handed in yet"
        return Forecast(open_slots, valid, rejected, rate, undefined=reason)
    rng = np.random.default_rng(0)
    chance = rng.beta(valid + JEFFREYS, rejected + JEFFREYS, DRAWS)
    rejections = rng.negative_binomial(open_slots, chance)
    low, middle, high = (open_slots + int(n) for n in np.percentile(rejections, [2.5, 50, 97.5]))
    return Forecast(open_slots, valid, rejected, rate, middle, low, high)
