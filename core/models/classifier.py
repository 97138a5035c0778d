"""Classifiers of acceptable sentences: sequence classifiers with two outputs, trained on CoLA."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from core.errors import ModelMissing
from core.models.catalogue import ModelRole, ModelSource
from core.models.network import Network, by_tokens

ACCEPTABLE = 1
"""CoLA's label of a sentence that is."""


class Classifier(Network):
    """A classifier in the form that transformers' sequence classifiers have."""

    role = ModelRole.CLASSIFIER

    def __init__(self, source: ModelSource, device: str = "cpu", precision: str = "float32") -> None:
        """Load what `catalogue.locate` found; raises ModelMissing where it has not exactly two outputs."""
        super().__init__(source, device, precision)
        outputs = int(self.model.config.num_labels)
        if outputs != 2:
            raise ModelMissing(
                f"{source.name} is a classifier with {outputs} outputs; one of acceptable sentences has two: choose "
                "another."
            )

    def probabilities(self, sentences: Sequence[str], done: Callable[[int], None] | None = None) -> NDArray[np.float64]:
        """P(acceptable) of each sentence, 0..1, in input order; of one that is too long its beginning is read.

        `done` counts sentences.
        """
        result = np.zeros(len(sentences))
        pieces: list[list[int]] = []
        if sentences:
            limit = self.positions
            pieces = self.tokenizer(list(sentences), truncation=True, max_length=limit, verbose=False)["input_ids"]
        for batch in by_tokens([len(ids) for ids in pieces], self.budget):
            result[batch] = self.run(self._forward, [pieces[i] for i in batch])
            if done:
                done(len(batch))
        return result

    def _forward(self, part: list[list[int]]) -> list[float]:
        padding = int(self.tokenizer.pad_token_id or 0)
        tokens = torch.full((len(part), max(map(len, part))), padding, dtype=torch.long)
        mask = torch.zeros_like(tokens)
        for row, ids in enumerate(part):
            tokens[row, : len(ids)] = torch.tensor(ids)
            mask[row, : len(ids)] = 1
        logits = self.model(input_ids=tokens.to(self.device), attention_mask=mask.to(self.device)).logits.float()
        probabilities: list[float] = torch.softmax(logits, -1)[:, ACCEPTABLE].tolist()
        return probabilities
