"""BLEU against NLTK's, and what it does with several or no references."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tokenize import WordPunctTokenizer
from nltk.translate import bleu_score

from core.errors import InputError
from core.metrics.base import Settings
from core.metrics.bleu import Bleu, sentence_bleu, word_punct
from core.stories import Story

WORDS = st.lists(st.sampled_from(["the", "dog", "ran", "a", ".", ",", "n't", "[MALE]", "é"]), min_size=1, max_size=25)
METHOD_1 = bleu_score.SmoothingFunction().method1
STORY = "the dog ran to the shop and the man saw it ."
NEAR = "the dog ran to the house and the man saw it ."
FAR = "a dog slept ."


def score(text: str, *references: str, **options: str) -> float:
    return float(Bleu(Settings(options=options)).score([Story(text, "prompt", references)]).values[0])


@given(WORDS, WORDS)
def test_equals_nltk(story: list[str], reference: list[str]) -> None:
    expected = bleu_score.sentence_bleu([reference], story, smoothing_function=METHOD_1)
    assert sentence_bleu(story, reference) == pytest.approx(expected, abs=1e-12)


@given(WORDS, WORDS)
def test_a_story_is_tokenised_as_nltk_does(story: list[str], reference: list[str]) -> None:
    text, other = " ".join(story), " ".join(reference)
    split = WordPunctTokenizer().tokenize
    expected = bleu_score.sentence_bleu([split(other)], split(text), smoothing_function=METHOD_1)
    assert score(text, other) == pytest.approx(expected, abs=1e-12)


@given(
    st.text(st.characters(categories=["L", "Nd", "Sc", "Sm", "Pd", "Pe", "Po", "Ps", "Zs"]) | st.sampled_from(" \n\t"))
)
def test_word_punct_equals_nltk(text: str) -> None:
    assert word_punct(text) == WordPunctTokenizer().tokenize(text)


def test_word_punct() -> None:
    assert word_punct("[MALE] didn't go... 3.5 km!") == [
        *("[", "MALE", "]", "didn", "'", "t", "go", "...", "3", ".", "5", "km", "!")
    ]


def test_a_value_computed_by_hand() -> None:
    # 1-grams 3/4, 2-grams 2/3, 3-grams 1/2, no 4-gram of one: 0.1/1; the story is one word short of five
    expected = math.exp(1 - 5 / 4) * (3 / 4 * 2 / 3 * 1 / 2 * 0.1) ** 0.25
    assert sentence_bleu(list("abcx"), list("abcde")) == pytest.approx(expected, abs=1e-15)


def test_a_word_counts_no_more_often_than_the_reference_has_it() -> None:
    repeated, once = sentence_bleu(["a"] * 4, list("abcd")), sentence_bleu(["a"], list("abcd"))
    assert repeated == pytest.approx((1 / 4 * 0.1 / 3 * 0.1 / 2 * 0.1) ** 0.25)
    assert once == pytest.approx(math.exp(1 - 4) * 0.1**0.75)


@given(st.lists(st.sampled_from("abcdef"), min_size=4, max_size=30))
def test_a_story_equal_to_its_reference_is_perfect(words: list[str]) -> None:
    assert sentence_bleu(words, words) == pytest.approx(1, abs=1e-12)
    assert 0 <= sentence_bleu(words[::-1], words) <= 1 + 1e-12


def test_nothing_shared_is_zero() -> None:
    assert score("one two three four", "five six seven eight") == 0.0


@pytest.mark.parametrize(
    ("story", "reason"),
    [
        (Story("", references=("a dog",)), "the story is empty"),
        (Story(" \n ", references=("a dog",)), "the story is empty"),
        (Story("a dog"), "the prompt has no human story to compare with"),
        (Story("a dog", references=("", "  ")), "the reference is empty"),
        (Story(""), "the story is empty"),
    ],
)
def test_undefined(story: Story, reason: str) -> None:
    defined = Story("a dog ran off", references=("a dog ran off",))
    scores = Bleu().score([defined, story, defined])
    assert scores.reasons == {1: reason}
    assert math.isnan(scores.values[1])
    assert scores.values[[0, 2]] == pytest.approx([1, 1])


def test_max_takes_the_best_reference_and_mean_their_mean() -> None:
    near, far = score(STORY, NEAR), score(STORY, FAR)
    assert 0 < far < near < 1
    assert score(STORY, NEAR, FAR) == near
    assert score(STORY, NEAR, FAR, references="mean") == pytest.approx((near + far) / 2, abs=1e-15)
    assert score(STORY, NEAR, references="mean") == near


def test_an_empty_reference_counts_for_nothing() -> None:
    assert score(STORY, NEAR, "", references="mean") == score(STORY, NEAR)


@given(st.permutations([NEAR, FAR, "the man saw it .", "nothing alike"]), st.sampled_from(["max", "mean"]))
def test_the_order_of_references_does_not_matter(order: list[str], how: str) -> None:
    assert score(STORY, *order, references=how) == score(STORY, *sorted(order), references=how)


def test_a_reference_given_twice_does_not_matter_for_the_best() -> None:
    assert score(STORY, NEAR, NEAR, FAR, FAR) == score(STORY, NEAR, FAR)


def test_a_reference_given_twice_does_not_matter_for_the_mean() -> None:
    assert score(STORY, NEAR, NEAR, FAR, references="mean") == score(STORY, NEAR, FAR, references="mean")


def test_stories_are_scored_each_by_itself() -> None:
    stories = [Story(STORY, references=(NEAR,)), Story(FAR, references=(STORY, NEAR)), Story(NEAR, references=(FAR,))]
    together = Bleu().score(stories).values
    assert list(together) == [Bleu().score([story]).values[0] for story in stories]


def test_normalisation_changes_what_is_compared() -> None:
    assert score("[MALE] did n ' t go .", "Tom didn't go.", normalisation="named") == pytest.approx(1)
    assert score("[MALE] did n ' t go .", "Tom didn't go.") < 0.5


def test_progress_counts_every_story() -> None:
    seen: list[int] = []
    Bleu().score([Story(STORY, references=(NEAR,)), Story(""), Story(FAR)], seen.append)
    assert sum(seen) == 3


def test_signature() -> None:
    assert Bleu().signature == "bleu|first_words:all|normalisation:raw|references:max|v:1"
    options = Settings(options={"references": "mean", "normalisation": "named"})
    assert Bleu(options).signature == "bleu|first_words:all|normalisation:named|references:mean|v:1"


def test_unknown_options_are_refused() -> None:
    with pytest.raises(
        InputError, match="bleu has no option 'smooth'; its options are: normalisation, first_words, references, order"
    ):
        Bleu(Settings(options={"smooth": "exp"}))
    with pytest.raises(InputError, match=r"bleu\.references cannot be 'min'; choose one of max, mean"):
        Bleu(Settings(options={"references": "min"}))


@given(WORDS, WORDS, st.integers(1, 3))
def test_lower_orders_are_nltks(story: list[str], reference: list[str], highest: int) -> None:
    weights = (1 / highest,) * highest
    expected = bleu_score.sentence_bleu([reference], story, weights, smoothing_function=METHOD_1)
    assert sentence_bleu(story, reference, highest) == pytest.approx(expected, abs=1e-12)


def test_a_lower_order_is_named_in_the_signature() -> None:
    bleu = Bleu(Settings(options={"order": "2"}))
    assert bleu.signature == "bleu|first_words:all|normalisation:raw|order:2|references:max|v:1"
    assert score("the dog ran off", "the dog came back", order="2") == pytest.approx((1 / 2 * 1 / 3) ** 0.5)
