"""The regression's recipe `paper` against its description (Sellam et al. 2020, section 2), written out pair by pair."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer, BertModel

from core.checkpoints.checkpoint import Checkpoint, load
from core.errors import InputError
from core.metrics.trained.bleurt_scorer import BleurtScorer
from core.models.catalogue import ModelRole, ModelSource, locate
from core.models.heads.union_published import PublishedUnion
from core.models.trunk import TunableTrunk
from core.stories import distinct_texts
from core.training.bleurt.settings import BLEURT_STEPS, BleurtSettings, JudgedText
from core.training.bleurt.task import PairShare, ReferencePairs, TunedBleurt, share_of_fold
from core.training.bleurt.train import train_bleurt
from core.training.engine.progress import OnProgress
from core.training.engine.recipe import Way
from tests.core.models import tiny
from tests.core.training.made_stories import judged
from tests.core.training.stopped import stopped_and_straight

PLAN = BleurtSettings(recipe=Way.PAPER, folds=3, steps=3, learning_rate=1e-3, seed=3)
STORIES = judged()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> ModelSource:
    folder = tiny.save(tmp_path_factory.mktemp("bert"), "BertModel", ModelRole.ENCODER, max_position_embeddings=128)
    return locate(folder, ModelRole.BASE)


def cls_of(bert: BertModel, words: AutoTokenizer, story: JudgedText, reference: str) -> torch.Tensor:
    """Of one pair alone, without padding: the reference comes first."""
    first, second = PLAN.prepared(story.prompt, reference), PLAN.prepared(story.prompt, story.text)
    given = words(first, second, return_tensors="pt", truncation="longest_first", max_length=128)  # type: ignore[operator]
    with torch.no_grad():
        tensor: torch.Tensor = bert(**given).last_hidden_state[0, 0]
    return tensor


def test_the_loss_is_the_squared_error_over_cls_and_all_of_bert_learns(base: ModelSource) -> None:
    pairs = ReferencePairs.of(STORIES, PLAN)
    judgments = np.array([STORIES[i].judgment for i in pairs.story])
    torch.manual_seed(0)
    head, every = PublishedUnion(16), np.arange(len(judgments))
    task = TunedBleurt(head, TunableTrunk(base, (2,), 0), pairs, judgments, PairShare(every[6:], every[:6]), 16)
    task.module.eval()  # without dropout
    bert, words = BertModel.from_pretrained(base.folder).eval(), AutoTokenizer.from_pretrained(base.folder)
    each = [(judged_text, reference) for judged_text in STORIES for reference in distinct_texts(judged_text.references)]
    assert len(each) == len(judgments) == 72
    level, spread = judgments[6:].mean(), judgments[6:].std()
    batch, total = [7, 12, 30, 31], 0.0
    for number in batch:
        story, reference = each[number]
        cls = cls_of(bert, words, story, reference)
        foretold = float((head.score.weight[0] @ cls + head.score.bias[0]).detach())
        total += (foretold - (story.judgment - level) / spread) ** 2
    loss = task.loss(batch).total
    assert float(loss.detach()) == pytest.approx(total / 4, abs=1e-4)
    loss.backward()
    still = {name for name, parameter in task.module.named_parameters() if parameter.grad is None}
    assert all("pooler" in name for name in still)


def made(
    base: ModelSource, folder: Path, told: OnProgress | None = None, stories: Sequence[JudgedText] = STORIES
) -> Checkpoint:
    return train_bleurt("paper's", {"study": stories}, PLAN, base, folder, told, "cpu")[0]


def test_it_is_trained_stopped_and_scores_by_the_model_that_has_not_seen_the_prompt(
    base: ModelSource, tmp_path: Path
) -> None:
    checkpoint = stopped_and_straight(partial(made, base), tmp_path)
    card = load(checkpoint.folder).card
    assert (card.recipe["recipe"], card.recipe["batch"], card.recipe["steps"]) == ("paper", 16, 3)
    told: list[int] = []
    scorer = BleurtScorer(checkpoint, base, "cpu")
    ratings = scorer.ratings(
        [(judged_text.prompt, judged_text.text, judged_text.references) for judged_text in STORIES], told.append
    )
    assert sum(told) == len(STORIES)
    every = {name: weight.float() for name, weight in checkpoint.weights().items()}
    bert, words = BertModel.from_pretrained(base.folder).eval(), AutoTokenizer.from_pretrained(base.folder)
    expected, folds = [], set()
    for story in STORIES:
        fold = f"fold{PLAN.cross_fit.of(story.prompt, story.text)}."
        folds.add(fold)
        bert.load_state_dict(
            {k.removeprefix(f"{fold}base."): v for k, v in every.items() if k.startswith(f"{fold}base.")}
        )
        mine = [
            float(
                every[f"{fold}score.weight"][0] @ cls_of(bert, words, story, reference) + every[f"{fold}score.bias"][0]
            )
            for reference in story.references
        ]
        expected.append(np.mean(mine) * float(every[f"{fold}spread"][0]) + float(every[f"{fold}level"][0]))
    assert len(folds) == 3
    assert np.allclose(ratings, expected, atol=1e-4)
    figures = {figure.what: figure.value for figure in card.figures}
    error = np.sqrt(np.mean(np.square(np.subtract(ratings, [judged_text.judgment for judged_text in STORIES]))))
    assert error == pytest.approx(figures["cross-validated RMSE"], abs=1e-3)


def test_a_rating_never_changes_its_own_score(base: ModelSource, tmp_path: Path) -> None:
    def ratings(stories: Sequence[JudgedText], name: str) -> np.ndarray:
        scorer = BleurtScorer(made(base, tmp_path / name, None, stories), base, "cpu")
        return np.array(scorer.ratings([(story.prompt, story.text, story.references) for story in STORIES]))

    prompt = STORIES[6].prompt
    before = ratings(STORIES, "before")
    after = ratings([replace(story, judgment=9.0) if story.prompt == prompt else story for story in STORIES], "after")
    fold = PLAN.cross_fit.of(prompt, "")
    same = np.array([PLAN.cross_fit.of(story.prompt, "") == fold for story in STORIES])
    assert np.array_equal(before[same], after[same])
    assert not np.array_equal(before[~same], after[~same])


def test_a_pair_that_is_too_long_is_cut_and_read(base: ModelSource) -> None:
    long = replace(STORIES[0], text="It saw the moon. " * 60, references=("It came back. " * 60,))
    pairs = ReferencePairs.of([long, STORIES[1]], PLAN)
    head, every = PublishedUnion(16), np.arange(2)
    task = TunedBleurt(head, TunableTrunk(base, (2,), 0), pairs, np.array([1.0, 2.0]), PairShare(every, every), 16)
    task.module.eval()
    bert, words = BertModel.from_pretrained(base.folder).eval(), AutoTokenizer.from_pretrained(base.folder)
    cls = cls_of(bert, words, long, long.references[0])
    assert len(task.rows[0].ids) == 128
    assert task.standard([0])[0] == pytest.approx(
        float((head.score.weight[0] @ cls + head.score.bias[0]).detach()), abs=1e-4
    )


def test_alike_ratings_that_are_left_are_refused() -> None:
    stories = [replace(story, judgment=3.0) for story in STORIES[:-1]] + [replace(STORIES[-1], judgment=4.0)]
    pairs, seen = ReferencePairs.of(stories, PLAN), np.arange(len(stories) - 1)
    with pytest.raises(InputError, match="have the same mean rating"):
        share_of_fold(stories, pairs, seen, PLAN, 0)


def test_batch_rate_and_steps() -> None:
    plan = BleurtSettings(recipe=Way.PAPER)
    assert (plan.step_size, plan.schedule.learning_rate, plan.schedule.steps, plan.recipe) == (
        16,
        1e-5,
        BLEURT_STEPS,
        Way.PAPER,
    )
