"""Imports an export, or another program's ratings, into a study: all of it, or nothing."""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from sqlalchemy import Connection, select, update
from sqlalchemy.exc import IntegrityError

from core.annotation.criterion import PREFERENCE
from core.annotation.past_imports import EXPORT, PREFERENCES, RATINGS, Origin
from core.annotation.scheme import Scheme
from core.annotation.studies import Study
from core.annotation.unit import PromptKind
from core.errors import InputError
from core.formats.exports.encoding import blocks
from core.formats.exports.restored import Restored
from core.formats.manifest import StudyHead
from core.people import Person, Role
from core.scores import IMPORTED
from core.scratch.number_list import NumberList
from core.text_files import LONGEST_KEY
from db.annotation import settings
from db.audit import now, record
from db.engine import upsert, writing
from db.people import people
from db.plain_rows import rows_of
from db.schema import assignment, deduction, prompt, rating, rating_value, score, story, study
from db.scores import scores
from db.studies import pair_panels, past_imports, studies
from db.transfer import pair_imports, rating_forms
from db.transfer.brought_stories import add_brought_stories, texts_of
from db.transfer.bulk import insert_dicts, insert_rows
from db.transfer.panel_imports import BLOCK, add_panels, inserted
from db.transfer.placed_ratings import PlacedRatings, placed
from db.transfer.same_ratings import refuse_same_ratings
from db.transfer.same_texts import named_as_stored

Progress = Callable[[int, int, str], None]
"""Told how many rows of how many are stored, and what is going on."""


def import_ratings(
    by: Person,
    name: str,
    *several: Restored,
    prompts: PromptKind | None = None,
    questions: Mapping[str, str] | None = None,
    on_progress: Progress | None = None,
) -> Study:
    """Add what was read to the study of this name, which is made where it is missing; all in one transaction, one file
    after the other.

    An export brings its form and rules into a study that is new or empty; into any other it must have the same form.
    Other ratings bring a form that asks for them where nobody has been asked anything yet.
    Annotators become people without a link. `prompts`: what those of a study without stories are, where that is known;
    `questions`: what people were asked on each criterion, where the file is no export and names no scheme, and its
    ratings make the form.
    Raises InputError where something does not fit; then nothing has changed.
    """
    by.must_be(Role.RESEARCHER)
    tell = on_progress or (lambda done, total, what: None)
    for brought in several:
        brought.check_named()
    try:
        with writing() as connection:
            people.check(connection, by)
            for brought in several:
                loaded_study, number = _study(connection, by, name.strip(), brought, prompts, questions or {})
                _add(connection, loaded_study, brought, number, tell)
                past_imports.finish(connection, number, ratings=len(brought.ratings), left_out=brought.left_out)
                numbers = {"stories": len(brought.stories), "ratings": len(brought.ratings)}
                record(connection, "imported", by, loaded_study.id, **numbers)
            return studies.locked(connection, loaded_study.id)
    except IntegrityError:
        raise InputError(
            f"The study {name.strip()!r} was changed by somebody else at this moment; try again."
        ) from None


def _study(
    connection: Connection,
    by: Person,
    name: str,
    brought: Restored,
    prompts: PromptKind | None,
    questions: Mapping[str, str],
) -> tuple[Study, int]:
    """The study as these ratings need it, and the import's number."""
    study_id = connection.scalar(select(study.c.id).where(study.c.name == name))
    people.check(connection, by, study_id)
    new = study_id is None
    if study_id is None:
        study_id = studies.insert_study(connection, by, name, rating_forms.scheme_of(brought), None)
    loaded_study = studies.locked(connection, study_id)
    number = past_imports.begin(connection, by, study_id, _origin(brought))
    form = rating_forms.form_for(connection, loaded_study, brought, questions, new=new)
    fitting = _fitting(connection, by, loaded_study, brought, form)
    return settings.with_prompts_of(connection, by, fitting, prompts), number


def _origin(brought: Restored) -> Origin:
    if brought.manifest is not None:
        return Origin(EXPORT, (brought.manifest.study.name,))
    return Origin(PREFERENCES if brought.criteria == (PREFERENCE,) else RATINGS, (brought.sheet.path.name,))


def _fitting(connection: Connection, by: Person, loaded_study: Study, brought: Restored, form: Scheme) -> Study:
    """The study under the form that its ratings were made under, and an export's rules where it has no stories."""
    head = brought.manifest.study if brought.manifest is not None else None
    if head is not None and not rating_forms.has_prompts(connection, loaded_study):
        _take_over(connection, loaded_study.id, head)
    elif form != loaded_study.scheme:
        settings.replace_scheme(connection, by, loaded_study.id, form)
    return studies.locked(connection, loaded_study.id)


def _take_over(connection: Connection, study_id: int, head: StudyHead) -> None:
    """What the ratings were made under, so that they mean the same here."""
    connection.execute(
        update(study)
        .where(study.c.id == study_id)
        .values(
            form=head.form.as_dict() if head.form is not None else None,
            rules=head.rules.as_dict(),
            guideline_version=head.guideline_version,
            raters_identified=head.raters_identified,
            demonstration=head.demonstration,
        )
    )


def _add(connection: Connection, loaded_study: Study, brought: Restored, number: int, tell: Progress) -> None:
    _check_texts(connection, loaded_study, brought)
    brought = named_as_stored(connection, loaded_study.id, brought)
    add_brought_stories(connection, loaded_study, brought)
    alone = brought.manifest is None
    if alone and loaded_study.scheme.pairs is not None:
        placed_pairs = brought.placed(_prompt_of(connection, loaded_study))
        brought = pair_imports.paired(connection, loaded_study, placed_pairs)
    cut = alone and loaded_study.scheme.pairs is None
    ratings = placed(connection, loaded_study, brought, cut=cut)
    panel_ids = add_panels(connection, loaded_study, ratings, number)
    if cut:
        refuse_same_ratings(connection, loaded_study, ratings)
    _add_ratings(connection, loaded_study, ratings, panel_ids, tell)
    _add_scores(connection, loaded_study, brought)
    if loaded_study.scheme.unit.of_pairs and any(panel.pair_panel is not None for panel in brought.panels):
        pair_panels.keep(connection, loaded_study)  # and the panels that nobody has begun
    if not brought.raters_identified:
        connection.execute(update(study).where(study.c.id == loaded_study.id).values(raters_identified=False))


def _check_texts(connection: Connection, loaded_study: Study, brought: Restored) -> None:
    """Raise InputError where the texts of a file without ids are ids of the study's stories: it means these."""
    named = brought.sheet.named
    if brought.manifest is not None or "story" not in named or "story_id" in named:
        return
    texts = [given.text for given in islice(brought.stories, BLOCK)]
    ids = texts_of(connection, loaded_study.id, [text for text in texts if len(text) <= LONGEST_KEY])
    if ids:
        column = named["story"]
        raise InputError(
            f"{brought.sheet.path.name}: the column {column!r} holds ids of stories of {loaded_study.name!r} "
            f"({', '.join(sorted(ids)[:2])}, …), not texts; choose it as the story's id. Nothing was imported.",
            f"Say so with --map story_id={column}.",
        )


def _add_scores(connection: Connection, loaded_study: Study, brought: Restored) -> None:
    """Scores under their own signatures: those of a file by story, computed ones by text, where none is kept yet."""
    signature_ids: dict[tuple[str, str], int] = {}
    query = select(story.c.key, story.c.id, story.c.content_hash).where(story.c.study_id == loaded_study.id)
    for block in blocks(brought.scores, BLOCK):
        for metric, text in dict.fromkeys((given.metric, given.signature) for given in block):
            if (metric, text) not in signature_ids:
                signature_ids[metric, text] = scores.begin_in(connection, loaded_study.id, metric, text)
        keys = {given.story_key for given in block}
        known = {key: row for key, *row in rows_of(connection, query.where(story.c.key.in_(keys)))}
        rows: dict[str, dict[tuple[int, Any], dict[str, Any]]] = {"story_id": {}, "content_hash": {}}
        for given in block:
            column = "story_id" if given.signature.startswith(IMPORTED) else "content_hash"
            signature_id = signature_ids[given.metric, given.signature]
            place = known[given.story_key][column == "content_hash"]
            row = {"signature_id": signature_id, column: place, "value": given.value, "reason": given.reason}
            rows[column][signature_id, place] = row
        for column, of_column in rows.items():
            upsert(connection, score, list(of_column.values()), ["signature_id", column], [])


def _prompt_of(connection: Connection, loaded_study: Study) -> dict[str, str]:
    query = select(story.c.key, prompt.c.key.label("prompt")).join(prompt, prompt.c.id == story.c.prompt_id)
    return {row.key: row.prompt for row in connection.execute(query.where(story.c.study_id == loaded_study.id))}


def _add_ratings(
    connection: Connection,
    loaded_study: Study,
    ratings: PlacedRatings,
    panel_ids: NumberList,
    tell: Progress,
) -> None:
    time, done, brought = now(), 0, ratings.brought
    new_panels = select(assignment.c.id).where(
        assignment.c.study_id == loaded_study.id, assignment.c.id >= (panel_ids[0] if len(panel_ids) else 0)
    )
    for block in blocks(brought.ratings, BLOCK):
        given_ratings = [ratings.check.called(given) for given in block]
        rows = [
            {
                "assignment_id": panel_ids[ratings.panels[place]],
                "story_id": ratings.stories[place],
                "raters": given.raters,
                "comment": given.comment,
                "place": given.pair,
                "against_id": ratings.against.get(place),
                "updated_at": given.saved_at or brought.panels[given.panel].submitted_at or time,
            }
            for place, given in enumerate(block, done)
        ]
        ids = inserted(connection, rating, rows, rating.c.assignment_id.in_(new_panels))
        values = [
            (rating_id, name, value)
            for rating_id, given in zip(ids, given_ratings, strict=True)
            for name, value in given.values.items()
        ]
        insert_rows(connection, rating_value, ("rating_id", "criterion", "value"), values)
        deducted = [
            {"rating_id": rating_id, "error_type": name, "points": points, "spans": given.evidence.get(name, [])}
            for rating_id, given in zip(ids, block, strict=True)
            for name, points in given.deductions.items()
        ]
        insert_dicts(connection, deduction, deducted)
        done += len(block)
        tell(done, len(brought.ratings), "Storing")
