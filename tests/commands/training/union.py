"""What several tests of union share."""

import csv
from collections.abc import Sequence
from pathlib import Path


def table(path: Path, stories: Sequence[tuple[str, str]]) -> str:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("prompt", "text"), *stories])
    return str(path)
