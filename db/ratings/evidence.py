"""The passages that annotators marked as evidence."""

from sqlalchemy import Text, cast, func, select

from core.analysis.judgments.evidence import EvidenceMark, MarkedStory
from core.people import Person, Role
from core.stories import group_of
from db.engine import reading
from db.people import people
from db.ratings.ratings import COUNTED
from db.schema import assignment, deduction, prompt, rating, story


def marked(by: Person, study_id: int) -> list[MarkedStory]:
    """The stories of a study in which a rating that counts marks something, in import order."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        mine = (assignment.c.study_id == study_id, COUNTED)
        marks: dict[int, list[EvidenceMark]] = {}
        for row in connection.execute(
            select(rating.c.story_id, rating.c.id, deduction.c.error_type, deduction.c.spans)
            .join(rating, rating.c.id == deduction.c.rating_id)
            .join(assignment, assignment.c.id == rating.c.assignment_id)
            .where(*mine, cast(deduction.c.spans, Text) != "[]")
            .order_by(rating.c.id, deduction.c.id)
        ):
            marks.setdefault(row.story_id, []).extend(
                EvidenceMark(row.id, row.error_type, start, end) for start, end in row.spans
            )
        if not marks:
            return []
        counted = {
            row.story_id: row.number
            for row in connection.execute(
                select(rating.c.story_id, func.count().label("number"))
                .join(assignment, assignment.c.id == rating.c.assignment_id)
                .where(*mine)
                .group_by(rating.c.story_id)
            )
        }
        stories = connection.execute(
            select(
                story.c.id, story.c.key, story.c.source, story.c.system, story.c.text, prompt.c.text.label("opening")
            )
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.study_id == study_id)
            .order_by(story.c.position)
        ).all()
    return [
        MarkedStory(
            row.key, row.opening, group_of(row.source, row.system), row.text, counted[row.id], tuple(marks[row.id])
        )
        for row in stories
        if row.id in marks
    ]
