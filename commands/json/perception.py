"""What `train perception` prints: each system's score under every way of weighing, and how sure its critics were."""

from collections.abc import Sequence
from typing import Any

from commands.json.results import plain
from core.training.perception.scores import PerceptionScore, Trained, Weights, Without, perception_scores, reliability

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
    """A row a system: its score by each of the ways."""
    found = [perception_scores(trained, *way, seed=seed, resamples=resamples) for way in WAYS.values()]
    return [dict(zip(WAYS, scores, strict=True)) for scores in zip(*found, strict=True)]


def perception_report(study: str, number: int, trained: Sequence[Trained]) -> dict[str, Any]:
    """The JSON object."""
    rows = perception_rows(trained)
    return {
        "study": study,
        "perception": number,
        "rows": [
            {
                "system": row["paper"].system,
                "n": row["paper"].n,
                "scores": {
                    name: {**plain(one.score), "seeds": list(one.seeds), "spread": one.spread}
                    for name, one in row.items()
                },
                "critics": [
                    {
                        "seed": one.seed,
                        "trained": one.trained,
                        "held_out": one.held_out,
                        "figures": dict(one.figures),
                        "seconds": one.seconds,
                    }
                    for one in trained
                    if one.system == row["paper"].system
                ],
            }
            for row in rows
        ],
        "reliability": [plain(one) for one in reliability(trained)],
    }
