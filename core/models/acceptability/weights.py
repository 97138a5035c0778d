"""What ships with the acceptability classifiers: weights, their card, and their accuracy on CoLA."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import ModelMissing
from core.home import ROOT

FOLDER = ROOT / "data" / "acceptability"
WEIGHTS, CARD = FOLDER / "weights.safetensors", FOLDER / "card.json"
LANGUAGE_WEIGHTS = FOLDER / "language_model.safetensors"
LANGUAGE_SECTION = "language_model"
"""Of the card: the classifier on the bundled language model."""
ACCEPTED = 0.5


@dataclass(frozen=True)
class ProbeQuality:
    """How well CoLA's labels are told: `accuracy` in 0..1, `mcc` (Matthews correlation) in -1..1, of `n` sentences."""

    accuracy: float
    mcc: float
    n: int


def measure(acceptable: NDArray[np.bool_], probabilities: NDArray[np.float64]) -> ProbeQuality:
    """Accuracy and Matthews correlation at a probability of .5; the correlation is 0 where one side is all the same."""
    accepted = probabilities >= ACCEPTED
    both = acceptable.std() > 0 and accepted.std() > 0
    mcc = float(np.corrcoef(acceptable, accepted)[0, 1]) if both else 0.0
    return ProbeQuality(float((acceptable == accepted).mean()), mcc, len(accepted))


def revision(weights: Path | None = None) -> str:
    """Hash of shipped weights, for signatures: the encoder's, if left out. Raises ModelMissing if they are missing."""
    file = weights or WEIGHTS
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    except OSError as error:
        raise ModelMissing(
            f"An acceptability classifier's weights are missing ({file}): get them from the repository again."
        ) from error


def card() -> dict[str, object]:
    """The shipped weights' recipe, data and figures, as `scripts/acceptability/build.py` wrote them."""
    content: dict[str, object] = json.loads(CARD.read_text(encoding="utf-8"))
    return content
