"""A regression on a study's ratings, with a base of random weights: nobody is scored by their own rating."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.checkpoints.checkpoint import Checkpoint, load
from core.errors import InputError
from core.metrics.trained.bleurt_scorer import BleurtScorer
from core.models.catalogue import ModelRole, ModelSource, locate
from core.training.bleurt.settings import BleurtSettings, JudgedText
from core.training.bleurt.train import train_bleurt
from tests.core.models import tiny
from tests.core.training.made_checkpoint import made_checkpoint
from tests.core.training.made_stories import judged

PLAN = BleurtSettings(layers=(1, 2), folds=4)
STORIES = judged()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> ModelSource:
    folder = tiny.save(tmp_path_factory.mktemp("base"), "BertModel", ModelRole.ENCODER, max_position_embeddings=128)
    return locate(folder, ModelRole.BASE)


@pytest.fixture(scope="module")
def readings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("readings")


def made(base: ModelSource, folder: Path, readings: Path, stories: Sequence[JudgedText] = STORIES) -> Checkpoint:
    return train_bleurt("mine", {"study": stories}, PLAN, base, folder, None, "cpu", readings)[0]


def ratings(checkpoint: Checkpoint, base: ModelSource, stories: Sequence[JudgedText] = STORIES) -> list[float]:
    scorer = BleurtScorer(load(checkpoint.folder), base, "cpu")
    return scorer.ratings([(story.prompt, story.text, story.references) for story in stories])


def test_what_is_planted_is_found_in_prompts_that_were_not_seen(
    base: ModelSource, tmp_path: Path, readings: Path
) -> None:
    checkpoint = made(base, tmp_path / "made", readings)
    card = checkpoint.card
    assert (card.kind, card.data[0].name, card.data[0].size) == ("bleurt", "study", 48)
    assert card.overlap is not None
    assert card.overlap.startswith("Trained also on stories of rated studies: 48 of study. One of 4 models scores")
    figures = {figure.what.removeprefix("cross-validated "): figure for figure in card.figures}
    assert figures["Pearson's r"].value > 0.8
    assert figures["RMSE"].value < 0.7 * figures["RMSE of the mean rating"].value
    assert abs(figures["Pearson's r of the system's mean rating"].value) < 0.5
    result = ratings(checkpoint, base)
    judgments = [story.judgment for story in STORIES]
    assert np.corrcoef(result, judgments)[0, 1] == pytest.approx(figures["Pearson's r"].value, abs=1e-3)
    assert np.sqrt(np.mean(np.square(np.subtract(result, judgments)))) == pytest.approx(figures["RMSE"].value, abs=1e-3)
    low, high = figures["RMSE"].low, figures["RMSE"].high
    assert low is not None
    assert high is not None
    assert low < figures["RMSE"].value < high


def test_ratings_at_random_are_not_foretold(base: ModelSource, tmp_path: Path, readings: Path) -> None:
    """A leak would show: 60 features and 80 stories fit any ratings."""
    stories = judged(40, signal=False)
    figures = {figure.what: figure.value for figure in made(base, tmp_path / "made", readings, stories).card.figures}
    assert abs(figures["cross-validated Pearson's r"]) < 0.3


def test_a_rating_never_changes_its_own_score(base: ModelSource, tmp_path: Path, readings: Path) -> None:
    before = ratings(made(base, tmp_path / "before", readings), base)
    prompt = STORIES[6].prompt
    fold = PLAN.cross_fit.of(prompt, "")
    other = [replace(story, judgment=9.0) if story.prompt == prompt else story for story in STORIES]
    after = ratings(made(base, tmp_path / "after", readings, other), base)
    same = [PLAN.cross_fit.of(story.prompt, "") == fold for story in STORIES]
    assert np.array_equal(np.asarray(before)[same], np.asarray(after)[same])
    assert not np.any(np.asarray(before)[~np.array(same)] == np.asarray(after)[~np.array(same)])


def test_several_references_are_each_compared_and_count_alike(
    base: ModelSource, tmp_path: Path, readings: Path
) -> None:
    checkpoint = made(base, tmp_path / "made", readings)
    judged_text = next(story for story in STORIES if len(story.references) == 2)
    both, first, second = ratings(
        checkpoint,
        base,
        [judged_text, *(replace(judged_text, references=(reference,)) for reference in judged_text.references)],
    )
    assert both == pytest.approx((first + second) / 2, abs=1e-5)
    assert first != pytest.approx(second, abs=1e-3)


def test_bad_input(base: ModelSource, tmp_path: Path) -> None:
    def refused(stories: Sequence[JudgedText], why: str) -> None:
        with pytest.raises(InputError, match=why):
            made(base, tmp_path / "no", tmp_path / "no readings", stories)

    refused([], "has no rated stories of systems")
    refused([replace(story, references=(" ",)) for story in STORIES], "has no human stories of the prompts")
    refused(STORIES[:19], "has 19 rated stories with a reference; 20 are needed")
    refused([replace(story, judgment=3.0) for story in STORIES], "have the same mean rating: nothing can be learnt")
    refused([replace(story, prompt="The dog.") for story in STORIES], "4 folds need 8 different prompts at least")
    refused([replace(story, text="A copy.") for story in STORIES], "fewer than two prompts are left")
    assert not (tmp_path / "no readings").exists()
    with pytest.raises(InputError, match="is a union, not a regression"):
        BleurtScorer(made_checkpoint(tmp_path / "union"), base, "cpu")
