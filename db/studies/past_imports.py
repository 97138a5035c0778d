"""What a study remembers of each import, so that it can be taken back.

Whoever stores stories or panels of a study holds it (`studies.locked`) until the end, so that an import's stories have
positions next to each other; its panels have its number. Nothing is written a story.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, func, insert, select, update

from core.annotation.past_imports import ImportCounts, Origin, PastImport, RowsLeftOut
from core.annotation.studies import Study
from core.errors import NotFound
from core.metrics.naming import Pair
from core.people import Person, Role, called
from core.stories import Source
from db.audit import inserted_id, now
from db.engine import reading
from db.import_tables import study_import
from db.people import people
from db.schema import person, score_run, signature, story, study

SETTINGS = ("scheme", "form", "rules", "guideline_version", "raters_identified", "demonstration")
"""Columns of a study that an import may change, as ratings mean what they were given under."""


def next_position(connection: Connection, table: Table, study_id: int) -> int:
    """Where a study's next prompt or story stands; those before it may have left places free."""
    last = connection.scalar(select(func.max(table.c.position)).where(table.c.study_id == study_id))
    return 0 if last is None else last + 1


def begin(connection: Connection, by: Person, study_id: int, origin: Origin, *, whole: bool = False) -> int:
    """Remember, in the caller's transaction, which holds the study, that an import begins; returns its number. `whole`:
    all of the study's stories, which are there already, are its own.
    """
    first = 0 if whole else next_position(connection, story, study_id)
    row = {
        "study_id": study_id,
        "person_id": by.id,
        "at": now(),
        "kind": origin.kind,
        "files": list(origin.files),
        "first_position": first,
        "end_position": first,
        "brought": {},
        "signatures": [],
        "settings": {name: [value, value] for name, value in settings_of(connection, study_id).items()},
    }
    return inserted_id(connection.execute(insert(study_import).values(row)))


def finish(
    connection: Connection,
    number: int,
    *,
    ratings: int = 0,
    signatures: Sequence[Pair] = (),
    left_out: Sequence[RowsLeftOut] = (),
) -> None:
    """Remember what came of it; new stories are counted here. `signatures`: of scores that came without stories;
    `left_out`: what did not come in, as it was asked for.
    """
    row = connection.execute(select(study_import).where(study_import.c.id == number)).one()
    end = next_position(connection, story, row.study_id)
    after = settings_of(connection, row.study_id)
    changed = {name: [old, after[name]] for name, (old, _) in row.settings.items() if after[name] != old}
    stories = stories_in(connection, row.study_id, row.first_position, end)
    kept = [asdict(one) for one in left_out]
    values = {
        "end_position": end,
        "brought": {"stories": stories, "ratings": ratings, "left_out": kept},
        "signatures": [list(pair) for pair in signatures],
        "settings": changed,
    }
    connection.execute(update(study_import).where(study_import.c.id == number).values(values))


def settings_of(connection: Connection, study_id: int) -> dict[str, Any]:
    """Those of a study that an import may change."""
    columns = [study.c[name] for name in SETTINGS]
    return dict(connection.execute(select(*columns).where(study.c.id == study_id)).one()._mapping)


def stories_in(connection: Connection, study_id: int, first: int, end: int) -> dict[Source, int]:
    """How many stories of each source stand at these positions."""
    here = story.c.study_id == study_id, story.c.position >= first, story.c.position < end
    query = select(story.c.source, func.count()).where(*here).group_by(story.c.source)
    return {Source(row[0]): row[1] for row in connection.execute(query)}


def listed(by: Person, study_id: int) -> list[PastImport]:
    """A study's imports, the newest first: those that were not taken back, nor their scores deleted or replaced."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        query = _imports().where(study_import.c.study_id == study_id).order_by(study_import.c.id.desc())
        kept = set(scored(connection, study_id).values())
        rows = connection.execute(query).all()
        return [past_import(row) for row in rows if not row.signatures or kept & set(map(tuple, row.signatures))]


def scored(connection: Connection, study_id: int) -> dict[int, Pair]:
    """What the study has scores under: metrics and signatures, by the ids of these."""
    query = select(signature).join(score_run, score_run.c.signature_id == signature.c.id)
    rows = connection.execute(query.where(score_run.c.study_id == study_id))
    return {row.id: (row.metric, row.text) for row in rows}


def stored(connection: Connection, study_row: Study, number: int) -> Row[Any]:
    """One import's row, with who made it. Raises NotFound."""
    mine = study_import.c.id == number, study_import.c.study_id == study_row.id
    row = connection.execute(_imports().where(*mine)).one_or_none()
    if row is None:
        raise NotFound(f"The study {study_row.name!r} remembers no such import; perhaps it was taken back already.")
    return row


def past_import(row: Row[Any]) -> PastImport:
    """What a row says."""
    who = called(row.name, row.role, row.person_id) if row.role else ""
    stories = {Source(source): number for source, number in row.brought["stories"].items()}
    brought = ImportCounts(stories, row.brought["ratings"], tuple(metric for metric, _ in row.signatures))
    return PastImport(row.id, row.at, who, Origin(row.kind, tuple(row.files)), brought, _left_out(row.brought))


def left_out(study_id: int) -> list[RowsLeftOut]:
    """What imports of a study did not bring, as it was asked for, in sentences that name the file."""
    with reading() as connection:
        query = _imports().where(study_import.c.study_id == study_id).order_by(study_import.c.id)
        imports = [past_import(row) for row in connection.execute(query)]
    return [replace(one, sentence=f"{past.name}: {one.sentence}") for past in imports for one in past.left_out]


def _left_out(brought: Mapping[str, Any]) -> tuple[RowsLeftOut, ...]:
    kept = brought.get("left_out", ())  # imports of before did not keep it, or the sentence alone
    return tuple(RowsLeftOut(one) if isinstance(one, str) else RowsLeftOut(**one) for one in kept)


def _imports() -> Select[Any]:
    return select(study_import, person.c.name, person.c.role).outerjoin(person, person.c.id == study_import.c.person_id)
