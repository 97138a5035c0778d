"""Imports a corpus into a study: all of it, or nothing."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from core.annotation.builtin import scheme_of
from core.annotation.criterion import OVERALL
from core.annotation.past_imports import STORIES, Origin
from core.annotation.studies import Study, StudyState
from core.errors import InputError
from core.formats.exports.encoding import blocks
from core.people import Person, Role
from core.stories import Corpus, RatingRecord, Source, Story, StoryRecord, sentences
from db.audit import now, record
from db.engine import writing
from db.people import people
from db.schema import assignment, deduction, prompt, rating, rating_value, story, study
from db.scores import scores
from db.studies import past_imports, studies
from db.transfer.bulk import PROMPT, STORY, insert_rows
from db.transfer.incoming import known_already, other_text
from db.transfer.panel_imports import add_people
from db.transfer.rehash import rehash
from db.version import APP_VERSION

BLOCK = 5_000
"""Stories that are inserted at once."""
UNNAMED = Origin(STORIES)
"""Of an import of which nobody says more."""


def import_corpora(
    by: Person,
    name: str,
    corpora: Sequence[Corpus],
    *,
    scheme: str | None = None,
    demonstration: bool = False,
    origin: Origin = UNNAMED,
) -> Study:
    """Add corpora to the study of this name, which is made where it is missing; all in one transaction. The study
    remembers the import, of this `origin`, unless it is the demonstration.

    `scheme`: the key of the study's scheme; without one a new study takes the files', or MANS where these have none.
    Raises InputError if a story is there already, a prompt has another text there, or the ratings' scheme, or the one
    that is asked for, is not the study's; then nothing has changed.
    """
    by.must_be(Role.RESEARCHER)
    if scheme is not None:
        scheme_of(scheme)
    try:
        with writing() as connection:
            people.check(connection, by)
            of = None if demonstration else origin
            return store_corpora(connection, by, name.strip(), corpora, scheme, demonstration=demonstration, origin=of)
    except IntegrityError:
        raise InputError(
            f"The study {name.strip()!r} was changed by somebody else at this moment; try again."
        ) from None


def store_corpora(
    connection: Connection,
    by: Person,
    name: str,
    corpora: Sequence[Corpus],
    wanted: str | None,
    *,
    demonstration: bool = False,
    origin: Origin | None = None,
) -> Study:
    """What `import_corpora` does, within a transaction of whoever has looked at the role; remembered where it has an
    `origin`.
    """
    study_id = connection.scalar(select(study.c.id).where(study.c.name == name))
    people.check(connection, by, study_id)
    if study_id is None:
        scheme = wanted or next((corpus.scheme for corpus in corpora if corpus.scheme), "mans")
        study_id = studies.insert_study(connection, by, name, scheme, None, demonstration=demonstration)
    study_row = studies.locked(connection, study_id)
    if wanted not in (None, study_row.scheme_key):
        raise InputError(
            f"The study {study_row.name!r} uses the {study_row.scheme.title} scheme, not {wanted}; leave the scheme "
            "out, or give another name."
        )
    number = None if origin is None else past_imports.begin(connection, by, study_id, origin)
    for corpus in corpora:
        _add(connection, by, study_row, corpus, number)
    if number is not None:
        past_imports.finish(connection, number, ratings=sum(len(corpus.ratings) for corpus in corpora))
    return study_row


def _add(connection: Connection, by: Person, study_row: Study, corpus: Corpus, number: int | None) -> None:
    if corpus.scheme and corpus.scheme != study_row.scheme_key:
        raise InputError(
            f"The study {study_row.name!r} uses the {study_row.scheme.title} scheme, but this file the "
            f"{scheme_of(corpus.scheme).title} scheme; import it into a study of its own."
        )
    if study_row.state is StudyState.OPEN:
        raise InputError(f"The study {study_row.name!r} is open for annotation; close it before you add stories to it.")
    if corpus.ratings and study_row.scheme.unit.of_pairs:
        raise InputError(
            f"The study {study_row.name!r} compares pairs of stories, and these are ratings of single ones."
        )
    prompt_ids = add_prompts(connection, study_row, corpus)
    story_ids = add_stories(connection, study_row, corpus, prompt_ids)
    if corpus.ratings:
        _add_ratings(connection, study_row, corpus, prompt_ids, story_ids, number)
        if not corpus.raters_identified:
            connection.execute(update(study).where(study.c.id == study_row.id).values(raters_identified=False))
    for column in corpus.scores:
        scores.add_imported(connection, study_row.id, column, story_ids)
    record(connection, "imported", by, study_row.id, stories=len(corpus.stories), ratings=len(corpus.ratings))


def add_prompts(connection: Connection, study_row: Study, corpus: Corpus) -> dict[str, int]:
    """Add the prompts that the study lacks; returns the ids of all of its prompts by key.

    Raises InputError where one is there with another text.
    """
    texts = {story_record.prompt_key: story_record.prompt for story_record in corpus.stories}
    query = select(prompt.c.key, prompt.c.id, prompt.c.text).where(prompt.c.study_id == study_row.id)
    by_key = {row.key: row for row in connection.execute(query)}
    for key, row in by_key.items():
        if key in texts and texts[key] != row.text:
            raise other_text(key)
    new = [key for key in texts if key not in by_key]
    first = past_imports.next_position(connection, prompt, study_row.id)
    rows = [(study_row.id, key, place, texts[key]) for place, key in enumerate(new, first)]
    insert_rows(connection, prompt, PROMPT, rows)
    return {row.key: row.id for row in connection.execute(query)}


def add_stories(connection: Connection, study_row: Study, corpus: Corpus, prompt_ids: dict[str, int]) -> dict[str, int]:
    """Add the stories, after those that are there; returns the ids of all of the study's stories by key.

    Raises InputError where one is there already, save for a human story with the same text.
    """
    query = select(story.c.key, story.c.id, story.c.prompt_id, story.c.text).where(story.c.study_id == study_row.id)
    by_key = {row.key: row for row in connection.execute(query)}
    new = [item for item in corpus.stories if not _known(item, by_key)]
    first = past_imports.next_position(connection, story, study_row.id)
    references: dict[str, list[str]] = {}
    for story_record in new:
        if story_record.source is Source.HUMAN:
            references.setdefault(story_record.prompt_key, []).append(story_record.text)
    rows = (
        (
            *(
                study_row.id,
                prompt_ids[item.prompt_key],
                item.key,
                position,
                item.source.value,
                item.system,
            ),
            *(item.text, json.dumps(sentences(item.text))),
            Story(item.text, item.prompt, tuple(references.get(item.prompt_key, ()))).content_hash,
        )
        for position, item in enumerate(new, first)
    )
    for block in blocks(rows, BLOCK):
        insert_rows(connection, story, STORY, block)
    # Where a prompt had stories before, old and new references stand together only in the database.
    before = {row.prompt_id for row in by_key.values()}
    rehash(connection, sorted({prompt_ids[item.prompt_key] for item in new} & before))
    return {row.key: row.id for row in connection.execute(query)}


def _known(story_record: StoryRecord, stored: Mapping[str, Row[*tuple[Any, ...]]]) -> bool:
    """Whether a story is in the study already: for a reference that is fine, for any other an error."""
    row = stored.get(story_record.key)
    if row is None:
        return False
    if story_record.source is Source.HUMAN and row.text == story_record.text:
        return True
    raise known_already(story_record.key)


def _add_ratings(
    connection: Connection,
    study_row: Study,
    corpus: Corpus,
    prompt_ids: dict[str, int],
    story_ids: dict[str, int],
    number: int | None,
) -> None:
    """Ratings become an assignment a prompt and rater, of a person where the corpus says who rated, else anonymous.
    `number`: the import's.
    """
    study_row.scheme.criterion(OVERALL)  # what a corpus rates; raises InputError where the form does not ask for it
    prompt_of = {story_record.key: prompt_ids[story_record.prompt_key] for story_record in corpus.stories}
    panels: dict[tuple[int, str], list[int]] = {}
    for given in corpus.ratings:
        if study_row.form is not None:
            study_row.form.check_overall(given.overall)
            study_row.form.check_deductions(dict(given.deductions))
        if given.story_key not in prompt_of:
            raise InputError(f"A rating names the story {given.story_key[:60]!r}, which the import does not bring.")
        panels.setdefault((prompt_of[given.story_key], given.rater), []).append(story_ids[given.story_key])
    time = now()
    raters = dict.fromkeys(rater for _, rater in panels) if corpus.raters_identified else {}
    people_ids = add_people(connection, study_row, raters, time)
    rows: list[dict[str, Any]] = [
        {
            "study_id": study_row.id,
            "prompt_id": prompt_id,
            "person_id": people_ids.get(rater),
            "rater": rater,
            "state": "imported",
            "stories": [[story_id, ""] for story_id in members],
            "started_at": time,
            "submitted_at": time,
            "valid": True,
            "reason": "",
            "guideline_version": study_row.guideline_version,
            "app_version": APP_VERSION,
            "import_id": number,
        }
        for (prompt_id, rater), members in panels.items()
    ]
    before = connection.scalar(select(func.max(assignment.c.id))) or 0
    connection.execute(insert(assignment), rows)
    query = select(assignment.c.id, assignment.c.prompt_id, assignment.c.rater)
    result = connection.execute(query.where(assignment.c.id > before, assignment.c.study_id == study_row.id))
    assignment_ids = {(row.prompt_id, row.rater): row.id for row in result}
    keyed = {
        (assignment_ids[prompt_of[given.story_key], given.rater], story_ids[given.story_key]): given
        for given in corpus.ratings
    }
    if len(keyed) != len(corpus.ratings):
        raise InputError("The file has two ratings of one story by the same rater; nothing was imported.")
    connection.execute(insert(rating), [{"assignment_id": a, "story_id": s, "updated_at": time} for a, s in keyed])
    _add_values(connection, keyed, list(assignment_ids.values()))


def _add_values(connection: Connection, keyed: dict[tuple[int, int], RatingRecord], assignments: list[int]) -> None:
    """What the ratings say, and what they deduct."""
    low, high = min(assignments), max(assignments)
    rows = connection.execute(
        select(rating.c.id, rating.c.assignment_id, rating.c.story_id).where(rating.c.assignment_id.between(low, high))
    )
    ids = {(row.assignment_id, row.story_id): row.id for row in rows}
    connection.execute(
        insert(rating_value),
        [{"rating_id": ids[place], "criterion": OVERALL, "value": given.overall} for place, given in keyed.items()],
    )
    deducted = [
        {"rating_id": ids[place], "error_type": name, "points": points}
        for place, given in keyed.items()
        for name, points in given.deductions
    ]
    if deducted:
        connection.execute(insert(deduction), deducted)
