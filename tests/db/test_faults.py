"""What must survive: processes killed at any moment, a clock that jumps, a locked database, a full disk."""

import csv
import itertools
import math
import os
import random
import statistics
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, func, insert, inspect, select, text

from core.annotation.monitor.flags import flags
from core.annotation.studies import Study
from core.errors import StorageError
from core.people import Person
from db import audit
from db.annotation import assignments, panel_submission, slots
from db.engine import database_url, engine, reading, writing
from db.migrate import migrate, newest, revision
from db.monitor import monitor
from db.ratings import ratings
from db.schema import assignment, rating, rating_value, story
from db.schema import study as study_table
from db.studies import studies
from tests.db.annotation.assignments import begin, rate, sources
from tests.db.conftest import Clock, make_annotator, make_study
from tests.db.crowd import (
    OVERALL,
    PATIENCE,
    Ledger,
    Worker,
    annotate,
    at_once,
    barrier,
    claim_together,
    everything,
    hold_the_lock,
    migrate_now,
    wait_for_the_dead,
)
from tests.db.faults import check_whole, hear_until
from tests.db.slow import whole_panels
from tests.processes.forks import forked
from tests.terminal import run

pytestmark = pytest.mark.both_databases

CLAIMANTS = 20
KILLS = 24


@pytest.mark.slow
def test_of_many_processes_one_gets_the_last_slot(database: str) -> None:
    study = make_study(prompts=1, wanted=3)
    crowd = [make_annotator(study, f"person {i}") for i in range(CLAIMANTS)]
    for early in ("submitted", "claimed"):
        person = make_annotator(study, early)
        panel = begin(person)
        if early == "submitted":
            rate(person, panel)
            panel_submission.submit(person, panel.token)
    gate = barrier(CLAIMANTS)
    got = everything([Worker(claim_together, gate, person) for person in crowd])
    assert sorted(person for person, _ in got) == sorted(person.id for person in crowd)
    assert len([prompt for _, prompt in got if prompt]) == 1
    assert len(monitor.in_hand(study.id)) == 2


@pytest.mark.slow
def test_a_process_killed_while_it_submits_loses_nothing_that_it_was_told_is_saved(database: str) -> None:
    study = make_study(prompts=20, wanted=2)
    crowd = [make_annotator(study, f"person {i}") for i in range(3)]
    draw = random.Random(4)
    ledger = Ledger()
    span = _seconds_to_submit(crowd, ledger, database)
    torn = 0
    for what in ("submit", "submit", "claim", "submit", "submit", "save") * (KILLS // 6):
        worker = Worker(annotate, crowd, OVERALL)
        # The first claim of a process takes up the old panel; the second makes a new one.
        times = {"submit": 1, "claim": 2, "save": draw.randint(1, 10)}[what]
        if not hear_until(worker, ledger, what, times=times):
            assert worker.end() == 0  # all is rated: the machine was too busy to kill in time
            break
        time.sleep(draw.uniform(0, span))
        _kill(worker, ledger, database)
        torn += ledger.last == "try"
        check_whole(study, ledger)
    assert torn, "the kills hit nothing"
    last = Worker(annotate, crowd, OVERALL)
    hear_until(last, ledger, "")
    assert last.end() == 0
    check_whole(study, ledger)
    progress = slots.progress(study.id)
    assert (progress.valid, progress.wanted, progress.open, progress.surplus) == (40, 40, 0, 0)
    assert all(len(judged.ratings) == 2 for judged in ratings.judged_stories(study.id))


def _kill(worker: Worker, ledger: Ledger, database: str) -> None:
    """Kill an annotating process, and note what it still had said."""
    worker.kill()
    hear_until(worker, ledger, "")
    worker.end()
    wait_for_the_dead(database)


def _seconds_to_submit(crowd: list[Person], ledger: Ledger, database: str) -> float:
    """How long the first submission of a process takes: several times as long as any later one."""
    spans = []
    for _ in range(3):
        worker = Worker(annotate, crowd, OVERALL)
        assert hear_until(worker, ledger, "submit")
        began = time.monotonic()
        assert hear_until(worker, ledger, "submit", stage="done")
        spans.append(time.monotonic() - began)
        _kill(worker, ledger, database)
    return statistics.median(spans)


@pytest.mark.slow
@pytest.mark.parametrize("start", ["empty", "0001"])
def test_a_process_killed_while_it_migrates_leaves_the_old_database_or_the_new_one(database: str, start: str) -> None:
    draw = random.Random(7)
    _set_back(database, start)
    span = _seconds_to_migrate()
    interrupted = 0
    for _ in range(6):
        _set_back(database, start)
        worker = Worker(migrate_now)
        assert worker.hear() == "begin"
        time.sleep(draw.uniform(0, span))
        worker.kill()
        killed = worker.end() != 0
        wait_for_the_dead(database)
        at = revision()
        assert at in (None if start == "empty" else start, newest())
        if at is None:
            assert set(inspect(engine()).get_table_names()) <= {"alembic_version"}
        interrupted += killed and at != newest()
        _check_old_rows(start)
        engine().dispose()
        everything([Worker(migrate_now)])
        assert revision() == newest()
        _check_old_rows(start)
    assert interrupted, "the kills hit nothing"
    codes = [row.codes for row in _rows(select(study_table.c.codes))]
    assert len({code for item in codes for code in item.values()}) == sum(len(code) for code in codes)
    make_study("made after")  # and it works


def _set_back(database: str, start: str) -> None:
    """An empty database, or one of the first revision with data."""
    if database == "postgresql":
        with engine().begin() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
    else:
        engine().dispose()
        for file in Path(os.environ["FABULA_HOME"]).glob("fabula.db*"):
            file.unlink()
    if start == "0001":
        migrate("0001")
        _fill_the_first_tables()


OLD = 40
"""Studies of the old database, each with a prompt, a story, a panel and a rating."""


OLD_ROWS = (
    (
        "study (id, name, scheme, rules, state, raters_identified, demonstration, guideline_version, created_at)",
        "({n}, 's{n}', 'mans', '{{}}', 'draft', true, false, '1', '2026-01-01')",
    ),
    ("prompt (id, study_id, key, position, text)", "({n}, {n}, 'p', 0, 'opening')"),
    (
        "story (id, study_id, prompt_id, key, position, source, system, text, sentences, content_hash)",
        "({n}, {n}, {n}, 'k', 0, 'system', 'x', 'text', '[]', 'h')",
    ),
    (
        "assignment (id, study_id, prompt_id, rater, state, stories, started_at, valid, reason, guideline_version,"
        " app_version)",
        "({n}, {n}, {n}, 'r', 'imported', '[[{n}, \"\"]]', '2026-01-01', true, '', '1', '0')",
    ),
    ("rating (id, assignment_id, story_id, overall, updated_at)", "({n}, {n}, {n}, 4, '2026-01-01')"),
)


def _fill_the_first_tables() -> None:
    with writing() as connection:
        for table, row in OLD_ROWS:
            rows = ", ".join(row.format(n=n) for n in range(1_001, 1_001 + OLD))  # PostgreSQL counts from 1
            connection.exec_driver_sql(f"INSERT INTO {table} VALUES {rows}")


def _check_old_rows(start: str) -> None:
    if start == "0001":
        new = "rating_value" in inspect(engine()).get_table_names()
        sums = "sum(value) FROM rating_value" if new else "sum(overall) FROM rating"
        assert _rows(text(f"SELECT count(*), {sums}")) == [(OLD, 4 * OLD)]
        assert _rows(text("SELECT count(*) FROM assignment WHERE state = 'imported'")) == [(OLD,)]


def _rows(query: Any) -> list[Any]:
    with reading() as connection:
        return list(connection.execute(query).all())


def _seconds_to_migrate() -> float:
    worker = Worker(migrate_now)
    assert worker.hear() == "begin"
    began = time.monotonic()
    everything([worker])
    return time.monotonic() - began


@pytest.mark.slow
def test_a_killed_export_leaves_no_half_file(database: str, tmp_path: Path) -> None:
    study = make_study(prompts=50)
    number = _many_ratings(study, each=60)
    draw = random.Random(11)
    out = tmp_path / "ratings.csv"
    interrupted = 0
    for before in (None, "an older export\n"):
        if before is not None:
            out.write_text(before)
        process = _export(out)
        partial = tmp_path / f"ratings.csv.{process.pid}.part"
        while process.is_alive() and not (partial.exists() and partial.stat().st_size):
            time.sleep(0.002)
        time.sleep(draw.uniform(0, 0.1))
        process.kill()
        process.join(PATIENCE)
        if process.exitcode == 0:  # so fast a machine: then it must be whole
            assert _lines(out) == number + 1
            out.unlink()
        else:
            interrupted += 1
            assert (out.read_text() if out.exists() else None) == before
    assert interrupted, "the kills hit nothing"
    wait_for_the_dead(database)
    with engine().connect() as connection:
        if database == "sqlite":
            assert connection.scalar(text("PRAGMA integrity_check")) == "ok"
        assert connection.scalar(select(func.count()).select_from(rating)) == number
    left = set(tmp_path.glob("*.part"))
    several = [_export(out) for _ in range(3)]  # to the same file at once
    for process in several:
        process.join(PATIENCE)
        assert process.exitcode == 0, (tmp_path / "said").read_text()
    assert _lines(out) == number + 1
    assert set(tmp_path.glob("*.part")) <= left


def _export(out: Path) -> BaseProcess:
    path = out.with_name("said")
    return forked(run, ("export", "--study", "small", "--out", str(out)), dict(os.environ), path, path)


def _lines(file: Path) -> int:
    with file.open(newline="", encoding="utf-8") as stream:
        return sum(1 for _ in csv.reader(stream))


def _many_ratings(study: Study, each: int) -> int:
    """Hand in so many panels a prompt at once; returns how many ratings that makes."""
    moment = audit.now()
    with writing() as connection:
        members: dict[int, list[int]] = {}
        for row in connection.execute(select(story).where(story.c.study_id == study.id)):
            members.setdefault(row.prompt_id, []).append(row.id)
        rows = [
            {
                "id": number,
                "study_id": study.id,
                "prompt_id": prompt_id,
                "rater": f"rater {number}",
                "state": "submitted",
                "stories": [[story_id, f"{number}-{story_id}"] for story_id in members[prompt_id]],
                "started_at": moment,
                "submitted_at": moment,
                "valid": True,
                "reason": "",
                "guideline_version": "1",
                "app_version": "1",
            }
            for number, (prompt_id, _) in enumerate(itertools.product(members, range(each)), 1)
        ]
        connection.execute(insert(assignment), rows)
        given = [
            {"assignment_id": row["id"], "story_id": story_id, "updated_at": moment}
            for row in rows
            for story_id in members[row["prompt_id"]]
        ]
        connection.execute(insert(rating), given)
        ids = connection.scalars(select(rating.c.id))
        values = [{"rating_id": i, "criterion": "overall", "value": 3.0} for i in ids]
        connection.execute(insert(rating_value), values)
    return len(given)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("after_claim", "after_saves"),
    [(-60, 0), (0, -60), (-60, 60), (-60, -60), (-6.9, 0), (0, -6.9), (60, -60), (24 * 60, 0), (0, 24 * 60)],
)
def test_a_clock_that_jumps_loses_nothing_and_accuses_nobody(
    database: str, clock: Clock, after_claim: float, after_saves: float
) -> None:
    study = make_study(prompts=1, wanted=2)
    people = [make_annotator(study, "one"), make_annotator(study, "two")]
    held = [begin(person) for person in people]
    clock.move(after_claim)
    for person, panel in zip(people, held, strict=True):
        where = sources(panel)
        for shown in panel.stories:
            clock.move(0.5)  # seven minutes in all, for both
            ratings.save_value(person, shown.token, OVERALL[where[shown.token]])
    clock.move(after_saves)
    third = make_annotator(study, "three")
    late = assignments.turn(third, claim=True).panel  # gets a slot only where the leases have run out
    for person, panel in zip(people, held, strict=True):
        panel_submission.submit(person, panel.token)
        panel_submission.submit(person, panel.token)
    if late is not None:
        rate(third, late)
        panel_submission.submit(third, late.token)
    progress = slots.progress(study.id)
    assert (progress.valid, progress.rejected, progress.open) == (2, 0, 0)
    assert all(len(judged.ratings) == 2 for judged in ratings.judged_stories(study.id))
    handed_in = [panel for panel in whole_panels(study.id) if panel.person_id != third.id]
    assert [len(panel.ratings) for panel in handed_in] == [5, 5]
    remarks = [remark for flag in flags([panel.brief for panel in handed_in], {}).values() for remark in flag]
    assert not [remark for remark in remarks if "fast" in remark]


def test_who_is_too_fast_by_a_clock_that_runs_well_is_still_flagged(
    annotator: Person, study: Study, clock: Clock
) -> None:
    panel = begin(annotator)
    rate(annotator, panel)
    panel_submission.submit(annotator, panel.token)
    (remarks,) = flags([panel.brief for panel in whole_panels(study.id)], {}).values()
    assert "too fast" in remarks[0]


@pytest.mark.slow
def test_saves_wait_for_a_locked_database(database: str) -> None:
    study = make_study(prompts=6, wanted=1)
    crowd = [make_annotator(study, f"person {i}") for i in range(6)]
    held = [begin(person) for person in crowd]
    holder = Worker(hold_the_lock, 4.0)
    assert holder.hear() == "locked"
    calls: list[Callable[[], Any]] = [
        lambda person=person, panel=panel: rate(person, panel) for person, panel in zip(crowd, held, strict=True)
    ]
    assert at_once(*calls) == [None] * 6
    assert everything([holder]) == ["free"]
    for person, panel in zip(crowd, held, strict=True):
        panel_submission.submit(person, panel.token)
    assert slots.progress(study.id).valid == 6


def test_connections_that_the_database_has_ended_are_replaced(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after PostgreSQL was started anew, while a server went on."""
    if database != "postgresql":
        pytest.skip("SQLite has no server")
    study = make_study()
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    end = text(f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE {others}")

    def end_all() -> None:
        another = create_engine(database_url())
        with another.connect() as connection:
            assert connection.scalar(end)
        another.dispose()

    monkeypatch.setattr("db.engine.TRUSTED_SECONDS", math.inf)
    end_all()
    with pytest.raises(StorageError):  # nobody looked
        studies.get(study.id)
    assert studies.get(study.id) == study
    monkeypatch.setattr("db.engine.TRUSTED_SECONDS", 0.0)
    end_all()
    assert studies.get(study.id) == study
