"""Stores answers and reads judgments."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Connection, Row, Select, and_, case, delete, exists, func, or_, select, update

from core.analysis.judgments.judged_story import JudgedStory
from core.analysis.judgments.rating_table import UNKNOWN, RatingColumns, RatingTable, merged, shares_won
from core.annotation.criterion import OVERALL
from core.annotation.panel import Answer, as_side
from core.annotation.spans import Span, check_span, with_span, without_span
from core.annotation.studies import Study
from core.annotation.submission import checked_comment
from core.annotation.target import Target, usual_target
from core.arrays import Bools, Floats, Ints
from core.errors import NotAllowed
from core.languages.words import told
from core.people import Person, Role
from core.stories import group_of
from db.annotation import assignments
from db.audit import now, record
from db.engine import reading, upsert, upserted_id, writing
from db.people import people
from db.plain_rows import Places, numbers_of, rows_of
from db.rating_values import CHANGE_JUDGMENTS, values_of
from db.schema import assignment, deduction, event, person, prompt, rating, rating_value, score_run, story, study
from db.studies import studies

COUNTED = and_(assignment.c.valid.is_(True), assignment.c.state.in_(("submitted", "imported")))
"""What the analyses count: ratings of valid, submitted panels, no surplus."""
SINGLE = (rating.c.raters == 1, assignment.c.person_id.is_not(None))
"""One known person's rating, as the comparison with a judge takes it."""
REJECTED = and_(assignment.c.valid.is_(False), assignment.c.state == "submitted")
"""Ratings of panels that were handed in and rejected."""
OWN_TRY = exists().where(person.c.id == assignment.c.person_id, person.c.role != Role.ANNOTATOR)
"""Panels of people who run studies: that one is rejected says nothing of how annotators work."""
RATER = func.coalesce(assignment.c.person_id, -assignment.c.id)
"""Who rated, by a number; somebody unknown has one a panel, below 0."""


def save_value(annotator: Person, story_token: str, value: int | None, criterion: str = OVERALL) -> Answer:
    """Store an annotator's rating of a story on a criterion (None takes it back); returns the whole answer as
    committed.

    Of two stories side by side, `value` says which is better (see `panel.as_side`), whichever one's token it is.

    One field a call, so that a stale tab never overwrites what another has saved. Raises NotAllowed for a story that
    is not theirs or a panel that is handed in, InputError for a value that the scheme does not offer: the browser
    checks none of this for us.
    """
    with writing() as connection:
        held, rated, loaded_study = _held(connection, annotator, story_token)
        asked = loaded_study.scheme.with_check().criterion(criterion)
        if value is not None:
            asked.check(value)
            if loaded_study.scheme.unit.of_pairs:
                value = as_side(value)
        rating_id = _kept(connection, held.id, rated)
        if value is None:
            mine = (rating_value.c.rating_id == rating_id) & (rating_value.c.criterion == asked.name)
            connection.execute(delete(rating_value).where(mine))
        else:
            row = {"rating_id": rating_id, "criterion": asked.name, "value": value}
            upsert(connection, rating_value, [row], ["rating_id", "criterion"], ["value"])
        said = {"overall": value} if asked.name == OVERALL else {"criterion": asked.name, "value": value}
        return _saved(connection, annotator, held, rated, loaded_study, **said)


def save_comment(annotator: Person, story_token: str, comment: str) -> Answer:
    """Store an annotator's reason for what they say of a story, in their own words; "" takes it back.

    Raises InputError for one that is too long; as `save_value` in all else. The log has its length alone: it is for
    good, and a person's words are theirs to have erased.
    """
    text = checked_comment(comment)
    with writing() as connection:
        held, rated, loaded_study = _held(connection, annotator, story_token)
        if not loaded_study.scheme.comments:
            raise told(NotAllowed, "errors.no_reasons")
        rating_id = _kept(connection, held.id, rated)
        connection.execute(update(rating).where(rating.c.id == rating_id).values(comment=text))
        return _saved(connection, annotator, held, rated, loaded_study, comment_characters=len(text))


def save_deduction(annotator: Person, story_token: str, error_type: str, points: int | None) -> Answer:
    """Store the points deducted for one error type (None takes them back, and their evidence); as `save_value` in
    all else.
    """
    with writing() as connection:
        held, rated, loaded_study = _held(connection, annotator, story_token)
        loaded_study.scheme.error_type(error_type)
        if points is not None:
            loaded_study.scheme.check_deductions({error_type: points})
        rating_id = _kept(connection, held.id, rated)
        if points is None:
            connection.execute(delete(deduction).where(_deduction_of(rating_id, error_type)))
        else:
            row = {"rating_id": rating_id, "error_type": error_type, "points": points}
            upsert(connection, deduction, [row], ["rating_id", "error_type"], ["points"])
        return _saved(connection, annotator, held, rated, loaded_study, error_type=error_type, points=points)


def mark(annotator: Person, story_token: str, error_type: str, span: Span) -> Answer:
    """Store a passage of the story as evidence of an error type, which is deducted at its least if it is not yet.

    Raises InputError for a passage outside of the story; as `save_value` in all else.
    """
    with writing() as connection:
        held, rated, loaded_study = _held(connection, annotator, story_token)
        given = loaded_study.scheme.error_type(error_type)
        text = connection.scalar(select(story.c.text).where(story.c.id == rated.story_id)) or ""
        check_span(text, span)
        rating_id = _kept(connection, held.id, rated)
        existing = connection.execute(select(deduction).where(_deduction_of(rating_id, error_type))).one_or_none()
        points = existing.points if existing else given.least
        spans = with_span([(start, end) for start, end in existing.spans] if existing else [], span)
        row = {"rating_id": rating_id, "error_type": error_type, "points": points, "spans": spans}
        upsert(connection, deduction, [row], ["rating_id", "error_type"], ["spans"])
        return _saved(
            connection, annotator, held, rated, loaded_study, error_type=error_type, points=points, marked=span
        )


def unmark(annotator: Person, story_token: str, error_type: str, span: Span) -> Answer:
    """Take back the evidence of an error type that has anything in common with a passage; the deduction stays."""
    with writing() as connection:
        held, rated, loaded_study = _held(connection, annotator, story_token)
        mine = _deduction_of(_kept(connection, held.id, rated), error_type)
        spans = connection.scalar(select(deduction.c.spans).where(mine)) or []
        left = without_span([(start, end) for start, end in spans], span)
        connection.execute(update(deduction).where(mine).values(spans=left))
        return _saved(connection, annotator, held, rated, loaded_study, error_type=error_type, unmarked=span)


def _deduction_of(rating_id: int, error_type: str) -> ColumnElement[bool]:
    return and_(deduction.c.rating_id == rating_id, deduction.c.error_type == error_type)


def _held(connection: Connection, annotator: Person, story_token: str) -> tuple[Row[Any], assignments.Rated, Study]:
    """The annotator's own open panel, locked until the transaction ends, what is rated in it, and the study."""
    held, shown = assignments.held_with(connection, annotator, story_token)
    people.check(connection, annotator)  # after the lock: whoever returns while they wait holds the place no longer
    if held.state != "open":
        raise told(NotAllowed, "errors.handed_in")
    loaded_study = studies.locked(connection, held.study_id, lock=False)
    return held, assignments.rated_at(loaded_study.scheme.unit, held, shown), loaded_study


def _kept(connection: Connection, assignment_id: int, rated: assignments.Rated) -> int:
    """The id of the row of a rating, made where it is missing."""
    row = {"assignment_id": assignment_id, **rated._asdict(), "updated_at": now()}
    return upserted_id(connection, rating, row, ["assignment_id", "story_id", "place"], ["updated_at"])


def _saved(
    connection: Connection,
    annotator: Person,
    held: Row[Any],
    rated: assignments.Rated,
    study_row: Study,
    /,
    **change: Any,
) -> Answer:
    """Renew the lease, log the change, and read back what is now stored."""
    assignments.renew(connection, study_row, held)
    of_pair = {"pair": rated.place} if rated.place else {}
    about = {"assignment": held.id, "story": rated.story_id, **of_pair}
    record(connection, "answer saved", annotator, held.study_id, **about, **change)
    answer = assignments.answers(connection, held.id)[rated[:2]]
    return assignments.displayed_answer(answer, study_row.scheme.unit)


def judged_stories(study_id: int, target: Target | None = None) -> list[JudgedStory]:
    """The stories of a study that are rated on a target (by default the scheme's usual one), in import order, with
    their counted ratings and those of annotators' rejected panels.

    Several ratings of a story by one annotator are one, their mean; all of its comparisons with others are one, the
    share that it won.
    """
    return rating_table(study_id, target).stories()


def rating_table(study_id: int, target: Target | None = None) -> RatingTable:
    """The same as columns: in a tenth of the time, where there are many."""
    with reading() as connection:
        scheme = studies.locked(connection, study_id, lock=False).scheme
        chosen = target or usual_target(scheme)
        rated = _rated(connection, study_id, chosen)
        held = numbers_of(connection, _panels(study_id))
        deducted, shown = _deducted(connection, study_id), _shown(connection, study_id)
        prompts = dict(rows_of(connection, select(prompt.c.id, prompt.c.key).where(prompt.c.study_id == study_id)))
        stories = rows_of(
            connection,
            select(story.c.id, story.c.source, story.c.system, story.c.prompt_id, story.c.key)
            .where(story.c.study_id == study_id)
            .order_by(story.c.position),
        )
    units = Places([row[0] for row in stories]).of(rated[1].astype(np.int64))
    order = np.lexsort((rated[0], units))
    numbers, of, first, panels, raters = (column[order].astype(np.intp) for column in rated[:-1])
    panel = Places(held[0].astype(np.int64).tolist()).of(panels)
    whose, valid = (column[panel].astype(np.intp) for column in held[1:])
    positions = _positions(shown, panels, of)
    if scheme.unit.of_pairs:
        positions = np.where(positions > 0, np.where(of == first, 1, 2), 0)
    types, votes, points = _by_type(deducted, numbers)
    once, single = np.ones(len(order), dtype=np.intp), np.zeros(len(order), dtype=bool)
    given = RatingColumns(units[order], rated[-1][order], whose, panels, positions, once, raters, single, votes, points)
    one = shares_won if chosen.is_preference else merged
    called = {written: group_of(*written) for written in {row[1:3] for row in stories}}
    table = RatingTable(
        tuple([prompts[row[3]] for row in stories]),
        tuple([called[row[1:3]] for row in stories]),
        np.array([row[1] not in scheme.sources for row in stories], dtype=bool),
        one(given.take(valid > 0)),
        one(given.take(valid == 0)),
        types,
        tuple([row[4] for row in stories]),
    )
    return table.of(np.bincount(given.units, minlength=len(stories)) > 0)


def _rated(connection: Connection, study_id: int, target: Target) -> list[Floats]:
    """Ratings that count and those of annotators' rejected panels: ids, the story that each is of, the one that stood
    first of two, panels, raters behind them, and values.
    """
    given = values_of(target)
    columns = rating.c.id, given.c.story_id, rating.c.story_id, rating.c.assignment_id, rating.c.raters, given.c.value
    return numbers_of(
        connection,
        select(*columns)
        .join(given, given.c.rating_id == rating.c.id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(assignment.c.study_id == study_id, or_(COUNTED, and_(REJECTED, ~OWN_TRY))),
    )


def _panels(study_id: int) -> Select[Any]:
    """Of every panel its id, who has it, and whether it counts."""
    return select(
        assignment.c.id,
        func.coalesce(assignment.c.person_id, UNKNOWN),
        case((assignment.c.valid.is_(True), 1), else_=0),
    ).where(assignment.c.study_id == study_id)


def _deducted(connection: Connection, study_id: int) -> list[tuple[int, str, int]]:
    """The error types that ratings give, and the points of each."""
    return rows_of(
        connection,
        select(deduction.c.rating_id, deduction.c.error_type, deduction.c.points)
        .join(rating, rating.c.id == deduction.c.rating_id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(assignment.c.study_id == study_id),
    )


def _by_type(deducted: Sequence[tuple[int, str, int]], numbers: Ints) -> tuple[tuple[str, ...], Bools, Ints]:
    """The types that these ratings give, and by rating and type whether it is given, and the points it takes off. The
    ratings come by their ids; one may be there twice, as one of two stories.
    """
    names = sorted({name for _, name, _ in deducted})
    codes = {name: code for code, name in enumerate(names)}
    votes, points = (
        np.zeros((len(numbers), len(names)), dtype=bool),
        np.zeros((len(numbers), len(names)), dtype=np.intp),
    )
    if not len(numbers) or not deducted:
        return tuple(names), votes, points
    by = np.array([row[0] for row in deducted], dtype=np.int64)
    of, taken = np.array([codes[row[1]] for row in deducted]), np.array([row[2] for row in deducted])
    different, rows = np.unique(numbers, return_inverse=True)
    at = np.minimum(np.searchsorted(different, by), len(different) - 1)
    known = different[at] == by  # a rating may say nothing on the target
    table = np.zeros((len(different), len(names)), dtype=np.intp)
    given = np.zeros(table.shape, dtype=bool)
    given[at[known], of[known]], table[at[known], of[known]] = True, taken[known]
    return tuple(names), given[rows], table[rows]


def _shown(connection: Connection, study_id: int) -> list[tuple[int, int, int]]:
    """Panel, story and place from 1 of every story that annotators were shown here; imported ratings have no place."""
    panels = connection.execute(
        select(assignment.c.id, assignment.c.stories).where(
            assignment.c.study_id == study_id, assignment.c.valid.is_not(None), assignment.c.state != "imported"
        )
    )
    return [
        (panel_id, story_id, place) for panel_id, stories in panels for place, (story_id, _) in enumerate(stories, 1)
    ]


def _positions(shown: Sequence[tuple[int, int, int]], panels: Ints, stories: Ints) -> Ints:
    """The place at which each rating's panel showed its story, 0 where it is not known."""
    if not shown or not len(panels):
        return np.zeros(len(panels), dtype=np.intp)
    panel_ids, story_ids, places = np.array(shown, dtype=np.int64).T
    most = max(int(story_ids.max()), int(stories.max())) + 1
    keys = panel_ids * most + story_ids
    order = np.argsort(keys, kind="stable")
    wanted = panels * most + stories
    at = np.searchsorted(keys[order], wanted, side="right") - 1  # of a story that is shown twice the second place
    found = order[np.maximum(at, 0)]
    return np.where((at >= 0) & (keys[found] == wanted), places[found], 0)


def annotators(study_id: int) -> int | None:
    """How many different people gave counted ratings; None where an import hides who rated."""
    with reading() as connection:
        if not connection.scalar(select(study.c.raters_identified).where(study.c.id == study_id)):
            return None
        return connection.scalar(
            select(func.count(func.distinct(assignment.c.person_id)))
            .join(rating, rating.c.assignment_id == assignment.c.id)
            .where(assignment.c.study_id == study_id, COUNTED)
        )


def all_imported(study_id: int) -> bool:
    """Whether every counted rating came with an import: then the form here says nothing of what people were asked."""
    here = select(rating.c.id).join(assignment, rating.c.assignment_id == assignment.c.id)
    with reading() as connection:
        mine = here.where(assignment.c.study_id == study_id, COUNTED)
        return (
            connection.scalar(mine.limit(1)) is not None
            and connection.scalar(mine.where(assignment.c.state != "imported").limit(1)) is None
        )


def imports_name_errors(study_id: int) -> bool:
    """Whether any imported rating has an error type: then those without one were asked, and gave none."""
    given = select(deduction.c.id).join(rating, rating.c.id == deduction.c.rating_id)
    mine = given.join(assignment, assignment.c.id == rating.c.assignment_id)
    with reading() as connection:
        imported = mine.where(assignment.c.study_id == study_id, assignment.c.state == "imported")
        return connection.scalar(imported.limit(1)) is not None


def version(study_id: int) -> str:
    """Changes whenever the study's ratings or scores do: what a page's cached results are kept under."""
    with reading() as connection:
        last_event = connection.scalar(
            select(func.max(event.c.id)).where(event.c.study_id == study_id, event.c.kind.in_(CHANGE_JUDGMENTS))
        )
        last_score = connection.scalar(select(func.max(score_run.c.updated_at)).where(score_run.c.study_id == study_id))
    return f"{last_event}/{last_score}"
