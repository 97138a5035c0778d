"""What several tests of assignments share."""

from datetime import timedelta

from sqlalchemy import select, update

from core.annotation.panel import Panel
from core.people import Person
from db.annotation import assignments
from db.audit import now
from db.engine import reading, writing
from db.ratings import ratings
from db.schema import assignment, story


def sources(panel: Panel) -> dict[str, str]:
    """Story token -> source, as only the database knows it."""
    with reading() as connection:
        by_id = {row.id: row.source for row in connection.execute(select(story.c.id, story.c.source))}
        rows = connection.scalars(select(assignment.c.stories)).all()
    return {token: by_id[story_id] for stories in rows for story_id, token in stories}


def save(annotator: Person, token: str, overall: int, deductions: dict[str, int]) -> None:
    """A form filled in one field after another."""
    ratings.save_value(annotator, token, overall)
    for error_type, points in deductions.items():
        ratings.save_deduction(annotator, token, error_type, points)


def rate(annotator: Person, panel: Panel, human: int = 5, negative: int = 1, system: int = 3) -> None:
    """Rate every story of a panel by where it is from."""
    value = {"human": human, "negative": negative, "system": system}
    where = sources(panel)
    for shown in panel.stories:
        save(annotator, shown.token, value[where[shown.token]], {})


def begin(annotator: Person) -> Panel:
    panel = assignments.turn(annotator, claim=True).panel
    assert panel is not None
    return panel


def overtaken(slow: Person, quick: Person, *, finished: bool = True) -> tuple[Panel, Panel]:
    """A panel, rated or only begun, whose lease has run out, and the panel of somebody who took its slot since."""
    panel = begin(slow)
    if finished:
        rate(slow, panel)
    else:
        save(slow, panel.stories[0].token, 3, {})
    with writing() as connection:
        connection.execute(update(assignment).values(lease_until=now() - timedelta(minutes=10)))
    taken = begin(quick)
    assert taken.prompt == panel.prompt
    return panel, taken
