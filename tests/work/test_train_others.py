"""The worker trains every kind: RUBER, a language model, DisScore, a regression on ratings."""

import importlib
from dataclasses import replace
from pathlib import Path

import pytest

import worker
from core.checkpoints.kinds import BLEURT, DISSCORE, LANGUAGE_MODEL, RUBER, UNION, Embeddings
from core.jobs import Job, JobState
from core.metrics import METRICS
from core.metrics.trained.base import TrainedMetric
from core.models.catalogue import MINILM, ModelRole
from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, Source
from core.training.bleurt.settings import BleurtSettings
from core.training.disscore.settings import DiscriminatorSettings
from core.training.engine.curve import curve_from
from core.training.engine.recipe import Way
from core.training.engine.settings import LearnsFrom, TrainingSettings
from core.training.engine.stories import StorySet, save_upload, upload_hash
from core.training.language_model.settings import LanguageModelSettings
from core.training.registry import TRAINABLE, settings_from
from core.training.ruber.settings import RuberSettings
from db.jobs import jobs
from db.jobs.lanes import Lane
from db.studies import story_texts
from db.training import checkpoints
from db.transfer import imports
from tests.core.models import tiny
from tests.core.training.made_stories import records
from tests.core.training.union.task import STORIES

UPLOADED = StorySet("animals", upload=upload_hash(STORIES))


@pytest.fixture
def study(database: str) -> StorySet:
    """Stories by people and by two systems, the systems' rated."""
    told = records()
    ratings = [
        RatingRecord(record.key, "rater 1", 1.0 + (len(record.text) + int(record.prompt_key)) % 5)
        for record in told
        if record.source is Source.SYSTEM
    ]
    new_study = imports.import_corpora(TERMINAL, "both", [Corpus("mans", tuple(told), tuple(ratings))])
    return StorySet("both", study=new_study.id, version=story_texts.version(new_study.id))


@pytest.fixture
def base(tmp_path: Path) -> str:
    return tiny.save(tmp_path / "base", "BertModel", ModelRole.ENCODER, max_position_embeddings=128)


def done(order: TrainingSettings) -> Job:
    """Trained, kept as what it is, with nothing left over."""
    assert settings_from(order.as_json()) == order
    twin = replace(order, name="again")
    for training_settings in (order, twin):
        if order.stories == (UPLOADED,):
            save_upload(training_settings.folder, STORIES)
    job = worker.run_job(jobs.add(TERMINAL, "train", None, order.as_json(), runner="test"))
    assert job.state is JobState.DONE, job.message
    assert job.result is not None
    kept = checkpoints.find(order.name)
    assert job.result["weights"] == kept.card.weights
    assert kept.card.kind == order.kind
    assert any(issubclass(item, TrainedMetric) and item.fits(kept.card) for item in METRICS.values())
    assert not order.folder.exists()
    again = worker.run_job(jobs.add(TERMINAL, "train", None, twin.as_json(), runner="test"))
    assert again.state is JobState.FAILED
    # More ratings may have come in meanwhile, which an order does not say: a regression is fitted again.
    message = (
        "This checkpoint is here already"
        if order.learns_from is LearnsFrom.RATINGS
        else "was trained in exactly this way"
    )
    assert message in again.message
    return job


def test_every_kind_has_a_trainer() -> None:
    assert TRAINABLE.keys() == {UNION, RUBER, LANGUAGE_MODEL, DISSCORE, BLEURT}
    for kind in TRAINABLE.values():
        module, name = kind.trainer.split(":")
        assert callable(getattr(importlib.import_module(module), name))


@pytest.mark.parametrize("recipe", list(Way))
@pytest.mark.parametrize("embeddings", list(Embeddings))
def test_a_ruber(study: StorySet, base: str, embeddings: Embeddings, recipe: Way) -> None:
    order = RuberSettings("r", (UPLOADED,), base=base, epochs=2, embeddings=embeddings, recipe=recipe)
    job = done(order)
    assert settings_from(job.settings) == order
    assert ("recipe" in job.settings) == (recipe is Way.PAPER)  # else as those of before there was a choice
    assert checkpoints.find("r").card.recipe["recipe"] == recipe
    assert RuberSettings("r", ()).base == MINILM
    curve = curve_from((job.result or {})["curve"])
    assert curve.steps[-1] == curve.planned
    assert [item["key"].split()[1] for item in (job.result or {})["steps"]] == (
        ["reading", "ruber"] if embeddings is Embeddings.BERT else ["ruber"]
    )


def test_a_language_model(study: StorySet, tmp_path: Path) -> None:
    base = tiny.save(tmp_path / "gpt", "LlamaForCausalLM", ModelRole.LANGUAGE, max_position_embeddings=128)
    job = done(LanguageModelSettings("l", (UPLOADED,), base=base, rank=2))
    assert {"nll", "perplexity"} <= {what.split(": ")[1] for what in (job.result or {})["figures"]}


def test_a_disscore(study: StorySet, base: str) -> None:
    job = done(DiscriminatorSettings("d", (study,), base=base, folds=3, epochs=1))
    assert (job.result or {})["curve"]["planned"] > 0


def test_a_disscore_by_the_papers_recipe(study: StorySet, base: str) -> None:
    job = done(DiscriminatorSettings("d", (study,), base=base, folds=3, recipe=Way.PAPER, steps=2))
    assert (job.result or {})["pairs"] == 72
    assert [item["key"].split()[1:3] for item in (job.result or {})["steps"]] == [["discriminator", "paper"]]
    assert checkpoints.find("d").card.recipe["recipe"] == "paper"
    assert "recipe" not in DiscriminatorSettings("d").as_json()  # as those of before there was a choice


def test_a_regression_on_ratings(study: StorySet, base: str) -> None:
    job = done(BleurtSettings("b", (study,), base=base, folds=2))
    assert (job.result or {})["curve"] is None


def test_a_regression_on_ratings_by_the_papers_recipe(study: StorySet, base: str) -> None:
    job = done(BleurtSettings("b", (study,), base=base, folds=2, recipe=Way.PAPER, steps=2))
    assert (job.result or {})["curve"]["planned"] == 2
    assert [item["key"].split()[1:3] for item in (job.result or {})["steps"]] == [["bleurt", "paper"]]
    assert checkpoints.find("b").card.recipe["recipe"] == "paper"
    assert "recipe" not in BleurtSettings("b").as_json()


def kinds(study: StorySet, base: str, tmp_path: Path) -> dict[str, TrainingSettings]:
    gpt = tiny.save(tmp_path / "gpt", "LlamaForCausalLM", ModelRole.LANGUAGE, max_position_embeddings=128)
    return {
        "ruber": RuberSettings("r", (UPLOADED,), base=base, epochs=2),
        "language": LanguageModelSettings("l", (UPLOADED,), base=gpt, rank=2),
        "disscore": DiscriminatorSettings("d", (study,), base=base, folds=3, epochs=1),
        "ratings": BleurtSettings("b", (study,), base=base, folds=2),
    }


@pytest.mark.parametrize(
    ("kind", "phase"),
    [
        ("ruber", "Training"),
        ("language", "Reading"),
        ("language", "Training"),
        ("disscore", "Reading"),
        ("disscore", "Training"),
        ("ratings", "Reading"),
        ("ratings", "Learning"),
    ],
)
def test_cancelled_and_gone_on_with(
    study: StorySet, base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, phase: str
) -> None:
    monkeypatch.setattr("work.watch.TELL_EVERY", 0.0)
    order = kinds(study, base, tmp_path)[kind]
    straight = replace(order, name="straight", device="cpu")
    for training_settings in (order, straight):
        if order.stories == (UPLOADED,):
            save_upload(training_settings.folder, STORIES)
    job = jobs.add(TERMINAL, "train", None, order.as_json(), runner="test")

    def cancel(done: int, _total: int, what: str) -> None:
        if what.startswith(phase) and done >= 1:
            jobs.cancel(TERMINAL, job.id)

    ended = worker.run_job(job, cancel)
    assert (ended.state, ended.message) == (JobState.CANCELLED, "what was done is kept")
    assert checkpoints.listed(TERMINAL)[0].shipped
    jobs.resume(TERMINAL, job.id)
    claimed = jobs.claim("test", lane=Lane.HEAVY)
    assert claimed is not None
    assert worker.run_job(claimed).state is JobState.DONE
    assert not order.folder.exists()
    twin = worker.run_job(jobs.add(TERMINAL, "train", None, straight.as_json(), runner="test"))
    assert twin.state is JobState.FAILED  # stopped or not, the weights are the same
    assert f"This checkpoint is here already, as '{order.name}'" in twin.message


@pytest.mark.parametrize("kind", [DiscriminatorSettings, BleurtSettings])
def test_what_has_changed_or_is_missing(study: StorySet, base: str, kind: type[TrainingSettings]) -> None:
    for order, sentence in (
        (kind("x", (StorySet("both", study=study.study, version="other"),), base=base), "are not those any more"),
        (kind("x", (UPLOADED,), base=base), "are not those any more"),
    ):
        job = worker.run_job(jobs.add(TERMINAL, "train", None, order.as_json(), runner="test"))
        assert job.state is JobState.FAILED
        assert sentence in job.message
    if kind is BleurtSettings:
        two = kind("x", (study, StorySet("more", study=study.study, version=study.version)), base=base)
        job = worker.run_job(jobs.add(TERMINAL, "train", None, two.as_json(), runner="test"))
        assert "choose one" in job.message
