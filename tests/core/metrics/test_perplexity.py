"""Perplexity and Fp against the statistics of single tokens, and what their options change."""

import math

import numpy as np
import pytest

from core.errors import InputError
from core.metrics.base import Settings
from core.metrics.naturalness import Entropy, Fraction, TopTen
from core.metrics.perplexity import ExponentialPerplexity, LanguageModelMetric, Perplexity
from core.models.catalogue import ModelRole, locate
from core.models.language import LanguageModel
from core.models.runtime import language_model
from core.stories import Story
from tests.core.models.tiny import save
from tests.likelihoods import likelihoods

STORIES = [
    Story("she felt for the matches . there were none .", "the lamp went out ."),
    Story("x", "the lamp went out ."),
    Story("it rained 🦊 . " * 9, "it was [MALE] ' s day ."),
]
LONG = Story(" ".join(f"word{i} ." for i in range(60)), "one two three .")
FAMILY = (Perplexity, ExponentialPerplexity, Fraction, TopTen, Entropy)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Random weights, large enough that tokens differ, with a window of 32 tokens."""
    path = tmp_path_factory.mktemp("tiny")
    options = {"max_position_embeddings": 32, "num_key_value_heads": 2, "initializer_range": 0.5}
    return save(path, "LlamaForCausalLM", ModelRole.LANGUAGE, **options)


@pytest.fixture
def model(folder: str) -> LanguageModel:
    return language_model(locate(folder, ModelRole.LANGUAGE), "cpu", "float32")


def build(metric: type[LanguageModelMetric], folder: str, **options: str) -> LanguageModelMetric:
    return metric(Settings(model=folder, device="cpu", options=options))


def values(metric: type[LanguageModelMetric], folder: str, *stories: Story, **options: str) -> np.ndarray:
    return build(metric, folder, **options).score(stories).values


PAIRS = {
    "story-given-prompt": lambda story: (story.prompt, story.text.strip()),
    "story-alone": lambda story: ("", story.text.strip()),
    "prompt-and-story": lambda story: ("", f"{story.prompt} {story.text.strip()}"),
}


@pytest.mark.parametrize("of", PAIRS)
def test_each_is_a_mean_of_token_statistics(of: str, folder: str, model: LanguageModel) -> None:
    tokens = model.token_statistics([PAIRS[of](story) for story in STORIES])
    mean = np.array([token.log_p.mean() for token in tokens])
    assert values(Perplexity, folder, *STORIES, of=of) == pytest.approx(mean, abs=1e-5)
    assert values(ExponentialPerplexity, folder, *STORIES, of=of) == pytest.approx(-np.exp(-mean), rel=1e-4)
    fraction = np.array([token.fraction.mean() for token in tokens])
    assert values(Fraction, folder, *STORIES, of=of) == pytest.approx(-fraction, abs=1e-5)
    ten = np.array([(token.rank < 10).mean() for token in tokens])
    assert values(TopTen, folder, *STORIES, of=of) == pytest.approx(-ten, abs=1e-9)
    entropy = np.array([token.entropy.mean() for token in tokens])
    assert values(Entropy, folder, *STORIES, of=of) == pytest.approx(entropy, abs=1e-5)
    assert (fraction > 0).all()
    assert (fraction <= 1).all()


def test_of_changes_what_counts(folder: str) -> None:
    for metric in set(FAMILY) - {TopTen}:
        result = [values(metric, folder, STORIES[0], of=of)[0] for of in PAIRS]
        assert len({round(value, 6) for value in result}) == 3


def test_defaults_differ() -> None:
    """Perplexity is of the story given its prompt; Fp, as in its paper, of the text by itself."""
    assert Perplexity().chosen["of"] == ExponentialPerplexity().chosen["of"] == "story-given-prompt"
    assert Fraction().chosen["of"] == "story-alone"


def test_white_space_around_texts_does_not_count(folder: str) -> None:
    bare, spaced = Story("she ran .", "it rained ."), Story("\n she ran . ", " it rained .\n")
    for of in PAIRS:
        assert values(Perplexity, folder, bare, of=of) == values(Perplexity, folder, spaced, of=of)


@pytest.mark.parametrize(
    ("options", "window", "stride"),
    [
        ({}, 32, 16),
        ({"stride": "quarter"}, 32, 8),
        ({"stride": "5"}, 32, 5),
        ({"window": "20"}, 20, 10),
        ({"window": "20", "stride": "quarter"}, 20, 5),
        ({"window": "20", "stride": "19"}, 20, 19),
        ({"window": "3", "stride": "quarter"}, 3, 1),  # less than a token apart makes no sense
        ({"window": "512"}, 32, 16),  # more than the model can read: as many as it can
    ],
)
def test_windows_are_those_that_the_options_name(
    options: dict[str, str], window: int, stride: int, folder: str, model: LanguageModel
) -> None:
    (expected,) = likelihoods(model, [(LONG.prompt, LONG.text)], window=window, stride=stride)
    assert expected.tokens > 60
    assert values(Perplexity, folder, LONG, **options)[0] == pytest.approx(-expected.nll / expected.tokens, abs=1e-9)
    signature = build(Perplexity, folder, **options).signature
    assert f"|stride:{options.get('stride', 'half')}|window:{options.get('window', 'model')}|" in signature


def test_windows_make_a_difference(folder: str) -> None:
    result = [values(Perplexity, folder, LONG, window=w, stride=s)[0] for w in ("20", "32") for s in ("5", "16")]
    assert len({round(value, 6) for value in result}) == 4


@pytest.mark.parametrize(("window", "stride"), [("20", "20"), ("20", "300"), ("2", "2")])
def test_a_stride_that_would_skip_tokens_is_refused(window: str, stride: str, folder: str) -> None:
    with pytest.raises(InputError, match=f"^Windows of {window} tokens must begin between 1 and {int(window) - 1}"):
        values(Perplexity, folder, LONG, window=window, stride=stride)


@pytest.mark.parametrize(
    ("key", "value"), [("window", "0"), ("window", "1"), ("window", "-1"), ("stride", "0"), ("stride", "all")]
)
def test_a_window_is_a_number_of_tokens(key: str, value: str, folder: str) -> None:
    with pytest.raises(InputError, match=rf"The option perplexity\.{key} cannot be '{value}'.* or a number of tokens"):
        build(Perplexity, folder, **{key: value})


def test_first_words_cuts_the_story_but_not_the_prompt(folder: str) -> None:
    whole = Story("she ran . he sat down . it rained .", "a prompt of six words .")
    cut = Story("she ran . he sat down .", whole.prompt)
    for metric in FAMILY:
        assert values(metric, folder, whole, first_words="9") == values(metric, folder, cut)
        assert values(metric, folder, whole, first_words="7") == values(metric, folder, cut)
        assert values(metric, folder, whole, first_words="10") == values(metric, folder, whole)
        assert metric is TopTen or values(metric, folder, whole) != values(metric, folder, cut)


def test_undefined_where_the_story_is_empty_and_only_there(folder: str) -> None:
    stories = [Story("", "a prompt"), Story(" \n", "a prompt"), Story("she ran .", ""), Story("")]
    for metric in FAMILY:
        for of in PAIRS:
            seen: list[int] = []
            scores = build(metric, folder, of=of).score(stories, seen.append)
            assert scores.reasons == dict.fromkeys((0, 1, 3), "the story is empty")
            assert math.isfinite(scores.values[2])
            assert (scores.values[2] > 0) == (metric is Entropy)
            assert sum(seen) == len(stories)


def test_one_pass_serves_the_family(folder: str, model: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    model._memory.clear()
    calls: list[int] = []
    forward = model._forward
    monkeypatch.setattr(model, "_forward", lambda part, measure: calls.append(len(part)) or forward(part, measure))
    build(Perplexity, folder, of="story-alone").score(STORIES)
    assert sum(calls) >= len(STORIES)
    before = list(calls)
    for metric in FAMILY:
        build(metric, folder, of="story-alone").score(STORIES)
    assert calls == before
