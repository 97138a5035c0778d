"""Training in the worker: to its end, stopped and gone on with, and what is refused leaves nothing behind."""

from dataclasses import replace
from pathlib import Path

import pytest

import worker
from core.checkpoints.kinds import Tuning
from core.jobs import Job, JobState
from core.models.catalogue import ModelRole
from core.people import TERMINAL
from core.perturb.negatives.sampler import MixName
from core.stories import Corpus, Source, StoryRecord
from core.training.engine.curve import curve_from
from core.training.engine.stories import StorySet, save_upload, upload_hash
from core.training.registry import settings_from
from core.training.union.settings import UnionSettings
from db.jobs import jobs
from db.jobs.lanes import Lane
from db.studies import story_texts
from db.training import checkpoints
from db.transfer import imports
from tests.core.models import tiny
from tests.core.training.union.task import STORIES
from tests.rated import rated_study

UPLOADED = StorySet("animals", upload=upload_hash(STORIES))
ORDER = UnionSettings("mine", (UPLOADED,), layers=(1,), epochs=2)


@pytest.fixture
def order(database: str, tmp_path: Path) -> UnionSettings:
    """A training on a base of random weights; the table's stories are kept, as the page does it."""
    base = tiny.save(tmp_path / "base", "BertModel", ModelRole.ENCODER, max_position_embeddings=128)
    union_settings = replace(ORDER, base=base)
    save_upload(union_settings.folder, STORIES)
    return union_settings


def run(order: UnionSettings) -> Job:
    return worker.run_job(jobs.add(TERMINAL, "train", None, order.as_json(), runner="test"))


def left_over(home: Path) -> list[str]:
    return sorted(folder.name for folder in (home / "training").glob("*"))


def test_a_checkpoint_is_trained_and_kept(order: UnionSettings, home: Path) -> None:
    assert run(order).state is JobState.DONE
    (job,) = jobs.of_kind("train", state=JobState.DONE)
    result = job.result or {}
    kept = checkpoints.find("mine")
    assert result["weights"] == kept.card.weights
    assert result["figures"]["held-out pairs: auc"] == pytest.approx(
        next(figure.value for figure in kept.card.figures if figure.what.endswith("auc"))
    )
    assert result["held_out"] == next(figure.n for figure in kept.card.figures if figure.what.endswith("auc")) > 0
    assert kept.card.overlap == "None of the stories trained on was in a study that people had rated here."
    curve = curve_from(result["curve"])
    assert curve.steps[-1] == curve.planned == job.done == job.total
    assert set(curve.losses) == {"loss", "classification", "reconstruction"}
    assert [step for step, _ in curve.evaluations] == [curve.planned]
    assert not left_over(home)
    assert {row["key"].split()[1] for row in result["steps"]} == {"negatives", "reading", "frozen"}
    measured = jobs.speeds()
    assert all(measured[row["key"]].slowest > 0 for row in result["steps"])

    again = run(order)
    assert again.state is JobState.FAILED
    assert "There is already a checkpoint named 'mine'" in again.message

    twin = replace(order, name="twin")
    save_upload(twin.folder, STORIES)
    refused = run(twin)  # before anything is trained
    assert (refused.state, refused.result) == (JobState.FAILED, None)
    assert "'mine' was trained in exactly this way: use it, or change the seed." in refused.message
    assert not left_over(home)
    checkpoints.remove(TERMINAL, kept)
    save_upload(order.folder, STORIES)
    assert run(order).state is JobState.DONE


def test_how_far_it_is_is_of_all_of_its_phases(order: UnionSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """All negatives are made before anything is read, and the row says that there is more to come."""
    monkeypatch.setattr("work.watch.TELL_EVERY", 0.0)
    job = jobs.add(TERMINAL, "train", None, order.as_json(), runner="test")
    told: list[tuple[str, float]] = []

    def look(_done: int, _total: int, _what: str) -> None:  # the row has what was told before
        row = jobs.get(job.id)
        told.append((row.message, row.share))

    assert worker.run_job(job, look).state is JobState.DONE
    shares = [share for message, share in told if message.startswith(("Making", "Reading", "Training"))]
    assert shares == sorted(shares)
    assert max(share for message, share in told if message.startswith("Making")) < 0.5
    assert 0.9 < max(shares) < 1
    messages = [message for message, _ in told]
    assert "Reading stories (2 of 3): loading what that needs" in messages
    assert any(message.startswith("Training (3 of 3): loss ") for message in messages)


@pytest.mark.parametrize("phase", ["Making", "Reading", "Training"])
def test_cancelled_and_resumed(order: UnionSettings, home: Path, monkeypatch: pytest.MonkeyPatch, phase: str) -> None:
    monkeypatch.setattr("work.watch.TELL_EVERY", 0.0)
    job = jobs.add(TERMINAL, "train", None, order.as_json(), runner="test")

    def cancel(done: int, _total: int, what: str) -> None:
        if what.startswith(phase) and done >= 2:
            jobs.cancel(TERMINAL, job.id)

    ended = worker.run_job(job, cancel)
    assert (ended.state, ended.message) == (JobState.CANCELLED, "what was done is kept")
    assert left_over(home) == [order.folder.name]
    if phase == "Training":
        assert ended.result is not None
        assert curve_from(ended.result["curve"]).steps == (1, 2)
    jobs.resume(TERMINAL, job.id)
    claimed = jobs.claim("test", lane=Lane.HEAVY)
    assert claimed is not None
    lines: list[str] = []
    finished = worker.run_job(claimed, lambda done, _total, what: lines.append(f"{what} {done}"))
    assert finished.state is JobState.DONE
    if phase == "Training":
        assert min(int(name.split()[-1]) for name in lines if name.startswith("Training")) == 3
    assert not left_over(home)
    straight = replace(order, name="straight", device="cpu")
    save_upload(straight.folder, STORIES)
    twin = run(straight)
    assert twin.state is JobState.FAILED  # stopped or not, the weights are the same
    assert "This checkpoint is here already, as 'mine'" in twin.message


def test_a_process_that_died_before_the_checkpoint_was_kept(
    order: UnionSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as dying:
        dying.setattr(checkpoints, "add", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            run(order)
    (job,) = jobs.of_kind("train", state=JobState.INTERRUPTED)
    jobs.resume(TERMINAL, job.id)
    claimed = jobs.claim("test", lane=Lane.HEAVY)
    assert claimed is not None
    assert worker.run_job(claimed).state is JobState.DONE
    assert checkpoints.find("mine").checkpoint().weights()


REFUSED = {
    "few": (lambda item: replace(item, stories=(UPLOADED, StorySet("few", upload="f"))), "few: UNION is trained on 10"),
    "layer": (lambda item: replace(item, layers=(9,)), "there is no layer 9"),
    "base": (lambda item: replace(item, base="nobody/no-such-model"), "not on this machine"),
    "lexicon": (lambda item: replace(item, knowledge="/nowhere.txt"), "cannot be read"),
    "name": (lambda item: replace(item, name="union"), "comes with Fabula"),
    "nothing": (lambda item: replace(item, stories=()), "Choose stories to train on"),
    "upload": (lambda item: replace(item, stories=(StorySet("gone", upload="x"),)), "not kept any more"),
    "adapters": (lambda item: replace(item, tuning=Tuning.ADAPTER, layers=(3,)), "there is no layer 3"),
}


@pytest.mark.parametrize("what", list(REFUSED))
def test_what_cannot_be_trained_is_one_sentence_and_leaves_nothing(order: UnionSettings, home: Path, what: str) -> None:
    change, sentence = REFUSED[what]
    wrong = change(order)
    save_upload(wrong.folder, STORIES)
    (wrong.folder / "f.json").write_text('["One. Two.", "One."]')
    ended = run(wrong)
    assert ended.state is JobState.FAILED
    assert sentence in ended.message
    assert wrong.folder.name not in left_over(home) or what == "base"  # which may be there the next time
    assert not [checkpoint for checkpoint in checkpoints.listed(TERMINAL) if not checkpoint.shipped]


def test_stories_of_rated_studies_only_if_insisted(order: UnionSettings, home: Path) -> None:
    rated_study(prompts=4, name="judged")
    mixed = [*STORIES[:20], "Opening 1. Story 1-0 is told."]
    wrong = replace(order, stories=(StorySet("mixed", upload=upload_hash(mixed)),))
    save_upload(wrong.folder, mixed)
    ended = run(wrong)
    assert "Trained also on stories of rated studies: 1 of judged." in ended.message
    assert wrong.folder.name not in left_over(home)
    insisted = replace(wrong, overlap_allowed=True)
    save_upload(insisted.folder, mixed)
    assert run(insisted).state is JobState.DONE
    assert (checkpoints.find("mine").card.overlap or "").startswith("Trained also on stories of rated studies: 1")


def test_a_study_s_stories_are_those_that_were_chosen(order: UnionSettings) -> None:
    records = [StoryRecord(str(i), str(i), "", text, Source.HUMAN) for i, text in enumerate(STORIES[:15])]
    study = imports.import_corpora(TERMINAL, "s", [Corpus("", tuple(records))])
    chosen = StorySet("s", study=study.id, version=story_texts.version(study.id))
    asked = replace(order, stories=(chosen, StorySet("ours")), epochs=1)
    ended = run(asked)
    assert ended.state is JobState.DONE, ended.message
    assert [(data_set.name, data_set.size) for data_set in checkpoints.find("mine").card.data] == [
        ("s", 15),
        ("ours", 14),
    ]
    imports.import_corpora(TERMINAL, "s", [Corpus("", (StoryRecord("x", "x", "", "It rained. It stopped."),))])
    assert "not those any more" in run(replace(asked, name="other")).message


def test_orders_of_before_there_were_mixes_are_the_usual_mix() -> None:
    for order in (ORDER, replace(ORDER, mix=MixName.PAPER)):
        kept = order.as_json()
        assert ("mix" in kept) == (order is not ORDER)
        assert settings_from(kept) == order
        assert order.negatives.name is order.mix
