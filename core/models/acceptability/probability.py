"""Whether speakers of English would accept a sentence, by the two classifiers that Fabula trained on CoLA.

One stands on the bundled encoder: the metric `acceptability` reads it, and so does the filter of test sets, as it
shares no model with perplexity or Fp. The other is stronger, but stands on the bundled language model, which
perplexity, Fp and UNION read with.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from core.arrays import Floats
from core.models.catalogue import MINILM, SMOLLM2, ModelRole, locate
from core.stories import normalise


def acceptability(
    sentences: Sequence[str],
    device: str = "auto",
    precision: str = "float32",
    done: Callable[[int], None] | None = None,
) -> NDArray[np.float64]:
    """P(acceptable) of each sentence, in input order, each in 0..1; `done` counts sentences. Raises ModelMissing."""
    from core.models.acceptability.encoder import logits, shipped  # torch: the pages import this file

    if not sentences:
        return np.zeros(0)
    classifier = shipped(locate(MINILM, ModelRole.ENCODER), device, precision)
    result: NDArray[np.float64] = expit(logits(*classifier, sentences, done))
    return result


def acceptability_by_lm(
    texts: Sequence[str], device: str = "auto", done: Callable[[int], None] | None = None
) -> Floats:
    """P(acceptable) of each text by the language model, in input order, each in 0..1; `done` counts texts.

    It has learnt from sentences as people write them, so a text without any capital is read as it would have been
    written. Raises ModelMissing.
    """
    from core.models.acceptability.encoder import logits  # torch: the pages import this file
    from core.models.acceptability.language import shipped_lm

    if not texts:
        return np.zeros(0)
    written = [normalise(text, "recased") if text == text.lower() else text for text in texts]
    result: Floats = expit(logits(*shipped_lm(locate(SMOLLM2, ModelRole.BASE), device), written, done))
    return result
