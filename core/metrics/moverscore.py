"""MoverScore (Zhao et al. 2019): the least effort of moving a story's words to the reference's, exactly."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.metrics.base import Card, Option
from core.metrics.bertscore import NO_WEIGHT
from core.metrics.idf import WeightedMetric, idf_option

if TYPE_CHECKING:
    import torch

    from core.models.encoder import Embedding

LONGEST = 4000
"""n-grams of a text: the exact transport of longer ones would take minutes and gigabytes."""
ITERATIONS = 10_000_000


def transport(ours: NDArray[np.float64], theirs: NDArray[np.float64], distances: NDArray[np.float64]) -> float | None:
    """Earth mover's distance between two weightings, each scaled to 1, under `distances` (n × m).

    None where the solver stops short of the optimum.
    """
    import ot

    cost, log = ot.emd2(
        ours / ours.sum(),
        theirs / theirs.sum(),
        distances,
        numItermax=ITERATIONS,
        log=True,
        check_marginals=False,
    )
    return None if log["warning"] else float(cost)


@dataclass(frozen=True, slots=True)
class Grams:
    """The n-grams of a text that weigh something: unit `vectors` (n × d, float64) and `weights` (n), none of them 0."""

    vectors: "torch.Tensor"
    weights: NDArray[np.float64]


def distances(ours: "torch.Tensor", theirs: "torch.Tensor") -> NDArray[np.float64]:
    """Euclidean distances of unit vectors, each 0 to 2, between rows of `ours` (n × d) and `theirs` (m × d): n × m."""
    # In float64: the square root of a rounding error of float32 would show.
    result: NDArray[np.float64] = (2 - 2 * ours @ theirs.T).clamp_(min=0).sqrt_().numpy()
    return result


class MoverScore(WeightedMetric):
    """Words are first pieces with a letter or a digit; `order` of them in a row make an n-gram."""

    order: int
    speed = 17_000
    options = {
        **WeightedMetric.options,
        "idf": idf_option("references"),
        "form": Option(
            ("inverse", "one-minus"), "1 / (1 + distance), or 1 - distance: the order is the same", title="Score"
        ),
    }

    def pair(self, story: "Embedding", reference: "Embedding") -> float | str:
        """`inverse`: 0.33 to 1; `one-minus`: -1 to 1. Distances of unit vectors are 0 to 2."""
        ours = self.grams(story, "story")
        if isinstance(ours, str):
            return ours
        theirs = self.grams(reference, "reference")
        if isinstance(theirs, str):
            return theirs
        distance = transport(ours.weights, theirs.weights, distances(ours.vectors, theirs.vectors))
        if distance is None:
            return "the transport between story and reference could not be solved exactly"
        return 1 / (1 + distance) if self.chosen["form"] == "inverse" else 1 - distance

    def grams(self, item: "Embedding", name: str) -> Grams | str:
        """What of a text is moved, or why nothing is; `name` says which text it is."""
        import torch

        words = item.first_pieces & ~item.marks
        if not words.any():
            return f"the {name} has no word, only punctuation"
        # Picked by numpy: torch wakes a second thread even for a few words, and waits for it on a busy machine.
        picked = torch.from_numpy(item.vectors.numpy()[words]).double()
        vectors, weights = self._ngrams(picked, self.weights(item)[words])
        if not weights.any():
            return NO_WEIGHT.format(name)
        if np.count_nonzero(weights) > LONGEST:
            return f"the {name} has more than {LONGEST} words: set first_words to cut it"
        weighted = weights > 0
        return Grams(torch.from_numpy(vectors.numpy()[weighted]), weights[weighted])

    def _ngrams(
        self, vectors: "torch.Tensor", weights: NDArray[np.float64]
    ) -> "tuple[torch.Tensor, NDArray[np.float64]]":
        """Unit vectors of the n-grams, each the weighted mean of its words, and their summed weights."""
        import torch

        n = min(self.order, len(vectors))
        if n > 1:
            windows = np.lib.stride_tricks.sliding_window_view(weights, n)
            summed = sum(
                torch.from_numpy(windows[:, k].copy())[:, None] * vectors[k : len(vectors) - n + 1 + k]
                for k in range(n)
            )
            vectors, weights = torch.as_tensor(summed), windows.sum(1)
        # An n-gram of weight 0 has no direction; it is left out, and must not divide by 0 here.
        return vectors / vectors.norm(dim=-1, keepdim=True).clamp(min=1e-30), weights


class MoverScoreUnigrams(MoverScore):
    """Words are moved one by one."""

    name = "moverscore-1"
    order = 1
    card = Card(
        measures="How little the words of the story would have to move, in meaning, to become the human story's.",
        paper="Zhao et al. 2019; as used by UNION (2020), section 4.1 and Table 5.",
        blind_spots="It needs a reference, and a good story need not resemble it. Word order counts only as far as the "
        "encoder's vectors carry it; negation and logic hardly at all.",
    )


class MoverScoreBigrams(MoverScore):
    """Words are moved two at a time."""

    name = "moverscore-2"
    order = 2
    card = Card(
        measures="How little the two-word phrases of the story would have to move, in meaning, to become those of the "
        "human story.",
        paper=MoverScoreUnigrams.card.paper,
        blind_spots=MoverScoreUnigrams.card.blind_spots,
    )
