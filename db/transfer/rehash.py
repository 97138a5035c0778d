"""What stories' scores are kept under, where the human stories of their prompts have changed."""

from collections.abc import Sequence
from itertools import groupby

from sqlalchemy import Connection, bindparam, select, update

from core.formats.exports.encoding import blocks
from core.stories import Source, Story
from db.schema import prompt, story
from db.scores.scores import touch_all

AT_ONCE = 500
_SET = update(story).where(story.c.id == bindparam("number")).values(content_hash=bindparam("hashed"))


def rehash(connection: Connection, prompt_ids: Sequence[int]) -> None:
    """Hash the stories of these prompts anew, with all references that are there now. Where that gives them other
    scores, or none, what is kept of their studies' scores is read again.
    """
    studies: set[int] = set()
    for part in blocks(prompt_ids, AT_ONCE):
        query = (
            select(story.c.id, story.c.prompt_id, story.c.source, story.c.text, story.c.content_hash)
            .add_columns(prompt.c.text.label("opening"), prompt.c.study_id)
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.prompt_id.in_(part))
            .order_by(story.c.prompt_id)
        )
        changed = []
        for _, group in groupby(connection.execute(query), key=lambda row: row.prompt_id):
            rows = list(group)
            references = tuple(row.text for row in rows if row.source == Source.HUMAN)
            hashes = [Story(row.text, row.opening, references).content_hash for row in rows]
            other = [(row, new) for row, new in zip(rows, hashes, strict=True) if new != row.content_hash]
            changed += [{"number": row.id, "hashed": new} for row, new in other]
            studies.update(row.study_id for row, _ in other)
        if changed:
            connection.execute(_SET, changed)
    for study_id in sorted(studies):
        touch_all(connection, study_id)
