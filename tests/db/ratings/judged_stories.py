"""What several tests of judged stories share."""

from sqlalchemy import select

from core.people import Person
from db.annotation import panel_submission
from db.engine import reading
from db.schema import story
from tests.db.annotation.assignments import begin, rate


def hand_in(person: Person, **given: int) -> None:
    panel = begin(person)
    rate(person, panel, **given)
    panel_submission.submit(person, panel.token)


def source(story_id: int) -> str:
    with reading() as connection:
        return str(connection.scalar(select(story.c.source).where(story.c.id == story_id)))
