"""Matched and pooled vectors against slow, obvious versions."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import Floats
from core.metrics.base import Kind, Need, Settings
from core.metrics.embedding import EmbeddingMetric, best_matches, unit
from core.metrics.pooling import GreedyMatching, RuberReferenced, VectorAverage, VectorExtrema, extrema
from core.models.catalogue import ModelRole, locate
from core.models.encoder import Encoder
from core.models.runtime import encoder
from core.stories import Story
from tests.core.models.tiny import mans_stories


def cosine(a: Floats, b: Floats) -> float:
    return float(a @ b / math.sqrt(a @ a) / math.sqrt(b @ b))


def slow_greedy(a: Floats, b: Floats) -> float:
    there = [max(cosine(x, y) for y in b) for x in a]
    back = [max(cosine(x, y) for x in a) for y in b]
    return (sum(there) / len(there) + sum(back) / len(back)) / 2


def slow_extrema(a: Floats) -> Floats:
    """The maximum of a dimension where it exceeds the absolute minimum, else the minimum."""
    return np.array([max(column) if max(column) > abs(min(column)) else min(column) for column in a.T.tolist()])


def slow_ruber(a: Floats, b: Floats) -> float:
    return cosine(*(np.array([*(max(c) for c in m.T), *(min(c) for c in m.T)]) for m in (a, b)))


SLOW = {
    GreedyMatching: slow_greedy,
    VectorAverage: lambda a, b: cosine(a.mean(0), b.mean(0)),
    VectorExtrema: lambda a, b: cosine(slow_extrema(a), slow_extrema(b)),
    RuberReferenced: slow_ruber,
}


@pytest.fixture(scope="module")
def model() -> Encoder:
    return encoder(locate(None, ModelRole.ENCODER), "cpu", "float32")


def values(metric: type[EmbeddingMetric], *stories: Story, **options: str) -> np.ndarray:
    return metric(Settings(device="cpu", options=options)).score(stories).values


@pytest.mark.parametrize("metric", SLOW)
def test_real_stories_equal_the_slow_version(metric: type[EmbeddingMetric], model: Encoder, shared: Path) -> None:
    stories = mans_stories(shared)[:: 10 if metric is GreedyMatching else 1]  # that one is slow indeed

    texts = [text for story in stories for text in (story.text, *story.references)]
    read = dict(zip(texts, model.embed(texts, 6), strict=True))

    def content(text: str) -> Floats:
        return read[text].vectors[1:-1].double().numpy()

    expected = [SLOW[metric](content(s.text), content(s.references[0])) for s in stories]
    np.testing.assert_allclose(values(metric, *stories), expected, atol=1e-6, rtol=0)
    assert np.ptp(expected) > 0.1


def test_extrema_by_hand() -> None:
    #         greater maximum   greater minimum   a tie keeps the minimum   all below 0   all above 0
    vectors = [[3.0, 1.0, -2.0, -1.0, 1.0], [-2.0, -5.0, 2.0, -4.0, 6.0], [0.0, 4.0, 1.0, -2.0, 2.0]]
    assert extrema(torch.tensor(vectors)).tolist() == [3.0, -5.0, -2.0, -4.0, 6.0]


@given(st.lists(st.lists(st.integers(-3, 3), min_size=4, max_size=4), min_size=1, max_size=6))
def test_extrema_equal_the_slow_version(rows: list[list[int]]) -> None:
    matrix = np.array(rows, dtype=np.float64)
    assert extrema(torch.from_numpy(matrix)).tolist() == slow_extrema(matrix).tolist()


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 1000))
def test_best_matches_equal_a_full_table(n: int, m: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    rows, columns = (unit(torch.randn((count, 3), generator=generator)) for count in (n, m))
    table = rows @ columns.T
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.metrics.embedding.ROWS_AT_ONCE", 2)
        of_rows, of_columns = best_matches(rows, columns)
    torch.testing.assert_close(of_rows, table.amax(1))
    torch.testing.assert_close(of_columns, table.amax(0))


@pytest.mark.parametrize("metric", SLOW)
def test_a_story_equal_to_its_reference_is_perfect(metric: type[EmbeddingMetric]) -> None:
    for text in ("she ran home .", "!", "x", "🦊"):
        assert values(metric, Story(text, references=(text,)))[0] == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("metric", SLOW)
def test_neither_side_is_first(metric: type[EmbeddingMetric]) -> None:
    name, other = "she ran to the old house .", "a girl walked ."
    there, back = values(metric, Story(name, references=(other,)), Story(other, references=(name,)))
    assert there == pytest.approx(back, abs=1e-6)
    assert there < 0.95


@pytest.mark.parametrize("metric", SLOW)
def test_several_references_and_none(metric: type[EmbeddingMetric]) -> None:
    text, near, far = "she ran to the old house .", "a girl walked home .", "the stock market fell ."
    each = values(metric, Story(text, references=(near,)), Story(text, references=(far,)))
    both = Story(text, references=(near, far))
    assert values(metric, both)[0] == pytest.approx(each.max(), abs=1e-6)
    assert values(metric, both, references="mean")[0] == pytest.approx(each.mean(), abs=1e-6)
    scores = metric(Settings(device="cpu")).score([Story(""), Story(text), Story("​", references=(near,)), both])
    assert scores.reasons == {
        0: "the story is empty",
        1: "the prompt has no human story to compare with",
        2: "the story has nothing that the encoder's vocabulary knows",
    }


@pytest.mark.parametrize("metric", SLOW)
def test_signature_and_needs(metric: type[EmbeddingMetric]) -> None:
    assert metric(Settings(options={"layer": "-2"})).signature == (
        f"{metric.name}|model:all-minilm-l6-v2@0.1.0|dtype:float32"
        "|first_words:all|layer:-2|normalisation:raw|references:max|v:1"
    )
    assert (metric.kind, metric.needs) == (Kind.REFERENCED, {Need.REFERENCE, Need.MODEL})
