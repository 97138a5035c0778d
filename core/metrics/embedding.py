"""What metrics share that compare embeddings of a story and a reference."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from core.metrics.base import Need, Option
from core.metrics.referenced import REFERENCE_OPTIONS, Pair, Referenced
from core.models.catalogue import ModelRole

if TYPE_CHECKING:
    import torch

    from core.models.encoder import Embedding, Encoder

PAIRS_AT_ONCE, CHARACTERS_AT_ONCE = 256, 400_000
"""So many pairs' embeddings are held at a time, however many stories there are and however long."""
ROWS_AT_ONCE = 2048
"""Similarities of two long texts are computed so many rows at a time."""
NOTHING_TO_EMBED = "the {} has nothing that the encoder's vocabulary knows"

LAYER = Option(
    ("last",),
    "which layer's states stand for the pieces; 0 is the input embedding, -2 the last but one",
    "-?[0-9]{1,3}",
    "a layer's number",
)


class EmbeddingMetric(Referenced):
    """A metric of the contextual embeddings of both texts; a text is embedded once for all metrics of a run."""

    needs = frozenset({Need.REFERENCE, Need.MODEL})
    role = ModelRole.ENCODER
    speed = 25_000
    options = {"layer": LAYER, **REFERENCE_OPTIONS}

    def compare(self, pairs: Sequence[Pair], done: Callable[[int], None]) -> list[float | str]:
        """Embed both texts of each pair and compare them."""
        from core.models.devices.cpu import one_thread  # torch: the pages import this file and must stay light
        from core.models.runtime import encoder

        if not pairs:
            return []
        model = encoder(self.source, self.settings.device, self.settings.precision)
        layer = model.layer(self.chosen["layer"])
        self.prepare(model)
        results: list[float | str] = []
        for part in _parts(pairs):
            texts = list(dict.fromkeys(text.strip() for pair in part for text in pair))
            embeddings = dict(zip(texts, model.embed(texts, layer), strict=True))
            with one_thread():
                for story, reference in part:
                    results.append(self._one(embeddings[story.strip()], embeddings[reference.strip()]))
                    done(1)
        return results

    def _one(self, story: "Embedding", reference: "Embedding") -> float | str:
        if not story.content.any():
            return NOTHING_TO_EMBED.format("story")
        if not reference.content.any():
            return NOTHING_TO_EMBED.format("reference")
        return self.pair(story, reference)

    def prepare(self, model: "Encoder") -> None:
        """What has to be known before the first pair; a table of frequencies, for one."""

    @abstractmethod
    def pair(self, story: "Embedding", reference: "Embedding") -> float | str:
        """The number of one pair, both with at least one piece of content."""


def _parts(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """`pairs` in order, a few at a time; a pair longer than the limit is alone."""
    part: list[Pair] = []
    characters = 0
    for pair in pairs:
        length = len(pair[0]) + len(pair[1])
        if part and (len(part) == PAIRS_AT_ONCE or characters + length > CHARACTERS_AT_ONCE):
            yield part
            part, characters = [], 0
        part.append(pair)
        characters += length
    if part:
        yield part


def unit(vectors: "torch.Tensor") -> "torch.Tensor":
    """Rows scaled to length 1."""
    import torch

    return torch.nn.functional.normalize(vectors, dim=-1)


def best_matches(rows: "torch.Tensor", columns: "torch.Tensor") -> "tuple[torch.Tensor, torch.Tensor]":
    """The greatest cosine of each row with any column, and of each column with any row; both are unit vectors."""
    import torch

    of_rows, of_columns = [], torch.full((len(columns),), -2.0)
    for start in range(0, len(rows), ROWS_AT_ONCE):
        similarity = rows[start : start + ROWS_AT_ONCE] @ columns.T
        of_rows.append(similarity.amax(1))
        of_columns = torch.maximum(of_columns, similarity.amax(0))
    return torch.cat(of_rows), of_columns
