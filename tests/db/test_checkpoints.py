"""Trained metrics in the database: who may, what is unique, and that rows and files go together."""

from pathlib import Path

import pytest
from sqlalchemy import select

from core.errors import InputError, ModelMissing, NotAllowed, NotFound
from core.people import TERMINAL, Person, Role
from core.trail import WORDS
from core.training.checkpoint import WEIGHTS
from core.training.shelf import shelf
from db import checkpoints, people
from db.engine import reading, writing
from db.schema import event, model_checkpoint
from db.studies import create
from tests.core.training.made_checkpoint import made_checkpoint


def test_added_listed_renamed_and_deleted(database: str, tmp_path: Path) -> None:
    made = made_checkpoint(tmp_path / "a")
    kept = checkpoints.add(TERMINAL, made)
    assert kept.card == made.card
    assert kept.folder == shelf() / made.card.weights[:12]
    assert not kept.shipped
    other = checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "b", 2.0), " another ")
    assert [one.card.name for one in checkpoints.listed(TERMINAL)] == ["another", "small one"]
    assert checkpoints.find("another") == checkpoints.get(other.id) == other
    renamed = checkpoints.rename(TERMINAL, kept.id, "the first")
    assert checkpoints.find("the first") == renamed
    assert renamed.checkpoint().card.name == "the first"
    assert renamed.checkpoint().weights().keys() == {"head.bias", "head.weight"}
    checkpoints.remove(TERMINAL, kept.id)
    assert [file.name for file in shelf().iterdir()] == [other.place]
    for gone in (lambda: checkpoints.get(kept.id), lambda: checkpoints.remove(TERMINAL, kept.id)):
        with pytest.raises(NotFound, match="not there any more"):
            gone()
    with pytest.raises(NotFound, match="no checkpoint named 'the first'; there are: another"):
        checkpoints.find("the first")
    with reading() as connection:
        kinds = connection.scalars(select(event.c.kind).order_by(event.c.id)).all()
    assert kinds == ["checkpoint added", "checkpoint added", "checkpoint renamed", "checkpoint deleted"]
    assert set(kinds) <= WORDS.keys()


def test_names_and_weights_are_there_once(database: str, tmp_path: Path) -> None:
    kept = checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "a"))
    with pytest.raises(InputError, match="is here already, as 'small one'"):
        checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "b"), "other")
    with pytest.raises(InputError, match="already a checkpoint named 'small one'"):
        checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "c", 3.0))
    assert [file.name for file in shelf().iterdir()] == [kept.place]
    other = checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "d", 4.0), "other")
    with pytest.raises(InputError, match="already a checkpoint named 'small one'; choose another name"):
        checkpoints.rename(TERMINAL, other.id, "small one")
    with pytest.raises(InputError, match="1 to 100 characters"):
        checkpoints.rename(TERMINAL, other.id, " ")
    assert checkpoints.find("other") == other


def test_two_who_add_at_once_are_told(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "a"))
    monkeypatch.setattr(checkpoints, "_check_new", lambda *_: None)  # it looked just before the other one came
    with pytest.raises(InputError, match="named 'small one', or one of these weights"):
        checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "b"))
    assert checkpoints.find("small one").checkpoint().weights()


def test_researchers_add_and_owners_delete(database: str, tmp_path: Path) -> None:
    study = create(TERMINAL, "s")
    roles: dict[Role, Person] = {}
    for role in Role:
        token = people.invite(TERMINAL, role, study_id=study.id if role is Role.ANNOTATOR else None)
        found = people.by_token(token)
        assert found is not None
        roles[role] = found
    made = made_checkpoint(tmp_path / "a")
    kept = checkpoints.add(roles[Role.RESEARCHER], made)
    checkpoints.rename(roles[Role.RESEARCHER], kept.id, "other")
    assert len(checkpoints.listed(roles[Role.RESEARCHER])) == 1
    annotator = roles[Role.ANNOTATOR]
    for barred in (
        lambda: checkpoints.add(annotator, made),
        lambda: checkpoints.listed(annotator),
        lambda: checkpoints.rename(annotator, kept.id, "x"),
        lambda: checkpoints.remove(annotator, kept.id),
        lambda: checkpoints.remove(roles[Role.RESEARCHER], kept.id),
    ):
        with pytest.raises(NotAllowed):
            barred()
    people.revoke(TERMINAL, roles[Role.RESEARCHER].id or 0)
    with pytest.raises(NotAllowed, match="revoked"):
        checkpoints.rename(roles[Role.RESEARCHER], kept.id, "x")
    checkpoints.remove(roles[Role.OWNER], kept.id)


def test_shipped_ones_stay_and_lost_files_are_said(database: str, tmp_path: Path) -> None:
    kept = checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "a"))
    (kept.folder / WEIGHTS).unlink()
    with pytest.raises(ModelMissing, match="The files of the checkpoint 'small one' are not in"):
        kept.checkpoint()
    with writing() as connection:
        connection.execute(model_checkpoint.update().values(shipped=True))
    for change in (
        lambda: checkpoints.remove(TERMINAL, kept.id),
        lambda: checkpoints.rename(TERMINAL, kept.id, "x"),
    ):
        with pytest.raises(InputError, match="comes with Fabula"):
            change()
