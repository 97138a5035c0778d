"""What is asked for a part of a study does not read all of it."""

from sqlalchemy import Connection, event

from core.people import TERMINAL
from db.engine import engine
from db.scores import scores
from db.transfer import imports
from tests.db.conftest import small_corpus


def test_a_page_of_stories_is_found_without_reading_those_before_it(database: str) -> None:
    """Else a study of a million stories is read once for every two thousand of them."""
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    signature = scores.begin_run(study.id, "m", "m|v:1")
    plans: list[str] = []

    def explain(connection: Connection, cursor: object, statement: str, given: tuple[object, ...], *_: object) -> None:
        if "story.position" in statement:
            raw = connection.connection.cursor()
            raw.execute(f"EXPLAIN QUERY PLAN {statement}", given)
            plans.extend(row[3] for row in raw.fetchall())

    event.listen(engine(), "before_cursor_execute", explain)
    scores.pending(study.id, [signature], 3, 2)
    assert "SEARCH story USING INDEX ix_story_study_id_position (study_id=? AND position>?)" in plans
