"""Acceptable sentences, told by the bundled language model, taught with CoLA: the stronger of the two classifiers that
Fabula brings along, but on the model that perplexity, Fp and UNION read with.

It has learnt from sentences as people write them, so a text without any capital is read as it would have been written.
"""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import expit

from core.models.catalogue import SMOLLM2, Role, locate
from core.perturb import acceptability
from core.stories import normalise
from core.tokens import Floats

LM_WEIGHTS = acceptability.FOLDER / "language_model.safetensors"
SECTION = "language_model"
"""Of the card."""


def acceptability_by_lm(
    texts: Sequence[str], device: str = "auto", done: Callable[[int], None] | None = None
) -> Floats:
    """P(acceptable) of each text, in input order, each in 0..1; `done` counts texts. Raises ModelMissing."""
    from core.models.acceptability import logits  # torch: the pages import this file
    from core.models.acceptability_lm import shipped_lm

    if not texts:
        return np.zeros(0)
    written = [normalise(text, "recased") if text == text.lower() else text for text in texts]
    found: Floats = expit(logits(*shipped_lm(locate(SMOLLM2, Role.BASE), device), written, done))
    return found


def revision() -> str:
    """Hash of the shipped weights, for names of filters. Raises ModelMissing where they are not there."""
    return acceptability.revision(LM_WEIGHTS)
