"""The log, read by pages and as a whole."""

import ast
from pathlib import Path

import pytest

import db as room
from core.annotation.studies import Study
from core.errors import NotAllowed
from core.people import TERMINAL, Person
from core.trail import WORDS, as_lines, in_words
from db.audit import record
from db.engine import writing
from db.people import people
from db.studies import event_log, studies
from tests.db.conftest import make_annotator, make_study
from tests.db.monitor.panels import hand_in


@pytest.mark.both_databases
def test_pages_hold_every_entry_once_the_newest_first(study: Study, annotator: Person) -> None:
    hand_in(study, "one")
    make_study("other")
    everything = list(event_log.exported(TERMINAL, study.id))
    assert [entry.id for entry in everything] == sorted({entry.id for entry in everything})
    entries, before = [], None
    while page := event_log.page(TERMINAL, study.id, before=before, most=3):
        entries += page
        before = page[-1].id
        with writing() as connection:  # what comes in meanwhile moves nothing
            record(connection, "panel claimed", annotator, study.id, assignment=0)
    assert entries == everything[::-1]
    assert {entry.kind for entry in everything} == set(event_log.kinds(TERMINAL, study.id)) - {"panel claimed"} | {
        entry.kind for entry in everything
    }


@pytest.mark.both_databases
def test_filters_by_kind_and_by_who(study: Study) -> None:
    hand_in(study, "one")
    two = hand_in(study, "two")
    (entry,) = event_log.page(TERMINAL, study.id, kind="panel submitted", person_id=two.person_id)
    assert (entry.who, entry.words) == (f"two (annotator {two.person_id})", "Panel handed in")
    assert f"number: {two.id}" in entry.particulars
    assert {e.person_id for e in event_log.page(TERMINAL, study.id, person_id=two.person_id)} == {two.person_id}
    assert event_log.page(TERMINAL, study.id, kind="no such kind") == []
    assert event_log.page(TERMINAL, study.id, kind="study opened")[0].who == ""


def test_only_researchers_read_it(study: Study, annotator: Person) -> None:
    for forbidden in (
        lambda: event_log.page(annotator, study.id),
        lambda: event_log.kinds(annotator, study.id),
        lambda: next(event_log.exported(annotator, study.id)),
    ):
        with pytest.raises(NotAllowed):
            forbidden()


def test_a_long_log_is_read_in_batches(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_in(study, "one")
    whole = list(event_log.exported(TERMINAL, study.id))
    for batch in (1, 2, len(whole), len(whole) + 1):
        monkeypatch.setattr(event_log, "BATCH", batch)
        assert list(event_log.exported(TERMINAL, study.id)) == whole
    assert len(list(as_lines(whole))) == len(whole)


def test_somebody_who_was_deleted_keeps_a_number(study: Study) -> None:
    gone = make_annotator(study)
    with writing() as connection:
        record(connection, "completed", Person(999, "x", gone.role), study.id)
    assert event_log.page(TERMINAL, study.id, person_id=999)[0].who == "person 999, since deleted"
    assert people.by_token("none") is None
    assert studies.get(study.id).name == study.name


def test_every_kind_that_is_written_has_plain_words() -> None:
    kinds = set()
    for path in Path(str(room.__file__)).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "record":
                kind = node.args[1]
                if isinstance(kind, ast.Constant):
                    kinds.add(kind.value)
    assert len(kinds) > 20
    assert kinds - {"study deleted"} <= set(WORDS)
    assert in_words("something new") == "Something new"
