"""Negative stories: visibly worse, and the same for the same seed."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.perturb.negatives import make_negatives, reorder_sentences, repeat_sentence
from core.stories import sentences

PARTS = [
    f"The {name} came at {i}." for i, name in enumerate(("dog", "cat", "cow", "hen", "fox", "owl", "bee"), start=1)
]
STORIES = st.integers(3, 7).map(lambda n: PARTS[:n])
SEEDS = st.integers(0, 10**9)


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@given(STORIES, SEEDS)
def test_repeating_keeps_the_length_and_one_other_sentence(parts: list[str], seed: int) -> None:
    found = split(repeat_sentence(" ".join(parts), random.Random(seed)))
    assert len(found) == len(parts)
    kinds = set(found)
    assert len(kinds) == 2
    (spared,) = [sentence for sentence in kinds if found.count(sentence) == 1] if len(parts) > 2 else [found[0]]
    assert found.index(spared) == parts.index(spared)
    assert kinds <= set(parts)


def test_any_sentence_may_be_repeated_and_any_spared() -> None:
    made = {repeat_sentence(" ".join(PARTS[:3]), random.Random(seed)) for seed in range(100)}
    assert len(made) == 6


def test_repeating_changes_a_story_of_two_sentences() -> None:
    assert repeat_sentence("The dog came. The cat went.", random.Random(1)) != "The dog came. The cat went."


@given(st.integers(2, 7).map(lambda n: PARTS[:n]), SEEDS)
def test_reordering_is_a_permutation_without_old_neighbours(parts: list[str], seed: int) -> None:
    found = split(reorder_sentences(" ".join(parts), random.Random(seed)))
    assert sorted(found) == sorted(parts)
    assert found != parts
    order = [parts.index(sentence) for sentence in found]
    assert all(b != a + 1 for a, b in pairwise(order))


def test_reordering_gives_more_than_one_order() -> None:
    made = {reorder_sentences(" ".join(PARTS[:4]), random.Random(seed)) for seed in range(200)}
    assert len(made) == 11  # orders of four without a successor beside its predecessor


@pytest.mark.parametrize("text", ["", "Only one sentence.", "no end at all"])
def test_one_sentence_is_too_few(text: str) -> None:
    with pytest.raises(InputError, match="Repeating a sentence needs a story of at least two sentences"):
        repeat_sentence(text, random.Random(1))
    with pytest.raises(InputError, match="Reordering needs a story of at least two sentences"):
        reorder_sentences(text, random.Random(1))
    with pytest.raises(InputError, match=r"none of them has two different sentences\. Import longer human stories"):
        make_negatives(["p"], [("q", text)], [("q", text)], "seed")


def test_no_story_is_too_few() -> None:
    with pytest.raises(InputError, match="none of them has two different sentences"):
        make_negatives(["p"], [], [], "seed")


@given(st.text(max_size=20))
def test_the_same_seed_gives_the_same_text(seed: str) -> None:
    stories = [("a", " ".join(PARTS[:5])), ("b", "One sentence only."), ("c", " ".join(PARTS[2:]))]
    made = make_negatives(["a", "b"], stories, [], seed)
    assert made == make_negatives(["a", "b"], list(stories), [], seed)
    for text in made.values():
        assert text not in {story for _, story in stories}
        assert set(split(text)) <= set(PARTS)


def test_a_negative_is_the_same_in_every_process() -> None:
    """Negatives are stored by their seed; another text for it would change old studies."""
    made = make_negatives(["2"], [("1", " ".join(PARTS[:4]))], [], "study")
    assert made == {"2": "The dog came at 1. The dog came at 1. The dog came at 1. The hen came at 4."}


def test_it_comes_from_another_prompt_where_there_is_one() -> None:
    stories = [(str(i), f"Prompt {i} begins. Prompt {i} goes on. Prompt {i} ends.") for i in range(40)]
    made = make_negatives([str(i) for i in range(40)], stories, [], "seed")
    assert len(made) == 40
    assert not any(f"Prompt {prompt} " in text for prompt, text in made.items())
    alone = make_negatives(["0"], stories[:1], [], "seed")
    assert "Prompt 0 " in alone["0"]


def test_seeds_differ() -> None:
    stories = [("a", " ".join(PARTS[:5])), ("b", " ".join(PARTS[2:]))]
    made = {make_negatives(["c"], stories, [], str(seed))["c"] for seed in range(60)}
    assert len(made) > 20
    assert any(len(set(split(text))) == 2 for text in made)
    assert any(len(set(split(text))) == 5 for text in made)


def test_stories_too_short_are_passed_over() -> None:
    stories = [("a", "Short."), ("b", " ".join(PARTS[:3])), ("c", "")]
    for seed in range(20):
        assert set(split(make_negatives(["d"], stories, [], str(seed))["d"])) <= set(PARTS)


def test_systems_stories_serve_where_the_human_ones_are_too_short_and_only_there() -> None:
    short, long, systems = [("a", "Short.")], [("b", " ".join(PARTS[:4]))], [("c", "Up. Down.")]
    assert make_negatives(["d"], short, long, "study") == make_negatives(["d"], long, [], "study")
    assert make_negatives(["d"], long, systems, "study") == make_negatives(["d"], long, [], "study")
