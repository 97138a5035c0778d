"""One partition under a run's metrics: the pure step that every engine runs."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.arrays import Floats
from core.engines.recipe import Recipe
from core.engines.work import DIED
from core.metrics.base import Metric
from core.metrics.batches import Pending, batch_size, plan, score_in_turns
from core.models.text_cache import forget_texts
from core.notices import collecting
from core.streams.partition import Aside, Partition
from core.streams.stories import Reader, ReadStories

KEY = b"fabula"
"""Under which a part's metadata says what it holds."""
REASON = ".reason"
"""How the column is called, behind a metric's name, that says why a score is missing."""
SHORTENED = 16


@dataclass(frozen=True)
class Piece:
    """Some of a partition's stories, by their places; all of them, where `end` is None."""

    partition: Partition
    start: int = 0
    end: int | None = None


@dataclass(frozen=True)
class ScoredPiece:
    """Scores of a piece. `table`: a pyarrow Table, one row a story; `seconds`: by metric; `aside`: rows set aside."""

    piece: Piece
    table: Any
    seconds: tuple[float, ...]
    aside: tuple[Aside, ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class StreamTask:
    """What is done to each piece. `names`: of the metrics' columns. It can be pickled."""

    reader: Reader
    recipe: Recipe
    names: tuple[str, ...]

    def read(self, piece: Piece) -> tuple[Piece, ReadStories]:
        """The piece's stories."""
        stories = self.reader.read(piece.partition)
        return piece, stories if piece.end is None else stories.taking(piece.start, piece.end)

    def make(self) -> Callable[[tuple[Piece, ReadStories]], ScoredPiece]:
        """What scores pieces in this process."""
        metrics = self.recipe.metrics()
        return lambda ready: score_piece(metrics, self.names, *ready)

    def given_up(self, piece: Piece) -> ScoredPiece:
        """Of a single story that no process outlives."""
        _, read = self.read(piece)
        unscored = [np.full(len(read.ids), np.nan)] * len(self.names)
        reasons = [dict.fromkeys(range(len(read.ids)), DIED)] * len(self.names)
        return ScoredPiece(piece, table_of(read, self.names, unscored, reasons), (0.0,) * len(self.names))


def score_piece(metrics: Sequence[Metric], names: Sequence[str], piece: Piece, read: ReadStories) -> ScoredPiece:
    """Score it. What was scored before leaves no trace in the numbers, so that every process gives the same ones."""
    forget_texts()
    values = [np.full(len(read.ids), np.nan) for _ in metrics]
    reasons: list[dict[int, str]] = [{} for _ in metrics]
    seconds = [0.0] * len(metrics)
    every = frozenset(range(len(metrics)))
    pending = [Pending(f"{place:09}", story, every) for place, story in enumerate(read.stories)]
    device = metrics[0].settings.device
    batches = plan(pending, batch_size(with_model=any(metric.role for metric in metrics), device=device))
    rounds = ([[(int(item.content_hash), item.story) for item in batch]] * len(metrics) for batch in batches)
    with collecting() as notices:
        for turn in score_in_turns(metrics, rounds):
            at = np.array(turn.keys)
            values[turn.metric][at] = turn.scores.values
            reasons[turn.metric] |= {turn.keys[place]: reason for place, reason in turn.scores.reasons.items()}
            seconds[turn.metric] += turn.seconds
    return ScoredPiece(piece, table_of(read, names, values, reasons), tuple(seconds), read.aside, tuple(notices))


def table_of(
    read: ReadStories, names: Sequence[str], values: Sequence[Floats], reasons: Sequence[Mapping[int, str]]
) -> Any:
    """A row a story: its id, its row in the file (from 1), what is carried along, a hash of its text, and for each
    metric its score, null where it is undefined, with the reason.
    """
    import pyarrow

    columns: dict[str, Any] = {
        "id": pyarrow.array(read.ids, pyarrow.string()),
        "row": pyarrow.array(read.numbers, pyarrow.int64()),
        **{name: pyarrow.array(given, pyarrow.string()) for name, given in read.carried.items()},
        "text_hash": pyarrow.array([text_hash(story.text) for story in read.stories], pyarrow.string()),
    }
    for name, scores, why in zip(names, values, reasons, strict=True):
        columns[name] = pyarrow.array(scores, pyarrow.float64(), mask=np.isnan(scores))
        columns[name + REASON] = pyarrow.array([why.get(i) for i in range(len(scores))], pyarrow.string())
    return pyarrow.table(columns)


def text_hash(text: str) -> str:
    """By which it is seen whether a score is of this text: the beginning of its SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:SHORTENED]


@dataclass(frozen=True)
class About:
    """What a part says of itself. `signatures`: of its metrics, by column; `undefined`: how many stories have no score
    of each, by reason; `file`: where the stories come from, from row `first` (from 0) on.
    """

    signatures: Mapping[str, str]
    file: str
    first: int
    rows: int
    stories: int
    aside: int
    undefined: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def encoded(self) -> bytes:
        """As metadata."""
        return json.dumps(vars(self) | {"signatures": dict(self.signatures)}, ensure_ascii=False).encode()

    @classmethod
    def of(cls, encoded: bytes) -> "About":
        """From metadata. Raises ValueError or TypeError for what is none."""
        return cls(**json.loads(encoded))


def about(scored: ScoredPiece, signatures: Mapping[str, str]) -> About:
    """Of a whole partition."""
    partition = scored.piece.partition
    counts = {
        name: dict(sorted(Counter(filter(None, scored.table.column(name + REASON).to_pylist())).items()))
        for name in signatures
    }
    return About(
        signatures,
        partition.file.address,
        partition.first,
        partition.rows,
        scored.table.num_rows,
        len(scored.aside),
        {name: count for name, count in counts.items() if count},
    )
