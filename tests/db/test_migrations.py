"""One head, up and down on both databases, and tables that are what the schema says."""

import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import func, inspect, select, text
from sqlalchemy.exc import DatabaseError

from core.annotation.panel import End
from core.errors import StorageError
from core.formats.exports.reading import read_export
from core.home import ROOT
from core.people import TERMINAL
from db.annotation import assignments, panel_submission
from db.audit import record
from db.engine import engine, reading, writing
from db.migrate import _config, migrate, newest, revision
from db.ratings import ratings
from db.schema import assignment, event, metadata, rating
from db.studies import studies
from db.transfer import imports, rating_imports
from tests.db.conftest import make_annotator, small_corpus

pytestmark = pytest.mark.both_databases


def test_there_is_one_head() -> None:
    assert len(ScriptDirectory.from_config(_config()).get_heads()) == 1


def test_a_migrated_database_is_the_schema(database: str) -> None:
    assert revision() == newest()
    with reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        differences = compare_metadata(context, metadata)
        if database == "sqlite":
            # SQLAlchemy cannot read ON DELETE of a key that stands beside its column; SQLite itself can.
            assert sorted(kind for kind, *_ in differences) == ["add_fk", "add_fk", "remove_fk", "remove_fk"]
            keys = connection.execute(text("PRAGMA foreign_key_list(assignment)")).mappings().all()
            wanted = {"story_id": "CASCADE", "pair_panel_id": "SET NULL"}
            differences = [key for key in keys if wanted.get(key["from"], key["on_delete"]) != key["on_delete"]]
        assert differences == []


def test_down_and_up_again(database: str) -> None:
    migrate("base")
    assert revision() is None
    assert set(inspect(engine()).get_table_names()) <= {"alembic_version"}
    migrate()
    assert revision() == newest()


def test_an_older_database_keeps_every_rating(database: str) -> None:
    migrate("0001")
    with writing() as connection:
        for statement in (
            "INSERT INTO study (id, name, scheme, rules, state, raters_identified, demonstration, guideline_version,"
            " created_at) VALUES (1, 's', 'mans', '{}', 'draft', true, false, '1', '2026-01-01')",
            "INSERT INTO prompt (id, study_id, key, position, text) VALUES (1, 1, 'p', 0, 'opening')",
            "INSERT INTO story (id, study_id, prompt_id, key, position, source, system, text, sentences, content_hash)"
            " VALUES (1, 1, 1, 'k', 0, 'system', 'x', 'text', '[]', 'h')",
            "INSERT INTO assignment (id, study_id, prompt_id, rater, state, stories, started_at, valid, reason,"
            " guideline_version, app_version)"
            " VALUES (1, 1, 1, 'r', 'imported', '[[1, \"\"]]', '2026-01-01', true, '', '1', '0')",
            "INSERT INTO rating (id, assignment_id, story_id, overall, updated_at) VALUES (1, 1, 1, 4, '2026-01-01')",
        ):
            connection.execute(text(statement.replace(":", "\\:")))
    migrate()
    with reading() as connection:
        stored = connection.execute(text("SELECT rating_id, criterion, value FROM rating_value")).all()
        assert [tuple(row) for row in stored] == [(1, "overall", 4)]
    codes = studies.get(1).codes
    assert len(set(codes.values())) == len(codes) == len(End)
    assert ratings.judged_stories(1)[0].mean == 4


@pytest.mark.parametrize("scheme", ["mans", "union"])
def test_down_and_up_again_with_work_in_hand(database: str, scheme: str) -> None:
    study = studies.create(TERMINAL, scheme, scheme)
    imports.import_corpora(TERMINAL, scheme, [small_corpus(2)])
    studies.open_study(TERMINAL, study.id)
    people = [make_annotator(study, str(number)) for number in range(4)]
    for number, person in enumerate(people):
        panel = assignments.turn(person, claim=True).panel
        assert panel is not None
        ratings.save_value(person, panel.token, 1)
        if len(panel.stories) < 3 and number % 2:
            panel_submission.submit(person, panel.token)
    query = select(assignment.c.id, assignment.c.story_id, assignment.c.state).order_by(assignment.c.id)
    with reading() as connection:
        before = connection.execute(query).all()
        answered = connection.scalar(select(func.count()).select_from(rating))
    shown = [assignments.turn(person).panel for person in people]
    migrate("0001")
    migrate()
    with reading() as connection:
        assert connection.execute(query).all() == before
        assert connection.scalar(select(func.count()).select_from(rating)) == answered == 4
    assert [assignments.turn(person).panel for person in people] == shown


def test_the_event_log_takes_no_change(database: str) -> None:
    with writing() as connection:
        record(connection, "tried", None, None, what="this")
    for statement in ("UPDATE event SET kind = 'other'", "DELETE FROM event"):
        with pytest.raises(DatabaseError, match="append-only"), engine().begin() as connection:
            connection.execute(text(statement))
    with reading() as connection:
        assert connection.execute(select(event.c.kind)).scalars().all() == ["tried"]


def test_migrating_twice_changes_nothing(database: str) -> None:
    migrate()
    assert revision() == newest()


def test_a_database_of_a_newer_program_is_refused(database: str) -> None:
    with writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StorageError, match="newer Fabula"):
        migrate()


@pytest.mark.slow
def test_processes_that_start_together_migrate_once(home: Path) -> None:
    code = "from db.migrate import migrate, revision; migrate(); print(revision())"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    ends = [process.communicate(timeout=60) for process in started]
    assert [process.returncode for process in started] == [0] * 4, ends
    assert {out.strip() for out, _ in ends} == {newest()}


def test_sqlite_keeps_foreign_keys_and_write_ahead_log(home: Path) -> None:
    migrate()
    with reading() as connection:
        assert connection.scalar(text("PRAGMA foreign_keys")) == 1
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
    engine().dispose()


def test_an_unusable_address_is_one_sentence(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for address, words in (("mysql://x/y", "PostgreSQL and SQLite"), ("nonsense", "not a database address")):
        monkeypatch.setenv("DATABASE_URL", address)
        with pytest.raises(StorageError, match=words):
            engine()
    blocked = home / "file"
    blocked.write_text("")
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.setenv("FABULA_HOME", str(blocked / "inside"))
    with pytest.raises(StorageError, match="FABULA_HOME"):
        engine()


def test_a_file_that_is_no_database_is_one_sentence(home: Path) -> None:
    (home / "fabula.db").write_bytes(b"not a database at all, just text" * 50)
    with pytest.raises(StorageError, match="no database"):
        migrate()
    engine().dispose()


def test_repeated_panels_lose_a_name_but_no_rating_on_the_way_down(database: str, tmp_path: Path) -> None:
    imports.import_corpora(TERMINAL, "s", [small_corpus()])
    file = tmp_path / "theirs.csv"
    file.write_text("panel,annotator,story_id,overall\nx,Ann,0-one,1\ny,Ann,0-one,2\n")
    study = rating_imports.import_ratings(TERMINAL, "s", read_export(file))
    migrate("0008")
    with reading() as connection:
        rows = connection.execute(text("SELECT person_id IS NULL, rater FROM assignment ORDER BY id")).all()
        assert connection.execute(text("SELECT overall FROM rating ORDER BY id")).scalars().all() == [1, 2]
    assert [bool(unknown) for unknown, _ in rows] == [False, True]
    assert rows[1].rater.startswith("panel ")
    migrate()
    (story,) = ratings.judged_stories(study.id)
    assert [(rating.overall, rating.annotator is None) for rating in story.ratings] == [(1.0, False), (2.0, True)]


def _revisions() -> list[str]:
    return sorted(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())[:-1]


@pytest.mark.parametrize("older", _revisions())
def test_an_upgrade_from_every_earlier_revision_keeps_what_there_was(database: str, older: str) -> None:
    """Rows of today in the tables of then, and up again."""
    corpus = small_corpus()
    study = imports.import_corpora(TERMINAL, "kept", [corpus])
    studies.open_study(TERMINAL, study.id)
    annotator = make_annotator(study)
    panel = assignments.turn(annotator, claim=True).panel
    assert panel is not None
    ratings.save_value(annotator, panel.stories[0].token, 4)
    before = _rows()
    migrate(older)
    then = set(inspect(engine()).get_table_names())
    migrate()
    assert revision() == newest()
    after = _rows()
    for table, rows in before.items():
        if table in then:
            assert after[table] == rows, table
    again = assignments.turn(annotator).panel
    assert again is not None
    assert [story.answer.overall for story in again.stories if story.answer.overall] == [4]


def _rows() -> dict[str, int]:
    with reading() as connection:
        tables = metadata.sorted_tables
        return {table.name: connection.scalar(select(func.count()).select_from(table)) or 0 for table in tables}
