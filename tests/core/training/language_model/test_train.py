"""A language model from stories to a checkpoint, with a base of random weights."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.checkpoints.checkpoint import Checkpoint, load, overlap
from core.errors import InputError, ModelMissing
from core.metrics.trained.language_model import language_model_of
from core.models.catalogue import ModelRole, ModelSource, locate
from core.training.engine.held_out import held_out
from core.training.engine.progress import OnProgress
from core.training.engine.recipe import Recipe
from core.training.language_model.settings import LanguageModelSettings
from core.training.language_model.train import train_language_model
from tests.core.models import tiny
from tests.core.training.union.task import STORIES
from tests.likelihoods import likelihoods

PLAN = LanguageModelSettings(rank=2, batch=200, held_out=0.2, loop=Recipe(epochs=2, learning_rate=0.05, seed=3))
CORPORA = {"animals": STORIES[:30], "others": [*STORIES[28:], " "]}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> ModelSource:
    options = {"num_key_value_heads": 2, "max_position_embeddings": 64, "initializer_range": 0.2}
    return locate(
        tiny.save(tmp_path_factory.mktemp("base"), "LlamaForCausalLM", ModelRole.LANGUAGE, **options), ModelRole.BASE
    )


def made(
    base: ModelSource,
    folder: Path,
    plan: LanguageModelSettings = PLAN,
    on_progress: OnProgress | None = None,
    corpora: Mapping[str, Sequence[str]] = CORPORA,
) -> Checkpoint:
    return train_language_model("mine", corpora, plan, base, folder, on_progress, "cpu", "None.")[0]


def test_a_checkpoint_says_what_it_is_and_scores_as_in_training(base: ModelSource, tmp_path: Path) -> None:
    lines: list[str] = []
    checkpoint = made(base, tmp_path, on_progress=lambda what, _done, _all: lines.append(what.split(":")[0]))
    assert list(dict.fromkeys(lines)) == ["Reading held-out stories", "Training"]
    card = load(checkpoint.folder).card
    assert (card.kind, card.name, card.base, card.overlap) == ("language-model", "mine", base.at_revision, "None.")
    assert [(data_set.name, data_set.size) for data_set in card.data] == [("animals", 30), ("others", 28)]
    assert card.options == {"normalisation": "recased", "words": 200, "rank": 2}
    assert (card.recipe["held_out"], card.recipe["batch"], card.recipe["epochs"]) == (0.2, 200, 2)
    assert overlap(checkpoint, [STORIES[0], STORIES[0].upper(), "Another story."]) == 2
    weights = checkpoint.weights()
    assert {weight.dtype for weight in weights.values()} == {torch.float16}
    assert len(weights) == 8

    figures = {figure.what: figure.value for figure in card.figures}
    before, after = (figures[f"held-out stories, {model}: nll"] for model in ("the base", "trained"))
    assert after < before - 0.1
    held = [text for text, kept in zip(STORIES, held_out(STORIES, 0.2, 3), strict=True) if kept]
    result = likelihoods(language_model_of(checkpoint, base, "cpu"), [("", text) for text in held])
    assert sum(likelihood.nll for likelihood in result) / sum(
        likelihood.tokens for likelihood in result
    ) == pytest.approx(after, abs=2e-3)


class Stopped(Exception):
    """Somebody pressed Cancel."""


@pytest.mark.parametrize("phase", ["Reading", "Training", "Reading again"])
def test_stopped_anywhere_it_goes_on_to_the_same_weights(base: ModelSource, tmp_path: Path, phase: str) -> None:
    trained = False

    def stop(what: str, done: int, _all: int) -> None:
        nonlocal trained
        trained = trained or what.startswith("Training")
        if phase.startswith(what.split()[0].strip(":")) and (done in (0, 3) if phase != "Reading again" else trained):
            raise Stopped

    with pytest.raises(Stopped):
        made(base, tmp_path / "stopped", on_progress=stop)
    again, straight = made(base, tmp_path / "stopped"), made(base, tmp_path / "straight")
    assert again.card.weights == straight.card.weights
    assert again.card.figures == straight.card.figures


def test_what_cannot_be_trained_is_refused(base: ModelSource, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="10 different stories at least; here are 9"):
        made(base, tmp_path / "few", corpora={"few": [*STORIES[:9], STORIES[0], ""]})
    bert = locate(
        tiny.save(tmp_path / "bert", "BertModel", ModelRole.ENCODER, max_position_embeddings=64), ModelRole.BASE
    )
    with pytest.raises(ModelMissing, match="a causal language model"):
        made(bert, tmp_path / "encoder")
    with pytest.raises(InputError, match="no normalisation 'upper'; choose one of raw,"):
        LanguageModelSettings(normalisation="upper")
    with pytest.raises(InputError, match="rank of adapters is 1 to 256, not 0"):
        LanguageModelSettings(rank=0)
    with pytest.raises(InputError, match="not within -1"):
        LanguageModelSettings(words=-1)


def test_a_checkpoint_that_does_not_fit_is_refused(base: ModelSource, tmp_path: Path) -> None:
    checkpoint = made(base, tmp_path, replace(PLAN, loop=Recipe(steps=1)))
    with pytest.raises(InputError, match=r"was trained on .* and knows nothing of"):
        language_model_of(checkpoint, replace(base, revision="another"))
