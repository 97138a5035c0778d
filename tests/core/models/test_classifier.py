"""Classifiers of acceptable sentences: their second label's probability, whatever the batch, and what is none."""

from pathlib import Path

import numpy as np
import pytest
import torch

from core.errors import ModelMissing
from core.models.catalogue import ModelRole, locate
from core.models.classifier import Classifier
from core.perturb.test_sets.grammar import Model, classifier_named
from tests.core.models.tiny import save

SENTENCES = ["she ran away .", "he stayed at home .", "", "the sun shone on the unbelievable house . " * 60, "he ran"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("cola")
    return save(path, "BertForSequenceClassification", ModelRole.ENCODER, num_labels=2, initializer_range=0.5)


def test_as_the_model_says_one_by_one(folder: str) -> None:
    model = Classifier(locate(folder, ModelRole.CLASSIFIER))
    seen: list[int] = []
    result = model.probabilities(SENTENCES, seen.append)
    for sentence, p in zip(SENTENCES, result, strict=True):
        read = model.tokenizer(sentence, truncation=True, max_length=model.positions, return_tensors="pt")
        with torch.inference_mode():
            logits = model.model(input_ids=read["input_ids"], attention_mask=read["attention_mask"]).logits
        assert p == pytest.approx(float(torch.softmax(logits, -1)[0, 1]), abs=1e-5)
    assert sum(seen) == len(SENTENCES)
    assert np.ptp(result) > 0.01
    assert model.probabilities([]).shape == (0,)


def test_as_a_filter(folder: str) -> None:
    by = classifier_named(folder, "cpu")
    assert isinstance(by, Model)
    assert by.name == f"{Path(folder).name}@{locate(folder, ModelRole.CLASSIFIER).revision}"
    assert by.judge(SENTENCES[:2]) == pytest.approx(
        Classifier(locate(folder, ModelRole.CLASSIFIER)).probabilities(SENTENCES[:2])
    )
    assert classifier_named("none") is None


def test_what_is_none(tmp_path: Path) -> None:
    (tmp_path / "three").mkdir()
    three = save(tmp_path / "three", "BertForSequenceClassification", ModelRole.ENCODER, num_labels=3)
    with pytest.raises(ModelMissing, match="is a classifier with 3 outputs; one of acceptable sentences has two"):
        Classifier(locate(three, ModelRole.CLASSIFIER))
    with pytest.raises(ModelMissing, match=r"does not come with Fabula: download a classifier .* such as textattack"):
        classifier_named("")
