"""Five changes that should not matter: what each does, that it matters to nobody, and texts that are hard."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.english.sentences import ParsedStory
from core.english.wordnet import wordnet
from core.perturb.test_sets import invariance
from core.perturb.test_sets.aspects import Change
from core.perturb.test_sets.invariance import TECHNIQUES, perturbed
from tests.core.perturb.aspects import STORIES, check, means
from tests.core.perturb.test_sets.discrimination import TEXTS, worsened


@pytest.mark.parametrize("change", list(Change))
@settings(max_examples=60, deadline=None)
@given(TEXTS, st.integers(0, 2), st.integers(0, 9))
def test_exactly_the_recorded_edits(change: Change, text: str, kept: int, seed: int) -> None:
    reading = ParsedStory(text, kept)
    result = perturbed(reading, change, means(), f"{seed}")
    assert result == perturbed(ParsedStory(text, kept), change, means(), f"{seed}")
    if result:
        check(result, reading)
        assert [step.technique for step in result.steps] == [TECHNIQUES[change].__name__.replace("_", " ")]


def test_synonyms_have_the_same_form() -> None:
    text = "It was late. She bought two automobiles."
    result = {worsened(invariance.substitute_synonyms, text, seed) for seed in range(20)}
    assert result == {f"It was late. She purchased two {what}." for what in ("cars", "autos")}
    assert worsened(invariance.substitute_synonyms, "It was late. She looked for him.") is None
    assert worsened(invariance.substitute_synonyms, "She bought two cars.") is None


def test_an_article_goes_with_its_word() -> None:
    text = "It was late. It was {}."
    result = {worsened(invariance.substitute_synonyms, text.format("an automobile"), seed) for seed in range(20)}
    assert result == {text.format("a car"), text.format("an auto")}


def test_paraphrases() -> None:
    assert worsened(invariance.paraphrase, STORIES[0]) == STORIES[0].replace(
        "She never sold it.", "At no time did she give it away for money."
    )
    assert worsened(invariance.paraphrase, STORIES[3]) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Finally, he went home.", "Finally he went home."),
        ("She sang, but he slept.", "She sang but he slept."),
        ("She sang, and he slept.", "She sang and he slept."),
        ("He was glad, too.", "He was glad too."),
        ("He was glad!!", "He was glad!"),
        ("Finally , he went home .", "Finally he went home ."),
    ],
)
def test_marks_that_can_go(before: str, after: str) -> None:
    assert worsened(invariance.delete_punctuation, f"It was late. {before}") == f"It was late. {after}"


@pytest.mark.parametrize(
    "text",
    [
        "He bought bread, milk, and eggs.", "“Go, dog,” she said.", "No, he went home.", "It cost 1,000 coins.",
        "Tom, who slept, was glad.", "He went home.", "When he slept, she sang.",
    ],
)  # fmt: skip
def test_marks_that_stay(text: str) -> None:
    assert worsened(invariance.delete_punctuation, f"It was late. {text}") is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I don't know.", "I do not know."),
        ("I do not know.", "I don't know."),
        ("She won't go.", "She will not go."),
        ("She will not go.", "She won't go."),
        ("We can't go.", "We cannot go."),
        ("You're late.", "You are late."),
        ("I've been there.", "I have been there."),
        ("He'd gone home.", "He had gone home."),
        ("Let's go home.", "Let us go home."),
        ("He's been there.", "He has been there."),
        ("He did n't go .", "He did not go ."),
        ("WE DON'T KNOW.", "WE DO NOT KNOW."),
        ("I don’t know.", "I do not know."),
        ("Won't go there.", "Will not go there."),
        ("He'd just left.", "He had just left."),
        ("I'd always wanted it.", "I had always wanted it."),
        ("He'd also bought it.", "He had also bought it."),
        ("She 'd often wondered .", "She had often wondered ."),
        ("He'd never go.", "He would never go."),
        ("They'd all share it.", "They would all share it."),
        ("He'd better go.", "He had better go."),
        ("What's happened?", "What has happened?"),
        ("He's never had it.", "He has never had it."),
        ("He's done his work.", "He has done his work."),
        ("It's painted by the boy.", "It is painted by the boy."),
        ("He's too tired.", "He is too tired."),
        ("She's never happy.", "She is never happy."),
        ("What's he doing?", "What is he doing?"),
        ("It's time.", "It is time."),
        ("He knew what it is called.", "He knew what it's called."),
    ],
)
def test_contractions(before: str, after: str) -> None:
    assert worsened(invariance.change_contractions, f"It was late. {before}") == f"It was late. {after}"


@pytest.mark.parametrize(
    "text",
    [
        "Tom's dog slept.", "I know who he is.", "He ain't here.", "They have a dog.", "Did he not go?", "'Tis so.",
        "He'd put it there.", "He'd run.", "He'd might go.", "He's eaten lunch.", "She's finished her work.",
        "It's done.", "He's passed by the house.", "What's he done?", "It's tail is long.", "It's own tail.",
        "He told her what it is to suffer.", "That that is is.", "I know how tall he is for his age.",
        "I know where he is now.",
    ],
)  # fmt: skip
def test_what_has_no_other_form(text: str) -> None:
    assert worsened(invariance.change_contractions, f"It was late. {text}") is None


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(STORIES), st.integers(1, 12), st.integers(0, 99))
def test_typos(story: str, times: int, seed: int) -> None:
    text = " ".join([story] * times)
    reading = ParsedStory(text, 1)
    result = perturbed(reading, Change.TYPOS, means(), f"{seed}")
    assert result is not None
    spoken = sum(any(c.isalnum() for c in word) for word in text.split())
    assert len(result.edits) == 1 or len(result.edits) / spoken < invariance.TYPOS
    for edit in result.edits:
        assert edit.before[0] == edit.after[0]
        assert not wordnet().lemmas(edit.after.lower())
        assert abs(len(edit.before) - len(edit.after)) <= 1
        swapped = sorted(edit.before) == sorted(edit.after) and len(edit.before) == len(edit.after)
        longer, shorter = sorted((edit.before, edit.after), key=len, reverse=True)
        one_letter = any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))
        assert swapped or one_letter


def test_a_contraction_is_one_word_of_those_that_typos_are_a_share_of() -> None:
    text = "It was late. " + " ".join(["She didn't think they couldn't remember."] * 8)
    assert len(text.split()) < 100 < 2 * len(text.split())
    result = perturbed(ParsedStory(text, 1), Change.TYPOS, means(), "0")
    assert result is not None
    assert len(result.edits) == 1


def test_names_numbers_and_placeholders_are_spelt_right() -> None:
    for seed in range(20):
        edit = invariance.mistype(ParsedStory("It was. [FEMALE] met Tom 1234 times .", 1), means(), random.Random(seed))
        assert edit is not None
        assert edit.changes[0][0] == 30
