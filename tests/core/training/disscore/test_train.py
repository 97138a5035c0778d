"""DisScore from stories by people and by systems to a checkpoint, with a base of random weights."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from core.checkpoints.checkpoint import Checkpoint, load, overlap
from core.errors import InputError
from core.metrics.trained.disscore_scorer import DiscriminatorScorer
from core.models.catalogue import ModelRole, ModelSource, locate
from core.statistics.roc import area
from core.stories import Source, StoryRecord, whole_story
from core.training.disscore.settings import DiscriminatorSettings
from core.training.disscore.task import share, weights
from core.training.disscore.train import train_discriminator
from core.training.engine.progress import OnProgress
from core.training.engine.recipe import Recipe
from core.training.engine.stories import split_by_author
from tests.core.models import tiny
from tests.core.training.made_checkpoint import made_checkpoint
from tests.core.training.made_stories import records

RECIPE = Recipe(epochs=6, learning_rate=2e-2, evaluate_every=4, seed=3)
PLAN = DiscriminatorSettings(layers=(1, 2), folds=3, batch=8, held_out=0.2, loop=RECIPE)
STORIES = records()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> ModelSource:
    folder = tiny.save(tmp_path_factory.mktemp("base"), "BertModel", ModelRole.ENCODER, max_position_embeddings=128)
    return locate(folder, ModelRole.BASE)


def made(
    base: ModelSource,
    folder: Path,
    stories: Sequence[StoryRecord] = STORIES,
    plan: DiscriminatorSettings = PLAN,
    on_progress: OnProgress | None = None,
) -> Checkpoint:
    return train_discriminator("mine", {"all": stories}, plan, base, folder, on_progress, "cpu", {"judged one": 7})[0]


@pytest.fixture(scope="module")
def trained(base: ModelSource, tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    return made(base, tmp_path_factory.mktemp("made"))


def test_a_checkpoint_says_what_it_is_and_scores_as_it_was_measured(base: ModelSource, trained: Checkpoint) -> None:
    card = load(trained.folder).card
    assert (card.kind, card.name, card.base) == ("discriminator", "mine", base.at_revision)
    assert [(data_set.name, data_set.size) for data_set in card.data] == [("all", 72)]
    assert card.options == {"layers": [1, 2], "normalisation": "recased", "words": 200, "folds": 3, "fold_seed": 0}
    assert card.overlap is not None
    assert card.overlap.startswith("Trained also on stories of rated studies: 7 of judged one. One of 3 models")
    assert overlap(trained, [whole_story(STORIES[0].prompt, STORIES[0].text), "Another."]) == 1
    figures = {item.what: item for item in card.figures}
    assert set(figures) == {f"cross-fitted AUC, {what}" for what in ("people against systems", "one", "two")}
    figure = figures["cross-fitted AUC, people against systems"]
    assert figure.value > 0.9  # the planted words are found, in prompts that were not seen
    assert figure.low is not None
    told: list[int] = []
    logits = DiscriminatorScorer(trained, base, "cpu").logits(
        [(record.prompt, record.text) for record in STORIES], told.append
    )
    assert sum(told) == len(STORIES)
    human = np.array([record.source is Source.HUMAN for record in STORIES])
    assert area(logits[human], logits[~human]) == pytest.approx(figure.value, abs=0.01)


def test_nothing_to_learn_gives_chance(base: ModelSource, tmp_path: Path) -> None:
    figures = made(base, tmp_path, records(40, signal=False)).card.figures
    assert 0.35 < figures[0].value < 0.65


def test_no_head_has_seen_what_it_scores(base: ModelSource, trained: Checkpoint, tmp_path: Path) -> None:
    """Were a story a person's and not a system's, the head that scores it would be the same to the last bit."""
    changed = next(i for i, record in enumerate(STORIES) if record.system == "one")
    other = list(STORIES)
    other[changed] = replace(STORIES[changed], source=Source.HUMAN, system="")
    fold = PLAN.cross_fit.of(STORIES[changed].prompt, "")
    before, after = trained.weights(), made(base, tmp_path, other).weights()
    same = {name for name in before if torch.equal(before[name], after[name])}
    assert {name for name in before if name.startswith(f"fold{fold}.")} <= same
    assert {f"fold{i}.score.weight" for i in range(3) if i != fold}.isdisjoint(same)


class Stopped(Exception):
    """Somebody pressed Cancel."""


@pytest.mark.parametrize("phase", ["Reading", "Training: model 2 of 3"])
def test_stopped_anywhere_it_goes_on_to_the_same_weights(
    base: ModelSource, trained: Checkpoint, tmp_path: Path, phase: str
) -> None:
    def stop(what: str, done: int, _all: int) -> None:
        if what.startswith(phase) and done >= 3:
            raise Stopped

    with pytest.raises(Stopped):
        made(base, tmp_path, on_progress=stop)
    assert made(base, tmp_path).card.weights == trained.card.weights


def test_people_weigh_as_much_as_systems_and_each_system_as_any_other() -> None:
    systems = ["", "a", "a", "a", "b", "a", "", "b"]
    result = weights(systems)
    sums = {name: sum(result[i] for i, system in enumerate(systems) if system == name) for name in ("", "a", "b")}
    assert sums == pytest.approx({"": 4, "a": 2, "b": 2})


def test_held_out_are_whole_prompts_of_both_kinds() -> None:
    folds = PLAN.cross_fit.each([record.prompt for record in STORIES], [record.text for record in STORIES])
    for fold in range(3):
        mine = share(STORIES, folds, fold, 0.2, 3)
        trained, held = ({STORIES[i].prompt for i in some} for some in (mine.trained, mine.held))
        assert trained.isdisjoint(held)
        assert {STORIES[i].source for i in mine.held} == {Source.HUMAN, Source.SYSTEM}
        assert len(mine.trained) + len(mine.held) == (folds != fold).sum()
        assert not (folds[mine.trained] == fold).any()


def test_bad_input(base: ModelSource, trained: Checkpoint, tmp_path: Path) -> None:
    systems = [record for record in STORIES if record.system]
    with pytest.raises(
        InputError, match=r"learns from 10 stories by people and as many by systems at least;.* 0 by pe"
    ):
        made(base, tmp_path / "none", systems)
    with pytest.raises(InputError, match=r"there are \d by people: give more"):
        made(base, tmp_path / "few", [*systems, *(record for record in STORIES[:30] if not record.system)])
    with pytest.raises(InputError, match="3 folds need 6 different prompts at least, but there are 2"):
        made(base, tmp_path / "two", STORIES[:6])
    with pytest.raises(InputError, match="is a union, not a DisScore"):
        DiscriminatorScorer(made_checkpoint(tmp_path / "union"), base, "cpu")
    with pytest.raises(InputError, match="knows nothing of"):
        DiscriminatorScorer(trained, replace(base, revision="another"), "cpu")
    assert not list(tmp_path.glob("*/readings"))  # nothing was read in vain


def test_rows_without_a_system_are_peoples_where_no_row_says_so() -> None:
    rows = [
        replace(record, source=Source.SYSTEM, system=name)
        for record, name in zip(STORIES, ("", "a", " Human "), strict=False)
    ]
    assert [record.source.value for record in split_by_author(rows)] == ["human", "system", "human"]
    said = [replace(rows[0], source=Source.HUMAN), *rows]
    assert split_by_author(said) == said
