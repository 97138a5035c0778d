"""The regression on ratings: its features and its penalty against slow versions, and what it can learn."""

import numpy as np
import pytest

from core.arrays import Floats
from core.models.heads.regression import PENALTIES, compared, fit, left_out_error

RNG = np.random.default_rng(5)
PROMPTS = np.repeat(np.arange(12), 3)


def made(number: int = 36, width: int = 5) -> tuple[Floats, list[Floats]]:
    stories = RNG.normal(2, 3, (number, width))
    return stories, [RNG.normal(2, 3, (1 + i % 3, width)) for i in range(number)]


def slow_error(features: Floats, targets: Floats, penalty: float) -> float:
    """Each prompt from all others, fitted anew, with a level that is not shrunk."""
    error = 0.0
    for prompt in np.unique(PROMPTS):
        mine = prompt == PROMPTS
        inside, outside = features[~mine], features[mine]
        centre, level = inside.mean(0), targets[~mine].mean()
        gram = (inside - centre).T @ (inside - centre) / features.shape[1] + penalty * np.eye(features.shape[1])
        weights = np.linalg.solve(gram, (inside - centre).T @ (targets[~mine] - level)) / features.shape[1]
        error += float(np.square(targets[mine] - level - (outside - centre) @ weights).sum())
    return error / len(targets)


def test_features_are_means_over_references_of_four_parts() -> None:
    stories, references = made()
    mean, deviation = np.full(5, 2.0), np.full(5, 3.0)
    result = compared(stories, references, mean, deviation)
    assert result.shape == (36, 20)
    u, some = (stories[4] - 2) / 3, (references[4] - 2) / 3
    wanted = np.mean([[*u, *v, *np.abs(u - v), *(u * v)] for v in some], axis=0)
    np.testing.assert_allclose(result[4], wanted)


@pytest.mark.parametrize("penalty", [PENALTIES[0], 0.3, PENALTIES[-1]])
def test_leaving_out_a_prompt_needs_no_new_fit(penalty: float) -> None:
    stories, references = made()
    features = compared(stories, references, stories.mean(0), stories.std(0))
    targets = RNG.normal(0, 1, 36)
    targets -= targets.mean()
    centred = features - features.mean(0)
    values, vectors = np.linalg.eigh(centred @ centred.T / features.shape[1])
    quick = left_out_error(np.maximum(values, 0), vectors, targets, PROMPTS, penalty)
    assert quick == pytest.approx(slow_error(features, targets, penalty), rel=1e-6)


def test_the_penalty_with_the_least_error_is_taken_and_predicts_what_a_slow_ridge_does() -> None:
    stories, references = made()
    judgments = (
        3 + stories[:, 0] - 0.5 * np.array([reference[:, 1].mean() for reference in references]) + RNG.normal(0, 1, 36)
    )
    regression, penalty = fit(stories, references, judgments, PROMPTS)
    features = compared(stories, references, regression.mean, regression.deviation)
    targets = (judgments - judgments.mean()) / judgments.std()
    assert penalty == min(PENALTIES, key=lambda value: slow_error(features, targets, value))
    centred = features - features.mean(0)
    width = features.shape[1]
    gram = centred.T @ centred / width + penalty * np.eye(width)
    slow = judgments.mean() + centred @ np.linalg.solve(gram, centred.T @ (judgments - judgments.mean())) / width
    quick = [regression.predict(story, some) for story, some in zip(stories, references, strict=True)]
    np.testing.assert_allclose(quick, slow, atol=1e-8)
    assert np.corrcoef(quick, judgments)[0, 1] > 0.9


def test_equal_judgments_give_that_judgment() -> None:
    stories, references = made()
    regression, _ = fit(stories, references, np.full(36, 2.5), PROMPTS)
    assert regression.predict(stories[0], references[0]) == pytest.approx(2.5)
