"""What the language model has learnt of grammar, beside a slow, plain reading of one sentence at a time; the card."""

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from scipy.special import erf

from core.arrays import Floats
from core.errors import ModelMissing
from core.home import ROOT
from core.models.acceptability.encoder import ADAPTERS, HEAD
from core.models.acceptability.language import LAYERS, LOWEST, RANK
from core.models.acceptability.probability import acceptability_by_lm
from core.models.acceptability.weights import CARD, LANGUAGE_SECTION, LANGUAGE_WEIGHTS, measure, revision
from core.models.adapter import EVERY_OF_LLAMA, adapt
from core.models.catalogue import BUNDLED, SMOLLM2, ModelRole, locate
from core.models.network import load_pretrained, nothing_runs

GOLDEN = {
    "The old man walked down to the harbour.": 0.9926,
    "The old man walked down to harbour the.": 0.1056,
    "They has never seen the boat.": 0.0436,
    "John was went home.": 0.0133,
    "It was raining, so we stayed at home.": 0.9937,
}
TEXTS = [*GOLDEN, "No", "Tom bought a car. He drove it home. Happy his wife was be. He drove it home."]


def section() -> dict[str, Any]:
    result: dict[str, Any] = json.loads(CARD.read_text(encoding="utf-8"))[LANGUAGE_SECTION]
    return result


def test_its_numbers_stay_what_they_are() -> None:
    assert acceptability_by_lm(list(GOLDEN), "cpu") == pytest.approx(list(GOLDEN.values()), abs=2e-3)


def head_of(weights: dict[str, Floats], states: Floats) -> float:
    """A logit of one sentence's states (tokens × layers × width), as the paper-and-pencil version of the head."""
    small = []
    for layer in range(states.shape[1]):
        rows = states[:, layer]
        normed = (rows - rows.mean(1, keepdims=True)) / np.sqrt(rows.var(1, keepdims=True) + 1e-5)
        normed = normed * weights[f"norms.{layer}.weight"] + weights[f"norms.{layer}.bias"]
        small.append(normed @ weights[f"each.{layer}.weight"].T + weights[f"each.{layer}.bias"])
    values = np.concatenate(small, 1)
    values = values * (1 + erf(values / math.sqrt(2))) / 2
    attention = np.exp(values @ weights["attention.weight"][0] + weights["attention.bias"])
    attended = (values * (attention / attention.sum())[:, None]).sum(0)
    pooled = np.concatenate([attended, values.max(0), values[-1]])
    hidden = np.maximum(weights["last.0.weight"] @ pooled + weights["last.0.bias"], 0)
    return float(weights["last.3.weight"][0] @ hidden + weights["last.3.bias"][0])


def one_by_one(texts: list[str]) -> list[float]:
    """By card and weights alone: no batches, no padding, all layers, and adapters that are not merged."""
    weights = {name: tensor.float() for name, tensor in load_file(LANGUAGE_WEIGHTS).items()}
    with nothing_runs():
        model, tokenizer = load_pretrained(ModelRole.BASE, locate(SMOLLM2, ModelRole.BASE), torch.float32)
    adapt(model, RANK, EVERY_OF_LLAMA, LOWEST)
    there = dict(model.named_parameters())
    with torch.no_grad():
        for name in (name for name in weights if name.startswith(ADAPTERS)):
            there[name.removeprefix(ADAPTERS)].copy_(weights[name])
    own = {
        name.removeprefix(HEAD): weight.double().numpy() for name, weight in weights.items() if name.startswith(HEAD)
    }
    (start,) = tokenizer("<|endoftext|>")["input_ids"]
    result = []
    for text in texts:
        ids = [start, *tokenizer(text + "\n", add_special_tokens=False)["input_ids"]]
        with torch.inference_mode():
            behind = model(input_ids=torch.tensor([ids]), output_hidden_states=True).hidden_states
        logit = head_of(own, np.stack([behind[layer][0, 1:].double().numpy() for layer in LAYERS], 1))
        result.append(1 / (1 + math.exp(-logit)))
    return result


def test_against_reading_one_text_at_a_time() -> None:
    slow = one_by_one(TEXTS)
    counted: list[int] = []
    assert acceptability_by_lm(TEXTS, "cpu", counted.append) == pytest.approx(slow, abs=1e-3)
    assert sum(counted) == len(TEXTS)
    assert np.ptp(slow) > 0.5


def test_how_a_text_is_written_does_not_matter() -> None:
    written, tokenised = "He tried, but his phone wasn't working.", "he tried , but his phone was n't working ."
    first, second = acceptability_by_lm([written, tokenised], "cpu")
    assert first == pytest.approx(second, abs=1e-6)


def test_a_text_without_a_token_and_no_text() -> None:
    assert 0 <= acceptability_by_lm([""], "cpu")[0] <= 1
    assert acceptability_by_lm([], "cpu").shape == (0,)


def test_the_revision_is_of_what_is_learnt(tmp_path: Path) -> None:
    assert section()["language_model"] == BUNDLED[SMOLLM2].at_revision
    assert section()["weights"]["sha256"].startswith(revision(LANGUAGE_WEIGHTS))
    with pytest.raises(ModelMissing, match="weights are missing"):
        revision(tmp_path / "language_model.safetensors")


def test_the_cards_figures_are_found_again(shared: Path) -> None:
    file = shared / "acceptability" / "in_domain_dev.tsv"
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    labels = np.array([row[1] == "1" for row in rows])
    probe_quality = measure(labels, acceptability_by_lm([row[3] for row in rows], "cpu"))
    stated = json.loads(CARD.read_text(encoding="utf-8"))[LANGUAGE_SECTION]["figures"]["in_domain"]
    assert probe_quality.n == stated["n"]
    # One sentence in five hundred may fall on the other side of .5.
    assert probe_quality.accuracy == pytest.approx(stated["accuracy"], abs=0.0025)
    assert probe_quality.mcc == pytest.approx(stated["mcc"], abs=0.01)


@pytest.mark.parametrize("part", ["held_out", "in_domain", "out_of_domain"])
@pytest.mark.parametrize("of", ["encoder", LANGUAGE_SECTION])
def test_what_users_read_are_the_cards_figures(part: str, of: str) -> None:
    card = json.loads(CARD.read_text(encoding="utf-8"))
    result = (card if of == "encoder" else card[LANGUAGE_SECTION])["figures"][part]
    low, high = result["mcc_95"]
    value, low, high = (f"{item:.3f}".removeprefix("0") for item in (result["mcc"], low, high))
    accuracy = f"{result['accuracy']:.3f}".removeprefix("0")
    assert f"{accuracy}, {value} ({low} to {high})" in (ROOT / "docs" / "results" / "papers.md").read_text(
        encoding="utf-8"
    )


def test_what_is_stored_is_what_the_card_says() -> None:
    weights = load_file(LANGUAGE_WEIGHTS)
    assert hashlib.sha256(LANGUAGE_WEIGHTS.read_bytes()).hexdigest() == section()["weights"]["sha256"]
    assert sum(weight.numel() for weight in weights.values()) == section()["parameters"]
    layers = {int(name.split("layers.")[1].split(".")[0]) for name in weights if name.startswith(ADAPTERS)}
    assert layers == set(range(LOWEST - 1, max(LAYERS)))
