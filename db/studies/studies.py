"""Studies: make, list, open, close, delete."""

import secrets
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Table,
    bindparam,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from core.annotation.builtin import scheme_of
from core.annotation.onboarding import practice_from
from core.annotation.panel import End
from core.annotation.scheme import QualityRules, default_rules, scheme_from
from core.annotation.studies import Study, StudyState, StudySummary, WithoutReferences
from core.errors import InputError, NotFound
from core.judges.naming import judge_column
from core.payments import pay_from
from core.people import Person, Role
from core.recruitment import recruitment_from
from core.stories import Source
from db import array_files
from db.audit import inserted_id, now, record
from db.engine import BUSY_SECONDS, busy, reading, writing
from db.jobs import jobs
from db.people import people, study_rights
from db.schema import assignment, judge_reply, prompt, story, study
from db.studies import added_negatives, pair_panels
from db.studies.counts import counted_ratings
from db.studies.scored import scored

LONGEST_NAME = 200
THERE = study.c.deleted_at.is_(None)
"""Of the studies that were not deleted."""
_turns: dict[int, threading.Lock] = {}
_STUDY = select(study).where(study.c.id == bindparam("number"), THERE)
_STUDY_LOCKED = _STUDY.with_for_update()
_DELETED_TOO = select(study).where(study.c.id == bindparam("number")).with_for_update()


def _study(row: Row[Any]) -> Study:
    return Study(
        id=row.id,
        name=row.name,
        scheme_key=row.scheme,
        rules=QualityRules(**row.rules),
        state=StudyState(row.state),
        raters_identified=row.raters_identified,
        demonstration=row.demonstration,
        guideline_version=row.guideline_version,
        created_at=row.created_at,
        form=scheme_from(row.form) if row.form else None,
        consent=row.consent,
        codes=row.codes,
        practice=practice_from(row.training) if row.training else None,
        recruitment=recruitment_from(row.recruitment),
        payment=pay_from(row.payment),
        archived=row.archived_at is not None,
        retention_days=row.retention_days,
        taken_back=row.taken_back,
    )


def create(by: Person, name: str, scheme: str = "mans", rules: QualityRules | None = None) -> Study:
    """Make an empty study; raises InputError for a name that is empty, too long or taken."""
    by.must_be(Role.RESEARCHER)
    try:
        with writing() as connection:
            people.check(connection, by)
            study_id = insert_study(connection, by, name, scheme, rules)
            return locked(connection, study_id)
    except IntegrityError:
        raise name_taken(name) from None


def name_taken(name: str) -> InputError:
    """What to raise where another study has this name."""
    return InputError(f"There is already a study named {name.strip()!r}; choose another name.")


def checked_name(name: str) -> str:
    """A study's name without blanks around it; raises InputError for one that is empty, too long or not text."""
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or "\0" in name:
        raise InputError(f"A study's name has 1 to {LONGEST_NAME} characters and no NUL byte.")
    return name


def insert_study(
    connection: Connection,
    by: Person,
    name: str,
    scheme: str,
    rules: QualityRules | None,
    *,
    demonstration: bool = False,
) -> int:
    """Insert a study inside the caller's transaction, with the scheme's rules unless given others; returns its id."""
    values = new_values(name, scheme, rules, demonstration=demonstration)
    study_id = inserted_id(connection.execute(insert(study).values(values)))
    made(connection, by, study_id, values["name"], scheme)
    return study_id


def made(connection: Connection, by: Person, study_id: int, name: str, scheme: str) -> None:
    """Give a study that is there from now on to whoever made it, inside the caller's transaction."""
    study_rights.give_to_maker(connection, by, study_id)
    record(connection, "study created", by, study_id, name=name, scheme=scheme)


def new_values(
    name: str, scheme: str, rules: QualityRules | None = None, *, demonstration: bool = False
) -> dict[str, Any]:
    """The row of a new study; raises InputError for a name, a scheme or rules that cannot be."""
    chosen = scheme_of(scheme)
    rules = rules or default_rules(chosen)
    rules.check(chosen)
    return {
        "name": checked_name(name),
        "scheme": chosen.key,
        "rules": rules.as_dict(),
        "state": StudyState.DRAFT,
        "raters_identified": True,
        "demonstration": demonstration,
        "guideline_version": "1",
        "created_at": now(),
        "consent": "",
        "codes": {end: secrets.token_hex(4).upper() for end in End},
    }


def find(name: str) -> Study:
    """The study of this name; raises NotFound naming those there are."""
    with reading() as connection:
        row = connection.execute(select(study).where(study.c.name == name, THERE)).one_or_none()
        known = connection.scalars(select(study.c.name).where(THERE).order_by(study.c.name)).all()
    if row is None:
        raise NotFound(f"There is no study named {name!r}; there are: {', '.join(known) or 'none yet'}.")
    return _study(row)


def get(study_id: int) -> Study:
    """The study of this id; raises NotFound."""
    with reading() as connection:
        return locked(connection, study_id, lock=False)


def locked(connection: Connection, study_id: int, *, lock: bool = True, deleted: bool = False) -> Study:
    """The study's row, held until the transaction ends: who claims, submits or imports goes one after the other.

    `deleted`: one that can be had back yet is there, too. Raises NotFound.
    """
    query = _DELETED_TOO if deleted else _STUDY_LOCKED if lock else _STUDY
    row = connection.execute(query, {"number": study_id}).one_or_none()
    if row is None:
        raise NotFound("This study is not there any more.")
    return _study(row)


@contextmanager
def in_turn(study_id: int) -> Iterator[None]:
    """Wait in this process for those who lock the study before one does, and only then ask for a connection: where a
    crowd waited with one each, none would be left to save an answer by. Raises StorageError after half a minute.
    """
    turn = _turns.setdefault(study_id, threading.Lock())
    if not turn.acquire(timeout=BUSY_SECONDS):
        raise busy()
    try:
        yield
    finally:
        turn.release()


def names(by: Person) -> dict[int, str]:
    """Ids and names of the studies that this person runs, newest first, without those that are archived."""
    with reading() as connection:
        theirs = study_rights.studies_run(connection, by)
        query = select(study.c.id, study.c.name).where(THERE, study.c.archived_at.is_(None)).order_by(study.c.id.desc())
        return {row.id: row.name for row in connection.execute(query) if row.id in theirs}


def summaries(by: Person, *, archived: bool = False, only: int | None = None) -> list[StudySummary]:
    """The studies that this person runs, with their counts, newest first; `archived`: the archived ones instead
    of the others; `only`: the one of this id.
    """
    wanted = study.c.archived_at.is_not(None) if archived else study.c.archived_at.is_(None)
    with reading() as connection:
        theirs = study_rights.studies_run(connection, by)
        query = select(study).where(THERE, wanted).order_by(study.c.id.desc())
        rows = [row for row in connection.execute(query) if row.id in theirs and only in (None, row.id)]
        ids = [row.id for row in rows]
        prompts = _counts(connection, prompt, ids, func.count())
        stories = connection.execute(
            select(story.c.study_id, story.c.source, func.count(), func.count(story.c.prompt_id.distinct()))
            .where(story.c.study_id.in_(ids))
            .group_by(story.c.study_id, story.c.source)
        ).all()
        ratings = counted_ratings(connection, {row.id: row.created_at for row in rows})
        panels = connection.execute(
            select(
                assignment.c.study_id,
                func.sum(case((assignment.c.valid.is_(True), 1), else_=0)),
                func.sum(case((assignment.c.valid.is_(False), 1), else_=0)),
                func.sum(case((assignment.c.state == "open", 1), else_=0)),
            )
            .where(assignment.c.study_id.in_(ids))
            .group_by(assignment.c.study_id)
        ).all()
        scored_by = scored(connection, ids)
    by_source = {(row[0], row[1]): row[2] for row in stories}
    to_rate = {row[0]: row[3] for row in stories if row[1] == Source.SYSTEM}
    metrics = Counter(study_id for study_id, _ in scored_by)
    judges = Counter(study_id for study_id, metric in scored_by if judge_column(metric) is not None)
    by_panel = {row[0]: (int(row[1]), int(row[2]), int(row[3])) for row in panels}
    return [
        StudySummary(
            _study(row),
            to_rate.get(row.id) or prompts.get(row.id, 0),
            by_source.get((row.id, Source.SYSTEM), 0),
            by_source.get((row.id, Source.HUMAN), 0),
            by_source.get((row.id, Source.NEGATIVE), 0),
            ratings[row.id],
            *by_panel.get(row.id, (0, 0, 0)),
            metrics[row.id],
            judges[row.id],
        )
        for row in rows
    ]


def _counts(connection: Connection, table: Table, ids: Sequence[int], what: ColumnElement[int]) -> dict[int, int]:
    query = select(table.c.study_id, what).where(table.c.study_id.in_(ids)).group_by(table.c.study_id)
    return {row[0]: row[1] for row in connection.execute(query)}


def without_references(study_id: int) -> WithoutReferences:
    """The prompts whose panels would lack their human control; none in a scheme without controls."""
    with reading() as connection:
        result = locked(connection, study_id, lock=False)
        query = select(story.c.prompt_id, story.c.source).where(story.c.study_id == study_id)
        rows = connection.execute(query.distinct()).all()
    return _without_references(result, _kinds(rows))


def _kinds(stories: Sequence[Any]) -> dict[int, set[str]]:
    """The sources of each prompt's stories."""
    kinds: dict[int, set[str]] = {}
    for row in stories:
        kinds.setdefault(row.prompt_id, set()).add(row.source)
    return kinds


def _without_references(study_row: Study, kinds: Mapping[int, set[str]]) -> WithoutReferences:
    if not study_row.scheme.controls or study_row.scheme.unit.of_pairs:  # a system's story will do beside a damaged one
        return WithoutReferences(0, 0, 0)
    rated = [kind for kind in kinds.values() if Source.SYSTEM in kind]
    return WithoutReferences(
        len(rated),
        sum(Source.HUMAN not in known for known in rated),
        sum(Source.NEGATIVE not in known for known in rated),
    )


def open_study(by: Person, study_id: int, *, confirmed: bool = False) -> list[str]:
    """Let annotators in. Where panels have controls, prompts without a negative story get one; returns what the owner
    should know.

    Raises InputError where there is nothing to annotate, and where panels would lack their human control, unless that
    is `confirmed`.
    """
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        loaded_study = locked(connection, study_id)
        if loaded_study.archived:
            raise InputError(f"The study {loaded_study.name!r} is archived; bring it back before you open it.")
        stories = connection.execute(select(story).where(story.c.study_id == study_id).order_by(story.c.position)).all()
        if not any(s.source == Source.SYSTEM for s in stories):
            raise InputError(f"The study {loaded_study.name!r} has no stories to rate yet; import some first.")
        kinds = _kinds(stories)
        if not confirmed and (message := _without_references(loaded_study, kinds).sentence):
            raise InputError(message)
        without = sum(Source.SYSTEM in kind and Source.HUMAN not in kind for kind in kinds.values())
        pairs = loaded_study.scheme.pairs
        if loaded_study.scheme.controls:
            added_negatives.add(connection, loaded_study, list(stories), kinds)
        if pairs is not None:
            pair_panels.keep(connection, loaded_study)
        late = _left_out(connection, loaded_study, stories)
        connection.execute(update(study).where(study.c.id == study_id).values(state=StudyState.OPEN))
        record(connection, "study opened", by, study_id)
    notices = []
    if late:
        notices.append(
            f"{late:,} stories came after panels of their prompts were rated; they stand only in those still to come."
        )
    if without and pairs is not None and pairs.against_human:
        notices.append(f"{without} prompts have no human story: their stories cannot be compared and are left out.")
    if without and loaded_study.scheme.controls and pairs is None:
        notices.append(f"{without} prompts have no human story: their panels are judged by the negative story alone.")
    return notices


def _left_out(connection: Connection, study_row: Study, stories: Sequence[Row[Any]]) -> int:
    """How many rated stories are missing from panels of their prompts that count already."""
    if not study_row.scheme.unit.of_prompt:
        return 0
    counted = connection.execute(
        select(assignment.c.prompt_id, assignment.c.stories).where(
            assignment.c.study_id == study_row.id,
            assignment.c.valid.is_(True),
            assignment.c.state.in_(("submitted", "imported")),
        )
    ).all()
    shown: dict[int, set[int]] = {}
    for row in counted:
        shown.setdefault(row.prompt_id, set()).update(story_id for story_id, _ in row.stories)
    return sum(
        s.source in study_row.scheme.sources and s.prompt_id in shown and s.id not in shown[s.prompt_id]
        for s in stories
    )


def close_study(by: Person, study_id: int) -> None:
    """Give out no more panels; those begun may be finished."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        locked(connection, study_id)
        connection.execute(update(study).where(study.c.id == study_id).values(state=StudyState.CLOSED))
        record(connection, "study closed", by, study_id)


def remove(by: Person, study_id: int, typed_name: str) -> None:
    """Delete a study for good, with its stories, ratings and imported scores, if its name was typed correctly. What
    works on it is asked to stop: nobody could do that afterwards. `keeping.discard` can be undone.
    """
    by.must_be(Role.OWNER)
    with writing() as connection:
        people.check(connection, by, study_id)
        loaded_study = locked(connection, study_id)
        if typed_name.strip() != loaded_study.name:
            raise InputError(f"Nothing was deleted: type the study's name, {loaded_study.name}, to confirm.")
        jobs.cancel_all(connection, study_id)
        delete_for_good(connection, [study_id])
        record(connection, "study deleted", by, study_id, name=loaded_study.name)


def delete_for_good(connection: Connection, study_ids: Sequence[int]) -> None:
    """Delete studies with all that is theirs, in the caller's transaction."""
    # Before the panels of pairs: an assignment that loses its panel would be a second one of its prompt.
    connection.execute(delete(assignment).where(assignment.c.study_id.in_(study_ids)))
    connection.execute(delete(study).where(study.c.id.in_(study_ids)))
    array_files.forget(study_ids)
    forget_replies(connection)


def forget_replies(connection: Connection) -> None:
    """Delete what judges replied about stories that no study has any more: they quote."""
    quoted = (judge_reply.c.content_hash, judge_reply.c.against_hash)
    gone = [(side != "") & ~select(story.c.id).where(story.c.content_hash == side).exists() for side in quoted]
    connection.execute(delete(judge_reply).where(or_(*gone)))
