"""Stories in a file, and the folders of scores that engines make of them."""

import csv
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from core.engines.work import Engine
from core.streams.run import Summary, score_files
from tests.core.engines.works import DEADLY, POISON

WORDS = ("the", "a", "dog", "sky", "ran", "slept", "under", "over", "blue", "river", "and", "then", "she", "was", "old")
ROWS_A_PARTITION = 12
Scored = Callable[..., Summary]


@pytest.fixture
def deadly(tmp_path: Path) -> str:
    """A metric of a user's own that its process may not outlive."""
    file = tmp_path / "deadly.py"
    file.write_text(DEADLY, encoding="utf-8")
    return f"{file}:Deadly"


@pytest.fixture
def stories(tmp_path: Path) -> Path:
    """A file of forty stories; the last is poison to the metric of one's own."""
    drawn = random.Random(3)
    path = tmp_path / "stories.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "prompt", "text", "reference"])
        for number in range(40):
            text, reference = (" ".join(drawn.choices(WORDS, k=drawn.randint(5, 30))) for _ in range(2))
            writer.writerow([f"s{number}", f"prompt {number % 5}", POISON if number == 39 else text, reference])
    return path


@pytest.fixture
def without_poison(stories: Path) -> None:
    """The file of stories as it was."""
    stories.write_text(stories.read_text(encoding="utf-8").replace(POISON, "she ran"), encoding="utf-8")


@pytest.fixture
def scored(home: Path, tmp_path: Path, stories: Path) -> Scored:
    """Scores the stories into a folder of this name."""

    def score(name: str, engine: Engine, metrics: list[str], rows: int = ROWS_A_PARTITION) -> Summary:
        settings = {"metrics": metrics, "device": "cpu", "options": {"bertscore-f1": {"idf": "references"}}}
        settings["options"] = {key: value for key, value in settings["options"].items() if key in metrics}
        return score_files([str(stories)], tmp_path / name, settings, engine, mapping={}, rows=rows)

    return score
