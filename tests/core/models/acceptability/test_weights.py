"""The shipped classifier and its card."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from core.errors import ModelMissing
from core.home import ROOT
from core.metrics.acceptability import Acceptability
from core.models.acceptability import weights as module
from core.models.acceptability.probability import acceptability
from core.models.acceptability.weights import CARD, WEIGHTS, measure, revision

GOLDEN = {
    "The old man walked down to the harbour.": 0.9783,
    "The old man walked down to harbour the.": 0.1870,
    "They has never seen the boat.": 0.9762,
    "Who did you see the boat that bought?": 0.2338,
    "It was raining, so we stayed at home.": 0.9759,
}


def test_its_numbers_stay_what_they_are() -> None:
    assert acceptability(list(GOLDEN), "cpu") == pytest.approx(list(GOLDEN.values()), abs=2e-3)


def test_the_card_is_of_these_weights() -> None:
    card = json.loads(CARD.read_text(encoding="utf-8"))
    digest = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    assert card["weights"]["sha256"] == digest
    assert revision() == digest[:12]
    assert WEIGHTS.stat().st_size < 4_000_000


def test_the_cards_figures_are_found_again(shared: Path) -> None:
    file = shared / "acceptability" / "out_of_domain_dev.tsv"
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    labels = np.array([row[1] == "1" for row in rows])
    probe_quality = measure(labels, acceptability([row[3] for row in rows], "cpu"))
    stated = json.loads(CARD.read_text(encoding="utf-8"))["figures"]["out_of_domain"]
    assert probe_quality.n == stated["n"]
    # One sentence in five hundred may fall on the other side of .5.
    assert probe_quality.accuracy == pytest.approx(stated["accuracy"], abs=0.0025)
    assert probe_quality.mcc == pytest.approx(stated["mcc"], abs=0.01)


@pytest.mark.parametrize("part", ["in_domain", "out_of_domain"])
def test_what_users_read_are_the_cards_figures(part: str) -> None:
    figures = json.loads(CARD.read_text(encoding="utf-8"))["figures"][part]
    guide = (ROOT / "docs" / "metrics-alone.md").read_text(encoding="utf-8")
    for figure in (f"{figures['accuracy']:.3f}", f"{figures['mcc']:.3f}"):
        assert figure in Acceptability.card.blind_spots
        assert f"| {figure} |" in guide


def test_measure_against_counts_by_hand() -> None:
    probe_quality = measure(np.array([True, True, True, False]), np.array([0.9, 0.5, 0.1, 0.2]))
    assert probe_quality.accuracy == 0.75
    # tp 2, tn 1, fp 0, fn 1: (2*1 - 0*1) / sqrt(2 * 3 * 1 * 2)
    assert probe_quality.mcc == pytest.approx(2 / 12**0.5)
    assert measure(np.array([True, False]), np.array([0.9, 0.9])).mcc == 0


def test_nothing_to_judge_loads_nothing() -> None:
    assert acceptability([]).shape == (0,)


def test_missing_weights_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WEIGHTS", tmp_path / "weights.safetensors")
    with pytest.raises(ModelMissing, match=r"weights are missing \(.*weights\.safetensors\)"):
        revision()
