"""Tables of any length: the same rows as a corpus leaves, all of them or none, whatever breaks it off."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, select, update
from sqlalchemy.event import listen, remove

from core.annotation.past_imports import STORIES, Origin
from core.errors import InputError
from core.formats.scores import MetricColumn
from core.formats.stories import blocks
from core.formats.stories.blocks import Brought, StoryBlock, brought, stories_from
from core.formats.stories.choice import StoryChoice
from core.formats.tables import choose_columns, read_table, stories_of
from core.home import ROOT
from core.people import TERMINAL
from core.stories import Source
from db.audit import now
from db.engine import engine, reading, writing
from db.schema import event, prompt, score, score_run, signature, story, study
from db.studies import lifecycle, studies
from db.transfer import imports, incoming, rehash, story_imports
from tests.core.formats.stories.whole import scores_beside

FIRST = "id,prompt,system,text,reference,taste\n" + "".join(
    f"{number},Day {number // 3}.,s{number % 3},He said {number}. She left.,{'By me.' * (number % 4 == 0)},{number}\n"
    for number in range(20)
)
LATER = "id,prompt,system,text,reference,taste\n" + "".join(
    f"later {number},Day {number}.,s,She sat {number}.,By {'me' if number < 2 else 'another'}.,{number}\n"
    for number in range(5)
)
SCORED = StoryChoice(scores=(MetricColumn("liked", "taste", negate=True),))


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 4)
    monkeypatch.setattr(incoming, "PAGE", 3)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "first.csv", tmp_path / "later.csv"]
    for path, text in zip(paths, (FIRST, LATER), strict=True):
        path.write_text(text)
    return paths


def table(path: Path, choice: StoryChoice = SCORED) -> Brought:
    return brought(stories_from(path, choice), lambda surveyed: None)


def whole(path: Path) -> Any:
    """The same table as a corpus."""
    read = read_table(path)
    chosen = choose_columns(read, {})
    corpus = stories_of(read, chosen, defaults=False)
    keys = {record.key for record in corpus.stories if record.source is not Source.HUMAN}
    return replace(corpus, scores=scores_beside(path, read, chosen, SCORED.scores, keys))


def stored(name: str) -> list[Any]:
    """All that a study has, but for ids."""
    with reading() as connection:
        study_id = connection.scalar(select(study.c.id).where(study.c.name == name))
        columns = [column for column in story.c if column.name not in ("id", "study_id", "prompt_id")]
        stories = select(prompt.c.key.label("of"), prompt.c.position.label("place"), prompt.c.text, *columns)
        stories = stories.join(prompt, prompt.c.id == story.c.prompt_id).where(story.c.study_id == study_id)
        given = select(story.c.key, signature.c.metric, signature.c.text, score.c.value, score.c.reason)
        given = given.join(score, score.c.story_id == story.c.id).join(
            signature, signature.c.id == score.c.signature_id
        )
        runs = select(signature.c.text).join(score_run, score_run.c.signature_id == signature.c.id)
        log = select(event.c.kind, event.c.person_id, event.c.detail).where(event.c.study_id == study_id)
        prompts = select(prompt.c.key, prompt.c.position).where(prompt.c.study_id == study_id)
        return [
            connection.execute(query).all()
            for query in (
                stories.order_by(story.c.position),
                given.where(story.c.study_id == study_id).order_by(story.c.key),
                runs.where(score_run.c.study_id == study_id),
                prompts.order_by(prompt.c.position),
                log.where(event.c.kind == "imported").order_by(event.c.id),
            )
        ]


def rows() -> list[int | None]:
    with reading() as connection:
        return [connection.scalar(select(func.count()).select_from(of)) for of in (study, prompt, story, score, event)]


@pytest.mark.both_databases
def test_the_same_rows_as_a_corpus_leaves(database: str, files: list[Path]) -> None:
    told: list[tuple[int, int]] = []
    imports.import_corpora(TERMINAL, "corpus", [whole(path) for path in files], scheme="hanna")
    made = story_imports.import_tables(
        TERMINAL, "tables", [table(path) for path in files], scheme="hanna", on_progress=lambda *far: told.append(far)
    )
    assert stored("tables") == stored("corpus")
    assert len(stored("tables")[0]) == 33
    assert (made.name, made.scheme_key) == ("tables", "hanna")
    assert told[0] == (4, 35)


@pytest.mark.both_databases
def test_into_a_study_that_has_stories(database: str, files: list[Path]) -> None:
    for name, bring in (
        ("corpus", lambda: imports.import_corpora(TERMINAL, "corpus", [whole(files[1])])),
        ("tables", lambda: story_imports.import_tables(TERMINAL, "tables", [table(files[1])])),
    ):
        imports.import_corpora(TERMINAL, name, [whole(files[0])])
        bring()
    assert stored("tables") == stored("corpus")
    studies.create(TERMINAL, "empty")
    story_imports.import_tables(TERMINAL, "empty", [table(path) for path in files])
    imports.import_corpora(TERMINAL, "full", [whole(path) for path in files])
    assert stored("empty") == stored("full")


@pytest.mark.both_databases
def test_no_statement_takes_a_value_a_prompt(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL takes 65,535 of them, SQLite 32,766; a study may have more prompts."""
    monkeypatch.setattr(rehash, "AT_ONCE", 3)
    for system in ("a", "b"):
        lines = [f"{system}{number},Day {number}.,{system},He said {number}.,By me.\n" for number in range(50)]
        (tmp_path / f"{system}.csv").write_text("id,prompt,system,text,reference\n" + "".join(lines))
        values: list[int] = []
        with counted(values):
            story_imports.import_tables(TERMINAL, "s", [table(tmp_path / f"{system}.csv", StoryChoice())])
        assert max(values) < 40  # a study's columns are more than a block's stories
    assert len(stored("s")[0]) == 150


@contextmanager
def counted(values: list[int]) -> Iterator[None]:
    """How many values each statement takes meanwhile."""

    def count(*given: Any) -> None:
        _, _, _, taken, _, many = given
        values.append(max(map(len, taken), default=0) if many else len(taken))

    listen(engine(), "before_cursor_execute", count)
    try:
        yield
    finally:
        remove(engine(), "before_cursor_execute", count)


@pytest.mark.both_databases
def test_what_is_there_already_is_refused_and_changes_nothing(database: str, files: list[Path], tmp_path: Path) -> None:
    story_imports.import_tables(TERMINAL, "s", [table(files[0])])
    before = rows()
    with pytest.raises(InputError, match="The story '0' is in the study already; nothing was imported"):
        story_imports.import_tables(TERMINAL, "s", [table(files[0])])
    with pytest.raises(InputError, match="The story '0' is in the study already"):
        story_imports.import_tables(TERMINAL, "t", [table(files[0]), table(files[0])])
    other = tmp_path / "other.csv"
    other.write_text("id,prompt_id,prompt,text\nx,Day 0.,Another day.,He ran.\n")
    for name, tables in (("s", [other]), ("t", [files[0], other])):
        with pytest.raises(InputError, match=r"The prompt 'Day 0\.' is in the study with another text"):
            story_imports.import_tables(TERMINAL, name, [table(path, StoryChoice()) for path in tables])
    with pytest.raises(InputError, match="uses the MANS scheme, not union"):
        story_imports.import_tables(TERMINAL, "s", [table(other, StoryChoice())], scheme="union")
    with pytest.raises(InputError, match="1 to 200 characters"):
        story_imports.import_tables(TERMINAL, " ", [table(other, StoryChoice())])
    with writing() as connection:
        connection.execute(update(study).values(state="open"))
    with pytest.raises(InputError, match="open for annotation"):
        story_imports.import_tables(TERMINAL, "s", [table(other, StoryChoice())])
    assert rows() == before


@pytest.mark.both_databases
def test_a_break_at_the_end_leaves_nothing(database: str, files: list[Path]) -> None:
    def broken(parts: Iterator[StoryBlock]) -> Iterator[StoryBlock]:
        yield from parts
        raise InputError("first.csv, row 21: the disk ate it.")

    before = rows()
    good = table(files[0])
    with pytest.raises(InputError, match="row 21"):
        story_imports.import_tables(TERMINAL, "s", [replace(good, blocks=broken(good.blocks))])
    assert rows() == before


def test_nobody_sees_what_is_under_way(database: str, files: list[Path]) -> None:
    seen = []

    def look(done: int, total: int) -> None:
        seen.append((studies.summaries(TERMINAL), lifecycle.deleted(TERMINAL), rows()[2]))

    story_imports.import_tables(TERMINAL, "s", [table(files[0])], on_progress=look)
    assert [(names, gone) for names, gone, _ in seen] == [([], [])] * len(seen)
    assert [stories for _, _, stories in seen] == [4, 8, 12, 16, 20, 24, 25][: len(seen)]
    assert [summary.study.name for summary in studies.summaries(TERMINAL)] == ["s"]


KILLED = """
import os, sys
from pathlib import Path
from core.formats.stories import blocks
from core.formats.stories.choice import StoryChoice
from core.people import TERMINAL
from db.transfer import story_imports
blocks.BLOCK = 4
found = blocks.brought(blocks.stories_from(Path(sys.argv[1]), StoryChoice()), lambda surveyed: None)
end = lambda done, total: done < 12 or os.kill(os.getpid(), 9)
story_imports.import_tables(TERMINAL, sys.argv[2], [found], on_progress=end)
"""


@pytest.mark.slow
@pytest.mark.both_databases
def test_a_process_that_is_killed_leaves_what_was_there(database: str, files: list[Path]) -> None:
    story_imports.import_tables(TERMINAL, "there", [table(files[1], StoryChoice())])
    before, there = rows(), stored("there")
    for name in ("there", "new"):
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(files[0]), name], cwd=ROOT, env=os.environ, check=False
        )
        assert done.returncode == -signal.SIGKILL
    assert [summary.study.name for summary in studies.summaries(TERMINAL)] == ["there"]
    assert (stored("there"), lifecycle.deleted(TERMINAL)) == (there, [])
    assert incoming.sweep() == 0  # it may be at work still
    with writing() as connection:
        late = now() - incoming.GIVEN_UP - timedelta(seconds=1)
        connection.execute(update(study).where(study.c.deleted_at.is_not(None)).values(deleted_at=late))
    assert incoming.sweep() == 2
    assert rows() == before
    for name in ("there", "new"):
        story_imports.import_tables(TERMINAL, name, [table(files[0], StoryChoice())])
    assert len(stored("new")[0]) == 25


def begun(files: list[Path]) -> incoming.Incoming:
    """An import that has brought two files, all of it long ago."""
    result = incoming.Incoming()
    for path in files:
        found = table(path)
        blocks_of = list(found.blocks)
        result.begin_file(found.survey.scores)
        for block in blocks_of:
            result.add(block)
    with writing() as connection:
        late = now() - incoming.GIVEN_UP - timedelta(seconds=1)
        connection.execute(update(study).where(study.c.id == result.id).values(deleted_at=late))
    return result


def show(held: incoming.Incoming) -> None:
    with writing() as connection:
        story_imports._show(connection, TERMINAL, "s", None, None, held, Origin(STORIES), without_ids=False)


def swept_after(first: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> int:
    """How many studies a sweep deletes where this happens when it has found them."""
    erase = incoming._erase

    def late(*given: Any) -> Any:
        first()
        return erase(*given)

    with monkeypatch.context() as patch:
        patch.setattr(incoming, "_erase", late)
        return incoming.sweep()


@pytest.mark.both_databases
@pytest.mark.parametrize("there", [False, True])
def test_a_sweep_leaves_what_is_shown_before_it_deletes(
    database: str, there: bool, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    if there:
        studies.create(TERMINAL, "s")
    held = begun(files)
    before = rows()[2]
    swept = swept_after(lambda: show(held), monkeypatch)
    assert (swept, rows()[2], len(stored("s")[0])) == (0, before, before)


@pytest.mark.both_databases
def test_a_sweep_leaves_what_goes_on(database: str, files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    held = begun(files)
    before = rows()
    assert swept_after(held.settle, monkeypatch) == 0
    assert incoming.sweep() == 0
    assert rows() == before


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)  # SQLite has one writer at a time
def test_a_sweep_neither_takes_what_is_being_shown_nor_waits_for_it(database: str, files: list[Path]) -> None:
    held = begun(files)
    before = rows()
    with writing() as connection:
        held.hold(connection)
        assert incoming.sweep() == 0
    assert rows() == before


@pytest.mark.both_databases
@pytest.mark.parametrize("whole", [False, True])
def test_an_import_that_was_swept_is_refused(
    database: str, whole: bool, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = begun(files)
    before = rows()[2]
    if whole:
        assert incoming.sweep() == 1
    else:  # it goes on when some of it is gone
        some = incoming._erase_some
        with monkeypatch.context() as patch:
            patch.setattr(incoming, "_erase_some", lambda *given: _then_go_on(held, some(*given), given[0]))
            assert incoming.sweep() == 0
        assert 0 < rows()[2] < before
    with pytest.raises(InputError, match=r"stood still for 15 minutes.*nothing was imported\. Import again"):
        show(held)
    held.discard()
    assert rows()[:4] == [0] * 4


def _then_go_on(held: incoming.Incoming, deleted: int, connection: Connection) -> int:
    held._go_on(connection)
    return deleted
