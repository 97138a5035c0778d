"""BERTScore (Zhang et al. 2020): each piece of one text is matched with the most similar piece of the other.

Special pieces weigh nothing, but may be matched to, as in `bert-score`. A long text is embedded in windows.
"""

import csv
import hashlib
from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from core.errors import InputError
from core.files import text_of
from core.metrics.base import Card, Option
from core.metrics.embedding import best_matches, unit
from core.metrics.idf import WeightedMetric, idf_option
from core.models.text_cache import Memory
from core.stories import read_as

if TYPE_CHECKING:
    from core.models.encoder import Embedding, Encoder

NO_WEIGHT = "every piece of the {} is in all texts of the idf corpus, so that none has a weight"
BLIND_SPOTS = (
    "It needs a reference, and a good story need not resemble it. With the bundled encoder it is blind to negation and "
    "sees little of plot or logic; scores lie close together, so that only their order means something."
)
PAPER = "Zhang et al. 2020; as used by OpenMEVA (2021), section 4.1 and Table 11."

Triple = tuple[float, float, float]
_compared: Memory[tuple[object, ...], "Triple | str"] = Memory(8192)
"""The three numbers of the latest pairs: precision, recall and F1 cost one comparison."""


class BertScore(WeightedMetric):
    """Precision, recall and F1 of one comparison; a registered name is one of them."""

    options = {
        **WeightedMetric.options,
        "idf": idf_option("no"),
        "baseline": Option(
            ("no",),
            "rescale by what unrelated texts get, from a table in the form of bert-score's rescale_baseline files",
            "file:.+",
            "file:PATH, a CSV file with the columns LAYER,P,R,F",
        ),
    }

    def prepare(self, model: "Encoder") -> None:
        """Fit the idf table, and find the baseline of the layer."""
        super().prepare(model)
        self._state = (
            type(self)._triple,  # a metric of the user's own may compare or weigh otherwise
            type(self).weights,
            self.source,
            self.settings.precision,
            model.layer(self.chosen["layer"]),
            self.option_parts()["idf"],
            # The idf table depends on them, and equal pieces may come of unequal texts.
            read_as(self.chosen["normalisation"]),
            self.chosen["first_words"],
        )
        self._baseline = self._of_layer(model.layer(self.chosen["layer"]))

    def option_parts(self) -> dict[str, str]:
        """The options, with the hash of the baseline file."""
        parts = super().option_parts()
        if self.chosen["baseline"] != "no":
            parts["baseline"] = f"file@{hashlib.sha256(self._baseline_file.encode()).hexdigest()[:12]}"
        return parts

    @cached_property
    def _baseline_file(self) -> str:
        name = self.chosen["baseline"].partition(":")[2]
        return text_of(name, "baseline file")

    def _of_layer(self, layer: int) -> Triple:
        if self.chosen["baseline"] == "no":
            return (0.0, 0.0, 0.0)
        for row in csv.DictReader(self._baseline_file.splitlines()):
            try:
                if int(row["LAYER"]) == layer:
                    return float(row["P"]), float(row["R"]), float(row["F"])
            except (KeyError, TypeError, ValueError) as error:
                name = self.chosen["baseline"].partition(":")[2]
                raise InputError(
                    f"The baseline file {name} needs the columns LAYER, P, R and F with numbers."
                ) from error
        raise InputError(f"The baseline file has no row for layer {layer}.")

    def pair(self, story: "Embedding", reference: "Embedding") -> float | str:
        """Return the score of one pair: at most 1; without a baseline usually far above 0."""
        pieces = hashlib.sha256(story.ids.tobytes())
        pieces.update(b"|" + reference.ids.tobytes())
        key = (self._state, pieces.digest())
        result = _compared.get(key)
        if result is None:
            result = self._triple(story, reference)
            _compared.put(key, result)
        return (
            result
            if isinstance(result, str)
            else self.choose(tuple((x - b) / (1 - b) for x, b in zip(result, self._baseline, strict=True)))
        )

    def _triple(self, story: "Embedding", reference: "Embedding") -> "Triple | str":
        """Return precision, recall and F1 of two texts' embeddings, or why there are none."""
        import torch

        ours, theirs = self.weights(story), self.weights(reference)
        for weights, name in ((ours, "story"), (theirs, "reference")):
            if not weights.any():
                return NO_WEIGHT.format(name)
        matched, covered = best_matches(unit(story.vectors), unit(reference.vectors))
        precision = float(torch.dot(matched.double(), torch.from_numpy(ours)) / ours.sum())
        recall = float(torch.dot(covered.double(), torch.from_numpy(theirs)) / theirs.sum())
        both = precision + recall
        return precision, recall, 2 * precision * recall / both if both else 0.0

    @abstractmethod
    def choose(self, triple: "tuple[float, ...]") -> float:
        """Which of precision, recall and F1 the metric is."""


class BertScorePrecision(BertScore):
    """How well the pieces of the story are found in the reference."""

    name = "bertscore-p"
    card = Card(
        "How close in meaning each word of the story is to some word of the human story: precision.", PAPER, BLIND_SPOTS
    )

    def choose(self, triple: tuple[float, ...]) -> float:
        """Precision."""
        return triple[0]


class BertScoreRecall(BertScore):
    """How well the pieces of the reference are found in the story."""

    name = "bertscore-r"
    card = Card(
        "How close in meaning each word of the human story is to some word of the story: recall.", PAPER, BLIND_SPOTS
    )

    def choose(self, triple: tuple[float, ...]) -> float:
        """Recall."""
        return triple[1]


class BertScoreF1(BertScore):
    """The harmonic mean of both."""

    name = "bertscore-f1"
    card = Card(
        "How close in meaning the words of story and human story are: the harmonic mean of precision and recall.",
        PAPER,
        BLIND_SPOTS,
    )

    def choose(self, triple: tuple[float, ...]) -> float:
        """F1."""
        return triple[2]
