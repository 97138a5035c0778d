"""What an import of ratings brings of panels and of the people who filled them, stored a block at a time."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, func, insert, select

from core.annotation.studies import Study
from core.errors import InputError, StorageError
from core.formats.exports.encoding import blocks
from core.formats.exports.restored import Restored, RestoredPanel, is_pseudonym
from core.people import Role
from db.audit import now
from db.schema import assignment, person
from db.transfer import pair_imports
from db.transfer.bulk import insert_dicts
from db.transfer.export_rows import RESTORED, pseudonym
from db.version import APP_VERSION

BLOCK = 5_000
"""Rows that are inserted at once."""


def _add_people(
    connection: Connection, loaded_study: Study, panels: Sequence[RestoredPanel], time: datetime
) -> dict[str, int]:
    """Whoever rated, by the name that the file has for them; those who are new become people without a link."""
    ids = _pseudonyms(connection, loaded_study)
    prefix = f"{RESTORED}{loaded_study.id}:"
    hashes = {
        panel.annotator: prefix + (panel.annotator if is_pseudonym(panel.annotator) else _short_hash(panel.annotator))
        for panel in panels
        if panel.person and panel.annotator not in ids
    }
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


def _pseudonyms(connection: Connection, loaded_study: Study) -> dict[str, int]:
    """Those who have rated in this study, by what an export of it calls them."""
    query = select(person.c.id, person.c.role, person.c.token_hash).where(
        person.c.id.in_(select(assignment.c.person_id).where(assignment.c.study_id == loaded_study.id))
    )
    return {pseudonym(loaded_study.id, row.id, row.role, row.token_hash): row.id for row in connection.execute(query)}


def _short_hash(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:32]


def _panel_row(
    loaded_study: Study,
    panel: RestoredPanel,
    prompt_ids: Mapping[str, int],
    story_ids: Mapping[str, int],
    people_ids: Mapping[str, int],
    time: datetime,
) -> dict[str, Any]:
    handed_in = panel.state != "open"
    return {
        "study_id": loaded_study.id,
        "prompt_id": prompt_ids[panel.prompt_key],
        "person_id": people_ids[panel.annotator] if panel.person else None,
        "rater": "" if panel.person else panel.annotator,
        "state": panel.state,
        # Nobody holds these panels any more, so that their stories have no tokens; nor is a lease renewed.
        "stories": [[story_ids[key], ""] for key in panel.stories],
        "started_at": panel.started_at or panel.submitted_at or time,
        "submitted_at": (panel.submitted_at or panel.started_at or time) if handed_in else None,
        "valid": panel.valid,
        "reason": panel.reason,
        "guideline_version": panel.guideline_version or loaded_study.guideline_version,
        "app_version": panel.app_version or APP_VERSION,
        "story_id": story_ids[panel.story_key] if panel.story_key else None,
        "order_row": panel.order_row,
        "overridden": panel.overridden,
        "payment": panel.payment,
        "payment_category": panel.payment_category,
        "payment_reason": panel.payment_reason,
        "appeal": panel.appeal,
        "asked_at": panel.asked_at,
    }


def add_panels(
    connection: Connection,
    loaded_study: Study,
    brought: Restored,
    prompt_ids: Mapping[str, int],
    story_ids: Mapping[str, int],
) -> list[int]:
    """Store the panels, a block at a time, as rows take many times what a panel does; their ids, in order."""
    time, unit = now(), loaded_study.scheme.unit
    people_ids = _add_people(connection, loaded_study, brought.panels, time)
    pair_panel_ids = pair_imports.add_pair_panels(connection, loaded_study, brought.panels, story_ids)
    asked = {} if unit.of_pairs or unit.of_prompt or brought.manifest is not None else _asked(brought)
    query = select(assignment.c.prompt_id, assignment.c.person_id, assignment.c.rater)
    taken = {tuple(row) for row in connection.execute(query.where(assignment.c.study_id == loaded_study.id))}
    panel_ids: list[int] = []
    for block in blocks(enumerate(brought.panels), BLOCK):
        rows = []
        for number, panel in block:
            row = _panel_row(loaded_study, panel, prompt_ids, story_ids, people_ids, time)
            if number in asked:
                row["story_id"] = story_ids[asked[number]]
            row["pair_panel_id"] = None if panel.pair_panel is None else pair_panel_ids[panel.pair_panel]
            _refuse_double(panel, row, taken)
            rows.append(row)
        panel_ids += inserted(connection, assignment, rows, assignment.c.study_id == loaded_study.id)
    return panel_ids


def _asked(brought: Restored) -> dict[int, str]:
    """The story of each panel that asks about one: a file of ratings alone tells it by what was rated."""
    own = (given for given in brought.ratings if brought.panels[given.panel].state != "imported")
    return {given.panel: given.story_key for given in own}


def _refuse_double(panel: RestoredPanel, row: Mapping[str, Any], taken: set[tuple[Any, ...]]) -> None:
    """Nobody is handed a prompt twice, and no file comes in twice: what the study has of a rater and prompt, it keeps.
    Ratings from elsewhere may have several panels of one rater and prompt, if they come together.
    """
    if panel.pair_panel is not None:
        return
    place = (row["prompt_id"], row["person_id"], row["rater"])
    if panel.annotator and place in taken:
        raise InputError(
            f"There are ratings of the prompt {panel.prompt_key[:60]!r} by {panel.annotator[:60]!r} already; "
            "nothing was imported."
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
