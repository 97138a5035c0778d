"""What `train perception` prints: each system's score under every way of weighing, and how sure its critics were."""

from collections.abc import Sequence
from typing import Any

from core.formats.plain_json import plain
from core.training.perception.scores import Trained, perception_rows, reliability


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
                    name: {
                        **plain(perception_score.score),
                        "seeds": list(perception_score.seeds),
                        "spread": perception_score.spread,
                    }
                    for name, perception_score in row.items()
                },
                "critics": [
                    {
                        "seed": item.seed,
                        "trained": item.trained,
                        "held_out": item.held_out,
                        "figures": dict(item.figures),
                        "seconds": item.seconds,
                    }
                    for item in trained
                    if item.system == row["paper"].system
                ],
            }
            for row in rows
        ],
        "reliability": [plain(reliability_bin) for reliability_bin in reliability(trained)],
    }
