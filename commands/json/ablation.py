"""What `ablation --json` prints: a row a UNION, one value per evaluation set (UNION 2020, Table 7)."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.annotation.studies import Study
from core.checkpoints.card import CheckpointCard
from core.formats.plain_json import plain
from core.statistics.correlation import MetricCorrelation
from core.training.union.ablation import WHOLE

ALL = "all"


def relative_change(value: float | None, whole: float | None) -> float | None:
    """Of a correlation, as a share of the whole UNION's; None where one is undefined or the whole's is 0."""
    return None if value is None or not whole else (value - whole) / abs(whole)


def ablation_report(
    study: Study,
    cards: Mapping[str, CheckpointCard],
    correlations: Sequence[MetricCorrelation],
    seed: int,
    resamples: int,
    sets: str,
) -> dict[str, Any]:
    """`found`: the rows of every variant (their metric) on every set; `sets`: the definition of the error types'."""
    by = {(row.metric, row.subset or ALL): row.correlation for row in correlations}
    names = list(dict.fromkeys(row.subset or ALL for row in correlations))
    return {
        "study": study.name,
        "demonstration": study.demonstration,
        "seed": seed,
        "resamples": resamples,
        "definition": sets,
        "sets": [{"set": name, "n": by[WHOLE, name].n} for name in names],
        "rows": [
            {
                "variant": variant,
                "checkpoint": card.weights,
                "values": [
                    {
                        **plain(by[variant, name].pearson),
                        "change": relative_change(by[variant, name].pearson.value, by[WHOLE, name].pearson.value),
                        "undefined": by[variant, name].undefined,
                    }
                    for name in names
                ],
                "figures": plain(card.figures),
            }
            for variant, card in cards.items()
        ],
    }
