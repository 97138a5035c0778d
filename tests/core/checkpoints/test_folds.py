"""Folds by prompt: the same for ever, and no model sees what it scores."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.checkpoints.folds import Folds, folds_text, unseen
from core.errors import InputError

WORDS = st.text("abcde .!", max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=30), st.integers(2, 20), st.integers(-5, 5))
def test_a_fold_follows_from_the_prompt_alone(stories: list[tuple[str, str]], number: int, seed: int) -> None:
    folds = Folds(number, seed)
    result = np.array([folds.of(*story) for story in stories])
    assert ((result >= 0) & (result < number)).all()
    for (prompt, text), fold in zip(stories, result.tolist(), strict=True):
        assert folds.of(f" {prompt.upper()}. ", text) == fold
        if prompt.strip(" .!"):
            assert folds.of(prompt, text + "other") == fold
    texts = [text for _, text in stories]
    for fold in range(number):
        may = unseen(result, fold, texts)
        assert not may[result == fold].any()
        scored = {text.replace(" ", "") for text, item in zip(texts, result, strict=True) if item == fold}
        assert all(text.replace(" ", "") not in scored for text, item in zip(texts, may, strict=True) if item)
        left_out = ~may & (result != fold)
        plain = {"".join(c for c in text if c.isalnum()) for text in scored}
        assert all("".join(c for c in texts[i] if c.isalnum()) in plain for i in np.flatnonzero(left_out))


def test_folds_are_about_equally_large_and_another_seed_makes_others() -> None:
    prompts = [f"Prompt {i}" for i in range(2000)]
    values, other = (Folds(5, seed).each(prompts, prompts) for seed in (0, 1))
    assert 340 < np.bincount(values).min() <= np.bincount(values).max() < 460
    assert 0.75 < (values != other).mean() < 0.85
    assert Folds(5, 0).of("Prompt 1", "") == values[1]


def test_too_few_prompts_are_refused() -> None:
    with pytest.raises(InputError, match="5 folds need 10 different prompts at least, but there are 2"):
        Folds().each(["A dog."] * 30 + ["a dog"] * 4 + ["a cat"], ["x"] * 35)
    with pytest.raises(InputError, match="There can be 2 to 20 folds, not 1"):
        Folds(1)
    four = [prompt for prompt in map(str, range(99)) if Folds(2).of(prompt, "") == 0][:4]
    with pytest.raises(InputError, match="in one fold: take another seed"):
        Folds(2).each(four, four)


def test_what_a_card_says() -> None:
    assert folds_text(5, {}).startswith("One of 5 models scores each story")
    assert folds_text(3, {"b": 1200, "a": 2}).startswith(
        "Trained also on stories of rated studies: 2 of a, 1,200 of b. One"
    )
