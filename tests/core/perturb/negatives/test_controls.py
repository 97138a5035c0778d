"""Negative stories as controls: visibly worse, and the same for the same seed."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.perturb.negatives.controls import FEWEST_HUMAN, LENDERS, Unlike, make_negatives, sharing, unlike
from core.perturb.negatives.writing import Writing, writing
from core.stories import sentences

PARTS = [
    f"The {name} came at {i}." for i, name in enumerate(("dog", "cat", "cow", "hen", "fox", "owl", "bee"), start=1)
]


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize("text", ["", "Only one sentence.", "no end at all", "The same. The same."])
def test_one_sentence_is_too_few(text: str) -> None:
    with pytest.raises(InputError, match=r"none of them has two different sentences\. Import longer human stories"):
        make_negatives(["p"], [("q", text)], [("q", text)], "seed")


def test_no_story_is_too_few() -> None:
    with pytest.raises(InputError, match="none of them has two different sentences"):
        make_negatives(["p"], [], [], "seed")


def test_texts_that_share_a_sentence_are_counted_each_once() -> None:
    texts = ["It rained. He left.", "She came. It rained.", "It rained. He left.", "Nobody came. Nobody came."]
    assert [sharing(texts[:number]) for number in range(5)] == [0, 0, 2, 3, 3]


@settings(max_examples=15, deadline=None)
@given(st.text(max_size=20))
def test_the_same_seed_gives_the_same_text(seed: str) -> None:
    stories = [("a", " ".join(PARTS[:5])), ("b", "One sentence only."), ("c", " ".join(PARTS[2:]))]
    made = make_negatives(["a", "b"], stories, [], seed)
    assert made == make_negatives(["a", "b"], list(stories), [], seed)
    assert not set(made.values()) & {story for _, story in stories}
    for text in made.values():
        assert len(split(text)) == 5
        assert split(text)[0] in (PARTS[0], PARTS[2])


def test_a_negative_is_the_same_in_every_process() -> None:
    """Negatives are stored by their seed; another text for it would change old studies."""
    made = make_negatives(["2"], [("1", " ".join(PARTS[:4]))], [], "study")
    assert made == {"2": "The dog came at 1. The cat came at 2. The cat came at 2. The cat did not come at 2."}


def test_it_comes_from_another_prompt_where_there_is_one() -> None:
    stories = [(str(i), f"Prompt {i} begins. Prompt {i} goes on. Prompt {i} ends.") for i in range(40)]
    made = make_negatives([str(i) for i in range(40)], stories, [], "seed")
    assert len(made) == 40
    # A sentence that was lent may be of any prompt; the first one is always the story's own.
    assert not any(text.startswith(f"Prompt {prompt} ") for prompt, text in made.items())
    alone = make_negatives(["0"], stories[:1], [], "seed")
    assert alone["0"].startswith("Prompt 0 begins.")


def test_seeds_differ_and_all_are_visibly_worse() -> None:
    story = " ".join(PARTS[:6])
    made = [make_negatives(["c"], [("a", story)], [], str(seed))["c"] for seed in range(60)]
    assert len(set(made)) > 40
    unchanged = [sum(a == b for a, b in zip(split(text), PARTS, strict=False)) for text in made]
    assert all(1 <= number < 6 for number in unchanged)
    assert sum(unchanged) / len(made) < 4


def test_stories_too_short_are_passed_over() -> None:
    stories = [("a", "Short."), ("b", " ".join(PARTS[:3])), ("c", "")]
    for seed in range(20):
        assert make_negatives(["d"], stories, [], str(seed))["d"].startswith(PARTS[0])


def test_systems_stories_serve_where_the_human_ones_are_too_short_and_only_there() -> None:
    short, long, systems = [("a", "Short.")], [("b", " ".join(PARTS[:4]))], [("c", "Up. Down.")]
    assert make_negatives(["d"], short, long, "study") == make_negatives(["d"], long, [], "study")
    assert make_negatives(["d"], long, systems, "study") == make_negatives(["d"], long, [], "study")


def test_of_many_stories_some_lend() -> None:
    stories = [(str(i), f"It was day {i}. The bird {i} sang.") for i in range(LENDERS + 50)]
    made = make_negatives(["0", "1", "2"], stories, [], "study")
    assert made == make_negatives(["2", "1", "0"], stories, [], "study")


NORMAL = [(f"n{i}", f"The dog {i} came home, late. It ate. It slept well. It woke at {i}.") for i in range(40)]
PLAIN = [(f"p{i}", f"the cat {i} went out , early . it ran . it hid . it stayed until {i} .") for i in range(40)]
RATED = [(f"s{i}", f"[MALE] saw {i} birds . they sang , and he left .") for i in range(30)]


def typography(texts: Iterable[str]) -> set[Writing]:
    return set(map(writing, texts))


def test_those_that_are_written_as_the_stories_to_rate_lend() -> None:
    prompts = [str(i) for i in range(30)]
    mixed = [*NORMAL, *PLAIN[:FEWEST_HUMAN]]
    negatives = make_negatives(prompts, mixed, RATED, "seed")
    assert negatives == make_negatives(prompts, PLAIN[:FEWEST_HUMAN], RATED, "seed")
    assert typography(negatives.values()) == {Writing(capitals=False, spaced=True)}


def test_where_too_few_are_those_lend_that_most_are_like_and_all_where_these_are_few_too() -> None:
    prompts = [str(i) for i in range(30)]
    negatives = make_negatives(prompts, [*NORMAL, *PLAIN[: FEWEST_HUMAN - 1]], RATED, "seed")
    assert negatives == make_negatives(prompts, NORMAL, [], "seed")
    few = make_negatives(prompts, [*NORMAL[:15], *PLAIN[:15]], RATED, "seed")
    assert {text.split()[1] for text in few.values()} == {"dog", "cat"}


def test_alike_stories_of_one_prompt_alone_do_not_lend() -> None:
    """A prompt's own story stands beside its negative one."""
    of_one = [("p", text) for _, text in PLAIN]
    assert make_negatives(["p"], [*NORMAL, *of_one], RATED, "seed")["p"].startswith("The dog")


@pytest.mark.parametrize(
    ("human", "told"),
    [
        ([*NORMAL, *PLAIN[:FEWEST_HUMAN]], None),
        (PLAIN[:3], None),
        ([], None),
        ([("x", "Only one sentence.")], None),
        ([*NORMAL, *PLAIN[:2]], Unlike(42, 2, Writing(capitals=False, spaced=True))),
        (NORMAL[:7], Unlike(7, 0, Writing(capitals=False, spaced=True))),
    ],
)
def test_human_stories_that_are_written_otherwise_are_told(human: list[tuple[str, str]], told: Unlike | None) -> None:
    assert unlike(human, [text for _, text in RATED]) == told
    assert unlike(human, [*(text for _, text in RATED), *(text for _, text in NORMAL)]) is None  # both are usual
    assert unlike(human, []) is None
