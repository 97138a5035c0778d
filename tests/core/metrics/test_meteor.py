"""METEOR against NLTK's with NLTK's own stemmer and reader, and what WordNet adds."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from nltk.translate.meteor_score import single_meteor_score

from core.english.wordnet import wordnet
from core.errors import ModelMissing
from core.metrics import meteor
from core.metrics.base import Settings
from core.metrics.bleu import word_punct
from core.metrics.meteor import Meteor
from core.stories import Story

# Words that match as they stand, by stem, by synonym in one sense or another, and not at all.
WORDS = st.lists(
    st.sampled_from(
        ["The", "the", "car", "automobile", "cars", "run", "running", "big", "large", "child", "kid", ".", "é"]
    ),
    min_size=1,
    max_size=20,
)


def score(text: str, *references: str, **options: str) -> float:
    return float(Meteor(Settings(options=options)).score([Story(text, references=references)]).values[0])


def nltk_meteor(text: str, reference: str) -> float:
    words = word_punct(reference), word_punct(text)
    return float(single_meteor_score(*words, stemmer=PorterStemmer(), wordnet=wordnet()))


@settings(deadline=None)  # the first one loads WordNet
@given(WORDS, WORDS)
def test_equals_nltk(story: list[str], reference: list[str]) -> None:
    text, other = " ".join(story), " ".join(reference)
    assert score(text, other) == pytest.approx(nltk_meteor(text, other), abs=1e-12)


def test_equals_nltk_on_real_stories(shared: Path) -> None:
    prompts = json.loads((shared / "mans-roc" / "mans_roc.json").read_text(encoding="utf-8")).values()
    pairs = [(item["text"], prompt["gold_response"]) for prompt in prompts for item in prompt["gen"].values()][:200]
    result = Meteor().score([Story(text, references=(gold,)) for text, gold in pairs]).values
    assert result == pytest.approx([nltk_meteor(*pair) for pair in pairs], abs=1e-12)
    assert len(set(result)) > 100


@pytest.mark.parametrize(
    ("story", "reference"),
    [
        ("the dog sat", "the dog sat"),
        ("THE dog sat", "the DOG Sat"),
        ("the dogs sat", "the dog sat"),
        ("the tall kid", "the tall child"),
        ("the cab ran", "the taxi ran"),
    ],
)
def test_words_as_they_stand_stems_and_synonyms_all_count(story: str, reference: str) -> None:
    # three words matched in one run: precision and recall 1, penalty .5 * (1/3)^3
    assert score(story, reference) == pytest.approx(1 - 0.5 / 27, abs=1e-15)


def test_synonyms_are_looked_up_by_stem() -> None:
    """NLTK's quirk: "automobil" is not in WordNet, so that words which stemming cuts have no synonyms."""
    assert score("automobile", "car") == nltk_meteor("automobile", "car") == 0.0
    assert score("car", "automobile") == 0.0
    assert score("kid", "child") == 0.5


def test_a_value_computed_by_hand() -> None:
    # "b" and "a" match in two runs: precision 2/3, recall 2/2, penalty .5 * (2/2)^3
    mean = (2 / 3) / (0.9 * 2 / 3 + 0.1)
    assert score("bqb zzk aqa", "aqa bqb") == pytest.approx(0.5 * mean, abs=1e-15)


def test_nothing_shared_is_zero() -> None:
    assert score("one two", "a shop") == 0.0
    assert score("?!", "a shop") == 0.0


def test_other_scripts() -> None:
    assert score("он пришёл домой", "он пришёл домой") == pytest.approx(1 - 0.5 / 27)


def test_several_references() -> None:
    text, near, far = "the dog ran to the shop .", "the dog ran to a house .", "a dog slept ."
    value, other = score(text, near), score(text, far)
    assert 0 < other < value < 1
    assert score(text, far, near) == value
    assert score(text, near, far, references="mean") == pytest.approx((value + other) / 2, abs=1e-15)


@pytest.mark.parametrize(
    ("story", "reason"),
    [
        (Story("", references=("a dog",)), "the story is empty"),
        (Story("a dog"), "the prompt has no human story to compare with"),
        (Story("a dog", references=(" ",)), "the reference is empty"),
    ],
)
def test_undefined(story: Story, reason: str) -> None:
    scores = Meteor().score([story, Story("a dog", references=("a dog",))])
    assert scores.reasons == {0: reason}
    assert math.isnan(scores.values[0])
    assert scores.values[1] > 0.9


def test_a_long_story() -> None:
    text = " ".join(f"word{i % 700}" for i in range(5000))
    assert score(text, text) == pytest.approx(1)


def test_the_signature_names_the_wordnet() -> None:
    signature = Meteor().signature
    assert signature == "meteor|first_words:all|normalisation:raw|references:max|wordnet:3.0|v:1"


def test_without_wordnet_nothing_is_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    """A score without synonyms would pass for METEOR."""

    def missing() -> None:
        raise ModelMissing("WordNet is not there.")

    monkeypatch.setattr(meteor, "wordnet", missing)
    meteor._scorer.cache_clear()
    with pytest.raises(ModelMissing, match=r"WordNet is not there\."):
        score("a dog", "a dog")
