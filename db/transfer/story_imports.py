"""Imports tables of stories of any length into a study: all of them, or nothing."""

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError

from core.annotation.builtin import scheme_of
from core.annotation.past_imports import STORIES, Origin
from core.annotation.studies import Study, StudyState
from core.annotation.unit import PromptKind
from core.errors import InputError
from core.formats.stories.blocks import Brought
from core.people import Person, Role
from db.annotation import settings
from db.audit import record
from db.engine import reading, writing
from db.people import people
from db.schema import study
from db.studies import past_imports, studies
from db.transfer.incoming import Incoming, sweep

Progress = Callable[[int, int], None]
"""Told how many stories of how many are stored."""


def import_tables(
    by: Person,
    name: str,
    tables: Sequence[Brought],
    *,
    scheme: str | None = None,
    prompts: PromptKind | None = None,
    on_progress: Progress | None = None,
) -> Study:
    """Add the stories of tables to the study of this name, which is made where it is missing, with `scheme` or MANS;
    `prompts`: what those of a study without stories are, where that is known.

    They are stored out of everybody's sight, and shown in one transaction when all are there; so whatever breaks it
    off, nothing has changed. Raises InputError where a story is there already, a prompt has another text there, or the
    study is open or of another scheme.
    """
    by.must_be(Role.RESEARCHER)
    name = name.strip()
    if scheme is not None:
        scheme_of(scheme)
    with reading() as connection:
        _target(connection, by, name, scheme, lock=False)
    sweep()
    total, done = sum(table.survey.total for table in tables), 0
    incoming = Incoming()
    try:
        for table in tables:
            incoming.begin_file(table.survey.scores)
            for block in table.blocks:
                incoming.add(block)
                done += len(block)
                if on_progress is not None:
                    on_progress(done, total)
        incoming.settle()
        with writing() as connection:
            without_ids = any("id" not in table.survey.columns for table in tables)
            files = tuple(table.survey.name for table in tables)
            origin = Origin(STORIES, files)
            result = _show(connection, by, name, scheme, prompts, incoming, origin, without_ids=without_ids)
            for table in tables:
                record(connection, "imported", by, result.id, stories=table.survey.total, ratings=0)
            return result
    except IntegrityError:
        incoming.discard()
        raise InputError(f"The study {name!r} was changed by somebody else at this moment; try again.") from None
    except BaseException:  # a press of Ctrl-C too
        incoming.discard()
        raise


def _target(connection: Connection, by: Person, name: str, scheme: str | None, *, lock: bool) -> Study | None:
    """The study of this name that is to take the stories, None where it is to be made; raises InputError."""
    study_id = connection.scalar(select(study.c.id).where(study.c.name == name))
    people.check(connection, by, study_id)
    if study_id is None:
        studies.new_values(name, scheme or "mans")
        return None
    result = studies.locked(connection, study_id, lock=lock)
    if scheme not in (None, result.scheme_key):
        raise InputError(
            f"The study {result.name!r} uses the {result.scheme.title} scheme, not {scheme}; leave the scheme "
            "out, or give another name."
        )
    if result.state is StudyState.OPEN:
        raise InputError(f"The study {result.name!r} is open for annotation; close it before you add stories to it.")
    return result


def _show(
    connection: Connection,
    by: Person,
    name: str,
    scheme: str | None,
    prompts: PromptKind | None,
    incoming: Incoming,
    origin: Origin,
    *,
    without_ids: bool,
) -> Study:
    incoming.hold(connection)
    into = _target(connection, by, name, scheme, lock=True)
    if into is not None:
        number = past_imports.begin(connection, by, into.id, origin)
        incoming.join(connection, into.id, without_ids=without_ids)
        into = settings.with_prompts_of(connection, by, into, prompts)
    else:
        incoming.become(connection, studies.new_values(name, scheme or "mans"))
        studies.made(connection, by, incoming.id, name, scheme or "mans")
        into = settings.with_prompts_of(connection, by, studies.locked(connection, incoming.id), prompts)
        number = past_imports.begin(connection, by, into.id, origin, whole=True)
    past_imports.finish(connection, number)
    return into
