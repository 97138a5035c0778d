"""What all metrics share that compare a story with the human stories of its prompt."""

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from itertools import chain

from core.metrics.base import TEXT_OPTIONS, Kind, Metric, Need, Option, Progress, Scores
from core.stories import Story

REFERENCE_OPTIONS = {
    **TEXT_OPTIONS,
    "references": Option(("max", "mean"), "with several references: the best of them, or their mean"),
}
EMPTY_STORY = "the story is empty"
EMPTY_REFERENCE = "the reference is empty"
NO_REFERENCE = "the prompt has no human story to compare with"

Pair = tuple[str, str]
"""A story and one of its references, both as the metric sees them."""


class Referenced(Metric):
    """A metric of one story and one reference at a time; several references give their maximum or mean."""

    kind = Kind.REFERENCED
    needs = frozenset({Need.REFERENCE})
    options = REFERENCE_OPTIONS

    @abstractmethod
    def compare(self, pairs: Sequence[Pair], done: Callable[[int], None]) -> list[float | str]:
        """A number, or the reason why there is none, for each pair; no text is empty. `done` counts pairs."""

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Equal pairs are compared once. Undefined for an empty story or without a reference."""
        wanted = [self._pairs(story) for story in stories]
        unique = list(dict.fromkeys(chain.from_iterable(pairs for pairs in wanted if not isinstance(pairs, str))))
        report = _share(on_progress, len(stories), len(unique))
        result = dict(zip(unique, self.compare(unique, report), strict=True))
        if on_progress and not unique:
            on_progress(len(stories))
        return Scores.collect(
            pairs if isinstance(pairs, str) else self._combine([result[pair] for pair in pairs]) for pairs in wanted
        )

    def _pairs(self, story: Story) -> list[Pair] | str:
        text = self.text(story.text)
        if not text.strip():
            return EMPTY_STORY
        if not story.references:
            return NO_REFERENCE
        references = [r for r in map(self.text, dict.fromkeys(story.references)) if r.strip()]
        return [(text, reference) for reference in references] or EMPTY_REFERENCE

    def _combine(self, values: list[float | str]) -> float | str:
        """Return the maximum or the mean over the references that gave a number; where none did, the first one's
        reason.
        """
        numbers = [value for value in values if not isinstance(value, str)]
        if not numbers:
            return values[0]
        return max(numbers) if self.chosen["references"] == "max" else math.fsum(numbers) / len(numbers)


def _share(on_progress: Progress | None, stories: int, pairs: int) -> Callable[[int], None]:
    """Turn finished pairs into finished stories, which is what a progress bar counts."""
    state = {"pairs": 0, "told": 0}

    def done(count: int) -> None:
        state["pairs"] += count
        reached = stories * state["pairs"] // max(1, pairs)
        if on_progress and reached > state["told"]:
            on_progress(reached - state["told"])
            state["told"] = reached

    return done


def compare_each(
    function: Callable[[str, str], float | str], pairs: Sequence[Pair], done: Callable[[int], None]
) -> list[float | str]:
    """Compare the pairs in turn: enough for metrics of words."""
    results = []
    for story, reference in pairs:
        results.append(function(story, reference))
        done(1)
    return results
