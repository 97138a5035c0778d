"""Selections are kept, listed, used and deleted, by those who run the study."""

import pytest
from sqlalchemy import func, select

from core.errors import InputError, NotAllowed, NotFound
from core.people import TERMINAL, Role
from db.engine import reading
from db.people import people
from db.schema import selected_story, story, story_selection
from db.stories import selections
from db.studies import studies
from tests.db.conftest import make_study


def ids(study_id: int, *keys: str) -> list[int]:
    with reading() as connection:
        query = select(story.c.id).where(story.c.study_id == study_id, story.c.key.in_(keys))
        return list(connection.scalars(query))


def rows() -> tuple[int, ...]:
    with reading() as connection:
        return tuple(
            connection.scalar(select(func.count()).select_from(table)) or 0
            for table in (story_selection, selected_story)
        )


@pytest.mark.both_databases
def test_kept_listed_read_and_deleted(database: str) -> None:
    study = make_study()
    by_id = selections.save(TERMINAL, study.id, "  the  worst ", ids(study.id, "0-one", "1-two"))
    by_key = selections.save_keys(TERMINAL, study.id, "best", ["1-human"])
    assert (by_id.name, by_id.stories, by_key.stories) == ("the worst", 2, 1)
    assert selections.selections(TERMINAL, study.id) == [by_key, by_id]
    assert selections.keys_of(TERMINAL, study.id, by_id.id) == {"0-one", "1-two"}
    selections.remove(TERMINAL, study.id, by_id.id)
    assert selections.selections(TERMINAL, study.id) == [by_key]
    with pytest.raises(NotFound):
        selections.keys_of(TERMINAL, study.id, by_id.id)
    again = selections.save_keys(TERMINAL, study.id, "the worst", ["0-one"])
    assert again.id != by_id.id  # an address or a cache of the deleted one never means this
    studies.remove(TERMINAL, study.id, study.name)
    assert rows() == (0, 0)


@pytest.mark.both_databases
def test_more_than_a_statement_takes(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    study = make_study()
    monkeypatch.setattr(selections, "AT_ONCE", 2)
    keys = [f"{p}-{name}" for p in range(2) for name in ("one", "two", "three")]
    for kept in (
        selections.save_keys(TERMINAL, study.id, "keys", keys),
        selections.save(TERMINAL, study.id, "ids", ids(study.id, *keys)),
    ):
        assert kept.stories == 6
        assert selections.keys_of(TERMINAL, study.id, kept.id) == set(keys)


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "a\0b"])
def test_names_that_cannot_be(database: str, name: str) -> None:
    study = make_study()
    with pytest.raises(InputError, match="1 to 100 characters"):
        selections.save_keys(TERMINAL, study.id, name, ["0-one"])


@pytest.mark.both_databases
def test_what_is_refused_leaves_nothing(database: str) -> None:
    study, other = make_study(), make_study("other")
    selections.save_keys(TERMINAL, study.id, "taken", ["0-one"])
    before = rows()
    with pytest.raises(InputError, match="already a selection named 'taken'"):
        selections.save_keys(TERMINAL, study.id, "taken", ["0-two"])
    with pytest.raises(InputError, match="no story to keep"):
        selections.save(TERMINAL, study.id, "none", [])
    with pytest.raises(NotFound):
        selections.save_keys(TERMINAL, study.id, "gone", ["0-one", "nowhere"])
    with pytest.raises(NotFound):
        selections.save(TERMINAL, study.id, "another study's", ids(other.id, "0-one"))
    assert rows() == before
    assert selections.save_keys(TERMINAL, other.id, "taken", ["0-one"]).stories == 1  # in another study it is free


def test_who_may_not(database: str) -> None:
    study = make_study()
    kept = selections.save_keys(TERMINAL, study.id, "mine", ["0-one"])
    for role, runs in ((Role.RESEARCHER, None), (Role.ANNOTATOR, study.id)):
        stranger = people.by_token(people.invite(TERMINAL, role, study_id=runs))
        assert stranger is not None
        for call in (
            lambda who=stranger: selections.save_keys(who, study.id, "x", ["0-one"]),
            lambda who=stranger: selections.selections(who, study.id),
            lambda who=stranger: selections.keys_of(who, study.id, kept.id),
            lambda who=stranger: selections.remove(who, study.id, kept.id),
        ):
            with pytest.raises(NotAllowed):
                call()  # type: ignore[no-untyped-call]
    other = make_study("other")
    with pytest.raises(NotFound):
        selections.remove(TERMINAL, other.id, kept.id)
