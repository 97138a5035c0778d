"""Metrics that match or pool vectors: greedy matching, vector average and extrema, RUBER's referenced half."""

from typing import TYPE_CHECKING

from core.metrics.base import Card
from core.metrics.embedding import EmbeddingMetric, best_matches, unit

if TYPE_CHECKING:
    import torch

    from core.models.encoder import Embedding

BLIND_SPOTS = (
    "It needs a reference, and a good story need not resemble it. Much of what pooled vectors share is topic: order, "
    "negation and logic hardly count."
)


def _content(item: "Embedding") -> "torch.Tensor":
    return item.vectors[item.content]


def cosine(a: "torch.Tensor", b: "torch.Tensor") -> float:
    """Return the cosine of two vectors (d): -1 to 1."""
    import torch

    return float(torch.nn.functional.cosine_similarity(a.double(), b.double(), dim=0))


class GreedyMatching(EmbeddingMetric):
    """Mean over both directions of the best cosine of each piece; -1 to 1."""

    name = "greedy-matching"
    card = Card(
        "How close in meaning each word is to its best match in the other text, averaged over both directions.",
        "Rus and Lintean 2012; Liu et al. 2016; on contextual embeddings, as in OpenMEVA (2021), section 4.1.",
        BLIND_SPOTS,
    )

    def pair(self, story: "Embedding", reference: "Embedding") -> float:
        """Special pieces are left out."""
        matched, covered = best_matches(unit(_content(story)), unit(_content(reference)))
        return float(matched.double().mean() + covered.double().mean()) / 2


class VectorAverage(EmbeddingMetric):
    """Cosine of the mean vectors; -1 to 1."""

    name = "vector-average"
    card = Card(
        "How close in meaning story and human story are on average: the cosine of their mean vectors.",
        "Liu et al. 2016; on contextual embeddings.",
        BLIND_SPOTS,
    )

    def pair(self, story: "Embedding", reference: "Embedding") -> float:
        """Special pieces are left out."""
        return cosine(_content(story).double().mean(0), _content(reference).double().mean(0))


def extrema(vectors: "torch.Tensor") -> "torch.Tensor":
    """For each dimension the maximum where it exceeds the absolute minimum, else the minimum (Forgues et al. 2014)."""
    import torch

    high, low = vectors.amax(0), vectors.amin(0)
    return torch.where(high > low.abs(), high, low)


class VectorExtrema(EmbeddingMetric):
    """Cosine of the vectors of extreme values; -1 to 1."""

    name = "vector-extrema"
    card = Card(
        "How close the most striking words of story and human story are: the cosine of their extreme values.",
        "Forgues et al. 2014; Liu et al. 2016; on contextual embeddings.",
        BLIND_SPOTS,
    )

    def pair(self, story: "Embedding", reference: "Embedding") -> float:
        """Special pieces are left out."""
        return cosine(extrema(_content(story)), extrema(_content(reference)))


def maxima_and_minima(vectors: "torch.Tensor") -> "torch.Tensor":
    """Return the maxima of all dimensions over the pieces (p × d), then the minima (2·d; Tao et al. 2018, 3.1)."""
    import torch

    return torch.cat([vectors.amax(0), vectors.amin(0)])


class RuberReferenced(EmbeddingMetric):
    """Cosine of the concatenated maxima and minima; -1 to 1."""

    name = "ruber-r-bert"
    card = Card(
        "How close the pooled meaning of the story is to that of the human story: the referenced half of RUBER.",
        "Tao et al. 2018; with BERT, Ghazarian et al. 2019; UNION (2020), section 4.1.",
        BLIND_SPOTS,
    )

    def pair(self, story: "Embedding", reference: "Embedding") -> float:
        """Special pieces are left out."""
        return cosine(maxima_and_minima(_content(story)), maxima_and_minima(_content(reference)))
