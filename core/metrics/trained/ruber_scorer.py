"""Scores continuations of contexts by a trained RUBER: logits of P(related)."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from core.checkpoints.backbone import check_base, check_kind
from core.checkpoints.checkpoint import Checkpoint, load
from core.checkpoints.kinds import RUBER, Embeddings
from core.errors import InputError
from core.models.catalogue import ModelSource
from core.models.concurrency import loaded_once
from core.models.heads.ruber import RuberHead
from core.models.heads.ruber_published import highest, ruber_head_of
from core.models.network import resolve_device
from core.models.runtime import trunk
from core.models.static import embedded
from core.stories import as_read

PAIRS_AT_ONCE = 64


class RuberScorer:
    """A checkpoint of the kind "ruber", with its base, ready to score."""

    def __init__(
        self, checkpoint: Checkpoint, base: ModelSource, device: str = "auto", precision: str = "float32"
    ) -> None:
        """Raises InputError where the checkpoint is of another kind, or was trained on another base."""
        card = checkpoint.card
        check_kind(card, RUBER, "a RUBER")
        check_base(card, base)
        self.layers = tuple(card.options["layers"])
        self.embeddings = Embeddings(card.options["embeddings"])
        self.normalisation, self.words = str(card.options["normalisation"]), int(card.options["words"])
        self.head = ruber_head_of(checkpoint.weights())
        # A base that stays as it is reads a text once for all checkpoints that stand on it.
        self.trunk = trunk(base, self.layers or (1,), resolve_device(device), precision)

    def logits(
        self,
        pairs: Sequence[tuple[str, str]],
        done: Callable[[int], None] | None = None,
        words: int | None = None,
    ) -> NDArray[np.float64]:
        """Of each context with its continuation, as they were written, in input order; `done` counts pairs.

        `words`: continuations are cut within so many, 0 for not at all, None for as in the training.
        """
        words = self.words if words is None else words
        results = []
        for begin in range(0, len(pairs), PAIRS_AT_ONCE):
            part = [
                (as_read(context, self.normalisation, 0), as_read(rest, self.normalisation, words))
                for context, rest in pairs[begin : begin + PAIRS_AT_ONCE]
            ]
            texts = list(dict.fromkeys(text for pair in part for text in pair))
            read = dict(zip(texts, self._read(texts), strict=True))
            for context, rest in part:
                results.append(self._logit(read[context], read[rest]))
                if done:
                    done(1)
        return np.array(results, dtype=np.float64)

    def _read(self, texts: Sequence[str]) -> list[torch.Tensor]:
        """Return each text's vector or, for a head over words, its pieces."""
        if self.embeddings is Embeddings.WORDS:
            return embedded(self.trunk, texts)
        readings = self.trunk.read_once(texts)
        if isinstance(self.head, RuberHead):
            return [reading.layers.flatten() for reading in readings]
        return [highest(reading.pieces) for reading in readings]

    def _logit(self, context: torch.Tensor, rest: torch.Tensor) -> float:
        """One pair at a time, so that nothing depends on a batch; the head is small."""
        with torch.inference_mode():
            if self.embeddings is Embeddings.WORDS:
                return float(self.head(self.head.contexts([context]), self.head.rests([rest])))
            return float(self.head(context[None], rest[None]))


@loaded_once(4)
def ruber_scorer(folder: Path, weights: str, base: ModelSource, device: str, precision: str) -> RuberScorer:
    """The RUBER in a folder, loaded once as long as its weights (their hash) stay the same."""
    result = load(folder)
    if result.card.weights != weights:
        raise InputError(f"The checkpoint in {folder} has just been replaced by another one: try again.")
    return RuberScorer(result, base, device, precision)
