"""Work cut into batches, and the contract that each batch's scores are held to."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import DeviceLostError, FabulaError
from core.metrics.base import Card, Kind, Metric, Progress, Scores
from core.metrics.batches import (
    STORIES_A_BATCH,
    STORIES_A_CPU_BATCH,
    Pending,
    batch_size,
    plan,
    score_batch,
    score_in_turns,
)
from core.metrics.bleu import Bleu
from core.stories import Story


def pending(length: int, prompt: str = "", references: tuple[str, ...] = ()) -> Pending:
    story = Story("a" * length, prompt, references)
    return Pending(story.content_hash, story, frozenset({1}))


def lengths(batches: list[list[Pending]]) -> list[list[int]]:
    return [[len(item.story.text) for item in batch] for batch in batches]


def test_longest_stories_come_first() -> None:
    rows = [pending(n, prompt=str(n)) for n in (3, 9, 1, 5)]
    assert lengths(plan(rows, size=3)) == [[9, 5, 3], [1]]


def test_stories_of_one_prompt_stand_side_by_side_where_their_longest_belongs() -> None:
    """They share references, which are then read once a batch; only a group's longest text decides its place."""
    rows = [pending(2, "a"), pending(5, "b"), pending(9, "a"), pending(7, "b"), pending(8, "c"), pending(1, "a")]
    batches = plan(rows, size=4)
    assert [[(len(item.story.text), item.story.prompt) for item in batch] for batch in batches] == [
        [(2, "a"), (9, "a"), (1, "a"), (8, "c")],
        [(5, "b"), (7, "b")],
    ]


def test_other_references_are_another_group() -> None:
    rows = [pending(9, "a", ("x",)), pending(5, "a", ("y",)), pending(1, "a", ("x",))]
    assert lengths(plan(rows)) == [[9, 1, 5]]


def test_nothing_to_do() -> None:
    assert plan([]) == []


@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abc")), max_size=150, unique=True), st.integers(1, 9))
def test_every_story_is_in_one_batch(drawn: list[tuple[int, str]], size: int) -> None:
    rows = [pending(n, prompt) for n, prompt in drawn]
    batches = plan(rows, size)
    flat = [item.content_hash for batch in batches for item in batch]
    assert sorted(flat) == sorted(row.content_hash for row in rows)
    assert all(len(batch) == size for batch in batches[:-1])
    assert all(0 < len(batch) <= size for batch in batches)
    prompts = [item.story.prompt for batch in batches for item in batch]
    changes = sum(a != b for a, b in pairwise(prompts))
    assert changes == max(0, len(set(prompts)) - 1), "each prompt's stories are in a row"


def test_batches_are_of_a_fixed_size_unless_told_otherwise() -> None:
    rows = [pending(1, str(i)) for i in range(STORIES_A_BATCH + 1)]
    assert [len(batch) for batch in plan(rows)] == [STORIES_A_BATCH, 1]


def test_a_stop_costs_little_of_what_a_model_reads_on_a_cpu() -> None:
    assert batch_size(with_model=False, device="cpu") == STORIES_A_BATCH
    assert batch_size(with_model=True, device="cpu") == STORIES_A_CPU_BATCH < STORIES_A_BATCH


def test_score_batch_scores_in_order() -> None:
    stories = [Story("one two three four", references=("one two three four",)), Story("", references=("a",))]
    scores = score_batch(Bleu(), stories)
    np.testing.assert_array_equal(scores.values, [1.0, np.nan])
    assert list(scores.reasons) == [1]


class Given(Metric):
    """Gives what it is told to, as a metric of a user's own may."""

    name = "given"
    kind = Kind.UNREFERENCED
    needs = frozenset()
    card = Card("nothing", "none", "everything")
    found: object

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        if on_progress:
            on_progress(len(stories))
        return self.found  # type: ignore[return-value]


def given_scores(found: object) -> Metric:
    metric = Given()
    metric.found = found
    return metric


STORIES = [Story("a"), Story("b"), Story("c")]
NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (Scores(np.array([1.0, 2.0]), {}), "gave 2 scores for 3 stories"),
        (Scores(np.array([1.0, 2.0, 3.0, 4.0]), {}), "gave 4 scores for 3 stories"),
        (Scores(np.zeros((3, 1)), {}), "gave 3 scores for 3 stories"),
        (Scores(np.array(1.0), {}), "gave 1 scores for 3 stories"),
        (Scores(np.array([1.0, INF, 3.0]), {}), "gave an infinite score, which no analysis can use"),
        (Scores(np.array([1.0, -INF, 3.0]), {1: "far too bad"}), "gave an infinite score, which no analysis can use"),
        (Scores(np.array([NAN, NAN, NAN]), {1: "empty"}), "left 2 stories undefined without a reason"),
        (Scores(np.array([1.0, NAN, 3.0]), {1: ""}), "left 1 stories undefined without a reason"),
        (Scores(np.array([1.0, NAN, 3.0]), {0: "another's"}), "left 1 stories undefined without a reason"),
        ([1.0, 2.0, 3.0], "gave list instead of Scores"),
        (None, "gave NoneType instead of Scores"),
    ],
)
def test_scores_that_break_the_contract_are_one_sentence(found: object, sentence: str) -> None:
    with pytest.raises(FabulaError, match=rf"^The metric given {sentence}\.$"):
        score_batch(given_scores(found), STORIES)


def test_scores_that_keep_the_contract_come_back_as_float64() -> None:
    seen: list[int] = []
    scores = score_batch(given_scores(Scores([1, NAN, 3], {1: "why"})), STORIES, seen.append)  # type: ignore[arg-type]
    assert scores.values.dtype == np.float64
    np.testing.assert_array_equal(scores.values, [1.0, NAN, 3.0])
    assert scores.reasons == {1: "why"}
    assert seen == [3]


class Stepwise(Metric):
    """Scores a story at a time by the length of its text."""

    name = "stepwise"
    kind = Kind.UNREFERENCED
    needs = frozenset()
    card = Card("nothing", "none", "everything")
    order: list[str]

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        for story in stories:
            self.order.append(story.text)
            if on_progress:
                on_progress(1)
        return Scores(np.array([float(len(story.text)) for story in stories]), {})


def test_metrics_take_turns_batch_by_batch() -> None:
    """Each skips what it has already; progress within a batch ends before the batch does, so that it can be stored."""
    order: list[str] = []
    metrics = [Stepwise(), Stepwise()]
    for metric in metrics:
        metric.order = order
    first, second, third = ((text, Story(text)) for text in ("a", "bb", "ccc"))
    within: list[int] = []
    turns = list(score_in_turns(metrics, [[[first, second], [second]], [[], [third]]], within.append))
    assert order == ["a", "bb", "bb", "ccc"]
    assert [(turn.metric, turn.keys, turn.scores.values.tolist()) for turn in turns] == [
        (0, ("a", "bb"), [1.0, 2.0]),
        (1, ("bb",), [2.0]),
        (1, ("ccc",), [3.0]),
    ]
    assert within == [1]
    assert all(turn.seconds >= 0 for turn in turns)


class Brittle(Bleu):
    """Gives the length of a story, and breaks on some."""

    def __init__(self, *broken: str) -> None:
        super().__init__()
        self._broken = broken
        self.calls = 0

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        self.calls += 1
        for story in stories:
            if story.text in self._broken:
                raise RecursionError(f"too deep in {story.text}")
        return Scores([float(len(story.text)) for story in stories], {})


def many(number: int) -> list[Story]:
    return [Story(f"story {n}" + "!" * n) for n in range(number)]


@pytest.mark.parametrize("broken", [[0], [5], [99], [0, 1, 2], [3, 50, 98], list(range(0, 100, 2))])
def test_a_story_that_a_metric_breaks_on_is_named_and_the_others_have_their_scores(broken: list[int]) -> None:
    stories = many(100)
    metric = Brittle(*(stories[place].text for place in broken))
    scores = score_batch(metric, stories)
    assert sorted(scores.reasons) == broken
    assert all("broke on this story: RecursionError: too deep in story" in why for why in scores.reasons.values())
    for place, (story, value) in enumerate(zip(stories, scores.values, strict=True)):
        assert math.isnan(value) if place in broken else value == len(story.text)
    assert metric.calls <= 1 + 2 * 8 * len(broken)


@pytest.mark.parametrize(
    "said", ["CUDA error: an illegal memory access was encountered\nhint", "CUBLAS_STATUS_NOT_INITIALIZED"]
)
@pytest.mark.parametrize("after", [0, 3])
def test_a_gpu_that_goes_is_no_fault_of_a_story_s(said: str, after: int) -> None:
    """Whether it goes in the batch, or while that is taken apart for another reason."""

    class Going(Brittle):
        def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
            if self.calls >= after:
                raise RuntimeError(said)
            return super().score(stories)

    with pytest.raises(DeviceLostError, match=rf"while bleu is scored \({said.partition(chr(10))[0]}\)"):
        score_batch(Going("story 5!!!!!"), many(9))


@pytest.mark.parametrize("said", ["CUDA error: out of memory", "CUBLAS_STATUS_ALLOC_FAILED", "of another kind"])
def test_too_little_memory_is_another_matter(said: str) -> None:
    class Large(Brittle):
        def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
            if any(len(story.text) > 10 for story in stories):
                raise RuntimeError(said)
            return super().score(stories)

    scores = score_batch(Large(), many(9))
    assert [place for place, why in scores.reasons.items() if said in why] == list(range(4, 9))


def test_one_story_alone_is_named_too() -> None:
    assert "broke on this story" in score_batch(Brittle("x"), [Story("x")]).reasons[0]


def test_what_breaks_on_all_is_no_fault_of_a_story() -> None:
    stories = many(8)
    with pytest.raises(FabulaError, match="failed on every story: RecursionError"):
        score_batch(Brittle(*(story.text for story in stories)), stories)
