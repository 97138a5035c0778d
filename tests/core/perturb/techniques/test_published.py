"""The paper's techniques against a slow and obvious reading of OpenMEVA's Tables 1, 2, 12 and 13."""

import random
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.english.sentences import ParsedStory, Technique
from core.english.wordnet import wordnet
from core.perturb.techniques import published
from core.perturb.techniques.published_words import CAUSE_WORDS, CAUSES, TIME_WORDS, TIMES
from core.perturb.test_sets.aspects import Aspect, Change, Techniques
from core.perturb.test_sets.discrimination import PAPER, coherent, incoherent
from core.perturb.test_sets.invariance import PAPER as CHANGES
from core.perturb.test_sets.invariance import perturbed
from core.stories import sentences
from tests.core.perturb.aspects import STORIES, check, means
from tests.core.perturb.test_sets.discrimination import TEXTS

SEEDS = 400
PRONOUNS = """
i     me    my     mine    myself
we    us    our    ours    ourselves
you   you   your   yours   yourself
he    him   his    his     himself
she   her   her    hers    herself
it    it    its    its     itself
they  them  their  theirs  themselves
"""
"""Table 13."""
CAUSAL = "so because since therefore why cause reason result effect purpose aim sake consequence causal"
TEMPORAL = """
after before previously simultaneously currently meanwhile then now ever again once anytime when while never always
usually often sometimes early lately already forever ago yesterday today tomorrow ending beginning previous
simultaneous current temporary contemporary temporal second minute hour day month year century past future present delay
night evening morning afternoon noon
"""
"""Table 12."""


def all_made(technique: Technique, text: str) -> set[str]:
    """Every text that some seed gives."""
    result = set()
    for seed in range(SEEDS):
        edit = technique(ParsedStory(text, 1), means(), random.Random(seed))
        changed = text
        for start, end, new in sorted(edit.changes, reverse=True) if edit else ():
            changed = changed[:start] + new + changed[end:]
        result.add(changed)
    return result


def obvious(text: str, change: Callable[[str], set[str]]) -> set[str]:
    """Each sentence but the first changed in each of its ways."""
    spans = sentences(text)
    return {text[:a] + new + text[b:] for a, b in spans[1:] for new in change(text[a:b])}


def test_any_four_words_stand_twice() -> None:
    def twice(sentence: str) -> set[str]:
        words = sentence.rstrip(".").split()
        there = range(len(words) - 3)
        return {" ".join([*words[: i + 4], "and", *words[i : i + 4], *words[i + 4 :]]) + "." for i in there}

    text = "Ben was late. They both walked to work the next day. He was tired."
    assert all_made(published.repeat_words, text) == obvious(text, twice)


def test_a_sentence_stands_twice() -> None:
    assert all_made(published.repeat_sentence, STORIES[0]) == obvious(STORIES[0], lambda item: {f"{item} {item}"})


@pytest.mark.parametrize(
    ("sentence", "pronoun", "column"),
    [
        ("He saw the cat.", "He", 0),
        ("The cat saw them.", "them", 1),
        ("Tom saw her dog.", "her", 2),
        ("The dog was theirs.", "theirs", 3),
        ("Tom hurt himself.", "himself", 4),
        ("Tom saw you.", "you", 1),
    ],
)
def test_any_pronoun_becomes_any_other_of_its_column(sentence: str, pronoun: str, column: int) -> None:
    rows = [line.split() for line in PRONOUNS.strip().splitlines()]
    others = {row[column] for row in rows if pronoun.lower() not in row}
    written = {other.capitalize() if pronoun[0].isupper() or other == "i" else other for other in others}
    told = {re.sub(rf"\b{pronoun}\b", other, sentence) for other in written}
    assert all_made(published.exchange_pronoun, f"Ben was late. {sentence}") == {
        f"Ben was late. {name}" for name in told
    }


def test_subject_and_object_change_places() -> None:
    text = "There was a dog. It asked John for help. The old man saw him. The dog was a friend."
    assert all_made(published.swap_roles, text) == {
        "There was a dog. John asked it for help. The old man saw him. The dog was a friend.",
        "There was a dog. It asked John for help. He saw the old man. The dog was a friend.",
    }


@pytest.mark.slow
def test_a_tenth_of_nouns_and_verbs_become_what_the_lexicon_relates() -> None:
    for text in STORIES:
        said = {word for name in STORIES for word in re.findall(r"\w+", name.lower())}
        for new in all_made(published.replace_by_neighbours, text):
            before, after = (re.findall(r"\w+", name.lower()) for name in (text, new))
            assert len(before) == len(after)
            gone = [(a, b) for a, b in zip(before, after, strict=True) if a != b and {a, b} != {"a", "an"}]
            assert len(gone) <= max(1, round(0.1 * len(before)))
            assert all(b in said for _, b in gone)


def test_words_of_cause_and_time_are_those_of_table_12() -> None:
    assert set(CAUSAL.split()) == CAUSE_WORDS
    assert set(TEMPORAL.split()) == TIME_WORDS
    assert set(CAUSES) <= CAUSE_WORDS
    assert set(TIMES) <= TIME_WORDS


@pytest.mark.parametrize("word", sorted({*CAUSAL.split(), *TEMPORAL.split()} - {"so", "since"}))
def test_a_story_with_a_word_of_table_12_is_coherent(word: str) -> None:
    aspect = Aspect.CAUSAL if word in CAUSAL.split() else Aspect.TEMPORAL
    reading = ParsedStory(f"Ben was late. It was the {word} that he saw.", 1)
    assert coherent(reading, aspect, means(), Techniques.PAPER)
    assert not coherent(ParsedStory("Ben was fast. It rained.", 1), aspect, means(), Techniques.PAPER)


@pytest.mark.parametrize(
    ("technique", "sentence", "expected"),
    [
        (published.oppose_times, "He ate before the race.", {"He ate after the race."}),
        (published.oppose_times, "After the race he ate.", {"Before the race he ate."}),
        (published.oppose_times, "He was always there for two days.", {"He was never there for two days."}
         | {"He was always there for two nights."}),
        (published.oppose_causes, "The reason was rain.", {"The result was rain."}),
        (published.oppose_causes, "He ran because it rained.", {"He ran so it rained."}),
        (published.swap_causes, "He ran because it rained.", {"It rained because he ran."}),
        (published.swap_causes, "Because it rained, he ran.", {"Because he ran, it rained."}),
        (published.swap_causes, "The sky was clear. So he saw it.", {"He saw it. So the sky was clear."}),
        (published.swap_times, "Tina lied. Then she paid.", {"She paid. Then Tina lied."}),
        (published.swap_times, "She paid when it rained.", {"It rained when she paid."}),
    ],
)  # fmt: skip
def test_the_wrong_way_round(technique: Technique, sentence: str, expected: set[str]) -> None:
    assert all_made(technique, f"Ben was late. {sentence}") == {f"Ben was late. {name}" for name in expected}


@pytest.mark.parametrize("number", [2, 5, 8, 13, 20])
def test_a_fifth_of_the_sentences_are_denied(number: int) -> None:
    text = " ".join(["Ben was late."] + [f"He saw {i} dogs." for i in range(1, number)])
    for seed in range(20):
        edit = published.deny(ParsedStory(text, 1), means(), random.Random(seed))
        assert edit
        assert len(edit.changes) == max(1, round(0.2 * number))


def test_negated_words_come_and_go() -> None:
    assert all_made(published.deny, "Ben was late. He was not here.") == {"Ben was late. He was here."}
    assert "Ben was late. He disagreed." in all_made(published.deny, "Ben was late. He agreed.")


def test_a_word_becomes_any_synonym_or_antonym_of_wordnet() -> None:
    names = {name for sense in wordnet().synsets("car", "n") for name in sense.lemma_names() if name.isalpha()}
    told = all_made(published.substitute_synonym, "Ben was late. With a car.")
    assert {re.sub(r".*With an? |\.$", "", name) for name in told} == names - {"car"}
    assert all_made(published.turn_antonym, "Ben was late. It was the longest.") == {
        "Ben was late. It was the shortest."
    }


def test_any_mark_within_a_sentence_goes() -> None:
    text = "Ben was late. Red, white; and blue."
    assert all_made(published.delete_punctuation, text) == {
        "Ben was late. Red white; and blue.", "Ben was late. Red, white and blue.", "Ben was late. Red white and blue."
    }  # fmt: skip


def test_slips_of_any_letter() -> None:
    expected = {"xat", "at", "ct", "ca", "ccat", "caat", "catt", "act", "cta"} - {"xat"}
    assert all_made(published.mistype, "Ben was late. A cat.") == {f"Ben was late. A {name}." for name in expected}


@pytest.mark.parametrize("aspect", [*Aspect, *Change])
@settings(max_examples=40, deadline=None)
@given(TEXTS, st.integers(0, 2), st.integers(0, 9))
def test_exactly_the_recorded_edits(aspect: Aspect | Change, text: str, kept: int, seed: int) -> None:
    def made() -> object:
        if isinstance(aspect, Change):
            return perturbed(ParsedStory(text, kept), aspect, means(), f"{seed}", Techniques.PAPER)
        return incoherent(ParsedStory(text, kept), aspect, means(), f"{seed}", Techniques.PAPER)

    result = made()
    assert result == made()
    if result:
        check(result, ParsedStory(text, kept))  # type: ignore[arg-type]


def test_every_aspect_and_change_has_its_techniques() -> None:
    assert list(PAPER) == list(Aspect)
    assert list(CHANGES) == list(Change)
