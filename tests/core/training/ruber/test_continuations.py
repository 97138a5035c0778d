"""Contexts with their own continuations and with others'."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.training.ruber.continuations import Continuations, parted
from core.training.ruber.settings import RuberSettings
from tests.core.training.union.task import STORIES


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(2, 40), min_size=1, max_size=4), st.integers(0, 5), st.randoms(use_true_random=False))
def test_nobody_gets_its_own_or_another_corpus_continuation(sizes: list[int], seed: int, random: object) -> None:
    corpus = tuple(number for number, size in enumerate(sizes) for _ in range(size))
    texts = tuple(map(str, range(len(corpus))))
    stories = Continuations(texts, texts, corpus)
    rows = np.arange(len(corpus))
    random.shuffle(rows)  # type: ignore[attr-defined]
    given_to = stories.others(rows, str(seed))
    assert sorted(given_to.tolist()) == sorted(rows.tolist())
    assert not (given_to == rows).any()
    assert [corpus[i] for i in given_to] == [corpus[i] for i in rows]
    assert stories.others(rows, str(seed)).tolist() == given_to.tolist()


def test_each_epoch_draws_anew() -> None:
    stories = parted({"a": STORIES}, RuberSettings())
    rows = np.arange(len(stories))
    drawn = {tuple(stories.others(rows, f"0/{epoch}").tolist()) for epoch in range(20)}
    assert len(drawn) == 20
    met = Counter(other for part in drawn for other in part[:1])
    assert max(met.values()) < 6


def test_held_out_are_told_by_their_text_and_never_alone() -> None:
    some = {"a": STORIES[:40], "few": [story.replace("went", "ran") for story in STORIES[40:52]]}
    stories = parted(some, RuberSettings())
    held = stories.held_out(0.1, 3)
    corpus = np.array(stories.corpus)
    assert [int(held[corpus == number].sum()) for number in (0, 1)] == [4, 2]
    turned = parted({name: texts[::-1] for name, texts in some.items()}, RuberSettings())
    again = turned.held_out(0.1, 3)
    assert {r for r, kept in zip(stories.rests, held, strict=True) if kept} == {
        r for r, kept in zip(turned.rests, again, strict=True) if kept
    }
    assert stories.hash != turned.hash
    assert not np.array_equal(stories.held_out(0.1, 4), held)


def test_stories_are_parted_behind_the_first_sentence() -> None:
    assert RuberSettings().parted("mr. fox RAN . he did n't stop . It rained.") == (
        "Mr. Fox ran.",
        "He didn't stop. It rained.",
    )
    assert RuberSettings(words=3).parted("A b. One two three. Four.") == ("A b.", "One two three.")
    assert RuberSettings(normalisation="raw", words=0).parted("a b . c d .") == ("a b .", "c d .")
    assert RuberSettings().parted("One sentence alone.") is None


def test_equal_continuations_count_once_and_too_few_are_refused() -> None:
    twice = [*STORIES[:12], STORIES[0].replace("A dog met", "One dog met")]
    assert len(parted({"a": twice}, RuberSettings())) == 12
    with pytest.raises(InputError, match=r"^b: RUBER is trained on 10 stories at least .* of these 11 there are 9:"):
        parted({"a": STORIES, "b": [*STORIES[:9], "Short.", "Shorter."]}, RuberSettings())
    with pytest.raises(InputError, match="none is given"):
        parted({"a": []}, RuberSettings())
