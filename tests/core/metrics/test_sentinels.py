"""The sentinels: they see length, or the prompt, and nothing else."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics import build
from core.metrics.base import Settings
from core.metrics.perplexity import OF
from core.metrics.referenced import EMPTY_STORY
from core.metrics.sentinels import NO_PROMPT
from core.stories import Story

TEXT = "He ran home. It was late, and nobody waited for him there."


@pytest.mark.parametrize(("name", "number"), [("words", 12), ("sentences", 2)])
def test_a_sentinel_of_length_counts(name: str, number: int) -> None:
    result = build(name).score([Story(TEXT), Story(" \n"), Story(f"{TEXT} {TEXT}")])
    np.testing.assert_array_equal(result.values, [number, np.nan, 2 * number])
    assert result.reasons == {1: EMPTY_STORY}


@given(st.lists(st.text("ab", min_size=1, max_size=6), min_size=1, max_size=20), st.randoms())
def test_words_do_not_matter_but_their_number_does(words: list[str], random: Random) -> None:
    shuffled = [*words]
    random.shuffle(shuffled)
    result = build("words").score(
        [Story(" ".join(words)), Story("  ".join(shuffled)), Story(" ".join("x" * len(words)))]
    )
    assert result.values.tolist() == [len(words)] * 3


def test_a_sentinel_of_length_counts_what_it_is_told_to_read() -> None:
    read = Settings(options={"first_words": "5"})
    assert build("words", read).score([Story(TEXT)]).values.tolist() == [3]  # it ends where the sentence does
    assert build("words", read).signature == "words|first_words:5|normalisation:raw|v:1"


def test_progress_counts_each_story_once() -> None:
    done: list[int] = []
    build("sentences").score([Story(TEXT), Story("")], done.append)
    assert sum(done) == 2


def test_prompt_only_is_the_perplexity_of_the_prompt_read_as_a_story(home: object) -> None:
    prompts = ["A man comes home late.", "Purple the of soup marching quietly theorem."]
    stories = [Story(TEXT, prompts[0]), Story("Other.", prompts[0]), Story(TEXT, prompts[1]), Story(TEXT, " ")]
    result = build("prompt-only", Settings(device="cpu")).score(stories)
    alone = Settings(device="cpu", options={"of": OF[1]})
    expected = build("perplexity", alone).score([Story(prompt) for prompt in prompts]).values
    np.testing.assert_array_equal(result.values, [expected[0], expected[0], expected[1], np.nan])
    assert expected[0] > expected[1]  # the usual prompt is the more expected
    assert result.reasons == {3: NO_PROMPT}
