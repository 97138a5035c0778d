"""What several tests of pauses share."""

from sqlalchemy import select

from core.people import Person
from db.annotation import panel_submission
from db.engine import reading
from db.schema import person
from tests.db.annotation.assignments import begin, rate


def hand_in(annotator: Person, *verdicts: bool) -> None:
    """Hand in panels that the controls let count, or not."""
    for valid in verdicts:
        panel = begin(annotator)
        rate(annotator, panel, human=5 if valid else 1)
        panel_submission.submit(annotator, panel.token)


def is_paused(annotator: Person) -> bool:
    with reading() as connection:
        return connection.scalar(select(person.c.paused_at).where(person.c.id == annotator.id)) is not None
