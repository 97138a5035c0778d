"""The encoder and the language model together, beside a slow, plain reading of one sentence at a time; and the card."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize

from core.errors import ModelMissing
from core.home import ROOT
from core.models.catalogue import BUNDLED, SMOLLM2, Role, locate
from core.models.network import load_pretrained, nothing_runs
from core.perturb import acceptability as encoder
from core.perturb import acceptability_lm as module
from core.perturb.acceptability import CARD, acceptability, measure
from core.perturb.acceptability_lm import (
    FEATURES,
    SECTION,
    acceptability_with_lm,
    log_frequency,
    read_features,
    revision,
)
from core.tokens import Floats
from data.acceptability.build import PENALTY, cross_validated, figures, fitted

GOLDEN = {
    "The old man walked down to the harbour.": 0.9632,
    "The old man walked down to harbour the.": 0.3780,
    "They has never seen the boat.": 0.8045,
    "John was went home.": 0.2928,
    "It was raining, so we stayed at home.": 0.9047,
}
TEXTS = [*GOLDEN, "No", "Tom bought a car. He drove it home. Happy his wife was be. He drove it home."]


def section() -> dict[str, object]:
    found: dict[str, object] = json.loads(CARD.read_text(encoding="utf-8"))[SECTION]
    return found


def test_its_numbers_stay_what_they_are() -> None:
    assert acceptability_with_lm(list(GOLDEN), "cpu") == pytest.approx(list(GOLDEN.values()), abs=2e-3)


def one_by_one(texts: list[str]) -> list[float]:
    """By the card alone: no batches, no padding, the whole softmax, and sums in Python."""
    with nothing_runs():
        model, tokenizer = load_pretrained(Role.LANGUAGE, locate(SMOLLM2, Role.LANGUAGE), torch.float32)
    (start,) = tokenizer("<|endoftext|>")["input_ids"]
    found = []
    for text in texts:
        rows = []
        for sentence in text.replace(". ", ".\n").split("\n"):
            ids = tokenizer(sentence, add_special_tokens=False)["input_ids"]
            with torch.inference_mode():
                log_p = torch.log_softmax(model(input_ids=torch.tensor([[start, *ids]])).logits[0].double(), -1)
            each = [float(log_p[place, token]) for place, token in enumerate(ids)]
            less = [one + math.log(token + 1) for one, token in zip(each, ids, strict=True)]
            n = len(ids)
            rows.append([sum(each) / n, min(each), sum(less) / n, min(less), math.log(n)])
        (p,) = acceptability([text], "cpu").tolist()
        values = [math.log(p / (1 - p)), *(sum(column) / len(rows) for column in zip(*rows, strict=True))]
        card = section()
        logit = card["intercept"]
        assert isinstance(logit, float)
        assert isinstance(card["coefficients"], dict)
        for value, (name, kept) in zip(values, card["coefficients"].items(), strict=True):
            assert name in FEATURES
            logit += kept["weight"] * (value - kept["mean"]) / kept["deviation"]
        found.append(1 / (1 + math.exp(-logit)))
    return found


def test_against_reading_one_sentence_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = one_by_one(TEXTS)
    counted: list[int] = []
    assert acceptability_with_lm(TEXTS, "cpu", counted.append) == pytest.approx(slow, abs=1e-3)
    assert counted == [len(TEXTS)]
    monkeypatch.setattr(module, "AT_ONCE", 3)
    counted.clear()
    assert acceptability_with_lm(TEXTS, "cpu", counted.append) == pytest.approx(slow, abs=1e-3)
    assert counted == [3, 3, 1]
    assert np.ptp(slow) > 0.5


def test_a_text_without_a_token_and_no_text() -> None:
    (row,) = read_features([""], "cpu")
    assert row[1:].tolist() == [0] * 5
    assert 0 <= acceptability_with_lm([""], "cpu")[0] <= 1
    assert acceptability_with_lm([], "cpu").shape == (0,)
    assert read_features([], "cpu").shape == (0, 6)


def test_frequent_tokens_have_the_low_numbers() -> None:
    """What Zipf's law is applied to: in real English the order of the tokens' numbers is about that of frequency."""
    _, tokenizer = load_pretrained(Role.LANGUAGE, locate(SMOLLM2, Role.LANGUAGE), torch.float32)
    frequent, rare = (tokenizer(words)["input_ids"] for words in (" the of and was", " harbour zinc"))
    assert max(frequent) < min(rare)
    assert log_frequency(np.array([0, 9])).tolist() == pytest.approx([0, -math.log(10)])


def test_the_revision_is_of_all_that_is_learnt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = revision()
    assert section()["language_model"] == BUNDLED[SMOLLM2].at_revision
    card = json.loads(CARD.read_text(encoding="utf-8"))
    card[SECTION]["intercept"] += 1e-6
    (tmp_path / "card.json").write_text(json.dumps(card), encoding="utf-8")
    monkeypatch.setattr(encoder, "CARD", tmp_path / "card.json")
    assert revision() != before
    monkeypatch.setattr(encoder, "WEIGHTS", tmp_path / "weights.safetensors")
    with pytest.raises(ModelMissing, match="weights are missing"):
        revision()


def test_the_cards_figures_are_found_again(shared: Path) -> None:
    file = shared / "acceptability" / "in_domain_dev.tsv"
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    labels = np.array([row[1] == "1" for row in rows])
    found = measure(labels, acceptability_with_lm([row[3] for row in rows], "cpu"))
    stated = json.loads(CARD.read_text(encoding="utf-8"))[SECTION]["figures"]["in_domain"]
    assert found.n == stated["n"]
    # One sentence in five hundred may fall on the other side of .5.
    assert found.accuracy == pytest.approx(stated["accuracy"], abs=0.0025)
    assert found.mcc == pytest.approx(stated["mcc"], abs=0.01)


@pytest.mark.parametrize("part", ["held_out", "in_domain", "out_of_domain"])
@pytest.mark.parametrize("of", ["encoder", SECTION])
def test_what_users_read_are_the_cards_figures(part: str, of: str) -> None:
    card = json.loads(CARD.read_text(encoding="utf-8"))
    found = (card if of == "encoder" else card[SECTION])["figures"][part]
    low, high = found["mcc_95"]
    value, low, high = (f"{one:.3f}".removeprefix("0") for one in (found["mcc"], low, high))
    accuracy = f"{found['accuracy']:.3f}".removeprefix("0")
    assert f"{accuracy}, {value} ({low} to {high})" in (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")


def some(number: int = 120) -> tuple[Floats, NDArray[np.bool_]]:
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(number, 6)) * [1, 2, 3, 1, 1, 1] + [0, 5, 0, 0, 0, 0]
    return rows, rows[:, 0] + rng.normal(size=number) > 0


def test_the_weighing_has_the_least_penalised_loss() -> None:
    rows, acceptable = some()
    found = fitted(rows, acceptable)
    scaled = (rows - rows.mean(0)) / rows.std(0)
    sign = np.where(acceptable, 1, -1)

    def loss(weights: Floats) -> float:
        margins = sign * (scaled @ weights[:-1] + weights[-1])
        return float(np.logaddexp(0, -margins).sum() + PENALTY / 2 * (weights[:-1] ** 2).sum())

    slow = minimize(loss, np.zeros(7), tol=1e-10).x
    assert [*found.weights, found.intercept] == pytest.approx(slow.tolist(), abs=1e-3)
    expected = 1 / (1 + np.exp(-(scaled @ slow[:-1] + slow[-1])))
    assert found.probabilities(rows) == pytest.approx(expected, abs=1e-3)


def test_cross_validation_says_nothing_of_labels_that_tell_nothing() -> None:
    rows, acceptable = some(400)
    noise = np.random.default_rng(5).permutation(acceptable)
    found = figures(noise, cross_validated(rows, noise))
    low, high = found["mcc_95"]
    assert low < 0 < high
    assert low < found["mcc"] < high
    assert figures(acceptable, cross_validated(rows, acceptable))["mcc"] > 0.4
