"""Fine-tuning as a task: batches, the loss's weights, what is held out."""

import numpy as np
import pytest
import torch

from core.models.catalogue import ModelRole, ModelSource, locate
from core.models.tunable import TunableLanguageModel
from core.training.engine.held_out import held_out
from core.training.language_model.task import LanguageModelTask
from tests.core.models import tiny
from tests.core.training.union.task import STORIES

LONG = "Then the dog went home. " * 60


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> ModelSource:
    options = {"num_key_value_heads": 2, "max_position_embeddings": 64}
    return locate(
        tiny.save(tmp_path_factory.mktemp("base"), "LlamaForCausalLM", ModelRole.LANGUAGE, **options), ModelRole.BASE
    )


@pytest.fixture(scope="module")
def task(base: ModelSource) -> LanguageModelTask:
    texts = [*STORIES, LONG, "Hi."]
    return LanguageModelTask(TunableLanguageModel(base, 2), texts, held_out(texts, 0.2, 1), batch=120)


def test_an_epoch_has_every_story_but_those_held_out_in_batches_that_fit(task: LanguageModelTask) -> None:
    batches = task.batches(0, 7)
    assert sorted(i for batch in batches for i in batch) == task.trained.tolist()
    assert set(task.trained).isdisjoint(task.held)
    assert len(task.trained) + len(task.held) == len(STORIES) + 2
    assert all(len(batch) * max(len(task.ids[i]) + 1 for i in batch) <= 120 for batch in batches)
    assert batches == task.batches(0, 7)
    assert batches != task.batches(1, 7)


def test_a_long_story_is_learnt_from_as_far_as_the_model_reads(task: LanguageModelTask) -> None:
    assert max(map(len, task.ids)) == len(task.ids[len(STORIES)]) == 63


def test_a_loss_is_the_mean_of_a_piece_and_weighs_as_many(task: LanguageModelTask) -> None:
    batch = [len(STORIES), 0, len(STORIES) + 1]
    alone = [task.loss([i]) for i in batch]
    together = task.loss(batch)
    assert together.weight == sum(losses.weight for losses in alone) == sum(len(task.ids[i]) for i in batch)
    mean = sum(float(losses.total.detach()) * losses.weight for losses in alone) / together.weight
    assert float(together.total.detach()) == pytest.approx(mean, rel=1e-5)


def test_figures_are_means_over_all_held_out_pieces(task: LanguageModelTask) -> None:
    with torch.no_grad():
        part = [task.model.nll([task.ids[i]]) for i in task.held]
    figures = task.evaluate()
    assert figures["nll"] == pytest.approx(sum(float(nll) for nll, _ in part) / sum(n for _, n in part), rel=1e-5)
    assert figures["perplexity"] == pytest.approx(np.exp(figures["nll"]))
    assert task.chosen_by.better(figures["nll"] - 0.1, figures["nll"])


def test_its_hash_is_of_stories_of_what_is_held_out_and_of_the_model(
    base: ModelSource, task: LanguageModelTask
) -> None:
    texts = [*STORIES, LONG, "Hi."]
    held = held_out(texts, 0.2, 1)
    assert LanguageModelTask(task.model, texts, held, 120).data_hash == task.data_hash
    others = [
        LanguageModelTask(task.model, texts[1:], held[1:], 120),
        LanguageModelTask(task.model, texts, ~held, 120),
        LanguageModelTask(task.model, texts, held, 121),
        LanguageModelTask(TunableLanguageModel(base, 3), texts, held, 120),
    ]
    assert len({task.data_hash, *(other.data_hash for other in others)}) == 5


def test_what_is_held_out_is_told_by_the_text_alone() -> None:
    chosen = held_out(STORIES, 0.2, 1)
    assert 0.1 < chosen.mean() < 0.3
    assert held_out(STORIES[::-1], 0.2, 1).tolist() == chosen.tolist()[::-1]
    assert held_out(STORIES, 0.2, 2).tolist() != chosen.tolist()
    assert held_out(STORIES[:3], 0.0, 1).sum() == 1
