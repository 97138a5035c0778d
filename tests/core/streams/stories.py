"""Files of stories for the tests of streams."""

import json
import random
from pathlib import Path
from typing import Any

WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "house",
    "ran",
    "went",
    "to",
    "saw",
    "and",
    "letter",
    "wall",
    "Ida",
    "found",
    "read",
    "quickly",
    "never",
    "home",
    "said",
    "Tom",
    "old",
]


def rows_of(number: int, seed: int = 0) -> list[dict[str, Any]]:
    """So many stories of three systems, with references."""
    rng = random.Random(seed)

    def text(least: int, most: int) -> str:
        return " ".join(rng.choice(WORDS) for _ in range(rng.randint(least, most))) + "."

    return [
        {
            "id": f"s{place}",
            "prompt": f"Ida found letter {place // 3}.",
            "system": f"system {place % 3}",
            "text": text(5, 40),
            "reference": text(10, 30),
        }
        for place in range(number)
    ]


def write_jsonl(path: Path, rows: list[dict[str, Any]]) -> Path:
    """As JSON lines."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def settings(*metrics: str, **more: Any) -> dict[str, Any]:
    """A run of these metrics."""
    return {"metrics": list(metrics), "models": {}, "device": "cpu", "precision": "float32", "options": {}, **more}
