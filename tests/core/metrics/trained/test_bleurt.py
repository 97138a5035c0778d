"""`bleurt-finetuned`: ratings foretold beside references; where there is no checkpoint, how to make one."""

from pathlib import Path

import numpy as np
import pytest

from core.checkpoints.checkpoint import Checkpoint
from core.errors import InputError, ModelMissing
from core.metrics import build
from core.metrics.base import Metric, Settings
from core.metrics.trained.bleurt_scorer import BleurtScorer
from core.models.catalogue import ModelRole, locate
from core.stories import Story
from core.training.bleurt.settings import BleurtSettings
from core.training.bleurt.train import train_bleurt
from tests.core.models import tiny
from tests.core.training.made_checkpoint import made_checkpoint
from tests.core.training.made_stories import judged

STORIES = judged()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny.save(tmp_path_factory.mktemp("base"), "BertModel", ModelRole.ENCODER, max_position_embeddings=128)


@pytest.fixture(scope="module")
def trained(base: str, tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    plan, folder = BleurtSettings(layers=(1, 2), folds=3), tmp_path_factory.mktemp("trained")
    return train_bleurt("mine", {"study": STORIES}, plan, locate(base, ModelRole.BASE), folder, None, "cpu")[0]


def made(checkpoint: Checkpoint, base: str) -> Metric:
    return build("bleurt-finetuned", Settings(model=base, device="cpu", options={"checkpoint": str(checkpoint.folder)}))


def test_scores_are_ratings_by_the_regression_that_has_not_seen_the_prompt(trained: Checkpoint, base: str) -> None:
    stories = [Story(story.text, story.prompt, story.references) for story in STORIES[:6]]
    first = stories[0]
    odd = [
        Story("", first.prompt, first.references),
        Story(first.text, first.prompt),
        Story(first.text, first.prompt, (" ",)),
        Story(first.text, first.prompt, (*first.references, *first.references, " ")),
    ]
    told: list[int] = []
    scores = made(trained, base).score([*stories, *odd], told.append)
    assert sum(told) == 10
    assert scores.reasons == {
        6: "the story is empty",
        7: "the prompt has no human story to compare with",
        8: "the reference is empty",
    }
    assert scores.values[9] == scores.values[0]
    scorer = BleurtScorer(trained, locate(base, ModelRole.BASE), "cpu")
    wanted = scorer.ratings([(story.prompt, story.text, story.references) for story in stories])
    np.testing.assert_allclose(scores.values[:6], wanted, atol=1e-4)
    alone = [made(trained, base).score([story]).values[0] for story in stories]
    np.testing.assert_allclose(scores.values[:6], alone, atol=1e-4)


def test_without_a_checkpoint_it_says_how_to_make_one(tmp_path: Path, base: str) -> None:
    with pytest.raises(ModelMissing, match=r"needs a regression .*`train bleurt --study NAME --out FOLDER`"):
        build("bleurt-finetuned").signature  # noqa: B018
    with pytest.raises(InputError, match="is a union, not a regression on a study's ratings"):
        made(made_checkpoint(tmp_path / "union"), base).signature  # noqa: B018
