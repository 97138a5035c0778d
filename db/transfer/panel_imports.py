"""What an import of ratings brings of panels and of the people who filled them, stored a block at a time."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, func, insert, select

from core.annotation.studies import Study
from core.errors import InputError, StorageError
from core.formats.exports.encoding import blocks
from core.formats.exports.restored import Restored, RestoredPanel, is_pseudonym
from core.people import Role
from core.scratch.hash_table import HashTable
from core.scratch.number_list import NumberList
from db.audit import now
from db.plain_rows import blocks_of
from db.schema import assignment, person, prompt
from db.transfer import pair_imports
from db.transfer.brought_stories import prompt_ids, stories_called
from db.transfer.bulk import insert_dicts
from db.transfer.export_rows import RESTORED, pseudonym
from db.transfer.placed_ratings import PlacedRatings
from db.version import APP_VERSION

BLOCK = 5_000
"""Rows that are inserted at once."""


def add_people(connection: Connection, loaded_study: Study, names: Iterable[str], time: datetime) -> dict[str, int]:
    """The ids of those who rated, by the names that a file has for them; who is new becomes a person without a link."""
    ids = pseudonyms(connection, loaded_study)
    prefix = _prefix(loaded_study)
    new = [name for name in dict.fromkeys(names) if name not in ids]
    hashes = {name: hash_of(loaded_study, name) for name in new}
    query = select(person.c.id, person.c.token_hash).where(person.c.token_hash.startswith(prefix, autoescape=True))
    present = {row.token_hash for row in connection.execute(query)}
    rows = [
        {
            "name": name,
            "role": Role.ANNOTATOR,
            "token_hash": hashed,
            "study_id": loaded_study.id,
            "created_at": time,
            "revoked_at": time,  # nothing that anybody could open has this hash, and nobody is to be invited again
        }
        for name, hashed in hashes.items()
        if hashed not in present
    ]
    for block in blocks(rows, BLOCK):
        connection.execute(insert(person), block)
    by_hash = {row.token_hash: row.id for row in connection.execute(query)}
    return ids | {name: by_hash[hashed] for name, hashed in hashes.items()}


def pseudonyms(connection: Connection, loaded_study: Study) -> dict[str, int]:
    """Those who have rated in this study, by what an export of it calls them."""
    query = select(person.c.id, person.c.role, person.c.token_hash).where(
        person.c.id.in_(select(assignment.c.person_id).where(assignment.c.study_id == loaded_study.id))
    )
    return {pseudonym(loaded_study.id, row.id, row.role, row.token_hash): row.id for row in connection.execute(query)}


def hash_of(loaded_study: Study, name: str) -> str:
    """What somebody of this name is known by who came with a file, in place of a link's hash."""
    return _prefix(loaded_study) + (name if is_pseudonym(name) else hashlib.sha256(name.encode()).hexdigest()[:32])


def _prefix(loaded_study: Study) -> str:
    return f"{RESTORED}{loaded_study.id}:"


@dataclass(frozen=True)
class _Panel:
    """A panel that is to be stored, with the ids of what it names in the study; `asked`: 0 for all stories."""

    brought: RestoredPanel
    prompt_id: int
    stories: Sequence[int]
    asked: int = 0


def _panel_row(loaded_study: Study, panel: _Panel, people_ids: Mapping[str, int], time: datetime) -> dict[str, Any]:
    given = panel.brought
    handed_in = given.state != "open"
    return {
        "study_id": loaded_study.id,
        "prompt_id": panel.prompt_id,
        "person_id": people_ids[given.annotator] if given.person else None,
        "rater": "" if given.person else given.annotator,
        "state": given.state,
        # Nobody holds these panels any more, so that their stories have no tokens; nor is a lease renewed.
        "stories": [[story_id, ""] for story_id in panel.stories],
        "started_at": given.started_at or given.submitted_at or time,
        "submitted_at": (given.submitted_at or given.started_at or time) if handed_in else None,
        "valid": given.valid,
        "reason": given.reason,
        "guideline_version": given.guideline_version or loaded_study.guideline_version,
        "app_version": given.app_version or APP_VERSION,
        "story_id": panel.asked or None,
        "order_row": given.order_row,
        "overridden": given.overridden,
        "payment": given.payment,
        "payment_category": given.payment_category,
        "payment_reason": given.payment_reason,
        "appeal": given.appeal,
        "asked_at": given.asked_at,
    }


def add_panels(connection: Connection, loaded_study: Study, ratings: PlacedRatings, number: int) -> NumberList:
    """Store the panels of an import of this number, a block at a time, as rows take many times what a panel does; their
    ids, in order.
    """
    time = now()
    raters = (panel.annotator for panel in ratings.brought.panels if panel.person)
    people_ids = add_people(connection, loaded_study, raters, time)
    pair_panel_ids = _pair_panels(connection, loaded_study, ratings.brought)
    taken = _taken(connection, loaded_study)
    panel_ids = NumberList()
    for block in blocks(_panels(connection, loaded_study, ratings), BLOCK):
        rows = []
        for panel in block:
            row = _panel_row(loaded_study, panel, people_ids, time) | {"import_id": number}
            of_pairs = panel.brought.pair_panel
            row["pair_panel_id"] = None if of_pairs is None else pair_panel_ids.get(of_pairs)
            _refuse_double(connection, panel.brought, row, taken)
            rows.append(row)
        panel_ids.extend(inserted(connection, assignment, rows, assignment.c.study_id == loaded_study.id))
    return panel_ids


def _panels(connection: Connection, loaded_study: Study, ratings: PlacedRatings) -> Iterator[_Panel]:
    """The panels as they are to be stored. One that asks about one story says so in an export; a file of ratings alone
    tells it by what was rated.
    """
    if ratings.origins is not None:
        of_one = not (loaded_study.scheme.unit.of_pairs or loaded_study.scheme.unit.of_prompt)
        for panel, prompt_id, stories, last in ratings.cut_panels():
            yield _Panel(panel, prompt_id, stories, last if of_one and panel.state != "imported" else 0)
        return
    for block in blocks(ratings.brought.panels, BLOCK):
        prompts = prompt_ids(connection, loaded_study.id, {panel.prompt_key for panel in block})
        keys = {key for panel in block for key in (*panel.stories, panel.story_key) if key}
        known = stories_called(connection, loaded_study.id, keys)
        for panel in block:
            asked = known[panel.story_key][0] if panel.story_key else 0
            yield _Panel(panel, prompts[panel.prompt_key], [known[key][0] for key in panel.stories], asked)


def _pair_panels(connection: Connection, loaded_study: Study, brought: Restored) -> dict[int, int]:
    """The ids of the panels of the design of pairs that were brought, by position."""
    if not loaded_study.scheme.unit.of_pairs:
        return {}
    panels = [panel for panel in brought.panels if panel.pair_panel is not None]
    keys = {key for panel in panels for key in panel.stories}
    ids = {key: row[0] for key, row in stories_called(connection, loaded_study.id, keys).items()}
    return pair_imports.add_pair_panels(connection, loaded_study, panels, ids)


def _taken(connection: Connection, loaded_study: Study) -> HashTable:
    """Which prompts the study's raters have had."""
    taken = HashTable()
    query = select(assignment.c.prompt_id, assignment.c.person_id, assignment.c.rater)
    for rows in blocks_of(connection, query.where(assignment.c.study_id == loaded_study.id)):
        for row in rows:
            taken.add(hash(row))
    return taken


def _refuse_double(connection: Connection, panel: RestoredPanel, row: Mapping[str, Any], taken: HashTable) -> None:
    """Nobody is handed a prompt twice, and no file comes in twice: what the study has of a rater and prompt, it keeps.
    Ratings from elsewhere may have several panels of one rater and prompt, if they come together.
    """
    if panel.pair_panel is not None:
        return
    place = hash((row["prompt_id"], row["person_id"], row["rater"]))
    if panel.annotator and place in taken:
        key = connection.scalar(select(prompt.c.key).where(prompt.c.id == row["prompt_id"])) or ""
        raise InputError(
            f"There are ratings of the prompt {key[:60]!r} by {panel.annotator[:60]!r} already; nothing was imported."
        )
    if panel.person and panel.state != "imported":
        taken.add(place)


def inserted(
    connection: Connection, table: Table, rows: Sequence[dict[str, Any]], mine: ColumnElement[bool]
) -> list[int]:
    """Insert the rows; returns their ids in this order, which both databases hand out ascending. `mine`: whose they
    are, since others may insert at the same time.
    """
    before = connection.scalar(select(func.max(table.c.id))) or 0
    for block in blocks(rows, BLOCK):
        insert_dicts(connection, table, block)
    ids = connection.scalars(select(table.c.id).where(table.c.id > before, mine).order_by(table.c.id)).all()
    if len(ids) != len(rows):
        raise StorageError("The database stored another number of rows than it was given; nothing was imported.")
    return list(ids)
