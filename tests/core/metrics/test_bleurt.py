"""BLEURT as a metric: several references, reasons, and a signature that names the checkpoint."""

import math
from pathlib import Path

import numpy as np
import pytest

from core.errors import ModelMissing
from core.metrics.base import Kind, Need, Settings
from core.metrics.bleurt import Bleurt
from core.models.catalogue import ModelRole, locate
from core.models.regressor import Regressor
from core.stories import Story
from tests.core.models.tiny import save

TEXT, ONE, OTHER = "she ran away .", "he stayed at home .", "the sun shone on the unbelievable house ."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("bleurt")
    return save(path, "BertForSequenceClassification", ModelRole.ENCODER, num_labels=1, initializer_range=0.3)


def build(folder: str, **options: str) -> Bleurt:
    return Bleurt(Settings(model=folder, device="cpu", options=options))


def test_a_score_is_the_checkpoints_rating_of_reference_and_story(folder: str) -> None:
    plain = Regressor(locate(folder, ModelRole.REGRESSOR))
    ratings = plain.ratings([(TEXT, ONE), (TEXT, OTHER)], lambda _count: None)
    assert abs(ratings[0] - ratings[1]) > 1e-3
    stories = [Story(TEXT, references=(ONE,)), Story(TEXT, references=(OTHER,)), Story(TEXT, references=(ONE, OTHER))]
    seen: list[int] = []
    scores = build(folder).score(stories, seen.append)
    assert scores.values == pytest.approx([*ratings, max(ratings)], abs=1e-6)
    assert sum(seen) == 3
    mean = build(folder, references="mean").score(stories).values
    assert mean == pytest.approx([*ratings, sum(ratings) / 2], abs=1e-6)


def test_undefined(folder: str) -> None:
    stories = [Story("", references=(ONE,)), Story(TEXT), Story(TEXT, references=("",)), Story(TEXT, references=(ONE,))]
    scores = build(folder).score(stories)
    assert scores.reasons == {
        0: "the story is empty",
        1: "the prompt has no human story to compare with",
        2: "the reference is empty",
    }
    assert not math.isnan(scores.values[3])
    assert np.isnan(build(folder).score(stories[:2]).values).all()


def test_signature_names_the_folder_and_what_is_in_it(folder: str, tmp_path: Path) -> None:
    revision = locate(folder, ModelRole.REGRESSOR).revision
    assert revision.startswith("sha256:")
    assert build(folder).signature == (
        f"bleurt|model:{Path(folder).name}@{revision}|dtype:float32"
        "|first_words:all|normalisation:raw|references:max|v:1"
    )
    other = tmp_path / Path(folder).name
    save(other, "BertForSequenceClassification", ModelRole.ENCODER, num_labels=1, initializer_range=0.2)
    assert build(str(other)).signature != build(folder).signature, "other weights under the same name"


def test_kind_and_needs() -> None:
    assert (Bleurt.kind, Bleurt.needs) == (Kind.HYBRID, {Need.REFERENCE, Need.MODEL})


def test_without_a_checkpoint_it_says_what_to_download() -> None:
    with pytest.raises(ModelMissing, match=r"download a BLEURT checkpoint .*, such as Elron/bleurt-base-512"):
        Bleurt().score([Story(TEXT, references=(ONE,))])
    with pytest.raises(ModelMissing, match="download a BLEURT checkpoint"):
        assert Bleurt().signature
