"""A regression on people's ratings over a frozen backbone: BLEURT's idea, small enough for one study.

BLEURT (Sellam et al. 2020, section 2) reads [reference, story] with BERT and learns a linear layer and all of BERT from
thousands of ratings. A study has hundreds: the base stays as it is and reads both apart, which are compared as sentence
encoders do (Conneau et al. 2017, section 3.1), and the layer is a ridge regression, whose penalty is chosen by leaving
out one prompt after another.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints

PENALTIES = tuple(float(item) for item in np.logspace(-2, 1.5, 15))
"""Beside features whose products with themselves are 1 on average."""


@dataclass(frozen=True)
class Regression:
    """`mean`, `deviation` (d): of what the base says of a text. `weights` (4·d), `bias`: of the features."""

    mean: Floats
    deviation: Floats
    weights: Floats
    bias: float

    def predict(self, story: Floats, references: Floats) -> float:
        """The rating of a story (d), by its references (m × d), on the study's own scale."""
        features = compared(story[None], [references], self.mean, self.deviation)
        return float(features[0] @ self.weights + self.bias)


def compared(stories: Floats, references: Sequence[Floats], mean: Floats, deviation: Floats) -> Floats:
    """Features (n × 4·d): story, reference, how far they are apart, their product; a mean over a story's references.

    `stories` (n × d), `references` (n times m × d); `mean`, `deviation` (d) bring what the base says to 0 and 1.
    """
    result = np.empty((len(stories), 4, stories.shape[1]))
    for row, story, some in zip(result, (stories - mean) / deviation, references, strict=True):
        beside = (some - mean) / deviation
        row[:] = story, beside.mean(0), np.abs(story - beside).mean(0), (story * beside).mean(0)
    return result.reshape(len(stories), -1)


def fit(stories: Floats, references: Sequence[Floats], judgments: Floats, prompts: Ints) -> tuple[Regression, float]:
    """The regression of these stories' judgments (n), and its penalty; arrays as in `compared`.

    `prompts`: the number of each story's. The penalty is the one with the least squared error where each prompt is
    predicted from all others.
    """
    texts = np.concatenate([stories, *references])
    mean, deviation = texts.mean(0), np.maximum(texts.std(0), 1e-6)
    features = compared(stories, references, mean, deviation)
    centre, level = features.mean(0), float(judgments.mean())
    features -= centre
    scale = features.shape[1]
    values, vectors = np.linalg.eigh(features @ features.T / scale)
    values = np.maximum(values, 0)
    spread = float(judgments.std()) or 1.0
    targets = (judgments - level) / spread
    penalty = min(PENALTIES, key=lambda value: left_out_error(values, vectors, targets, prompts, value))
    dual = vectors @ ((vectors.T @ targets) / (values + penalty))
    weights = features.T @ dual / scale * spread
    return Regression(mean, deviation, weights, level - float(centre @ weights)), penalty


def left_out_error(values: Floats, vectors: Floats, targets: Floats, prompts: Ints, penalty: float) -> float:
    """The mean squared error of predicting each prompt's targets from all other prompts'.

    `values`, `vectors`: of the centred products of the stories' features. Without fitting anew: what is predicted is
    linear in the targets, so those of a prompt are taken out by solving for its own block (Cook and Weisberg 1982,
    section 4.2.1).
    """
    shrunk = vectors * (values / (values + penalty))
    left = targets - shrunk @ (vectors.T @ targets) - targets.mean()
    error = 0.0
    order = np.argsort(prompts, kind="stable")
    for mine in np.split(order, np.flatnonzero(np.diff(prompts[order])) + 1):
        own = shrunk[mine] @ vectors[mine].T + 1 / len(targets)  # the last term is the level's
        error += float(np.square(np.linalg.solve(np.eye(len(mine)) - own, left[mine])).sum())
    return error / len(targets)
