"""The stories that people have rated, which a trained metric should not have seen in training."""

from collections.abc import Iterator

from sqlalchemy import exists, select

from core.people import Person, Role
from db.engine import reading
from db.people import people
from db.schema import prompt, rating, story, study
from db.studies import studies

STORIES_AT_ONCE = 2000


def judged_stories(by: Person) -> Iterator[tuple[str, str]]:
    """The name of each study that has a rating, and each of its stories, with and without its prompt before it."""
    by.must_be(Role.RESEARCHER)
    other = story.alias()
    rated = exists().where(rating.c.story_id == other.c.id, other.c.study_id == study.c.id)
    query = (
        select(study.c.name, prompt.c.text.label("prompt"), story.c.text)
        .join(story, story.c.study_id == study.c.id)
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(rated, studies.THERE)
        .execution_options(yield_per=STORIES_AT_ONCE)
    )
    with reading() as connection:
        people.check(connection, by)
        for row in connection.execute(query):
            yield row.name, row.text
            if row.prompt.strip():
                yield row.name, f"{row.prompt} {row.text}"
