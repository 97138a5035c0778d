"""What researchers note about stories."""

from sqlalchemy import delete, select

from core.errors import InputError, NotFound
from core.people import Person, Role
from db.audit import now, record
from db.engine import upsert, writing
from db.people import people
from db.schema import story, story_note

LONGEST_NOTE = 5_000
"""Characters."""


def save_note(by: Person, study_id: int, story_id: int, text: str) -> None:
    """Keep what somebody notes about a story, in place of what they noted before; "" takes it back.

    The log has its length alone, as a person's words are theirs to have erased. Raises InputError for a note that is
    too long, NotFound for a story that is not of the study, NotAllowed for somebody who does not run it.
    """
    by.must_be(Role.RESEARCHER)
    written = text.strip().replace("\0", "")
    if len(written) > LONGEST_NOTE:
        raise InputError(f"A note has at most {LONGEST_NOTE:,} characters; this one has {len(written):,}. Shorten it.")
    with writing() as connection:
        people.check(connection, by, study_id)
        theirs = (story.c.id == story_id) & (story.c.study_id == study_id)
        if connection.scalar(select(story.c.id).where(theirs)) is None:
            raise NotFound("This story is not there any more.")
        mine = (story_note.c.story_id == story_id) & (story_note.c.person_id.is_not_distinct_from(by.id))
        if by.id is None or not written:  # a unique key tells nobody from nobody
            connection.execute(delete(story_note).where(mine))
        if written:
            row = {"story_id": story_id, "person_id": by.id, "text": written, "at": now()}
            upsert(connection, story_note, [row], ["story_id", "person_id"], ["text", "at"])
        record(connection, "story note saved", by, study_id, story=story_id, characters=len(written))
