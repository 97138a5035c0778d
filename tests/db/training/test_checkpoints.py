"""Trained metrics in the database: who may, what is unique, and that rows and files go together."""

from pathlib import Path

import pytest
from sqlalchemy import select

from core.checkpoints.checkpoint import WEIGHTS
from core.checkpoints.store import checkpoints_folder, find, shipped
from core.errors import InputError, ModelMissing, NotAllowed, NotFound
from core.jobs import JobState
from core.people import TERMINAL, Person, Role
from core.trail import WORDS
from db.engine import reading
from db.jobs import jobs
from db.people import people
from db.schema import event
from db.studies.studies import create
from db.training import checkpoints
from tests.core.training.made_checkpoint import made_checkpoint


def test_added_listed_renamed_and_deleted(database: str, tmp_path: Path) -> None:
    checkpoint = made_checkpoint(tmp_path / "a")
    kept = checkpoints.add(TERMINAL, checkpoint)
    assert kept.card == checkpoint.card
    assert kept.folder == checkpoints_folder() / checkpoint.card.weights[:12]
    assert not kept.shipped
    other = checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "b", 2.0), " another ")
    assert [item.card.name for item in checkpoints.listed(TERMINAL)] == ["another", "small one", *shipped()]
    assert checkpoints.find("another") == other
    renamed = checkpoints.rename(TERMINAL, kept, "the first")
    assert checkpoints.find("the first") == renamed
    assert renamed.checkpoint().card.name == "the first"
    assert renamed.checkpoint().weights().keys() == {"head.bias", "head.weight"}
    checkpoints.remove(TERMINAL, kept)
    assert [file.name for file in checkpoints_folder().iterdir()] == [other.place]
    with pytest.raises(NotFound, match="not there any more"):
        checkpoints.remove(TERMINAL, kept)
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
    assert [file.name for file in checkpoints_folder().iterdir()] == [kept.place]
    other = checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "d", 4.0), "other")
    with pytest.raises(InputError, match="already a checkpoint named 'small one'; choose another name"):
        checkpoints.rename(TERMINAL, other, "small one")
    with pytest.raises(InputError, match="1 to 100 characters"):
        checkpoints.rename(TERMINAL, other, " ")
    assert checkpoints.find("other") == other


@pytest.mark.both_databases
def test_two_who_add_at_once_are_told(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "a"))
    monkeypatch.setattr(checkpoints, "_check_new", lambda *_: None)  # it looked just before the other one came
    with pytest.raises(InputError, match="named 'small one', or one of these weights"):
        checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "b"))
    assert checkpoints.find("small one").checkpoint().weights()


@pytest.mark.slow
@pytest.mark.both_databases
def test_researchers_add_and_owners_delete(database: str, tmp_path: Path) -> None:
    study = create(TERMINAL, "s")
    roles: dict[Role, Person] = {}
    for role in Role:
        token = people.invite(TERMINAL, role, study_id=study.id if role is Role.ANNOTATOR else None)
        person = people.by_token(token)
        assert person is not None
        roles[role] = person
    checkpoint = made_checkpoint(tmp_path / "a")
    kept = checkpoints.add(roles[Role.RESEARCHER], checkpoint)
    checkpoints.rename(roles[Role.RESEARCHER], kept, "other")
    assert "other" in [item.card.name for item in checkpoints.listed(roles[Role.RESEARCHER])]
    annotator = roles[Role.ANNOTATOR]
    for barred in (
        lambda: checkpoints.add(annotator, checkpoint),
        lambda: checkpoints.listed(annotator),
        lambda: checkpoints.rename(annotator, kept, "x"),
        lambda: checkpoints.remove(annotator, kept),
        lambda: checkpoints.remove(roles[Role.RESEARCHER], kept),
    ):
        with pytest.raises(NotAllowed):
            barred()
    people.revoke(TERMINAL, roles[Role.RESEARCHER].id or 0)
    with pytest.raises(NotAllowed, match="withdrawn"):
        checkpoints.rename(roles[Role.RESEARCHER], kept, "x")
    checkpoints.remove(roles[Role.OWNER], kept)


def test_shipped_ones_stay_and_lost_files_are_said(database: str, tmp_path: Path) -> None:
    kept = checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "a"))
    (kept.folder / WEIGHTS).unlink()
    with pytest.raises(ModelMissing, match="The files of the checkpoint 'small one' are not in"):
        kept.checkpoint()
    ours = checkpoints.find("union")
    assert ours.shipped
    assert ours.checkpoint().weights()
    for change in (
        lambda: checkpoints.remove(TERMINAL, ours),
        lambda: checkpoints.rename(TERMINAL, ours, "x"),
        lambda: checkpoints.rename(TERMINAL, kept, "union"),
        lambda: checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "b", 2.0), "union"),
    ):
        with pytest.raises(InputError, match="comes with Fabula"):
            change()


@pytest.mark.both_databases
def test_a_runs_checkpoints_are_named_by_their_place(database: str, tmp_path: Path) -> None:
    kept = checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "a"))
    options = {"union": {"checkpoint": "small one", "of": "logit"}, "bleu": {"n": "4"}}
    run = {"metrics": ["union", "bleu"], "options": options}
    placed = checkpoints.placed(run)
    assert placed == {**run, "options": {**options, "union": {"checkpoint": kept.place, "of": "logit"}}}
    assert find(kept.place).card.name == "small one"
    assert checkpoints.placed(placed) == placed
    for name in ("union", "nothing", str(tmp_path / "a")):
        assert (
            checkpoints.placed({"options": {"union": {"checkpoint": name}}})["options"]["union"]["checkpoint"] == name
        )
    assert checkpoints.placed({"metrics": ["bleu"]}) == {"metrics": ["bleu"], "options": {}}


def test_a_name_is_looked_at_before_anything_is_trained(database: str, tmp_path: Path) -> None:
    checkpoints.check_free(TERMINAL, "small one")
    checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "a"))
    for name, sentence in ((" small one ", "already a checkpoint"), ("union", "comes with Fabula"), ("", "1 to 100")):
        with pytest.raises(InputError, match=sentence):
            checkpoints.check_free(TERMINAL, name)


@pytest.mark.both_databases
def test_what_would_come_out_again_is_refused(database: str, tmp_path: Path) -> None:
    kept = checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "a"))
    settings = {"name": "small one", "seed": 1}
    job = jobs.add(TERMINAL, "train", None, settings, runner="test")
    jobs.finish(job.id, JobState.DONE, "done", {"weights": kept.card.weights})
    twin, base = {**settings, "name": "twin"}, kept.card.base
    with pytest.raises(InputError, match="'small one' was trained in exactly this way: use it, or change the seed"):
        checkpoints.check_untrained(TERMINAL, twin, base)
    with pytest.raises(NotAllowed):
        checkpoints.check_untrained(Person(None, "a", Role.ANNOTATOR), twin, base)
    checkpoints.check_untrained(TERMINAL, {**twin, "seed": 2}, base)
    checkpoints.check_untrained(TERMINAL, twin, f"{base}-newer")
    checkpoints.remove(TERMINAL, kept)
    checkpoints.check_untrained(TERMINAL, twin, base)
