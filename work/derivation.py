"""Scores derived from stored ones, without reading a story."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.metrics.base import Derivation, Metric, Scores
from core.stories import Story
from db.scores import scores
from db.test_sets import set_scores


@dataclass(frozen=True)
class Known:
    """A derivation whose scores there are some of, in whatever study or test set: under the id of their signature."""

    signature_id: int
    derivation: Derivation


def known_derivations(metric: Metric) -> list[Known]:
    """The derivations of a metric that something has been scored under."""
    derivations = metric.derivations()
    ids = scores.signature_ids(derivation.signature for derivation in derivations) if derivations else {}
    return [Known(ids[derivation.signature], derivation) for derivation in derivations if derivation.signature in ids]


def follow(source: Known, stories: Mapping[str, Story]) -> tuple[list[str], Scores]:
    """Of these stories, by their content's hash, those whose scores follow from stored ones, and the scores."""
    hashes: list[str] = []
    results: list[float | str] = []
    for content_hash, (value, reason) in set_scores.stored_scores(source.signature_id, list(stories)).items():
        derived = reason if np.isnan(value) else source.derivation.of(stories[content_hash], value)
        if derived is not None:
            hashes.append(content_hash)
            results.append(derived)
    return hashes, Scores.collect(results)
