"""sacrebleu's sentence BLEU: the package's own number, a story and a reference at a time."""

import json
import math
from importlib.metadata import version
from pathlib import Path

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

from core.errors import InputError
from core.metrics.base import Settings
from core.metrics.bleu import SacreBleu
from core.stories import Story

WORDS = st.lists(st.sampled_from(["the", "The", "dog", "ran.", "3.5", "&amp;", ",", "«é»", "[MALE]", "\n"]), min_size=1)
TEXTS = WORDS.map(" ".join).filter(str.strip)


def score(text: str, *references: str, **options: str) -> float:
    return float(SacreBleu(Settings(options=options)).score([Story(text, references=references)]).values[0])


@pytest.mark.parametrize("tokenize", ["13a", "intl", "char", "none"])
@pytest.mark.parametrize("lowercase", ["no", "yes"])
@given(TEXTS, TEXTS)
def test_equals_sacrebleu(tokenize: str, lowercase: str, text: str, reference: str) -> None:
    theirs = sacrebleu.sentence_bleu(text, [reference], tokenize=tokenize, lowercase=lowercase == "yes").score
    assert score(text, reference, tokenize=tokenize, lowercase=lowercase) == pytest.approx(theirs / 100, abs=1e-12)


def test_equals_sacrebleu_on_real_stories(shared: Path) -> None:
    prompts = json.loads((shared / "mans-roc" / "mans_roc.json").read_text(encoding="utf-8")).values()
    pairs = [(item["text"], prompt["gold_response"]) for prompt in prompts for item in prompt["gen"].values()][:200]
    result = SacreBleu().score([Story(text, references=(gold,)) for text, gold in pairs]).values
    assert result == pytest.approx(
        [sacrebleu.sentence_bleu(text, [gold]).score / 100 for text, gold in pairs], abs=1e-12
    )


def test_a_value_computed_by_hand() -> None:
    # 1-grams 3/4, 2-grams 2/3, 3-grams 1/2, no 4-gram of one: half of it; the story is one word short of five
    expected = math.exp(1 - 5 / 4) * (3 / 4 * 2 / 3 * 1 / 2 * 1 / 2) ** 0.25
    assert score("a b c x", "a b c d e") == pytest.approx(expected, abs=1e-12)
    # two words have no 3-gram: the orders that are there count
    assert score("a b", "a b") == pytest.approx(1, abs=1e-12)


def test_options_change_what_is_compared() -> None:
    assert score("The dog ran off!", "the dog ran off!") < score(
        "The dog ran off!", "the dog ran off!", lowercase="yes"
    )
    assert score("dogs, cats", "dogs , cats", tokenize="none") < score("dogs, cats", "dogs , cats")
    assert score("dog", "dogs") == 0.0 < score("dog", "dogs", tokenize="char")


def test_several_references_are_compared_one_at_a_time() -> None:
    text, near, far = "the dog ran to the shop .", "the dog ran to a house .", "a dog slept ."
    value, other = score(text, near), score(text, far)
    assert 0 < other < value < 1
    assert score(text, far, near) == value
    assert score(text, near, far, references="mean") == pytest.approx((value + other) / 2, abs=1e-15)


@pytest.mark.parametrize(
    ("story", "reason"),
    [
        (Story(" ", references=("a dog",)), "the story is empty"),
        (Story("a dog"), "the prompt has no human story to compare with"),
        (Story("a dog", references=("",)), "the reference is empty"),
    ],
)
def test_undefined(story: Story, reason: str) -> None:
    scores = SacreBleu().score([story, Story("a dog", references=("a dog",))])
    assert scores.reasons == {0: reason}
    assert scores.values[1] == pytest.approx(1)


def test_punctuation_alone_and_long_texts() -> None:
    assert score("...", "a dog") == 0.0
    text = " ".join(f"word{i % 700}" for i in range(5000))
    assert score(text, text) == pytest.approx(1)


def test_no_text_is_kept_after_scoring() -> None:
    """The package's own memory would hold 65,536 stories of whatever length."""
    for tokenize in ("13a", "intl", "char", "none"):
        score("a dog ran", "a dog slept", tokenize=tokenize)
    assert Tokenizer13a.__call__.cache_info().currsize == 0
    assert TokenizerRegexp.__call__.cache_info().currsize == 0


def test_the_signature_names_the_package_s_version() -> None:
    assert SacreBleu(Settings(options={"lowercase": "yes"})).signature == (
        f"sacrebleu|first_words:all|lowercase:yes|normalisation:raw|references:max|sacrebleu:{version('sacrebleu')}"
        "|tokenize:13a|v:1"
    )


def test_other_tokenizers_are_refused() -> None:
    with pytest.raises(InputError, match=r"sacrebleu\.tokenize cannot be 'zh'; choose one of 13a, intl, char, none"):
        SacreBleu(Settings(options={"tokenize": "zh"}))
