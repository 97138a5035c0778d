"""DisScore's recipe `paper` against its description (UNION 2020, section 4.1), written out story by story."""

import math
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer, BertModel

from core.checkpoints.checkpoint import Checkpoint, load
from core.metrics.trained.disscore_scorer import DiscriminatorScorer
from core.models.catalogue import ModelRole, ModelSource, locate
from core.models.heads.union_published import PublishedUnion
from core.models.trunk import TunableTrunk
from core.stories import Source
from core.training.disscore.settings import DiscriminatorSettings
from core.training.disscore.task import ModelStories, TunedDiscriminator, weights
from core.training.disscore.train import train_discriminator
from core.training.engine.progress import OnProgress
from core.training.engine.recipe import PAPER_STEPS, Way
from tests.core.models import tiny
from tests.core.training.made_stories import records
from tests.core.training.stopped import stopped_and_straight

STORIES = records()
PLAN = DiscriminatorSettings(recipe=Way.PAPER, folds=3, steps=3, seed=3)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> ModelSource:
    folder = tiny.save(tmp_path_factory.mktemp("bert"), "BertModel", ModelRole.ENCODER, max_position_embeddings=128)
    return locate(folder, ModelRole.BASE)


def test_the_loss_is_cross_entropy_over_cls_and_all_of_bert_learns(base: ModelSource) -> None:
    """Of each story alone, without padding, at its weight."""
    texts = [PLAN.prepared(record.prompt, record.text) for record in STORIES]
    systems = ["" if record.source is Source.HUMAN else record.system for record in STORIES]
    torch.manual_seed(0)
    head = PublishedUnion(16)
    every = np.arange(len(STORIES))
    task = TunedDiscriminator(head, TunableTrunk(base, (2,), 0), texts, systems, ModelStories(every, every[:6]), 10)
    task.module.eval()  # without dropout
    bert, words = BertModel.from_pretrained(base.folder).eval(), AutoTokenizer.from_pretrained(base.folder)
    batch, total = [0, 1, 8, 30], 0.0
    for number in batch:
        with torch.no_grad():
            cls = bert(**words(texts[number], return_tensors="pt")).last_hidden_state[0, 0]
            chance = 1 / (1 + math.exp(-float(head.score.weight[0] @ cls + head.score.bias[0])))
        total -= float(weights(systems)[number]) * math.log(chance if not systems[number] else 1 - chance)
    loss = task.loss(batch).total
    assert float(loss.detach()) == pytest.approx(total / len(batch), abs=1e-4)
    loss.backward()
    still = {name for name, parameter in task.module.named_parameters() if parameter.grad is None}
    assert all("pooler" in name for name in still)


def made(base: ModelSource, folder: Path, on_progress: OnProgress | None = None) -> Checkpoint:
    return train_discriminator("paper's", {"all": STORIES}, PLAN, base, folder, on_progress, "cpu")[0]


def test_it_is_trained_stopped_and_scores_by_the_model_that_has_not_seen_the_prompt(
    base: ModelSource, tmp_path: Path
) -> None:
    checkpoint = stopped_and_straight(partial(made, base), tmp_path)
    card = load(checkpoint.folder).card
    assert (card.recipe["recipe"], card.recipe["batch"], card.recipe["steps"]) == ("paper", 10, 3)
    assert card.options["layers"] == [2]
    told: list[int] = []
    some = STORIES[:18]
    logits = DiscriminatorScorer(checkpoint, base, "cpu").logits(
        [(story_record.prompt, story_record.text) for story_record in some], told.append
    )
    assert sum(told) == len(some)
    every = {name: weight.float() for name, weight in checkpoint.weights().items()}
    bert, words = BertModel.from_pretrained(base.folder).eval(), AutoTokenizer.from_pretrained(base.folder)
    expected, folds = [], set()
    for record in some:
        fold = f"fold{PLAN.cross_fit.of(record.prompt, record.text)}."
        folds.add(fold)
        bert.load_state_dict(
            {k.removeprefix(f"{fold}base."): v for k, v in every.items() if k.startswith(f"{fold}base.")}
        )
        with torch.no_grad():
            cls = bert(**words(PLAN.prepared(record.prompt, record.text), return_tensors="pt")).last_hidden_state[0, 0]
        expected.append(float(every[f"{fold}score.weight"][0] @ cls + every[f"{fold}score.bias"][0]))
    assert len(folds) == 3
    assert np.allclose(logits, expected, atol=1e-4)


def test_batch_rate_and_steps_are_unions() -> None:
    plan = DiscriminatorSettings(recipe=Way.PAPER)
    assert (plan.step_size, plan.schedule.learning_rate, plan.schedule.steps, plan.recipe) == (
        10,
        5e-5,
        PAPER_STEPS,
        Way.PAPER,
    )
