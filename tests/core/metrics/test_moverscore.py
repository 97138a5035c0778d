"""MoverScore: the transport against a general linear program, n-grams against a slow loop."""

import math
import random
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog

from core.metrics import moverscore
from core.metrics.base import Settings
from core.metrics.moverscore import MoverScore, MoverScoreBigrams, MoverScoreUnigrams, transport
from core.models.catalogue import ModelRole, locate
from core.models.encoder import Embedding, Encoder
from core.models.runtime import encoder
from core.stories import Story
from tests.core.models.tiny import mans_stories

BOTH = (MoverScoreUnigrams, MoverScoreBigrams)
STORY = Story("she ran to the old house .", references=("a girl walked home .", "the stock market fell ."))


@pytest.fixture(scope="module")
def model() -> Encoder:
    return encoder(locate(None, ModelRole.ENCODER), "cpu", "float32")


def build(metric: type[MoverScore], corpus: tuple[str, ...] = (), **options: str) -> MoverScore:
    return metric(Settings(device="cpu", options={"idf": "no", **options}, corpus=lambda: corpus))


def values(metric: type[MoverScore], *stories: Story, corpus: tuple[str, ...] = (), **options: str) -> np.ndarray:
    return build(metric, corpus, **options).score(stories).values


def exact(ours: NDArray[np.float64], theirs: NDArray[np.float64], distances: NDArray[np.float64]) -> float:
    """The definition: least total of flow times distance, where all that is there leaves and arrives."""
    n, m = distances.shape
    leave = np.kron(np.eye(n), np.ones(m))
    arrive = np.kron(np.ones(n), np.eye(m))
    result = linprog(
        distances.ravel(),
        A_eq=np.vstack([leave, arrive]),
        b_eq=np.concatenate([ours / ours.sum(), theirs / theirs.sum()]),
        method="highs",
    )
    assert result.status == 0
    return float(result.fun)


def slow_ngrams(one: Embedding, weights: NDArray[np.float64], order: int) -> list[tuple[NDArray[np.float64], float]]:
    """Unit vectors and weights of the n-grams of words, one after another."""
    words = [
        (vector.astype(np.float64), float(weight))
        for vector, weight, first, mark in zip(one.vectors.numpy(), weights, one.first_pieces, one.marks, strict=True)
        if first and not mark
    ]
    order = min(order, len(words))
    result = []
    for i in range(len(words) - order + 1):
        part = words[i : i + order]
        total = sum(weight for _, weight in part)
        if total > 0:
            vector = sum(weight * vector for vector, weight in part) if order > 1 else part[0][0]
            result.append((vector / np.linalg.norm(vector), total))
    return result


def slow_distance(metric: MoverScore, model: Encoder, story: str, reference: str) -> float:
    layer = model.layer("last")
    metric.prepare(model)
    sides = [
        slow_ngrams(embedding, metric.weights(embedding), metric.order)
        for embedding in model.embed([story, reference], layer)
    ]
    distances = np.array([[np.linalg.norm(a - b) for b, _ in sides[1]] for a, _ in sides[0]])
    return exact(*(np.array([weight for _, weight in side]) for side in sides), distances)


@pytest.mark.parametrize("metric", BOTH)
def test_two_hundred_real_stories_equal_the_exact_program(
    metric: type[MoverScore], model: Encoder, shared: Path
) -> None:
    """Slow vectors, slow distances, a general solver; every second pair under each weighting."""
    stories = mans_stories(shared)
    corpus = tuple(story.references[0] for story in stories)
    for part, idf in ((stories[::2], "no"), (stories[1::2], "references")):
        chosen = build(metric, corpus, idf=idf)
        # Some thirty words: the program grows with their product.
        cut = [Story(" ".join(s.text.split()[:30]), references=(" ".join(s.references[0].split()[:30]),)) for s in part]
        model.embed([text for s in cut for text in (s.text, *s.references)], 6)  # read together, remembered
        expected = [1 / (1 + slow_distance(chosen, model, s.text, s.references[0])) for s in cut]
        np.testing.assert_allclose(chosen.score(cut).values, expected, atol=1e-6, rtol=0)
        assert np.ptp(expected) > 0.02


# The general solver is exact to 1e-7 only, which a weight must not come near.
WEIGHTS = st.lists(st.floats(0.001, 10) | st.just(0.0), min_size=1, max_size=7).filter(any)


@settings(deadline=None)
@given(WEIGHTS, WEIGHTS, st.integers(0, 2**31 - 1))
def test_transport_equals_the_exact_program(ours: list[float], theirs: list[float], seed: int) -> None:
    a, b = np.array(ours), np.array(theirs)
    distances = np.random.default_rng(seed).random((len(a), len(b))) * 2
    assert transport(a, b, distances) == pytest.approx(exact(a, b, distances), abs=1e-6)


def test_transport_by_hand() -> None:
    ones = np.ones(2)
    assert transport(ones, ones, np.array([[0.0, 1.0], [1.0, 0.0]])) == 0
    # A quarter of all must go the way of length 2: weights are shares.
    result = transport(np.array([3.0, 1.0]), np.array([5.0, 5.0]), np.array([[0.0, 2.0], [2.0, 0.0]]))
    assert result == pytest.approx(0.5)


@pytest.mark.parametrize("metric", BOTH)
def test_identical_texts_are_at_no_distance(metric: type[MoverScore]) -> None:
    for text in (STORY.text, "x", "overcrowdedness", "🦊 ran", "it went out . " * 60):
        story = Story(text, references=(text,))
        (distance,) = 1 / values(metric, story) - 1
        assert 0 <= distance < 1e-6
        # Marks are no words: they neither help nor harm.
        assert values(metric, story, form="one-minus")[0] == pytest.approx(1, abs=1e-6)


def test_forms_are_of_one_distance_and_of_the_same_order() -> None:
    alone = [Story(STORY.text, references=(reference,)) for reference in STORY.references]
    for metric in BOTH:
        inverse, minus = values(metric, *alone), values(metric, *alone, form="one-minus")
        np.testing.assert_allclose(1 / inverse - 1, 1 - minus, atol=1e-12)
        assert inverse[0] > inverse[1] + 0.01
        assert minus[0] > minus[1]
        assert values(metric, STORY)[0] == inverse[0]
        assert values(metric, STORY, references="mean")[0] == pytest.approx(inverse.mean(), abs=1e-12)


def test_marks_between_words_are_not_moved(model: Encoder) -> None:
    """What is left of both texts without the full stop's own vector: the words' vectors are as the encoder has them."""
    chosen = build(MoverScoreUnigrams)
    story, reference = "she ran , home !", "a girl ( walked ) ."
    embedding, other = model.embed([story, reference], 6)
    assert (embedding.first_pieces & ~embedding.marks).sum() == 3
    assert (other.first_pieces & ~other.marks).sum() == 3
    expected = 1 / (1 + slow_distance(chosen, model, story, reference))
    assert values(MoverScoreUnigrams, Story(story, references=(reference,)))[0] == pytest.approx(expected, abs=1e-6)


def test_ngrams_by_hand() -> None:
    """Each the weighted mean of its words, scaled to length 1, with the sum of their weights."""
    vectors, weights = torch.eye(3, dtype=torch.float64), np.array([3.0, 4.0, 0.0])
    grams, sums = build(MoverScoreBigrams)._ngrams(vectors, weights)
    np.testing.assert_allclose(grams.numpy(), [[0.6, 0.8, 0], [0, 1, 0]], atol=1e-12)
    assert sums.tolist() == [7, 4]
    grams, sums = build(MoverScoreUnigrams)._ngrams(vectors, weights)
    np.testing.assert_allclose(grams.numpy(), np.eye(3), atol=1e-12)
    assert sums.tolist() == [3, 4, 0]


def test_a_single_word_beside_bigrams(model: Encoder) -> None:
    story = Story("overcrowdedness", references=("she ran home",))
    expected = 1 / (1 + slow_distance(build(MoverScoreBigrams), model, story.text, story.references[0]))
    assert values(MoverScoreBigrams, story)[0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("metric", BOTH)
@pytest.mark.parametrize(
    ("story", "reason"),
    [
        (Story("", references=("a",)), "the story is empty"),
        (Story("a"), "the prompt has no human story to compare with"),
        (Story("a", references=(" ",)), "the reference is empty"),
        (Story("... !", references=("a",)), "the story has no word, only punctuation"),
        (Story("a", references=("?",)), "the reference has no word, only punctuation"),
        (Story("​", references=("a",)), "the story has nothing that the encoder's vocabulary knows"),
    ],
)
def test_undefined(metric: type[MoverScore], story: Story, reason: str) -> None:
    scores = build(metric).score([STORY, story])
    assert scores.reasons == {1: reason}
    assert math.isnan(scores.values[1])
    assert scores.values[0] > 0.3


@pytest.mark.parametrize("metric", BOTH)
def test_words_of_no_weight_are_left_out(metric: type[MoverScore]) -> None:
    """`the` is in every text of the corpus: it can be put in anywhere, and a text of it alone has no weight at all."""
    corpus = ("the dog", "the cat", "the red house")
    story = Story("the the", references=("dog",))
    scores = build(metric, corpus, idf="references").score([story, Story("dog", references=("the",))])
    assert scores.reasons == {
        0: "every piece of the story is in all texts of the idf corpus, so that none has a weight",
        1: "every piece of the reference is in all texts of the idf corpus, so that none has a weight",
    }
    assert np.isfinite(
        build(metric, corpus, idf="references")
        .score([Story("the the the dog", references=("the cat the the",))])
        .values
    ).all()


@pytest.mark.parametrize("metric", BOTH)
def test_a_text_of_too_many_words_says_so(metric: type[MoverScore], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moverscore, "LONGEST", 5)
    words = 5 if metric.order == 1 else 6  # so many words make five n-grams
    fits, long = " ".join(["dog"] * words), " ".join(["dog"] * (words + 1))
    stories = [Story(long, references=(fits,)), Story(fits, references=(long,)), Story(fits, references=(fits,))]
    scores = build(metric).score(stories)
    assert scores.reasons == {
        0: "the story has more than 5 words: set first_words to cut it",
        1: "the reference has more than 5 words: set first_words to cut it",
    }
    assert scores.values[2] == pytest.approx(1, abs=1e-6)
    assert build(metric, first_words=str(words)).score(stories).reasons == {}


def test_batch_and_order_move_nothing(model: Encoder, shared: Path) -> None:
    stories = mans_stories(shared)[:10]
    corpus = tuple(story.references[0] for story in stories)
    for metric in BOTH:
        together = values(metric, *stories, corpus=corpus, idf="references")
        alone = []
        for story in stories[::-1]:
            model._memory.clear()
            alone.append(values(metric, story, corpus=corpus, idf="references")[0])
        np.testing.assert_allclose(alone[::-1], together, atol=1e-5, rtol=0)


def test_a_distance_depends_on_neither_side_being_first() -> None:
    rng = random.Random(1)
    words = ["dog", "ran", "house", "unbelievable", "old"]
    for metric in BOTH:
        name, other = (" ".join(rng.choice(words) for _ in range(n)) for n in (5, 9))
        there, back = values(metric, Story(name, references=(other,)), Story(other, references=(name,)))
        assert there == pytest.approx(back, abs=1e-9)


def test_signature() -> None:
    assert MoverScoreBigrams(Settings(corpus=lambda: ["a"])).signature == (
        "moverscore-2|model:all-minilm-l6-v2@0.1.0|dtype:float32"
        f"|first_words:all|form:inverse|idf:references@{MoverScoreBigrams(Settings(corpus=lambda: ['a'])).fingerprint}"
        "|layer:last|normalisation:raw|references:max|v:1"
    )
