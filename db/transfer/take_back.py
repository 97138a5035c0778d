"""An import is taken back: what it brought goes, with what hangs on that, unless something that people did depends on
it; what was there before it, and what came after it, stays.
"""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, delete, exists, func, or_, select, update

from core.annotation.past_imports import ImportCounts, PastImport, TakingBack
from core.annotation.studies import Study, StudyState
from core.errors import InputError
from core.formats.exports.encoding import blocks
from core.people import Person, Role
from core.stories import Source
from db import array_files
from db.annotation import slots
from db.audit import record
from db.engine import reading, writing
from db.import_tables import study_import
from db.judge_tables import judge_template
from db.people import people
from db.schema import assignment, pair, pair_panel, person, prompt, rating, score, score_run, story, story_note, study
from db.scores.scores import touch_all
from db.studies import past_imports, studies
from db.transfer.export_rows import RESTORED
from db.transfer.rehash import rehash

MOVED = (
    "The study's own wordings of judges were tried on one half of its prompts, and the prompts after those of this "
    "import would change halves. Only what was imported last can be taken back."
)
HERE = 0
"""In place of an import's number, as these begin with 1."""
PANELS = 1_000
"""Panels that are looked at, and stories that are looked up, at once."""


class _Going(NamedTuple):
    """Of an import: the study, its row, the stories that it brought, and the negative ones that Fabula made for prompts
    that then have no system's story any more.
    """

    study: Study
    row: Row[Any]
    brought: ColumnElement[bool]
    made: ColumnElement[bool]

    @property
    def stories(self) -> ColumnElement[bool]:
        """All stories that go."""
        return or_(self.brought, self.made)

    @property
    def panels(self) -> ColumnElement[bool]:
        """The panels that it brought."""
        return and_(assignment.c.study_id == self.study.id, assignment.c.import_id == self.row.id)


def taking_back(by: Person, study_id: int, number: int) -> TakingBack:
    """What would go with an import, or why it stays. Raises NotFound where it is not there any more."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        going = _going(connection, studies.locked(connection, study_id, lock=False), number)
        return _counted(connection, going)


def take_back(by: Person, study_id: int, number: int) -> PastImport:
    """Remove all that an import brought, in one transaction; returns what it was. Raises InputError where something
    depends on it, NotFound where it is not there any more.
    """
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        going = _going(connection, studies.locked(connection, study_id), number)
        goes = _counted(connection, going)
        if goes.refusal:
            raise InputError(goes.refusal)
        _remove(connection, going)
        numbers = {"stories": sum(goes.brought.stories.values()), "ratings": goes.brought.ratings}
        record(connection, "import taken back", by, study_id, **{"import": number}, **numbers)
    array_files.forget([study_id])
    return past_imports.past_import(going.row)


def _going(connection: Connection, study_row: Study, number: int) -> _Going:
    row = past_imports.stored(connection, study_row, number)
    other, others = story.alias(), study_import.alias()
    brought = _at(story, study_row.id, row)
    staying = exists().where(
        *(other.c.prompt_id == story.c.prompt_id, other.c.source == Source.SYSTEM, ~_at(other, study_row.id, row))
    )
    of_an_import = exists().where(
        others.c.study_id == study_row.id,
        *(others.c.first_position <= story.c.position, others.c.end_position > story.c.position),
    )
    # What came later and with no import was made when the study was opened.
    made = and_(
        *(story.c.study_id == study_row.id, story.c.source == Source.NEGATIVE),
        *(story.c.position >= row.end_position, ~of_an_import, ~staying),
    )
    return _Going(study_row, row, brought, made)


def _at(table: Any, study_id: int, row: Row[Any]) -> ColumnElement[bool]:
    """That a story stands at the import's positions."""
    here = table.c.position >= row.first_position, table.c.position < row.end_position
    return and_(table.c.study_id == study_id, *here)


def _counted(connection: Connection, going: _Going) -> TakingBack:
    def number(query: Any) -> int:
        return connection.scalar(query) or 0

    study_id, row = going.study.id, going.row
    mine = select(func.count()).select_from(rating).join(assignment, assignment.c.id == rating.c.assignment_id)
    notes = select(func.count()).select_from(story_note).join(story, story.c.id == story_note.c.story_id)
    kept = past_imports.scored(connection, study_id).values()
    stories = past_imports.stories_in(connection, study_id, row.first_position, row.end_position)
    metrics = tuple(metric for metric, text in row.signatures if (metric, text) in kept)
    return TakingBack(
        ImportCounts(stories, number(mine.where(going.panels)), metrics),
        made=number(select(func.count()).select_from(story).where(going.made)),
        notes=number(notes.where(going.stories)),
        refusal=_refusal(connection, going, any(stories.values())),
    )


def _refusal(connection: Connection, going: _Going, has_stories: bool) -> str:
    """Why it stays; "" where it can go. Scores alone are in nobody's way."""
    if going.row.signatures:
        return ""
    if going.study.state is StudyState.OPEN:
        return f"The study {going.study.name!r} is open for annotation; close it before you take an import back."
    if not has_stories:
        return ""
    dependent = _dependent(connection, going)
    if dependent is None:
        return MOVED if _moves_halves(connection, going) else ""
    if dependent == HERE:
        return (
            "People have been given panels here that show its stories; what they say of them would be lost. The import "
            "stays."
        )
    later = past_imports.past_import(past_imports.stored(connection, going.study, dependent))
    return f"The later import of {later.name} has ratings of its stories; take that one back first."


def _dependent(connection: Connection, going: _Going) -> int | None:
    """The import of a panel that rates or shows a story that goes, `HERE` for one that somebody was handed, which come
    first; None where there is no such panel.
    """
    source = func.coalesce(assignment.c.import_id, HERE).label("source")
    for others in (assignment.c.import_id.is_(None), assignment.c.import_id != going.row.id):
        theirs = and_(assignment.c.study_id == going.study.id, others)
        rated = select(source).join(rating, rating.c.assignment_id == assignment.c.id).where(theirs, going.stories)
        for side in (rating.c.story_id, rating.c.against_id):
            of: int | None = connection.scalar(rated.join(story, story.c.id == side).limit(1))
            if of is not None:
                return of
        of = _shown(connection, select(source, assignment.c.id, assignment.c.stories).where(theirs), going.stories)
        if of is not None:
            return of
    return None


def _shown(connection: Connection, panels: Select[Any], stories: ColumnElement[bool]) -> int | None:
    """The source of one of these panels that is in hand and shows one of these stories; what is handed in is rated."""
    query = panels.where(assignment.c.state == "open").order_by(assignment.c.id).limit(PANELS)
    last = 0
    while page := connection.execute(query.where(assignment.c.id > last)).all():
        last = page[-1].id
        sources: dict[int, int] = {story_id: panel.source for panel in page for story_id, _ in panel.stories}
        for part in blocks(list(sources), PANELS):
            shown = connection.scalar(select(story.c.id).where(story.c.id.in_(part), stories).limit(1))
            if shown is not None:
                return sources[shown]
    return None


def _moves_halves(connection: Connection, going: _Going) -> bool:
    """Whether prompts that stay would be in the other of the `core.judges.halves`, where wordings were tried on one."""
    tried = select(judge_template.c.id).where(judge_template.c.study_id == going.study.id)
    if connection.scalar(tried.limit(1)) is None:
        return False
    mine = prompt.c.study_id == going.study.id
    stays = exists().where(story.c.prompt_id == prompt.c.id, ~going.stories)
    first = connection.scalar(select(func.min(prompt.c.position)).where(mine, ~stays))
    last = connection.scalar(select(func.max(prompt.c.position)).where(mine, stays))
    return first is not None and last is not None and first < last


def _remove(connection: Connection, going: _Going) -> None:
    study_id, row = going.study.id, going.row
    if row.signatures:
        _remove_scores(connection, study_id, [tuple(both) for both in row.signatures])
    before = _signatures_of(connection, study_id, going.stories)
    other = story.alias()
    beside = exists().where(other.c.prompt_id == story.c.prompt_id, ~_at(other, study_id, row))
    referred = select(story.c.prompt_id).where(going.brought, story.c.source == Source.HUMAN, beside).distinct()
    prompts = connection.scalars(referred).all()
    connection.execute(delete(assignment).where(going.panels))
    shows = exists().where(
        pair.c.pair_panel_id == pair_panel.c.id, or_(story.c.id == pair.c.first_id, story.c.id == pair.c.second_id)
    )
    if going.study.scheme.unit.of_pairs:  # panels that nobody has begun, which opening the study designs anew
        connection.execute(delete(pair_panel).where(pair_panel.c.study_id == study_id, shows.where(going.stories)))
    connection.execute(delete(story).where(going.made))
    connection.execute(delete(story).where(going.brought))
    empty = [~exists().where(table.c.prompt_id == prompt.c.id) for table in (story, assignment)]
    connection.execute(delete(prompt).where(prompt.c.study_id == study_id, *empty))
    slots.promote_all(connection, going.study)  # work that its ratings had left no place for
    _remove_raters(connection, study_id)
    rehash(connection, sorted(prompts))
    _end_runs(connection, study_id, before - _signatures_of(connection, study_id, story.c.study_id == study_id))
    touch_all(connection, study_id)
    _restore_settings(connection, going)
    connection.execute(update(study).where(study.c.id == study_id).values(taken_back=study.c.taken_back + 1))
    connection.execute(delete(study_import).where(study_import.c.id == row.id))
    studies.forget_replies(connection)


def _remove_scores(connection: Connection, study_id: int, signatures: Sequence[Any]) -> None:
    """Those of a file of scores, which has no stories."""
    known = past_imports.scored(connection, study_id)
    gone = [number for number, called in known.items() if called in signatures]
    mine = select(story.c.id).where(story.c.study_id == study_id)
    connection.execute(delete(score).where(score.c.signature_id.in_(gone), score.c.story_id.in_(mine)))
    _end_runs(connection, study_id, gone)


def _signatures_of(connection: Connection, study_id: int, stories: ColumnElement[bool]) -> set[int]:
    """The study's signatures under which any of these stories has a score, or a reason for none."""
    under = score.c.signature_id == score_run.c.signature_id
    by_story = exists().where(under, score.c.story_id == story.c.id, stories)
    by_text = exists().where(under, score.c.content_hash == story.c.content_hash, stories)
    query = select(score_run.c.signature_id).where(score_run.c.study_id == study_id, or_(by_story, by_text))
    return set(connection.scalars(query))


def _end_runs(connection: Connection, study_id: int, signature_ids: Collection[int]) -> None:
    gone = score_run.c.study_id == study_id, score_run.c.signature_id.in_(signature_ids)
    connection.execute(delete(score_run).where(*gone))


def _remove_raters(connection: Connection, study_id: int) -> None:
    """Those who are here by an import alone, and have no panel any more."""
    by_import = person.c.token_hash.startswith(f"{RESTORED}{study_id}:", autoescape=True)
    idle = ~exists().where(assignment.c.person_id == person.c.id)
    connection.execute(delete(person).where(by_import, person.c.erased_at.is_(None), idle))


def _restore_settings(connection: Connection, going: _Going) -> None:
    """What the import changed of the study's form and rules is as before it, where nothing hangs on that by now: no
    panel, no practice, no later change. Whether raters are known is, where no later import may have said so.
    """
    study_id, row = going.study.id, going.row
    rated = exists().where(assignment.c.study_id == study_id)
    later = exists().where(study_import.c.study_id == study_id, study_import.c.id > row.id)
    is_rated, is_last = (bool(connection.scalar(select(is_so))) for is_so in (rated, ~later))
    present = past_imports.settings_of(connection, study_id)
    if any(present[name] != after for name, (_, after) in row.settings.items()):
        return
    restored = {name: before for name, (before, _) in row.settings.items()}
    if is_rated or going.study.practice is not None:
        restored = {name: before for name, before in restored.items() if name == "raters_identified" and is_last}
    if restored:
        connection.execute(update(study).where(study.c.id == study_id).values(restored))
