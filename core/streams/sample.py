"""Some of the stories of a folder of scores, with their scores: enough to see what a metric makes of odd ones."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.arrays import Floats
from core.streams.folder import Run, part_table
from core.streams.stories import Reader

MOST = 20_000


@dataclass(frozen=True)
class Sample:
    """Stories drawn: their texts and prompts, and by metric name, signature and scores. `of`: how many there are."""

    columns: tuple[tuple[str, str, Floats], ...]
    prompts: tuple[str, ...]
    texts: tuple[str, ...]

    @property
    def of(self) -> int:
        """How many stories were drawn."""
        return len(self.texts)

    @property
    def human(self) -> Floats:
        """No judgments: one NaN a story."""
        return np.full(len(self.texts), np.nan)


def sample(folder: Path, run: Run) -> Sample:
    """About `MOST` stories at most, of partitions that lie at equal distances. Raises FabulaError."""
    partitions, rows = run.partitions, sum(layout.rows for _, layout in run.files)
    step = max(1, round(rows / MOST))
    reader = Reader(run.columns, run.where)
    values: dict[str, list[Floats]] = {name: [] for name in run.signatures}
    prompts: list[str] = []
    texts: list[str] = []
    for partition in partitions[::step] if len(partitions) > step else partitions[:1]:
        stories = reader.read(partition).stories
        table = part_table(folder, partition)
        texts += [story.text for story in stories]
        prompts += [story.prompt for story in stories]
        for name, parts in values.items():
            parts.append(table.column(name).to_numpy().astype(np.float64))
    columns = tuple(
        (name, run.signatures[name], np.concatenate(parts) if parts else np.zeros(0)) for name, parts in values.items()
    )
    return Sample(columns, tuple(prompts), tuple(texts))
