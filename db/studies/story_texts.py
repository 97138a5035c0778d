"""A study's texts, for the text statistics."""

from sqlalchemy import func, select

from core.analysis.judgments.texts import StudyText
from core.people import Person, Role
from core.stories import Source, group_of
from db.engine import reading
from db.people import people
from db.schema import prompt, story


def of_study(by: Person, study_id: int) -> tuple[dict[str, str], list[StudyText]]:
    """The prompts of a study by key, and all its stories, in import order."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        prompts = connection.execute(
            select(prompt.c.key, prompt.c.text).where(prompt.c.study_id == study_id).order_by(prompt.c.position)
        ).all()
        stories = connection.execute(
            select(prompt.c.key, story.c.source, story.c.system, story.c.text, story.c.sentences)
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.study_id == study_id)
            .order_by(story.c.position)
        ).all()
    return {row.key: row.text for row in prompts}, [
        StudyText(row.key, group_of(row.source, row.system), Source(row.source), row.text, len(row.sentences))
        for row in stories
    ]


def version(study_id: int) -> str:
    """Changes whenever the study's texts do: stories come and go, but no text is ever changed."""
    with reading() as connection:
        stories, newest = connection.execute(
            select(func.count(), func.max(story.c.id)).where(story.c.study_id == study_id)
        ).one()
    return f"{stories}/{newest}"
