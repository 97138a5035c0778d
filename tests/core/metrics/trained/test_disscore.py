"""`disscore`: a story is scored by the head that has not seen its prompt, under a signature that names the weights."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.checkpoints.checkpoint import Checkpoint, load, save
from core.checkpoints.store import SHIPPED
from core.errors import InputError
from core.metrics import build
from core.metrics.base import Metric, Settings
from core.metrics.trained.disscore_scorer import DiscriminatorScorer
from core.metrics.trained.odds import probability
from core.models.catalogue import ModelRole, locate
from core.stories import Story
from core.training.disscore.settings import DiscriminatorSettings
from core.training.disscore.train import train_discriminator
from core.training.engine.recipe import Recipe
from tests.core.models import tiny
from tests.core.training.made_checkpoint import made_checkpoint
from tests.core.training.made_stories import records

RECORDS = records()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny.save(tmp_path_factory.mktemp("base"), "BertModel", ModelRole.ENCODER, max_position_embeddings=128)


@pytest.fixture(scope="module")
def trained(base: str, tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    plan = DiscriminatorSettings(layers=(1, 2), folds=3, batch=16, loop=Recipe(epochs=1, learning_rate=2e-2))
    folder = tmp_path_factory.mktemp("trained")
    return train_discriminator("mine", {"a": RECORDS}, plan, locate(base, ModelRole.BASE), folder, None, "cpu")[0]


def made(checkpoint: Checkpoint, base: str, **options: str) -> Metric:
    chosen = {"checkpoint": str(checkpoint.folder), **options}
    return build("disscore", Settings(model=base, device="cpu", options=chosen))


def test_each_story_is_scored_by_its_own_fold(trained: Checkpoint, base: str) -> None:
    stories = [Story(record.text, record.prompt) for record in RECORDS[:12]]
    told: list[int] = []
    scores = made(trained, base).score([*stories, Story(" ", "A prompt.")], told.append)
    assert sum(told) == 13
    assert scores.reasons == {12: "the story is empty"}
    scorer = DiscriminatorScorer(trained, locate(base, ModelRole.BASE), "cpu")
    logits = scorer.logits([(story.prompt, story.text) for story in stories])
    np.testing.assert_allclose(scores.values[:12], [probability(float(logit)) for logit in logits], atol=1e-6)
    np.testing.assert_allclose(made(trained, base, of="logit").score(stories).values, logits, atol=1e-5)
    folds = [scorer.folds.of(story.prompt, story.text) for story in stories]
    assert len(set(folds)) == 3
    scorer.heads = [scorer.heads[0]] * 3
    first = scorer.logits([(story.prompt, story.text) for story in stories])
    np.testing.assert_array_equal(np.isclose(first, logits, atol=1e-6), np.array(folds) == 0)


def test_the_signature_names_the_weights(trained: Checkpoint, base: str) -> None:
    signature = made(trained, base).signature
    assert signature == (
        f"disscore|model:{trained.card.base}|dtype:float32|checkpoint:{trained.card.weights[:12]}|first_words:200|"
        "normalisation:recased|of:probability|v:1"
    )


def test_what_fits_not_is_refused(trained: Checkpoint, base: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a union, not a DisScore"):
        made(made_checkpoint(tmp_path / "union"), base).signature  # noqa: B018
    options = {key: value for key, value in trained.card.options.items() if key != "fold_seed"}
    lacking = save(tmp_path / "lacking", replace(trained.card, options=options), trained.weights())
    with pytest.raises(InputError, match="does not say its fold_seed: train it again"):
        made(lacking, base).signature  # noqa: B018
    part = {name: weight for name, weight in trained.weights().items() if not name.startswith("fold2.")}
    lacking = save(tmp_path / "part", trained.card, part)
    with pytest.raises(InputError, match="no weights of a UNION of this version"):
        made(lacking, base).score([Story("A dog.")])


def test_the_one_that_comes_along_tells_people_from_systems_and_is_small() -> None:
    checkpoint = load(SHIPPED / "disscore")
    assert checkpoint.card.figures[0].what == "cross-fitted AUC, people against systems"
    assert checkpoint.card.figures[0].value > 0.75
    assert sum(file.stat().st_size for file in checkpoint.folder.iterdir()) < 1_000_000
    stories = [
        Story("He was very happy. He was very happy. He was very happy with the happy.", "Tom had a dog."),
        Story("It barked at the mailman every morning. One day it got out. Tom ran after it.", "Tom had a dog."),
    ]
    low, high = build("disscore", Settings(device="cpu")).score(stories).values
    assert 0 < low < high < 1
