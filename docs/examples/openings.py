"""A metric of one's own: how varied the beginnings of a story's sentences are.

.venv/bin/python cli.py score --study mine --metric docs/examples/openings.py:VariedOpenings
"""

from collections.abc import Sequence

from core.metrics.base import TEXT_OPTIONS, Card, Kind, Metric, Option, Progress, Scores
from core.stories import Story, sentences


class VariedOpenings(Metric):
    """The share of different first words among a story's sentences, 0..1."""

    name = "varied-openings"
    kind = Kind.UNREFERENCED  # it compares with no human story
    needs = frozenset()  # nothing of a story but its text
    card = Card(
        measures="How many of a story's sentences begin with a word of their own.",
        paper="None: an example.",
        blind_spots="Everything after the first word of a sentence.",
    )
    options = {"words": Option(("1", "2"), "how many words make a beginning"), **TEXT_OPTIONS}

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Undefined for a story without a sentence."""
        results: list[float | str] = []
        for story in stories:
            results.append(self._one(self.text(story.text)))
            if on_progress:
                on_progress(1)
        return Scores.collect(results)  # a number a story, or a text that says why it has none

    def _one(self, text: str) -> float | str:
        words = int(self.chosen["words"])
        beginnings = [tuple(text[a:b].lower().split()[:words]) for a, b in sentences(text)]
        return len(set(beginnings)) / len(beginnings) if beginnings else "the story has no sentence"
