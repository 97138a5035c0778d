"""Keyword substitution: how many keywords, by what, in which form."""

import random
from collections import Counter

import pytest
from scipy.stats import chisquare

from core.english.knowledge import shared_wordnet
from core.english.substitution import Vocabulary, keywords, replace


class Known:
    """A lexicon by hand: every word is a keyword, some have opposites."""

    name = "by hand"

    def __init__(self, **opposites: str) -> None:
        self.opposites = opposites

    def knows(self, lemma: str, pos: str) -> bool:
        return True

    def antonyms(self, lemma: str, pos: str) -> tuple[str, ...]:
        return tuple(self.opposites.get(lemma, "").split())


def replaced(sentence: str, known: Known, vocabulary: Vocabulary, seed: int = 0) -> str:
    """With one keyword changed."""
    for (start, end, new), _ in replace([(0, sentence)], known, vocabulary, random.Random(seed)):
        sentence = sentence[:start] + new + sentence[end:]
    return sentence


NONE = Vocabulary({}, {})


def test_keywords_are_content_words_that_the_lexicon_knows() -> None:
    sentence = "Tom had not quickly sold the old zzzzqx boats to us, [MALE]."
    assert [word.text for word in keywords(sentence, shared_wordnet())] == ["quickly", "sold", "old", "boats"]


def test_the_vocabulary_counts_by_tag() -> None:
    vocabulary = Vocabulary.of(["The dog saw a cat.", "THE DOG RAN.", "The dogs ran."], shared_wordnet())
    assert vocabulary.words == {"NN": ["cat", "dog"], "NNS": ["dogs"], "VBD": ["ran", "saw"]}
    assert vocabulary.counts == {"NN": [1, 3], "NNS": [1], "VBD": [2, 3]}


def test_words_are_drawn_by_frequency_and_never_themselves() -> None:
    vocabulary = Vocabulary({"NN": ["a", "b", "c"]}, {"NN": [1, 7, 10]})
    rng = random.Random(1)
    drawn = Counter(vocabulary.draw("NN", "b", rng) for _ in range(4000))
    assert set(drawn) == {"a", "c"}
    assert chisquare([drawn["a"], drawn["c"]], [1000, 3000]).pvalue > 0.001
    assert vocabulary.draw("VB", "b", rng) is None
    assert Vocabulary({"NN": ["a"]}, {"NN": [1]}).draw("NN", "a", rng) is None
    rare = Vocabulary({"NN": ["a", "b"]}, {"NN": [1, 10**9]})
    assert rare.draw("NN", "b", rng) == "a"


@pytest.mark.parametrize(("sentences", "share"), [(1, 1), (5, 3), (10, 6), (21, 13)])
def test_fifteen_per_cent_of_the_keywords_and_one_at_least(sentences: int, share: int) -> None:
    """Four keywords a sentence."""
    placed = [(i * 100, "The old dog saw a boat.") for i in range(sentences)]
    vocabulary = Vocabulary({"NN": ["cow"], "JJ": ["red"], "VBD": ["sold"]}, {"NN": [1], "JJ": [1], "VBD": [1]})
    made = replace(placed, Known(), vocabulary, random.Random(0))
    assert len(made) == share == max(1, round(0.15 * 4 * sentences))
    assert {how for _, how in made} == {"keyword"}
    assert len({start for (start, _, _), _ in made}) == share


@pytest.mark.parametrize(
    ("sentence", "opposites", "becomes"),
    [
        ("She sold it.", {"sell": "buy"}, "She bought it."),
        ("She sells it.", {"sell": "buy"}, "She buys it."),
        ("The women.", {"woman": "man"}, "The men."),
        ("THE WOMEN.", {"woman": "man"}, "THE MEN."),
        ("Selling it.", {"sell": "buy"}, "Buying it."),
        ("It was older.", {"old": "young"}, "It was younger."),
        # The article goes with the word.
        ("It was an old one.", {"old": "young", "one": "one"}, "It was a young one."),
        ("A young one.", {"young": "old", "one": "one"}, "An old one."),
        ("That was a minute.", {"minute": "hour"}, "That was an hour."),
        ("That was an answer.", {"answer": "union"}, "That was a union."),
        ("That was a   train.", {"train": "uncle"}, "That was an   uncle."),
        ("Plan: a\ntrain.", {"train": "oven"}, "Plan: an\noven."),
    ],
)
def test_opposites_in_the_right_form(sentence: str, opposites: dict[str, str], becomes: str) -> None:
    assert replaced(sentence, Known(**opposites), NONE) == becomes


def test_one_of_several_opposites() -> None:
    known = Known(dog="cat cow")
    assert {replaced("The dog.", known, NONE, seed) for seed in range(20)} == {"The cat.", "The cow."}


def test_without_an_opposite_a_word_of_the_same_tag() -> None:
    vocabulary = Vocabulary({"NN": ["cow"], "NNS": ["owls"]}, {"NN": [5], "NNS": [5]})
    assert replaced("A dog.", Known(), vocabulary) == "A cow."
    assert replaced("DOGS.", Known(), vocabulary) == "OWLS."
    assert replaced("Dogs.", Known(), vocabulary) == "Owls."
    assert replaced("The cow.", Known(), vocabulary) == "The cow."


def test_an_opposite_that_is_the_word_itself_is_none() -> None:
    vocabulary = Vocabulary({"NN": ["cow"]}, {"NN": [5]})
    assert replaced("A dog.", Known(dog="dog"), vocabulary) == "A cow."


def test_nothing_to_replace() -> None:
    assert replace([(0, "It was he."), (20, "彼は走った。")], shared_wordnet(), NONE, random.Random(0)) == []
    assert replace([], Known(), NONE, random.Random(0)) == []
    assert replace([(0, "The dog.")], Known(), NONE, random.Random(0)) == []
