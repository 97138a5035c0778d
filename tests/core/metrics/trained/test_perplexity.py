"""`perplexity-finetuned`: the base with the checkpoint's adapters in, under a signature that names it."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

from core.checkpoints.checkpoint import Checkpoint, save
from core.errors import InputError, ModelMissing
from core.metrics import build
from core.metrics.base import Metric, Settings
from core.models.catalogue import ModelRole, locate
from core.models.language import start_token
from core.stories import Story, normalise
from core.training.engine.recipe import Recipe
from core.training.language_model.settings import LanguageModelSettings
from core.training.language_model.train import train_language_model
from tests.core.models import tiny
from tests.core.training.made_checkpoint import made_checkpoint
from tests.core.training.union.task import STORIES

STORY = Story("[MALE] did n ' t come home . he slept .", "the dog met TOM .")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    options = {"num_key_value_heads": 2, "max_position_embeddings": 64, "initializer_range": 0.2}
    return tiny.save(tmp_path_factory.mktemp("base"), "LlamaForCausalLM", ModelRole.LANGUAGE, **options)


@pytest.fixture(scope="module")
def trained(base: str, tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    plan = LanguageModelSettings(rank=2, batch=200, held_out=0.2, loop=Recipe(steps=3, learning_rate=0.05, seed=3))
    source = locate(base, ModelRole.BASE)
    return train_language_model("mine", {"a": STORIES}, plan, source, tmp_path_factory.mktemp("made"), None, "cpu")[0]


def made(checkpoint: Checkpoint, base: str | None, **options: str) -> Metric:
    chosen = {"checkpoint": str(checkpoint.folder), **options}
    return build("perplexity-finetuned", Settings(model=base, device="cpu", options=chosen))


def slowly(checkpoint: Checkpoint, base: str, given: str, text: str) -> float:
    """Mean log-likelihood a piece with what was learnt added to the weights themselves, by Transformers alone."""
    model: Any = transformers.AutoModelForCausalLM.from_pretrained(base).eval()
    tokenizer: Any = transformers.AutoTokenizer.from_pretrained(base)
    weights = checkpoint.weights()
    with torch.no_grad():
        for name, item in model.named_parameters():
            learnt = name.removesuffix(".weight")
            if f"{learnt}.up" in weights:
                item += weights[f"{learnt}.up"].float() @ weights[f"{learnt}.down"].float()
        before = [start_token(tokenizer), *tokenizer(given)["input_ids"]]
        after = tokenizer(f" {text}" if given else text)["input_ids"]
        logits = model(input_ids=torch.tensor([[*before, *after]])).logits[0].double().log_softmax(-1)
    return float(np.mean([logits[len(before) - 1 + i, piece] for i, piece in enumerate(after)]))


def test_a_score_is_the_trained_models_and_texts_are_read_as_in_training(trained: Checkpoint, base: str) -> None:
    given, text = normalise(STORY.prompt, "recased"), normalise(STORY.text, "recased")
    assert text == "Tom didn't come home. He slept."
    told: list[int] = []
    scores = made(trained, base).score([STORY, Story(" "), STORY], told.append)
    assert sum(told) == 3
    assert scores.reasons == {1: "the story is empty"}
    assert math.isnan(scores.values[1])
    wanted = slowly(trained, base, given, text)
    assert scores.values[[0, 2]] == pytest.approx([wanted, wanted], abs=1e-4)
    untouched = build("perplexity", Settings(model=base, device="cpu", options={"normalisation": "recased"}))
    assert abs(untouched.score([STORY]).values[0] - wanted) > 0.01
    alone = made(trained, base, of="story-alone").score([STORY]).values[0]
    assert alone == pytest.approx(slowly(trained, base, "", text), abs=1e-4)
    raw = made(trained, base, normalisation="raw").score([STORY]).values[0]
    assert raw == pytest.approx(slowly(trained, base, STORY.prompt, STORY.text), abs=1e-4)


def test_a_long_story_is_read_in_windows_or_cut(trained: Checkpoint, base: str) -> None:
    long = Story(" ".join(f"The dog went home {i} times." for i in range(40)))
    whole, cut = made(trained, base), made(trained, base, first_words="12")
    assert cut.score([long]).values[0] == pytest.approx(
        slowly(trained, base, "", "The dog went home 0 times. The dog went home 1 times."), abs=1e-4
    )
    narrow = made(trained, base, window="32", stride="8").score([long]).values[0]
    assert whole.score([long]).values[0] != pytest.approx(narrow, abs=1e-6)


def test_the_signature_names_weights_and_reading_and_not_where_they_lie(
    trained: Checkpoint, base: str, tmp_path: Path
) -> None:
    moved = save(tmp_path / "moved", replace(trained.card, name="renamed"), trained.weights(), STORIES)
    signature = made(trained, base).signature
    assert made(moved, base).signature == signature
    assert f"|model:{trained.card.base}|" in signature
    assert f"|checkpoint:{trained.card.weights[:12]}|first_words:all|normalisation:recased|" in signature
    assert made(trained, base, normalisation="recased").signature == signature
    assert made(trained, base, normalisation="raw").signature != signature


def test_what_fits_not_is_refused(trained: Checkpoint, base: str, tmp_path: Path) -> None:
    other = made_checkpoint(tmp_path / "other")
    with pytest.raises(InputError, match="is a union, not a language model"):
        made(other, base).signature  # noqa: B018
    with pytest.raises(ModelMissing, match="a model from a folder: name that folder as its base"):
        made(trained, None).signature  # noqa: B018
    with pytest.raises(InputError, match=r"was trained on .* and knows nothing of all-minilm"):
        made(trained, "all-minilm-l6-v2").signature  # noqa: B018
    card = replace(trained.card, name="empty", options={"normalisation": "recased", "words": 200})
    head = save(tmp_path / "head", card, other.weights())
    with pytest.raises(InputError, match="'empty' are no adapters: train it again"):
        made(head, base).score([STORY])
