"""Paraphrases by rules: as true as the rules, in other words, the same always."""

import pytest

from core.english.negation import NEGATIONS
from core.english.wordings import Wordings
from core.english.words import words
from core.models.acceptability.probability import acceptability
from core.models.acceptability.weights import ACCEPTED
from core.perturb.paraphrases.rules import JUDGED, RuleParaphrases, turned
from core.perturb.paraphrases.similarity import PARAPHRASE, bleu_1
from core.perturb.paraphrases.sources import MOST_OVERLAP, accepted

SENTENCES = [
    "She decided to look for a new job.",
    "He was able to keep his job.",
    "Suddenly he dropped the pizza.",
    "They did n't want to go back home .",
    "One day, his mom told him that he had to go to the store.",
    "It was very cold.",
    "[MALE] thought he had 20 dollars left .",
    "i started to cry because i did n't know what to do .",
]


def test_what_is_made_of_sentences() -> None:
    table = Wordings("decide.v to > VB => make.v up HIS mind to\nlook.v for => search.v for\na new > NN => a brand new")
    (result,) = RuleParaphrases("cpu", table).of(SENTENCES[:1]).values()
    assert result == "She made up her mind to search for a new job."


@pytest.mark.slow
def test_all_conditions_hold() -> None:
    rules = RuleParaphrases("cpu")
    asked: list[int] = []
    result = rules.of(SENTENCES, asked.append)
    assert sum(asked) == len(SENTENCES)
    assert len(result) >= 4
    assert result == RuleParaphrases("cpu").of(SENTENCES[::-1])
    for sentence, paraphrase in result.items():
        assert bleu_1(paraphrase, sentence) < MOST_OVERLAP
        assert acceptability([paraphrase], "cpu")[0] >= ACCEPTED
        denials = [sum(word.lower in NEGATIONS for word in words(text)) for text in (sentence, paraphrase)]
        assert denials[0] == denials[1]
        assert ("[MALE]" in sentence) == ("[MALE]" in paraphrase)
        assert ("20" in sentence) == ("20" in paraphrase)
        assert sentence.islower() == paraphrase.islower()
        assert sentence.endswith(" .") == paraphrase.endswith(" .")
    for item in accepted(rules, SENTENCES, device="cpu").values():
        assert item.similarity > PARAPHRASE


def test_the_best_of_a_few_is_taken() -> None:
    rules = RuleParaphrases("cpu")
    sentence = SENTENCES[4]
    there = rules.proposals(sentence)
    assert 1 < len(there) <= JUDGED
    likely = acceptability(there, "cpu").tolist()
    assert rules.of([sentence])[sentence] == there[likely.index(max(likely))]


@pytest.mark.parametrize("sentence", ["", "Yes.", '"I decided to go," she said.', "Zyx quonked the blarg."])
def test_what_has_none(sentence: str) -> None:
    assert RuleParaphrases("cpu").of([sentence]) == {}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("She cried because she lost.", ["Because she lost, she cried."]),
        ("When it rained, they went home.", ["They went home when it rained."]),
        ("Tom cried when he lost.", []),  # "when he lost, Tom cried" might be of two persons
        ("He left after college and his first job.", []),
        ("Tom painted the fence.", ["The fence was painted by Tom."]),
        ("Several people found the lost keys.", ["The lost keys were found by several people."]),
        ("Tom had the keys.", []),
        ("She painted the fence.", []),
    ],
)
def test_clauses_and_voice(sentence: str, expected: list[str]) -> None:
    assert list(turned(sentence)) == expected
