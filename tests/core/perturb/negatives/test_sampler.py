"""Negative samples: the paper's shares, what every negative keeps, and texts that are hard to make worse."""

import hashlib
import random
import time
from collections import Counter
from itertools import pairwise
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from core.english.knowledge import shared_wordnet
from core.english.negation import negated
from core.english.substitution import keywords
from core.english.words import words
from core.errors import InputError
from core.perturb.edits import Perturbed, apply
from core.perturb.negatives.sampler import Mix, MixName, Sampler, Technique
from core.stories import sentences

SURE = 0.001
"""A fixed seed draws one sample: what has this probability by chance is called wrong."""
STORY = "Nora had an old boat. She was happy. The red dog ran home. Tom sold his big house. They never came back."
OTHERS = [
    "Anna found a key. It opened a small door. Nobody knew the room. A cat slept inside.",
    "Ben cooked soup. His sister ate it quickly. He was glad.",
]
NONE_KNOWN = type(
    "Empty", (), {"name": "none", "knows": lambda self, lemma, pos: False, "antonyms": lambda self, lemma, pos: ()}
)()


def sampler(mix: Mix | None = None) -> Sampler:
    return Sampler([STORY, *OTHERS], shared_wordnet(), mix)


def only(technique: Technique, **ways: float) -> Sampler:
    return sampler(Mix({technique: 1.0}, (1.0,), **ways))


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def even(observed: dict[object, int], expected: dict[object, float]) -> float:
    """p of a chi-square test."""
    total = sum(observed.values())
    keys = list(expected)
    assert set(observed) <= set(keys)
    return float(chisquare([observed.get(key, 0) for key in keys], [expected[key] * total for key in keys]).pvalue)


def test_numbers_first_techniques_and_inclusion_are_the_papers() -> None:
    mix, rng = Mix(), random.Random(7)
    drawn = [mix.draw(rng) for _ in range(20_000)]
    assert even(Counter(number for number, _ in drawn), {1: 0.5, 2: 0.2, 3: 0.2, 4: 0.1}) > SURE
    assert even(Counter(order[0] for _, order in drawn), dict(zip(Technique, (0.1, 0.3, 0.4, 0.2), strict=True))) > SURE
    # The second by hand: .4/.7 of those that begin with substitution go on with reordering.
    after = Counter(order[1] for _, order in drawn if order[0] == Technique.SUBSTITUTION)
    others = (Technique.REPETITION, Technique.REORDERING, Technique.NEGATION)
    assert even(after, dict(zip(others, (1 / 7, 4 / 7, 2 / 7), strict=True))) > SURE
    for technique, share in mix.expected_techniques().items():
        used = sum(technique in order[:number] for number, order in drawn)
        assert even({True: used, False: len(drawn) - used}, {True: share, False: 1 - share}) > SURE
    assert all(set(order) == set(Technique) for _, order in drawn)


def test_expected_shares_by_hand() -> None:
    assert Mix().expected_numbers() == pytest.approx({1: 0.5, 2: 0.2, 3: 0.2, 4: 0.1})
    two = Mix({Technique.REPETITION: 1.0, Technique.NEGATION: 3.0}, (0.5, 0.5))
    assert two.expected_techniques() == pytest.approx({Technique.REPETITION: 0.625, Technique.NEGATION: 0.875})
    fewer = Mix().without(Technique.REPETITION, Technique.REORDERING)
    assert fewer.expected_numbers() == pytest.approx({1: 0.5, 2: 0.5})
    assert fewer.expected_techniques() == pytest.approx(
        {Technique.SUBSTITUTION: 0.5 * 0.6 + 0.5, Technique.NEGATION: 0.5 * 0.4 + 0.5}
    )
    assert sum(Mix().expected_techniques().values()) == pytest.approx(0.5 + 0.4 + 0.6 + 0.4)


def test_mixes_that_are_none() -> None:
    for wrong in ({}, {Technique.NEGATION: 0.0}):
        with pytest.raises(InputError, match="at least one technique"):
            Mix(wrong)
    for counts in ((), (0.0,), (0.5, -0.1), (0.2,) * 5):
        with pytest.raises(InputError, match="one to four weights"):
            Mix(counts=counts)
    with pytest.raises(InputError, match="at least one technique"):
        Mix().without(*Technique)
    assert Mix(name=cast(MixName, "paper")).name is MixName.PAPER
    with pytest.raises(InputError, match="There is no mix 'papers'; choose fabula or paper"):
        Mix(name=cast(MixName, "papers"))
    with pytest.raises(InputError, match="there is none"):
        Sampler(["", " \n"], shared_wordnet())


def made_of(by: Sampler, number: int, story: str = STORY) -> list[Perturbed]:
    result = [by.negative(story, str(seed)) for seed in range(number)]
    assert all(result)
    return [perturbed for perturbed in result if perturbed]


def test_two_ways_of_repetition() -> None:
    changed = made_of(only(Technique.REPETITION), 600)
    doubled = [item for item in changed if item.steps[0].way.endswith("twice")]
    assert even({True: len(doubled), False: len(changed) - len(doubled)}, {True: 0.3, False: 0.7}) > SURE
    for perturbed in changed:
        (step,) = perturbed.steps
        if perturbed in doubled:
            (edit,) = step.edits
            again = edit.after.removeprefix(" ")
            assert edit.before == ""
            assert perturbed.original[: edit.start].endswith(again)
        else:
            repeated = {edit.after for edit in step.edits}
            assert len(repeated) == 1 <= len(step.edits) <= 2
            parts = split(perturbed.text)
            assert any(a == b == next(iter(repeated)) for a, b in pairwise(parts))


def test_one_to_four_words_are_doubled() -> None:
    story = "It began. " + "One two three four five six seven. " * 2
    changed = made_of(only(Technique.REPETITION, repeat_sentence=0.0), 600, story)
    sizes = Counter(len(perturbed.edits[0].after.split()) for perturbed in changed)
    assert even(sizes, dict.fromkeys((1, 2, 3, 4), 0.25)) > SURE


def test_two_ways_of_substitution_and_the_share_of_words() -> None:
    changed = made_of(only(Technique.SUBSTITUTION), 400)
    lent = [part for other in OTHERS for part in split(other)]
    whole = [item for item in changed if all(edit.after in lent for edit in item.edits)]
    # A third of the draws of another story find the story itself, and take words instead.
    share = 0.5 * 2 / 3
    assert even({True: len(whole), False: len(changed) - len(whole)}, {True: share, False: 1 - share}) > SURE
    wanted = round(0.15 * sum(len(keywords(part, shared_wordnet())) for part in split(STORY)[1:]))
    assert wanted == 2
    for perturbed in changed:
        if perturbed in whole:
            sources = [next(other for other in OTHERS if edit.after in other) for edit in perturbed.edits]
            assert len(set(sources)) == 1
            assert 1 <= len(perturbed.edits) <= 2
        else:
            assert perturbed.steps[0].way.startswith(f"{wanted} keywords, ")


def test_orders_are_all_but_the_identity() -> None:
    changed = made_of(only(Technique.REORDERING), 400, "Go on. A b. C d. E f.")
    assert len({item.text for item in changed}) == 5
    for perturbed in changed:
        assert sorted(split(perturbed.text)) == sorted(split(perturbed.original))
        assert perturbed.steps[0].way == f"{len(perturbed.edits)} sentences"


def test_equal_sentences_are_never_all_that_moves() -> None:
    changed = made_of(only(Technique.REORDERING), 40, "Go on. A b. A b. A b. C d.")
    assert {perturbed.text for perturbed in changed} <= {
        f"Go on. {rest}" for rest in ("C d. A b. A b. A b.", "A b. C d. A b. A b.", "A b. A b. C d. A b.")
    }
    assert only(Technique.REORDERING).negative("Go on. A b. A b.", "1") is None


PARTS = st.sampled_from(
    [
        "He was glad.", "she did n ' t go .", "[MALE] ran home !", "“No,” he said.", "THE OLD MAN LEFT.", "Why me?",
        "He saw Mr. Hall.", "彼は走った。", "😀 was here.", "I sold it", "and then (not now)", "Wait…", "\x07 beep.",
    ]
)  # fmt: skip
STORIES = st.lists(PARTS, min_size=1, max_size=7).flatmap(
    lambda parts: st.sampled_from([" ", "\n", "  "]).map(lambda space: space.join(parts))
)


@pytest.fixture(scope="module")
def usual() -> Sampler:
    return sampler()


@settings(max_examples=300, deadline=None)
@given(story=STORIES, seed=st.integers(0, 10**6), kept=st.integers(0, 2), name=st.sampled_from(MixName))
def test_what_every_negative_keeps(usual: Sampler, story: str, seed: int, kept: int, name: MixName) -> None:
    by = usual.using(Mix(name=name))
    perturbed = by.negative(story, str(seed), kept)
    assert perturbed == by.negative(story, str(seed), kept)
    if perturbed is None:
        return
    before, after = sentences(story), sentences(perturbed.text)
    assert perturbed.original == story != perturbed.text
    assert len(after) == len(before)
    if kept:
        end = before[kept - 1][1]
        assert perturbed.text[:end] == story[:end]
        assert min(edit.start for edit in perturbed.edits) >= end
    assert apply(story, perturbed.edits) == perturbed.text
    text = story
    for step in perturbed.steps:
        text = apply(text, step.edits)
    assert text == perturbed.text
    assert len({step.technique for step in perturbed.steps}) == len(perturbed.steps) <= 4
    assert {name for edit in perturbed.edits for name in edit.techniques} <= {
        step.technique for step in perturbed.steps
    }


def test_the_usual_mix_gives_what_it_has_always_given() -> None:
    """Checkpoints that were trained, and controls of studies that run, were made with it."""
    by = sampler()
    made = [by.negative(story, str(seed)) for seed in range(60) for story in (STORY, *OTHERS)]
    text = "\n".join("" if perturbed is None else perturbed.text for perturbed in made)
    assert (
        hashlib.sha256(text.encode()).hexdigest() == "c8fcf8432d7e4b9757ccc70361a4cc6929e6bf195e066da0d4ca07bd5ce6b049"
    )


def test_the_same_seed_gives_the_same_negative_whatever_was_made_before() -> None:
    item, other = sampler(), sampler()
    first = [item.negative(story, "7") for story in (STORY, *OTHERS)]
    second = [other.negative(story, "7") for story in (*reversed(OTHERS), STORY)]
    assert first == second[::-1]
    assert len({perturbed.text for seed in range(40) if (perturbed := item.negative(STORY, str(seed)))}) > 30


@pytest.mark.parametrize("technique", list(Technique))
def test_a_technique_that_is_left_out_is_not_used(technique: Technique) -> None:
    by = sampler(Mix().without(technique))
    used = Counter(step.technique for perturbed in made_of(by, 60) for step in perturbed.steps)
    assert set(used) == set(Technique) - {technique}
    alone = made_of(only(technique), 5)
    assert {step.technique for perturbed in alone for step in perturbed.steps} == {technique}


def test_one_technique_works_on_what_the_one_before_has_left() -> None:
    by = sampler(Mix(counts=(0, 0, 0, 1.0)))
    for perturbed in made_of(by, 30):
        text = perturbed.original
        assert {step.technique for step in perturbed.steps} == set(Technique)
        for step in perturbed.steps:
            text = apply(text, step.edits)
        assert text == perturbed.text


EXAMPLES = [
    (Technique.REORDERING, "Go. One came.", None),
    (Technique.REORDERING, "Go. One came. Two went", "Go. Two went. One came."),
    (Technique.REORDERING, "go . one came . two went", "go . two went . one came ."),
    (Technique.REORDERING, "Go.\nOne came\nTwo saw [MALE]", "Go.\nTwo saw [MALE].\nOne came"),
    (Technique.NEGATION, "He was ill. She had not slept.", "He was ill. She had slept."),
    (Technique.NEGATION, "He was ill. The old house.", None),
    (Technique.NEGATION, "He was ill. The house. Go. She ran.", "He was ill. The house. Go. She did not run."),
    (Technique.REPETITION, "He was ill. She ran.", "He was ill. He was ill."),
    (Technique.REPETITION, "One sentence only.", None),
    (Technique.SUBSTITUTION, "One sentence only.", None),
    (Technique.SUBSTITUTION, "", None),
]


@pytest.mark.parametrize(("technique", "story", "becomes"), EXAMPLES)
def test_examples(technique: Technique, story: str, becomes: str | None) -> None:
    perturbed = only(technique, repeat_sentence=1.0).negative(story, "1")
    assert (perturbed and perturbed.text) == becomes


def test_with_a_prompt_before_it_all_of_a_story_may_change() -> None:
    by = only(Technique.NEGATION)
    assert by.negative("She ran.", "1") is None
    perturbed = by.negative("She ran.", "1", kept=0)
    assert perturbed is not None
    assert perturbed.text == "She did not run."


@pytest.mark.parametrize(
    "story",
    [
        "彼は走った。犬が来た。猫も来た。鳥が鳴いた。",
        "HE HAD A BOAT. SHE WAS GLAD. IT SANK. THEY SWAM HOME.",
        '"Are you there?" he said. "No!" she said. "I am not here." He left.',
        "no final stop. here it goes on. and on and on",
        "Control \x00\x01. He saw \x1b[31mred. \x07 It was gone.",
        "Да. Он пришёл домой. Она ушла.",
        "a.\n\n\nb.\n\n\nc.",
    ],
)
@pytest.mark.parametrize("technique", [Technique.REPETITION, Technique.REORDERING])
def test_texts_of_other_kinds(story: str, technique: Technique) -> None:
    for perturbed in made_of(only(technique), 10, story):
        assert len(split(perturbed.text)) == len(split(story))


def test_without_keywords_sentences_are_taken() -> None:
    by = Sampler([STORY, *OTHERS], NONE_KNOWN, Mix({Technique.SUBSTITUTION: 1.0}, (1.0,)))
    result = [by.negative("It was so. It is he. It was she.", str(seed)) for seed in range(10)]
    lent = {part for other in [STORY, *OTHERS] for part in split(other)}
    assert all(edit.after in lent for perturbed in result if perturbed for edit in perturbed.edits)
    assert sum(perturbed is not None for perturbed in result) == 10
    alone = Sampler(["It was so. It is he."], NONE_KNOWN, Mix({Technique.SUBSTITUTION: 1.0}, (1.0,)))
    assert alone.negative("It was so. It is he.", "1") is None


def test_a_novel_takes_no_minutes() -> None:
    long = " ".join(f"He was {word} and saw the dog number {i}." for i, word in enumerate(["glad", "old"] * 250))
    by = sampler(Mix(counts=(0, 0, 0, 1.0)))
    begun = time.perf_counter()
    perturbed = by.negative(long, "1")
    assert time.perf_counter() - begun < 20
    assert perturbed is not None
    assert len(split(perturbed.text)) == 500


def test_where_negations_are_put_in_and_taken_out() -> None:
    for perturbed in made_of(only(Technique.NEGATION), 20):
        (step,) = perturbed.steps
        place = next(
            i for i, (a, b) in enumerate(zip(split(perturbed.original), split(perturbed.text), strict=True)) if a != b
        )
        assert step.way == ("taken out" if negated(split(perturbed.original)[place]) else "put in")
        assert len(words(perturbed.text)) != len(words(perturbed.original))


def test_another_mix_over_the_same_lenders() -> None:
    counted = sampler()
    counted.count()
    other = counted.using(Mix().without(Technique.REORDERING))
    assert other.vocabulary is counted.vocabulary
    assert other.negative(STORY, "5") == sampler(Mix().without(Technique.REORDERING)).negative(STORY, "5")
    assert counted.negative(STORY, "5") == sampler().negative(STORY, "5")
