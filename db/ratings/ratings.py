"""Stores answers and reads judgments."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, or_, select, update

from core.analysis.judgments.judgments import JudgedStory, Rating, compared, merged
from core.annotation.criterion import OVERALL
from core.annotation.panel import Answer, as_side
from core.annotation.spans import Span, check_span, with_span, without_span
from core.annotation.studies import Study
from core.annotation.submission import checked_comment
from core.annotation.target import Target, usual_target
from core.errors import NotAllowed
from core.people import Person
from core.stories import Source, group_of
from db.annotation import assignments
from db.audit import now, record
from db.engine import reading, upsert, upserted_id, writing
from db.people import people
from db.rating_values import values_of
from db.schema import assignment, deduction, event, prompt, rating, rating_value, score_run, story, study
from db.studies import studies

COUNTED = and_(assignment.c.valid.is_(True), assignment.c.state.in_(("submitted", "imported")))
"""What the analyses count: ratings of valid, submitted panels, no surplus."""
REJECTED = and_(assignment.c.valid.is_(False), assignment.c.state == "submitted")
"""Ratings of panels that were handed in and rejected."""
RATER = func.coalesce(assignment.c.person_id, -assignment.c.id)
"""Who rated, by a number; somebody unknown has one a panel, below 0."""
CHANGE_JUDGMENTS = (
    *("panel submitted", "surplus counted", "imported"),
    *("verdict overridden", "panels judged again", "form changed", "erased"),
)
"""Events after which an analysis must be made anew; an answer counts only once its panel is handed in."""


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
            raise NotAllowed("This study does not ask for reasons; reload the page.")
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
        raise NotAllowed("This panel has been handed in; its answers can no longer change.")
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
    their counted ratings and those of rejected panels.

    Several ratings of a story by one annotator are one, their mean; all of its comparisons with others are one, the
    share that it won.
    """
    with reading() as connection:
        scheme = studies.locked(connection, study_id, lock=False).scheme
        chosen = target or usual_target(scheme)
        sources, given_values = scheme.sources, values_of(chosen)
        rows = connection.execute(
            select(rating.c.id, given_values.c.story_id, rating.c.assignment_id, given_values.c.value, rating.c.raters)
            .add_columns(rating.c.story_id)
            .join(given_values, given_values.c.rating_id == rating.c.id)
            .join(assignment, assignment.c.id == rating.c.assignment_id)
            .where(assignment.c.study_id == study_id, or_(COUNTED, REJECTED))
            .order_by(rating.c.id)
        ).all()
        deducted = _deducted(connection, study_id)
        panels = {
            row.id: (row.valid, row.person_id, _places(row.stories) if row.state != "imported" else {})
            for row in connection.execute(
                select(
                    assignment.c.id,
                    assignment.c.valid,
                    assignment.c.person_id,
                    assignment.c.state,
                    assignment.c.stories,
                ).where(assignment.c.study_id == study_id, assignment.c.valid.is_not(None))
            )
        }
        stories = connection.execute(
            select(story.c.id, story.c.source, story.c.system, prompt.c.key)
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.study_id == study_id)
            .order_by(story.c.position)
        ).all()
    given: dict[int, tuple[list[Rating], list[Rating]]] = {}
    for rating_id, story_id, panel_id, overall, raters, first_id in rows:
        valid, annotator, places = panels[panel_id]
        position = places.get(story_id)
        if position is not None and scheme.unit.of_pairs:
            position = 1 if story_id == first_id else 2
        counted, rejected = given.setdefault(story_id, ([], []))
        taken = sorted(deducted.get(rating_id, ()))
        types, points = frozenset(name for name, _ in taken), tuple(part for part in taken if part[1])
        (counted if valid else rejected).append(
            Rating(overall, types, annotator, panel_id, position, points, raters=raters)
        )
    one = compared if chosen.is_preference else merged
    return [
        JudgedStory(
            prompt=row.key,
            group=group_of(row.source, row.system),
            ratings=one(given[row.id][0]),
            control=Source(row.source) not in sources,
            rejected=one(given[row.id][1]),
        )
        for row in stories
        if row.id in given
    ]


def _deducted(connection: Connection, study_id: int) -> dict[int, list[tuple[str, int]]]:
    """The error types of each rating, and the points of each."""
    result: dict[int, list[tuple[str, int]]] = {}
    for rating_id, error_type, points in connection.execute(
        select(deduction.c.rating_id, deduction.c.error_type, deduction.c.points)
        .join(rating, rating.c.id == deduction.c.rating_id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(assignment.c.study_id == study_id)
    ):
        result.setdefault(rating_id, []).append((error_type, points))
    return result


def _places(shown: list[list[Any]]) -> dict[int, int]:
    """Place from 1 of each story of a panel, by its id."""
    return {story_id: place for place, (story_id, _) in enumerate(shown, 1)}


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


def version(study_id: int) -> str:
    """Changes whenever the study's ratings or scores do: what a page's cached results are kept under."""
    with reading() as connection:
        last_event = connection.scalar(
            select(func.max(event.c.id)).where(event.c.study_id == study_id, event.c.kind.in_(CHANGE_JUDGMENTS))
        )
        last_score = connection.scalar(select(func.max(score_run.c.updated_at)).where(score_run.c.study_id == study_id))
    return f"{last_event}/{last_score}"
