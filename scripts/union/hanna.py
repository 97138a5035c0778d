"""HANNA (Chhun et al. 2022) as a table that `import fabula` reads: one row per rating, the mean of its six criteria.

    python scripts/union/hanna.py FOLDER/hanna/hanna.jsonl hanna.csv
    python cli.py import fabula hanna.csv --study hanna --scale 1-5

The human stories stand among the systems, so that they are scored and correlated as the others.
"""

import csv
import json
from pathlib import Path
from statistics import fmean

import typer


def main(given: Path, table: Path) -> None:
    """Three raters a story; a column of them is not one person throughout, so nobody has a name."""
    with given.open(encoding="utf-8") as lines, table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["story_id", "prompt", "system", "source", "story", "overall"])
        for row in map(json.loads, lines):
            shared_cells = [row["story_id"], row["prompt"], row["system"], "system", row["story"]]
            writer.writerows([*shared_cells, fmean(rating.values())] for rating in row["ratings"])


if __name__ == "__main__":
    typer.run(main)
