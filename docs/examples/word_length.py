"""The shortest metric of one's own: how long a story's words are, in letters on average."""

from collections.abc import Sequence

from core.metrics.base import Card, Kind, Metric, Progress, Scores
from core.stories import Story


class WordLength(Metric):
    name = "word-length"
    kind = Kind.UNREFERENCED  # it compares with no human story
    needs = frozenset()  # nothing of a story but its text
    card = Card("How long the words are.", paper="None: an example.", blind_spots="What they say.")

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        words = [story.text.split() for story in stories]
        # A number a story, or a text that says why it has none.
        return Scores.collect(len("".join(w)) / len(w) if w else "the story has no word" for w in words)
