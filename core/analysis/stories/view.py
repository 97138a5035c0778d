"""One story of a study with all that is known of it: its prompt, what people said of it, their notes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.analysis.judgments.evidence import EvidenceMark, MarkedStory
from core.annotation.spans import Span
from core.stories import Source, group_of


@dataclass(frozen=True)
class GivenDeduction:
    """An error type that a rating gives, the points that it takes off (0 where the scheme takes none), and the passages
    that were marked as evidence, [start, end) in code points of the story.
    """

    error_type: str
    points: int
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True)
class StoryRating:
    """What one panel says of a story.

    `rater`: who, as other pages call them. `counts`: False for one of a panel that was rejected, for the `verdict`.
    `values`: by criterion of the scheme; of two stories side by side above 0 where this story was found better, below 0
    where the other was. `comment`: the reason, in the rater's own words. `raters`: how many are behind it, where it
    came as a mean. `beside`: the key of the story that it was compared with, "" where it was rated alone.
    """

    rater: str
    counts: bool
    values: Mapping[str, float]
    deductions: tuple[GivenDeduction, ...] = ()
    comment: str = ""
    raters: int = 1
    beside: str = ""
    verdict: str = ""


@dataclass(frozen=True)
class StoryNote:
    """What somebody who runs the study has noted about a story; `by`: their number, None where nobody knows it."""

    by: int | None
    author: str
    at: datetime
    text: str


@dataclass(frozen=True)
class StoryView:
    """A story. `place`: its number, from 0, among the systems' stories in import order, which is its row in a
    `ScoreTable` of these; None for stories of people and controls. `sentences`: [start, end) in code points. `ratings`:
    those that count first, each as they were begun. `notes`: the oldest first. `references`: what people wrote for the
    same prompt, this story aside.
    """

    id: int
    key: str
    source: Source
    system: str
    prompt_key: str
    prompt: str
    text: str
    sentences: tuple[Span, ...]
    place: int | None
    ratings: tuple[StoryRating, ...] = ()
    notes: tuple[StoryNote, ...] = ()
    references: tuple[str, ...] = ()

    @property
    def group(self) -> str:
        """What it is summarised under: its system, or `human` or `negative`."""
        return group_of(self.source, self.system)

    @property
    def counted(self) -> tuple[StoryRating, ...]:
        """The ratings that count."""
        return tuple(rating for rating in self.ratings if rating.counts)

    @property
    def marked(self) -> MarkedStory:
        """The story with the passages that ratings mark which count."""
        marks = tuple(
            EvidenceMark(number, deduction.error_type, start, end)
            for number, rating in enumerate(self.counted)
            for deduction in rating.deductions
            for start, end in deduction.spans
        )
        return MarkedStory(self.key, self.prompt, self.group, self.text, len(self.counted), marks)
