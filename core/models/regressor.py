"""BLEURT checkpoints: a sequence classifier with one output that reads a reference and a story."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.errors import ModelMissing
from core.models.catalogue import ModelRole, ModelSource
from core.models.network import Network, by_tokens
from core.models.sequence_pair import Pair, PairIds, encode_pairs, padded


@dataclass(frozen=True, slots=True)
class _Part:
    """All of a pair, or a part of it, as the model reads it; `weight`: words of the story in it."""

    pair: int
    ids: list[int]
    types: list[int]
    weight: int


def _cut(units: list[str], count: int, glue: str) -> list[str]:
    """`units` (words, or characters) in `count` parts of equal length, as texts; too few of them go into every part."""
    if len(units) < count:
        return [glue.join(units)] * count
    ends = [len(units) * k // count for k in range(count + 1)]
    return [glue.join(units[a:b]) for a, b in pairwise(ends)]


class Regressor(Network):
    """A BLEURT checkpoint (Sellam et al. 2020) in the form that transformers' sequence classifiers have."""

    role = ModelRole.REGRESSOR

    def __init__(self, source: ModelSource, device: str = "cpu", precision: str = "float32") -> None:
        """Load what `catalogue.locate` found; raises ModelMissing where it has not exactly one output."""
        super().__init__(source, device, precision)
        outputs = int(self.model.config.num_labels)
        if outputs != 1:
            raise ModelMissing(
                f"{source.name} is a classifier with {outputs} outputs; a BLEURT checkpoint has one: choose another."
            )

    def ratings(self, pairs: Sequence[Pair], done: Callable[[int], None]) -> list[float]:
        """The rating of each (story, reference), in input order.

        A pair longer than the model can read is cut into as few parts as needed: the first part of the reference
        goes with the first of the story, and so on; their ratings are averaged, weighted by the story's words.
        """
        parts = [part for i, pair in enumerate(pairs) for part in self._parts(i, *pair)]
        sums, weights, left = [0.0] * len(pairs), [0] * len(pairs), [0] * len(pairs)
        for part in parts:
            left[part.pair] += 1
        for batch in by_tokens([len(part.ids) for part in parts], self.budget):
            chosen = [parts[i] for i in batch]
            for part, rating in zip(chosen, self.run(self._forward, chosen), strict=True):
                sums[part.pair] += part.weight * rating
                weights[part.pair] += part.weight
                left[part.pair] -= 1
                if not left[part.pair]:
                    done(1)
        return [total / weight for total, weight in zip(sums, weights, strict=True)]

    def _parts(self, pair: int, story: str, reference: str) -> list[_Part]:
        parts = self._encode(pair, [(story, reference)])
        ours, theirs, glue = story.split(), reference.split(), " "
        count = 1
        while max(len(part.ids) for part in parts) > self.positions:
            if count > len(ours) + len(theirs):
                if not glue:
                    raise ModelMissing(f"{self.source.name} reads {self.positions} pieces, too few for a character.")
                # A text without spaces, as Chinese is, or a word without end.
                ours, theirs, glue, count = list(story), list(reference), "", 1
            # At least as many parts as the pieces need; more where words are uneven.
            count = max(count + 1, -(-max(len(part.ids) for part in parts) * count // self.positions))
            parts = self._encode(pair, list(zip(_cut(ours, count, glue), _cut(theirs, count, glue), strict=True)))
        return parts

    def _encode(self, pair: int, texts: list[Pair]) -> list[_Part]:
        encoded = encode_pairs(self.tokenizer, texts)
        return [
            _Part(pair, row.ids, row.types, max(1, len(story.split())))
            for row, (story, _) in zip(encoded, texts, strict=True)
        ]

    def _forward(self, parts: list[_Part]) -> list[float]:
        inputs = padded(self.tokenizer, [PairIds(part.ids, part.types) for part in parts], self.device)
        result: list[float] = self.model(**inputs).logits[:, 0].float().tolist()
        return result
