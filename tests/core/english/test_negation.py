"""Negation alteration, rule by rule: a negation word goes, or else one comes."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.english.negation import NEGATIONS, flip, negated
from core.english.words import words


def flipped(sentence: str) -> list[str]:
    """What a sentence may become, over the draws of not or n't."""
    result = set()
    for seed in range(12):
        change = flip(sentence, random.Random(seed))
        if change:
            start, end, new = change
            result.add(sentence[:start] + new + sentence[end:])
    return sorted(result)


@pytest.mark.parametrize(
    ("sentence", "becomes"),
    [
        # The first negation word goes, whatever else could be done.
        ("She was not happy.", "She was happy."),
        ("He didn't go.", "He did go."),
        ("he did n ' t go .", "he did go ."),
        ("he do n't know .", "he do know ."),
        ("She isn’t here.", "She is here."),
        ("I can't swim.", "I can swim."),
        ("I won't go.", "I will go."),
        ("i ca n't swim .", "i can swim ."),
        ("he won ' t go .", "he will go ."),
        ("Ain't it nice?", "Is it nice?"),
        ("Don't go!", "Do go!"),
        ("She cannot go.", "She can go."),
        ("I can not go and you can not go.", "I can go and you can not go."),
        ("She never came back.", "She came back."),
        ("He hardly ate.", "He ate."),
        ("He did NOT go.", "He did go."),
        # At the beginning, what follows takes the capital.
        ("Not a soul came.", "A soul came."),
        ("Never did he go.", "Did he go."),
        ('"Never do that," he said.', '"Do that," he said.'),
        ("(Not that it matters.)", "(That it matters.)"),
        ("not a soul came .", "a soul came ."),
        # Words that are themselves a negation turn into their positive.
        ("Nobody came.", "Somebody came."),
        ("He had nothing.", "He had something."),
        ("He could go nowhere.", "He could go somewhere."),
        ("NONE CAME.", "SOME CAME."),
        ("He came without a coat.", "He came with a coat."),
        ("No one came.", "Someone came."),
        ("No-one came.", "Someone came."),
        ("He no longer cared.", "He still cared."),
        ("There was no milk.", "There was some milk."),
        ("No old man came.", "Some old man came."),
        # A word that is all that is said becomes its opposite.
        ("No, he said.", "Yes, he said."),
        ("NO!", "YES!"),
        ("Never!", "Always!"),
        ("Not.", "Yes."),
    ],
)  # fmt: skip
def test_a_negation_goes(sentence: str, becomes: str) -> None:
    assert negated(sentence)
    assert flipped(sentence) == [becomes]


@pytest.mark.parametrize(
    ("sentence", "becomes"),
    [
        # not or n't after the first auxiliary, modal or form of be.
        ("I was happy.", ["I was not happy.", "I wasn't happy."]),
        ("They have gone.", ["They have not gone.", "They haven't gone."]),
        ("He has often been there.", ["He has not often been there.", "He hasn't often been there."]),
        ("He could swim.", ["He could not swim.", "He couldn't swim."]),
        ("He can swim.", ["He can not swim.", "He can't swim."]),
        ("I will go.", ["I will not go.", "I won't go."]),
        ("I am glad.", ["I am not glad."]),
        ("He may come.", ["He may not come."]),
        ("He did go.", ["He did not go.", "He didn't go."]),
        ("The man who was ill died.", ["The man who was not ill died.", "The man who wasn't ill died."]),
        # n't as the text writes it.
        ("she was happy .", ["she was n't happy .", "she was not happy ."]),
        ("he will go .", ["he will not go .", "he wo n't go ."]),
        ("it ' s good , he was glad", ["it ' s not good , he was glad"]),
        ("he was glad , it ' s good", ["he was n ' t glad , it ' s good", "he was not glad , it ' s good"]),
        ("He was ‘fine’.", ["He was not ‘fine’.", "He wasn’t ‘fine’."]),
        # Clitics.
        ("He's happy.", ["He's not happy."]),
        ("I'm glad.", ["I'm not glad."]),
        ("They've gone.", ["They've not gone."]),
        ("I'd go.", ["I'd not go."]),
        ("I ' ll go .", ["I ' ll not go ."]),
        # A genitive is no auxiliary, and neither is have or do with an object.
        ("The boy's mom called him.", ["The boy's mom did not call him."]),
        ("They have a car.", ["They do not have a car."]),
        ("She has a car.", ["She does not have a car."]),
        ("They had to leave.", ["They did not have to leave."]),
        ("He did his homework.", ["He did not do his homework."]),
        # do-support by tag.
        ("They like cake.", ["They do not like cake."]),
        ("She likes cake.", ["She does not like cake."]),
        ("She went home.", ["She did not go home."]),
        ("[MALE] found it .", ["[MALE] did not find it ."]),
        ("Let's go.", ["Do not let's go."]),
        # A bare not before participles and infinitives.
        ("Running home.", ["Not running home."]),
        ("the dogs barking loudly", ["the dogs not barking loudly"]),
        ("the plan to leave", ["the plan to not leave"]),
        # Questions keep their order.
        ("Was she happy?", ["Was she not happy?", "Wasn't she happy?"]),
        ("Do you like it?", ["Do you not like it?", "Don't you like it?"]),
        ("Has John eaten?", ["Has not John eaten?", "Hasn't John eaten?"]),
        # Capitals throughout.
        ("HE RAN HOME.", ["HE DID NOT RUN HOME."]),
        ("I AM HERE.", ["I AM NOT HERE."]),
    ],
)  # fmt: skip
def test_a_negation_comes(sentence: str, becomes: list[str]) -> None:
    assert not negated(sentence)
    assert flipped(sentence) == becomes


@pytest.mark.parametrize("sentence", ["", "The house.", "...", "12 + 13", "彼は走った。", "\x00\x07", "[MALE] ."])
def test_where_there_is_nothing_to_negate(sentence: str) -> None:
    assert flipped(sentence) == []


SUBJECTS = st.sampled_from(["He", "she", "The dog", "[MALE]", "We all", "Nobody", "No man"])
VERBS = st.sampled_from(
    ["was", "ran", "can see", "had gone", "called", "did n't take", "isn't", "never saw", "'ll see"]
)
ENDS = st.sampled_from(["the old boat .", "home.", "nothing!", "without a word.", "not", "it", "TOM"])


@settings(max_examples=60, deadline=None)
@given(SUBJECTS, VERBS, ENDS, st.integers(0, 99))
def test_exactly_one_negation_word_more_or_less(subject: str, verb: str, end: str, seed: int) -> None:
    sentence = f"{subject} {verb} {end}"
    change = flip(sentence, random.Random(seed))
    assert change is not None
    text = sentence[: change[0]] + change[2] + sentence[change[1] :]
    before, after = (sum(word.lower in NEGATIONS for word in words(name)) for name in (sentence, text))
    assert after == (before - 1 if before else 1)
