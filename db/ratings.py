"""Answers in, judgments out."""

from collections.abc import Iterator

from sqlalchemy import and_, delete, func, insert, select, update

from core.analysis.judgments import JudgedStory
from core.annotation.panel import Answer
from core.errors import NotAllowed
from core.formats.ratings import ExportedRating
from core.people import Person, Role
from core.stories import Source
from db import assignments, people, studies
from db.audit import now, record
from db.engine import reading, upsert, writing
from db.schema import assignment, deduction, event, prompt, rating, score_run, story, study

COUNTED = and_(
    rating.c.overall.is_not(None), assignment.c.valid.is_(True), assignment.c.state.in_(("submitted", "imported"))
)
"""What the analyses count: ratings of valid, submitted panels, no surplus."""


def save(annotator: Person, story_token: str, overall: int | None, deductions: dict[str, int]) -> Answer:
    """Store an annotator's present answer to one story, replacing the one before; returns it as committed.

    Raises NotAllowed for a story that is not theirs or a panel that is handed in, InputError for values the scheme
    does not offer. The browser checks none of this for us.
    """
    with writing() as connection:
        people.check(connection, annotator)
        held, story_id = assignments.held_with(connection, annotator, story_token)
        if held.state != "open":
            raise NotAllowed("This panel has been handed in; its answers can no longer change.")
        scheme = studies.locked(connection, held.study_id, lock=False).scheme
        if overall is not None:
            scheme.check_overall(overall)
        scheme.check_deductions(deductions)
        time = now()
        upsert(
            connection,
            rating,
            [{"assignment_id": held.id, "story_id": story_id, "overall": overall, "updated_at": time}],
            ["assignment_id", "story_id"],
            ["overall", "updated_at"],
        )
        rating_id = connection.scalar(
            select(rating.c.id).where(rating.c.assignment_id == held.id, rating.c.story_id == story_id)
        )
        connection.execute(delete(deduction).where(deduction.c.rating_id == rating_id))
        if deductions:
            connection.execute(
                insert(deduction),
                [{"rating_id": rating_id, "error_type": n, "points": p} for n, p in deductions.items()],
            )
        connection.execute(
            update(assignment).where(assignment.c.id == held.id).values(lease_until=time + assignments.LEASE)
        )
        record(
            connection,
            "answer saved",
            annotator,
            held.study_id,
            assignment=held.id,
            story=story_id,
            overall=overall,
            deductions=deductions,
        )
    return Answer(overall, deductions, time)


def judged_stories(study_id: int) -> list[JudgedStory]:
    """The rated stories of a study with their counted ratings, in import order."""
    columns = (story.c.id, story.c.source, story.c.system, prompt.c.key, rating.c.id.label("rating"), rating.c.overall)
    with reading() as connection:
        rows = connection.execute(
            select(*columns)
            .join(rating, rating.c.story_id == story.c.id)
            .join(assignment, assignment.c.id == rating.c.assignment_id)
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.study_id == study_id, COUNTED)
            .order_by(story.c.position, rating.c.id)
        ).all()
        types: dict[int, set[str]] = {}
        for given_type in connection.execute(
            select(deduction.c.rating_id, deduction.c.error_type)
            .join(rating, rating.c.id == deduction.c.rating_id)
            .join(assignment, assignment.c.id == rating.c.assignment_id)
            .where(assignment.c.study_id == study_id)
        ):
            types.setdefault(given_type.rating_id, set()).add(given_type.error_type)
    given: dict[int, list[tuple[float, frozenset[str]]]] = {}
    about = {}
    for row in rows:
        about[row.id] = row
        given.setdefault(row.id, []).append((row.overall, frozenset(types.get(row.rating, ()))))
    return [
        JudgedStory(
            prompt=about[story_id].key,
            group=(about[story_id].system or "unknown")
            if about[story_id].source == Source.SYSTEM
            else about[story_id].source,
            ratings=tuple(ratings),
            control=about[story_id].source != Source.SYSTEM,
        )
        for story_id, ratings in given.items()
    ]


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


def exported(by: Person, study_id: int) -> Iterator[ExportedRating]:
    """Every rating of a study, rejected and unfinished ones included, oldest panel first."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        found = studies.locked(connection, study_id, lock=False)
        deducted: dict[int, dict[str, int]] = {}
        for given in connection.execute(
            select(deduction.c.rating_id, deduction.c.error_type, deduction.c.points)
            .join(rating, rating.c.id == deduction.c.rating_id)
            .join(assignment, assignment.c.id == rating.c.assignment_id)
            .where(assignment.c.study_id == study_id)
        ):
            deducted.setdefault(given.rating_id, {})[given.error_type] = given.points
        rows = connection.execute(
            select(
                rating.c.id.label("rating_id"),
                rating.c.overall,
                prompt.c.key.label("prompt_key"),
                prompt.c.text.label("prompt_text"),
                story.c.id.label("story_id"),
                story.c.key.label("story_key"),
                story.c.source,
                story.c.system,
                story.c.text.label("story_text"),
                assignment.c.rater,
                assignment.c.person_id,
                assignment.c.state,
                assignment.c.valid,
                assignment.c.reason,
                assignment.c.stories,
                assignment.c.started_at,
                assignment.c.submitted_at,
                assignment.c.guideline_version,
                assignment.c.app_version,
            )
            .join(assignment, assignment.c.id == rating.c.assignment_id)
            .join(story, story.c.id == rating.c.story_id)
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(assignment.c.study_id == study_id, rating.c.overall.is_not(None))
            .order_by(assignment.c.id, rating.c.id)
        )
        for row in rows:
            deductions = deducted.get(row.rating_id, {})
            order = [story_id for story_id, _ in row.stories]
            yield ExportedRating(
                study=found.name,
                scheme=found.scheme_key,
                demonstration=found.demonstration and row.state == "imported",
                prompt_id=row.prompt_key,
                prompt=row.prompt_text,
                story_id=row.story_key,
                source=row.source,
                system=row.system,
                story=row.story_text,
                annotator=row.rater or f"annotator {row.person_id}",
                position=order.index(row.story_id) + 1 if row.state != "imported" else None,
                overall=row.overall,
                deductions=deductions,
                implied=found.scheme.implied_rating(deductions) if found.scheme.annotatable else None,
                state=row.state,
                valid=row.valid,
                reason=row.reason,
                started_at=row.started_at.isoformat(),
                submitted_at=row.submitted_at.isoformat() if row.submitted_at else "",
                guideline_version=row.guideline_version,
                app_version=row.app_version,
            )


def version(study_id: int) -> str:
    """Changes whenever the study's ratings or scores do: what a page's cached results are kept under."""
    with reading() as connection:
        last_event = connection.scalar(select(func.max(event.c.id)).where(event.c.study_id == study_id))
        last_score = connection.scalar(select(func.max(score_run.c.updated_at)).where(score_run.c.study_id == study_id))
    return f"{last_event}/{last_score}"
