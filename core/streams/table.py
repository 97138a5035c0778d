"""A folder of scores as an analysis needs them: a column a metric, in the order of a study's stories."""

from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints, ascending, blocks, room
from core.errors import InputError
from core.scores import ScoreColumn
from core.streams.folder import Run, kept, part_table, read_run
from core.streams.scoring import REASON, text_hash

CHECKED = 1000
"""So many stories' texts are compared with those that were scored."""


def columns_of(folder: Path, keys: Sequence[str], texts: Sequence[str]) -> list[ScoreColumn]:
    """The folder's scores of the stories with these ids; NaN for a story that it has not. `texts`: the stories'.

    Raises InputError for a folder that is none, or not finished; where it has none of the stories, one of them twice,
    or another text under its id.
    """
    run = _finished(folder)
    places_of = _places(keys)
    values: dict[str, Floats] = {name: room(len(keys)) for name in run.signatures}
    for column, block in product(values.values(), blocks(len(keys))):
        column[block] = np.nan
    reasons: dict[str, dict[int, str]] = {name: {} for name in run.signatures}
    filled = room(len(keys), np.bool_)
    for partition in run.partitions:
        table = part_table(folder, partition)
        places = places_of(table.column("id").to_pylist())
        known = places >= 0
        at = places[known]
        _check_once(folder, filled, at, keys)
        filled[at] = True
        for name in run.signatures:
            column = table.column(name).to_numpy()
            values[name][at] = column[known]
            _take_reasons(reasons[name], table.column(name + REASON), places)
        _check_texts(folder, table, places, texts, keys, -(-CHECKED // len(run.partitions)))
    if not filled.any():
        raise InputError(f"No story of the study has an id that {folder} names: score the file that was imported.")
    return [ScoreColumn(*_named(name, run), values[name], reasons[name]) for name in run.signatures]


def _places(keys: Sequence[str]) -> Callable[[Sequence[str]], Ints]:
    """Where ids stand among the keys, -1 for another: by 64-bit hashes, an eighth of what a dictionary takes."""
    hashes: NDArray[np.int64] = room(len(keys), np.int64)
    for number, key in enumerate(keys):
        hashes[number] = hash(key)
    order = ascending(hashes)
    in_order = room(len(keys), np.int64)
    for block in blocks(len(keys)):
        in_order[block] = hashes[order[block]]

    def find(ids: Sequence[str]) -> Ints:
        if not len(in_order):
            return np.full(len(ids), -1)
        wanted = np.fromiter(map(hash, ids), dtype=np.int64, count=len(ids))
        at = np.minimum(np.searchsorted(in_order, wanted), len(in_order) - 1)
        return np.where(in_order[at] == wanted, order[at], -1)

    return find


def _named(name: str, run: Run) -> tuple[str, str]:
    """A metric's own name, which its signature begins with, and the signature."""
    signature = run.signatures[name]
    return signature.partition("|")[0], signature


def _finished(folder: Path) -> Run:
    run = read_run(folder) if folder.is_dir() else None
    if run is None:
        raise InputError(f"{folder} is no folder of scores: `score --in … --out {folder}` makes one.")
    partitions = run.partitions
    there = sum(kept(folder, run, partition) is not None for partition in partitions)
    if there < len(partitions):
        raise InputError(
            f"{folder} is not finished: {there:,} of {len(partitions):,} partitions are there. Run the same `score` "
            "again, which goes on."
        )
    return run


def _check_once(folder: Path, filled: Any, at: Ints, keys: Sequence[str]) -> None:
    unique, counts = np.unique(at, return_counts=True)
    double = np.concatenate([at[filled[at]], unique[counts > 1]])
    if len(double):
        raise InputError(f"{folder} has scores of the story {keys[int(double[0])]!r} twice.")


def _take_reasons(reasons: dict[int, str], column: Any, places: Ints) -> None:
    if column.null_count == len(column):
        return
    for place, reason in zip(places.tolist(), column.to_pylist(), strict=True):
        if reason is not None and place >= 0:
            reasons[place] = reason


def _check_texts(folder: Path, table: Any, places: Ints, texts: Sequence[str], keys: Sequence[str], most: int) -> None:
    """Compare about so many of a partition's texts, at equal distances."""
    hashes = table.column("text_hash")
    known = np.flatnonzero(places >= 0)
    for row in known[:: max(1, len(known) // most)].tolist():
        place = int(places[row])
        if hashes[row].as_py() != text_hash(texts[place]):
            raise InputError(
                f"{folder} has scored another text of the story {keys[place]!r} than the study holds: score the file "
                "that was imported."
            )
