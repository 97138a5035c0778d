"""A study of more stories than memory should hold: what is known of each, read some at a time and laid on disk."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, and_, func, select

from core.annotation.target import Target, one_of_several, usual_target
from core.arrays import Floats, Ints, are_many, blocks, room, smallest_kind
from core.metrics.run import SCORED
from core.scores import ScoreColumn, ScoreTable
from core.stored_texts import Shared, Stored
from core.streams.table import columns_of
from db.engine import reading
from db.plain_rows import Places, rows_of
from db.schema import prompt, story
from db.scores.score_columns import signatures
from db.scores.tables import compared, named_by, own_references, part_of, positions_in_parts
from db.studies import studies
from db.studies.story_texts import Texts, keys_of, prompt_keys

KEYS_AT_ONCE = 50_000
"""Prompts whose keys are read at once."""


def is_large(study_id: int) -> bool:
    """Whether the study has more stories of systems than memory should hold."""
    with reading() as connection:
        return are_many(_number(connection, study_id))


def large_table(
    study_id: int,
    metrics: Iterable[str] | None = None,
    *,
    target: Target | None = None,
    folders: Sequence[Path] = (),
) -> ScoreTable:
    """`tables.table` of a large study: the same stories, judgments and scores, without error types and criteria.

    Memory holds some stories at a time, and the reasons of those without a score. Raises InputError as `table` does,
    and StorageError where the disk of temporary files has no room.
    """
    with reading() as connection:
        study = studies.locked(connection, study_id, lock=False)
        chosen = target or usual_target(study.scheme)
        asked = _in_order(connection, study_id)
        table = _Table(_number(connection, study_id), Places(asked))
        for within in positions_in_parts(connection, study_id):
            part = part_of(connection, study_id, within, chosen)
            table.add(part, _ids(connection, study_id, within))
        texts, keys = Texts(study, table.ids).sequence(), keys_of(table.ids)
        filed = [mine for folder in folders for mine in columns_of(folder, keys, texts)]
        own = own_references(connection, study_id, SCORED, Places(table.ids)) if filed else _none()
        when = {(row.metric, row.text): changes for row, changes in signatures(connection, study_id)}
    latest = [table.columns[called] for called in sorted(table.columns, key=when.__getitem__, reverse=True)]
    columns = compared(filed, latest, own, _none())
    return ScoreTable(
        keys,
        Shared(table.prompts, Stored(range(len(asked)), lambda places: prompt_keys(asked[places].tolist()))),
        table.systems(),
        texts,
        table.human,
        tuple(named_by(columns, metrics) if metrics else columns),
        table.ratings if table.ratings is not None else table.human[:, None],
        averaged=table.averaged if table.averaged is not None else _none(),
        compared=chosen.is_preference,
        criterion=one_of_several(study.scheme, chosen),
    )


def _none() -> Ints:
    return np.zeros(0, dtype=np.intp)


def _of_systems(study_id: int) -> ColumnElement[bool]:
    return and_(story.c.study_id == study_id, story.c.source.in_(SCORED))


def _number(connection: Connection, study_id: int) -> int:
    return connection.scalar(select(func.count()).where(_of_systems(study_id))) or 0


def _ids(connection: Connection, study_id: int, within: range) -> NDArray[np.int64]:
    """The stories at these positions and their prompts (stories x 2), in order."""
    here = story.c.position >= within.start, story.c.position < within.stop
    query = select(story.c.id, story.c.prompt_id).where(_of_systems(study_id), *here).order_by(story.c.position)
    return np.array(rows_of(connection, query), dtype=np.int64).reshape(-1, 2)


def _in_order(connection: Connection, study_id: int) -> NDArray[np.int64]:
    """The study's prompts (their ids) by their keys, in the order in which Python has them."""
    mine = prompt.c.study_id == study_id
    key = prompt.c.key.collate("C") if connection.dialect.name == "postgresql" else prompt.c.key
    ids = room(connection.scalar(select(func.count()).where(mine)) or 0, np.int64)
    at, further = 0, mine
    while at < len(ids):
        query = select(prompt.c.id, prompt.c.key).where(further).order_by(key).limit(KEYS_AT_ONCE)
        rows = rows_of(connection, query)
        ids[at : at + len(rows)] = [number for number, _ in rows]
        at, further = at + len(rows), and_(mine, key > rows[-1][1])
    return ids


class _Table:
    """The parts of a study of `number` stories, put together. `prompts`: of each story the number of its prompt.

    `ratings`: None as long as a story's judgment is its only rating; `averaged`: None as long as there are no means.
    """

    def __init__(self, number: int, prompts: Places) -> None:
        self._of, self._at, self._systems = prompts, 0, dict[str, int]()
        self.ids: NDArray[np.int64] = room(number, np.int64)
        self.prompts = room(number, smallest_kind(prompts.number))
        self._written = room(number, np.int32)
        self.human: Floats = room(number)
        self.columns: dict[tuple[str, str], ScoreColumn] = {}
        self._reasons: dict[tuple[str, str], dict[int, str]] = {}
        self.ratings: Floats | None = None
        self.averaged: Ints | None = None

    def add(self, part: ScoreTable, ids: NDArray[np.int64]) -> None:
        """The next stories; `ids`: theirs and their prompts'."""
        here = slice(self._at, self._at + len(ids))
        self.ids[here], self.prompts[here] = ids[:, 0], self._of.of(ids[:, 1])
        self._written[here] = [self._systems.setdefault(name, len(self._systems)) for name in part.systems]
        self.human[here] = part.human
        self._add_ratings(part, here)
        for column in part.columns:
            called = column.metric, column.signature
            if called not in self.columns:
                self._reasons[called] = {}
                self.columns[called] = ScoreColumn(*called, _gaps(len(self.ids)), self._reasons[called])
            self.columns[called].values[here] = column.values
            self._reasons[called].update({here.start + place: why for place, why in column.reasons.items()})
        self._at = here.stop

    def _add_ratings(self, part: ScoreTable, here: slice) -> None:
        if len(part.averaged):
            if self.averaged is None:
                self.averaged = room(len(self.ids), np.intp)
            self.averaged[here] = part.averaged
        width = part.ratings.shape[1]
        most = 0 if self.ratings is None else self.ratings.shape[1]
        if max(1, width) > most and (width > 1 or self.averaged is not None):
            self.ratings = self._widened(max(1, width), here.start)
        if self.ratings is not None:
            self.ratings[here, :width] = part.ratings

    def _widened(self, width: int, filled: int) -> Floats:
        """Room for so many ratings a story, with those of the stories so far."""
        result, before = _gaps(len(self.ids), width), self.human[:, None] if self.ratings is None else self.ratings
        for block in blocks(filled):
            result[block, : before.shape[1]] = before[block]
        return result

    def systems(self) -> Shared:
        """Whose the stories are."""
        names = sorted(self._systems)
        places = np.array([names.index(name) for name in self._systems], dtype=np.int32)
        for block in blocks(len(self._written)):
            self._written[block] = places[self._written[block]]
        return Shared(self._written, names)


def _gaps(*shape: int) -> NDArray[Any]:
    result = room(shape)
    for block in blocks(len(result)):
        result[block] = np.nan
    return result
