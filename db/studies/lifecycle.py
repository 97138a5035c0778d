"""A study's later life: renamed, copied, archived, deleted, and restored while that can be undone."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from core.annotation.studies import Study, StudyState
from core.errors import InputError, NotFound
from core.people import Person, Role
from db.audit import inserted_id, now, record
from db.engine import reading, writing
from db.jobs import jobs
from db.people import people, study_rights
from db.schema import prompt, story, study
from db.studies import studies

KEPT = timedelta(days=30)
"""How long a deleted study can be had back; then it goes for good, within an hour."""
COPIED = ("scheme", "rules", "form", "consent", "training", "retention_days")
"""The settings that a copy takes over. Completion codes are its own; a platform and payments are set anew."""


@dataclass(frozen=True)
class Deleted:
    """A study that was deleted, under the name it had, and until when it can be had back (UTC)."""

    id: int
    name: str
    until: datetime


def rename(by: Person, study_id: int, name: str) -> str:
    """Give a study another name; returns the one it had. Raises InputError for a name that is bad or taken."""
    by.must_be(Role.RESEARCHER)
    try:
        with writing() as connection:
            people.check(connection, by, study_id)
            study_row = studies.locked(connection, study_id)
            wanted = studies.checked_name(name)
            connection.execute(update(study).where(study.c.id == study_id).values(name=wanted))
            record(connection, "study renamed", by, study_id, before=study_row.name, after=wanted)
            return study_row.name
    except IntegrityError:
        raise studies.name_taken(name) from None


def clone(by: Person, study_id: int, name: str) -> Study:
    """A draft of this name with the study's settings and stories, controls among them, and no ratings.

    Scores that were computed are found again by their texts, and are not computed twice. Raises InputError for a name
    that is bad or taken.
    """
    by.must_be(Role.RESEARCHER)
    try:
        with writing() as connection:
            people.check(connection, by, study_id)
            study_row = studies.locked(connection, study_id)
            row = connection.execute(select(study).where(study.c.id == study_id)).one()
            values = {
                **{column: getattr(row, column) for column in COPIED},
                "name": studies.checked_name(name),
                "state": StudyState.DRAFT,
                "raters_identified": True,
                "demonstration": False,
                "guideline_version": "1",
                "created_at": now(),
                "codes": {end: secrets.token_hex(4).upper() for end in study_row.codes},
            }
            number = inserted_id(connection.execute(insert(study).values(values)))
            study_rights.give_to_maker(connection, by, number)
            _copy_stories(connection, study_id, number)
            record(connection, "study created", by, number, name=values["name"], scheme=row.scheme, copy_of=study_id)
            return studies.locked(connection, number)
    except IntegrityError:
        raise studies.name_taken(name) from None


def _copy_stories(connection: Connection, source: int, target: int) -> None:
    """Prompts and all stories of a study, with keys and order as they are."""
    columns = [column for column in prompt.c if column.name not in ("id", "study_id")]
    chosen = select(study.c.id, *columns).join(prompt, prompt.c.study_id == source).where(study.c.id == target)
    connection.execute(insert(prompt).from_select(["study_id", *(c.name for c in columns)], chosen))
    old, new = prompt.alias("old"), prompt.alias("new")
    columns = [column for column in story.c if column.name not in ("id", "study_id", "prompt_id")]
    chosen = (
        select(new.c.study_id, new.c.id, *columns)
        .join(old, old.c.id == story.c.prompt_id)
        .join(new, (new.c.key == old.c.key) & (new.c.study_id == target))
        .where(story.c.study_id == source)
        .order_by(story.c.position)
    )
    connection.execute(insert(story).from_select(["study_id", "prompt_id", *(c.name for c in columns)], chosen))


def archive(by: Person, study_id: int) -> None:
    """Take a study out of the lists; its annotators find it closed. All of it stays; `bring_back` shows it again."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        study_row = studies.locked(connection, study_id)
        state = StudyState.CLOSED if study_row.state is StudyState.OPEN else study_row.state
        connection.execute(update(study).where(study.c.id == study_id).values(archived_at=now(), state=state))
        record(connection, "study archived", by, study_id)


def bring_back(by: Person, study_id: int) -> None:
    """Put an archived study into the lists again; it stays closed."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        studies.locked(connection, study_id)
        connection.execute(update(study).where(study.c.id == study_id).values(archived_at=None))
        record(connection, "study brought back", by, study_id)


def discard(by: Person, study_id: int) -> str:
    """Delete a study in a way that can be undone for 30 days: nobody finds it, its name is free, what works on it is
    asked to stop. Returns its name.
    """
    by.must_be(Role.OWNER)
    with writing() as connection:
        people.check(connection, by, study_id)
        study_row = studies.locked(connection, study_id)
        jobs.cancel_all(connection, study_id)
        connection.execute(
            update(study)
            .where(study.c.id == study_id)
            .values(
                name=f"deleted {study_id} {secrets.token_hex(4)}",
                deleted_name=study_row.name,
                deleted_at=now(),
                state=StudyState.CLOSED if study_row.state is StudyState.OPEN else study_row.state,
            )
        )
        record(connection, "study deleted", by, study_id, name=study_row.name)
    return study_row.name


def restore(by: Person, study_id: int) -> str:
    """Undo a deletion; the study is as it was, but closed. Returns its name, which may be taken: then InputError."""
    by.must_be(Role.OWNER)
    try:
        with writing() as connection:
            people.check(connection, by, study_id)
            name = _deleted(connection, study_id)
            connection.execute(
                update(study).where(study.c.id == study_id).values(name=name, deleted_name=None, deleted_at=None)
            )
            record(connection, "study restored", by, study_id, name=name)
            return name
    except IntegrityError:
        raise InputError(
            "Another study has this one's name by now: rename that one first, then bring this one back."
        ) from None


def deleted(by: Person) -> list[Deleted]:
    """The studies whose deletion can be undone, the newest first."""
    by.must_be(Role.OWNER)
    with reading() as connection:
        people.check(connection, by)
        rows = connection.execute(
            select(study.c.id, study.c.deleted_name, study.c.deleted_at)
            .where(study.c.deleted_at.is_not(None), study.c.deleted_name.is_not(None))  # else of an import under way
            .order_by(study.c.deleted_at.desc())
        ).all()
    return [Deleted(row.id, row.deleted_name, row.deleted_at + KEPT) for row in rows]


def erase(by: Person, study_id: int) -> None:
    """Delete for good what was deleted; raises NotFound for a study that was not."""
    by.must_be(Role.OWNER)
    with writing() as connection:
        people.check(connection, by, study_id)
        name = _deleted(connection, study_id)
        studies.delete_for_good(connection, [study_id])
        record(connection, "study erased", by, study_id, name=name)


def erase_old() -> int:
    """Delete for good what was deleted more than 30 days ago; how many studies that were."""
    with writing() as connection:
        gone = connection.scalars(select(study.c.id).where(study.c.deleted_at < now() - KEPT).with_for_update()).all()
        if gone:
            studies.delete_for_good(connection, gone)
        for study_id in gone:
            record(connection, "study erased", None, study_id)
    return len(gone)


def _deleted(connection: Connection, study_id: int) -> str:
    """The name that a deleted study had, its row held."""
    query = select(study.c.deleted_name).where(study.c.id == study_id, study.c.deleted_at.is_not(None))
    name = connection.scalar(query.with_for_update())
    if name is None:
        raise NotFound("This study is not among the deleted ones any more.")
    return str(name)
