"""Stories on their way into a study: kept under a study that nobody finds, and shown when all of them are there.

Stored block by block, each in a transaction of its own, so that other people's writing waits for a block, and never for
a file. What an import leaves that was broken off, even by the process's end, nobody sees, and `sweep` deletes.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import repeat
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Row, Table, bindparam, delete, func, insert, select, update

from core.errors import InputError
from core.formats.exports.encoding import blocks
from core.formats.stories.blocks import StoryBlock
from core.scratch.hash_table import HashTable
from core.scratch.number_list import REAL, NumberList
from core.stories import Source
from db.audit import inserted_id, now
from db.engine import writing
from db.schema import prompt, score, story, study
from db.scores import scores
from db.studies import studies
from db.studies.past_imports import next_position
from db.transfer.bulk import PROMPT, STORY, insert_rows
from db.transfer.rehash import rehash
from db.transfer.same_texts import contents

GIVEN_UP = timedelta(minutes=15)
"""After so long without a block nothing is expected of an import any more."""
REMEMBERED = 20_000
"""Prompts whose ids are remembered."""
PAGE = 10_000
"""Rows that are looked up, moved or deleted at once."""


class Incoming:
    """The hidden study of an import, and what has come into it. Scores lie in temporary files until it is shown."""

    def __init__(self) -> None:
        values = studies.new_values(f"import {secrets.token_hex(8)}", "mans") | {"deleted_at": now()}
        with writing() as connection:
            self.id = inserted_id(connection.execute(insert(study).values(values)))
        self._prompts: dict[str, tuple[int, int]] = {}
        self._prompt_count = self._stories = 0
        self._later: set[int] | None = None
        self._scores: dict[tuple[str, str], NumberList] = {}

    def begin_file(self, columns: Sequence[tuple[str, str]]) -> None:
        """What comes now is another file's, with scores of these metrics and signatures."""
        self._columns = columns
        for column in columns:
            self._scores.setdefault(column, NumberList(REAL))
        if self._stories and self._later is None:
            self._later = set()

    def add(self, block: StoryBlock) -> None:
        """Store a block. Raises InputError where an earlier file has one of its stories, or a prompt otherwise."""
        with writing() as connection:
            self._go_on(connection)
            if self._later is not None:
                block = self._new_ones(connection, block)
            ids = self._prompt_ids(connection, block)
            rows = [
                (self.id, ids[of_prompt], key, self._stories + place, source, system, text, spans, hashed)
                for place, (key, of_prompt, source, system, text, spans, hashed) in enumerate(
                    zip(
                        *(block.keys, block.prompt_keys, block.sources, block.systems, block.texts),
                        *(block.sentences, block.hashes),
                        strict=True,
                    )
                )
            ]
            insert_rows(connection, story, STORY, rows)
        if self._later is not None:
            self._later.update(ids.values())
        self._keep_scores(block)
        self._stories += len(block)

    def _go_on(self, connection: Connection) -> None:
        """Say that the import is not given up, and hold its study in the caller's transaction, so that no `sweep` takes
        it. Raises InputError where one has already.
        """
        mine = update(study).where(study.c.id == self.id).values(deleted_at=now())
        if not connection.execute(mine).rowcount:
            raise _given_up()

    def _keep_scores(self, block: StoryBlock) -> None:
        for column, values in zip(self._columns, block.scores, strict=True):
            kept = self._scores[column]
            kept.extend(repeat(float("nan"), self._stories - len(kept)))  # of the files that have no such column
            kept.extend(values)

    def _new_ones(self, connection: Connection, block: StoryBlock) -> StoryBlock:
        """The block without the human stories that an earlier file has brought."""
        query = select(story.c.key, story.c.text).where(story.c.study_id == self.id, story.c.key.in_(block.keys))
        there = {row.key: row.text for row in connection.execute(query)}
        if not there:
            return block
        for key, source, text in zip(block.keys, block.sources, block.texts, strict=True):
            if key in there and (source != Source.HUMAN or there[key] != text):
                raise known_already(key)
        return block.but([key in there for key in block.keys])

    def _prompt_ids(self, connection: Connection, block: StoryBlock) -> Mapping[str, int]:
        """The ids of a block's prompts, which are stored where they are new."""
        texts = dict(zip(block.prompt_keys, block.prompts, strict=True))
        wanted = [key for key in texts if key not in self._prompts]
        if len(self._prompts) + len(wanted) > REMEMBERED:
            self._prompts = {key: self._prompts[key] for key in texts if key in self._prompts}
        for part in blocks(wanted, PAGE):
            query = select(prompt.c.key, prompt.c.id, prompt.c.text).where(
                prompt.c.study_id == self.id, prompt.c.key.in_(part)
            )
            self._prompts |= {row.key: (row.id, hash(row.text)) for row in connection.execute(query)}
        new = [key for key in wanted if key not in self._prompts]
        if new:
            before = connection.scalar(select(func.max(prompt.c.id))) or 0
            rows = [(self.id, key, self._prompt_count + place, texts[key]) for place, key in enumerate(new)]
            insert_rows(connection, prompt, PROMPT, rows)
            added = select(prompt.c.id).where(prompt.c.id > before, prompt.c.study_id == self.id)
            ids = connection.scalars(added.order_by(prompt.c.id)).all()
            self._prompts |= {key: (ids[place], hash(texts[key])) for place, key in enumerate(new)}
            self._prompt_count += len(new)
        for key, text in texts.items():
            if self._prompts[key][1] != hash(text):
                raise other_text(key)
        return {key: self._prompts[key][0] for key in texts}

    def settle(self) -> None:
        """What is known only when all files are there: which human stories the prompts of several of them have."""
        for part in blocks(sorted(self._later or ()), 1_000):
            with writing() as connection:
                self._go_on(connection)
                rehash(connection, part)

    def hold(self, connection: Connection) -> None:
        """Keep what was brought from everybody else, in the transaction that is to show it. Raises InputError where a
        `sweep` has taken some of it.
        """
        self._go_on(connection)
        if connection.scalar(select(func.count()).where(story.c.study_id == self.id)) != self._stories:
            raise _given_up()

    def become(self, connection: Connection, values: Mapping[str, Any]) -> None:
        """Show what was brought as the study of this row, in the caller's transaction, which holds it."""
        connection.execute(update(study).where(study.c.id == self.id).values(**values, deleted_at=None))
        self._store_scores(connection, self.id)

    def join(self, connection: Connection, study_id: int, *, without_ids: bool) -> None:
        """Add what was brought to a study, which the caller has locked; it holds both. Raises InputError where the
        study has one of these stories, save for a human one with the same text, or a prompt with another text;
        `without_ids`: also where it has one that says the same, as a table's rows say nothing of a study's ids.
        """
        shared = self._shared_prompts(connection, study_id)
        self._store_scores(connection, study_id)
        self._drop_known(connection, study_id)
        if without_ids:
            self._refuse_same(connection, study_id)
        before = self._with_stories(connection, list(shared.values()))
        prompts, stories = (next_position(connection, table, study_id) for table in (prompt, story))
        for part in self._pages(connection, prompt, prompt.c.id):
            new = [
                {"number": row.id, "place": prompts + n} for n, row in enumerate(r for r in part if r.id not in shared)
            ]
            prompts += len(new)
            if new:
                connection.execute(_MOVE_PROMPT, [{**row, "study": study_id} for row in new])
        for part in self._pages(connection, story, story.c.id, story.c.prompt_id):
            rows = [
                {
                    "number": row.id,
                    "study": study_id,
                    "of": shared.get(row.prompt_id, row.prompt_id),
                    "place": stories + n,
                }
                for n, row in enumerate(part)
            ]
            stories += len(rows)
            connection.execute(_MOVE_STORY, rows)
        rehash(connection, before)
        connection.execute(delete(study).where(study.c.id == self.id))

    def _pages(self, connection: Connection, table: Table, *columns: Column[Any]) -> Iterator[Sequence[Row[Any]]]:
        """Rows of the hidden study in their order, some at a time; what a page holds may be moved away."""
        last = 0
        while page := connection.execute(
            select(*columns).where(table.c.study_id == self.id, table.c.id > last).order_by(table.c.id).limit(PAGE)
        ).all():
            yield page
            last = page[-1].id

    def _shared_prompts(self, connection: Connection, study_id: int) -> dict[int, int]:
        """The prompts that both studies have: their ids here and there."""
        mine, theirs = prompt.alias("mine"), prompt.alias("theirs")
        both = (mine.c.study_id == self.id) & (theirs.c.study_id == study_id) & (mine.c.key == theirs.c.key)
        other = connection.scalar(select(mine.c.key).where(both, mine.c.text != theirs.c.text).limit(1))
        if other is not None:
            raise other_text(other)
        return {row[0]: row[1] for row in connection.execute(select(mine.c.id, theirs.c.id).where(both))}

    @staticmethod
    def _with_stories(connection: Connection, prompt_ids: Sequence[int]) -> list[int]:
        """Those of these prompts that have stories."""
        result: list[int] = []
        for part in blocks(prompt_ids, PAGE):
            result += connection.scalars(select(story.c.prompt_id).where(story.c.prompt_id.in_(part)).distinct())
        return result

    def _drop_known(self, connection: Connection, study_id: int) -> None:
        """Leave out the human stories that the study has; any other that it has is an error."""
        mine, theirs = story.alias("mine"), story.alias("theirs")
        both = (mine.c.study_id == self.id) & (theirs.c.study_id == study_id) & (mine.c.key == theirs.c.key)
        fine = (mine.c.source == Source.HUMAN) & (mine.c.text == theirs.c.text)
        key = connection.scalar(select(mine.c.key).where(both, ~fine).order_by(mine.c.position).limit(1))
        if key is not None:
            raise known_already(key)
        connection.execute(delete(story).where(story.c.id.in_(select(mine.c.id).where(both))))

    def _refuse_same(self, connection: Connection, study_id: int) -> None:
        stored = HashTable()
        for content, _ in contents(connection, study_id):
            stored.add(content)
        for content, brought in contents(connection, self.id):
            if content in stored:
                raise InputError(
                    f"The study has the story {brought.key[:60]!r} already, by its prompt, system and text; nothing "
                    "was imported. If another story is meant, give the rows ids of their own."
                )

    def _store_scores(self, connection: Connection, study_id: int) -> None:
        for (metric, signature), values in self._scores.items():
            signature_id = scores.signature_id_of(connection, metric, signature)
            place = 0
            for page in self._pages(connection, story, story.c.id):
                part = zip(page, values.between(place, place + len(page)), strict=False)
                rows = [(signature_id, row.id, value, "") for row, value in part if value == value]
                insert_rows(connection, score, ("signature_id", "story_id", "value", "reason"), rows)
                place += len(page)
            scores.touch(connection, study_id, signature_id)

    def discard(self) -> None:
        """Delete what was brought."""
        _erase(self.id, study.c.deleted_at.is_not(None))


def sweep() -> int:
    """Delete what imports have left whose process is gone; how many those were."""
    left = study.c.deleted_name.is_(None) & (study.c.deleted_at < now() - GIVEN_UP)
    with writing() as connection:
        gone = connection.scalars(select(study.c.id).where(left)).all()
    return sum(_erase(study_id, left) for study_id in gone)


def _erase(study_id: int, left: ColumnElement[bool]) -> bool:
    """Delete a hidden study, some of its rows at a time, so that nobody waits long for it, and only while `left` is
    true of it and nobody else holds it; whether it is gone.
    """
    query = select(study.c.id).where(study.c.id == study_id, left).with_for_update(skip_locked=True)
    while True:
        with writing() as connection:
            if connection.scalar(query) is None:  # shown meanwhile, or gone on with
                return False
            if not any(_erase_some(connection, table, study_id) for table in (story, prompt)):
                connection.execute(delete(study).where(study.c.id == study_id))
                return True


def _erase_some(connection: Connection, table: Table, study_id: int) -> int:
    some = select(table.c.id).where(table.c.study_id == study_id).limit(PAGE)
    return connection.execute(delete(table).where(table.c.id.in_(some))).rowcount


_MOVE_PROMPT = (
    update(prompt)
    .where(prompt.c.id == bindparam("number"))
    .values(study_id=bindparam("study"), position=bindparam("place"))
)
_MOVE_STORY = (
    update(story)
    .where(story.c.id == bindparam("number"))
    .values(study_id=bindparam("study"), prompt_id=bindparam("of"), position=bindparam("place"))
)


def known_already(key: str) -> InputError:
    """The refusal of a story that the study has."""
    return InputError(f"The story {key[:60]!r} is in the study already; nothing was imported.")


def other_text(key: str) -> InputError:
    """The refusal of a prompt that the study has otherwise."""
    return InputError(f"The prompt {key[:60]!r} is in the study with another text; give it another id.")


def _given_up() -> InputError:
    minutes = GIVEN_UP // timedelta(minutes=1)
    return InputError(
        f"The import stood still for {minutes} minutes, so that what it had brought was deleted; nothing was imported. "
        "Import again."
    )
