"""A study's rated stories with their texts: the training data of metrics that learn from people's ratings."""

from sqlalchemy import func, select

from core.annotation.target import target_of
from core.people import Person, Role
from core.stories import Source
from core.training.bleurt.settings import JudgedText
from db.engine import reading
from db.people import people
from db.rating_values import values_of
from db.ratings.ratings import COUNTED, RATER
from db.schema import assignment, prompt, rating, story
from db.studies import studies


def judged_texts(by: Person, study_id: int, target: str | None = None) -> list[JudgedText]:
    """The systems' stories that have ratings on a target that count, in import order, with the human stories of their
    prompts.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        scheme = studies.locked(connection, study_id, lock=False).scheme
        given = values_of(target_of(scheme, target))
        each = (
            select(given.c.story_id, func.avg(given.c.value).label("value"))
            .add_columns(func.max(rating.c.raters).label("raters"))
            .join(given, given.c.rating_id == rating.c.id)
            .join(assignment, assignment.c.id == rating.c.assignment_id)
            .where(assignment.c.study_id == study_id, COUNTED)
            .group_by(given.c.story_id, RATER)
            .subquery()
        )
        rows = connection.execute(
            select(story.c.prompt_id, prompt.c.text.label("prompt"), story.c.text, story.c.system)
            .add_columns(func.sum(each.c.value * each.c.raters).label("total"), func.sum(each.c.raters).label("raters"))
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .join(each, each.c.story_id == story.c.id)
            .where(story.c.study_id == study_id, story.c.source == Source.SYSTEM)
            .group_by(story.c.id, prompt.c.text)
            .order_by(story.c.position)
        ).all()
        references: dict[int, list[str]] = {}
        for row in connection.execute(
            select(story.c.prompt_id, story.c.text)
            .where(story.c.study_id == study_id, story.c.source == Source.HUMAN)
            .order_by(story.c.position)
        ):
            references.setdefault(row.prompt_id, []).append(row.text)
    return [
        JudgedText(row.prompt, row.text, tuple(references.get(row.prompt_id, ())), row.total / row.raters, row.system)
        for row in rows
    ]
