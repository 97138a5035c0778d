"""Acceptable sentences, told by the encoder that was taught with CoLA and by the bundled language model together.

A logistic regression weighs the encoder's logit beside what the language model says of the tokens, by measures of Lau,
Clark and Lappin (2017, table 2): mean and least log-probability, the same less each token's log-frequency (their SLOR),
and length. It is fitted on single sentences, and all of these depend on length and on what stands before: of a longer
text they are taken of each sentence, read by itself, and the mean counts, beside the encoder's logit of all of it. The
coefficients stand in the card that `data/acceptability/build.py` writes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit

from core.models.catalogue import BUNDLED, SMOLLM2, Role, locate
from core.perturb import acceptability as encoder
from core.stories import sentences
from core.tokens import Floats, Ints

if TYPE_CHECKING:
    from core.models.language import LanguageModel
    from core.models.statistics import TokenStatistics

SECTION = "with_language_model"
"""Of the card."""
FEATURES = (
    "encoder's logit",
    "mean log-probability",
    "least log-probability",
    "mean log-probability less log-frequency",
    "least log-probability less log-frequency",
    "log of length",
)
AT_ONCE = 512
"""Texts that both models read before `done` hears of them."""


@dataclass(frozen=True)
class Weighing:
    """A logistic regression over FEATURES, each less its `mean` and by its `deviation`."""

    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    weights: tuple[float, ...]
    intercept: float

    def probabilities(self, rows: Floats) -> Floats:
        """P(acceptable), n, of features (n × 6)."""
        standardised = (rows - np.array(self.mean)) / np.array(self.deviation)
        found: Floats = expit(standardised @ np.array(self.weights) + self.intercept)
        return found


def log_frequency(ids: Ints) -> Floats:
    """Log-frequency of tokens (n) up to a constant, by Zipf's law: byte pairs were merged, and so numbered, from the
    most frequent to the rarest.
    """
    found: Floats = -np.log(ids + 1.0)
    return found


def of_tokens(read: TokenStatistics) -> Floats:
    """FEATURES but the first (5), of a sentence's tokens; all 0 where there is none."""
    if not len(read.ids):
        return np.zeros(len(FEATURES) - 1)
    less = read.log_p - log_frequency(read.ids)
    return np.array([read.log_p.mean(), read.log_p.min(), less.mean(), less.min(), np.log(len(read.ids))])


def of_texts(texts: Sequence[str], model: LanguageModel) -> list[Floats]:
    """FEATURES but the first, of each text the mean over its sentences; equal sentences are read once."""
    parts = [[text[start:end] for start, end in sentences(text)] or [text] for text in texts]
    unique = list(dict.fromkeys(sentence for each in parts for sentence in each))
    read = model.token_statistics([("", sentence) for sentence in unique], top=0)
    found = {sentence: of_tokens(one) for sentence, one in zip(unique, read, strict=True)}
    return [np.mean([found[sentence] for sentence in each], axis=0) for each in parts]


def read_features(texts: Sequence[str], device: str = "auto", done: Callable[[int], None] | None = None) -> Floats:
    """FEATURES (n × 6) of texts, in input order; `done` counts texts. Raises ModelMissing."""
    from core.models.runtime import language_model  # torch: the pages import this file

    rows = [np.zeros((0, len(FEATURES)))]
    for start in range(0, len(texts), AT_ONCE):
        some = texts[start : start + AT_ONCE]
        model = language_model(locate(SMOLLM2, Role.LANGUAGE), device, "float32")
        rows.append(np.column_stack([encoder.encoder_logits(some, device), of_texts(some, model)]))
        if done:
            done(len(some))
    return np.concatenate(rows)


def shipped_weighing() -> Weighing:
    """The coefficients in the card."""
    section: Any = encoder.card()[SECTION]
    kept = section["coefficients"]
    mean, deviation, weights = (
        tuple(kept[name][part] for name in FEATURES) for part in ("mean", "deviation", "weight")
    )
    return Weighing(mean, deviation, weights, section["intercept"])


def revision() -> str:
    """Hash of all that is learnt: the encoder's shipped weights, the coefficients. Raises ModelMissing."""
    parts = [encoder.revision(), BUNDLED[SMOLLM2].at_revision, asdict(shipped_weighing())]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]


def acceptability_with_lm(
    texts: Sequence[str], device: str = "auto", done: Callable[[int], None] | None = None
) -> Floats:
    """P(acceptable) of each text, in input order, each in 0..1; `done` counts texts. Raises ModelMissing."""
    return shipped_weighing().probabilities(read_features(texts, device, done))
