"""A set of negatives: one of each human story, shares against what the mix expects, and why some have none."""

import pytest

from core.english.knowledge import shared_wordnet
from core.perturb.cases import human_stories, kept_sentences
from core.perturb.negatives.sampler import Mix, Sampler, Technique
from core.perturb.negatives.sets import EMPTY, NOTHING, SINGLE, negative_of, negative_set, why_not
from core.statistics.intervals import wilson
from core.stories import Source, StoryRecord

TEXT = "It was late. The old man slept. His dog ran home. They were glad."


def record(key: str, text: str = TEXT, prompt: str = "", source: Source = Source.HUMAN) -> StoryRecord:
    return StoryRecord(key, key, prompt, text, source)


def sampler(mix: Mix | None = None) -> Sampler:
    return Sampler([TEXT, "She sold a boat. He bought a car."], shared_wordnet(), mix)


def test_one_negative_of_each_story_and_why_of_the_others() -> None:
    records = [record("a"), record("b", ""), record("c", "Only this."), record("d"), record("e", "Only this.", "Once.")]
    told: list[int] = []
    result = negative_set(records, sampler(), 5, told.append)
    assert told == [1, 2, 3, 4, 5]
    assert result.stories == 5
    assert [case.id for case in result.cases] == ["a", "d", "e"]
    assert result.unchanged == (("b", EMPTY), ("c", SINGLE))
    assert result.reasons == {EMPTY: 1, SINGLE: 1}
    assert {(case.aspect, case.label) for case in result.cases} == {("negative", 0)}
    assert result.cases[2].prompt == "Once."
    assert result.cases[0].perturbed.original == TEXT
    assert negative_set([], sampler(), 5).cases == ()


def test_a_story_s_negative_is_the_same_in_every_order_and_another_with_another_seed() -> None:
    records = [record(str(i)) for i in range(20)]
    texts = {case.id: case.perturbed.text for case in negative_set(records, sampler(), 1).cases}
    again = {case.id: case.perturbed.text for case in negative_set(records[::-1], sampler(), 1).cases}
    assert texts == again
    assert len(set(texts.values())) > 10
    other = {case.id: case.perturbed.text for case in negative_set(records, sampler(), 2).cases}
    assert texts != other
    perturbed = negative_of(records[7], sampler(), 1)
    assert perturbed is not None
    assert perturbed.text == texts["7"]


def test_shares_by_hand() -> None:
    result = negative_set([record(str(i)) for i in range(40)], sampler(Mix().without(Technique.NEGATION)), 1)
    numbers, techniques = result.numbers, result.techniques
    assert [share.name for share in numbers] == ["1", "2", "3"]
    assert [share.expected for share in numbers] == pytest.approx([0.5, 0.2, 0.3])
    assert sum(share.stories for share in numbers) == len(result.cases) == 40
    assert [share.name for share in techniques] == ["repetition", "substitution", "reordering"]
    used = [sum(t in [s.technique for s in case.perturbed.steps] for case in result.cases) for t in Technique]
    assert [share.stories for share in techniques] == used[:3]
    assert used[3] == 0
    first = techniques[0]
    assert first.share == first.stories / 40
    assert (first.low, first.high) == wilson(first.share or 0.0, 40)


def test_shares_of_nothing() -> None:
    result = negative_set([record("a", "")], sampler(), 1)
    assert [(share.stories, share.share, share.low) for share in result.numbers] == [(0, None, None)] * 4


def test_why_not() -> None:
    assert why_not(record("a", " \n")) == EMPTY
    assert why_not(record("a", "One. Two.", "One. Two.")) == SINGLE
    assert why_not(record("a", "It. The.")) == NOTHING


@pytest.mark.parametrize(
    ("prompt", "text", "kept"),
    [
        ("", "One. Two.", 1),
        (" ", "One. Two.", 1),
        ("Zero.", "One. Two.", 0),
        ("One.", "One. Two. Three.", 1),
        ("One. Two. ", "One. Two. Three.", 2),
        ("On", "One. Two.", 0),
    ],
)
def test_the_beginning_never_changes(prompt: str, text: str, kept: int) -> None:
    assert kept_sentences(prompt, text) == kept


def test_human_stories_where_some_are_marked() -> None:
    system, human = record("a", source=Source.SYSTEM), record("b")
    negative = record("c", source=Source.NEGATIVE)
    assert human_stories([system, human, negative]) == [human]
    assert human_stories([system, negative]) == [system]
    assert human_stories([negative]) == []
