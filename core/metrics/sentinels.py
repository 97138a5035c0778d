"""Numbers that cannot know how good a story is, after Perrella et al. (2024): its length, its prompt.

A metric that does not agree with people more than these do may have learnt nothing else. Longer stories score higher,
and so do those of the more usual prompts.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.metrics.base import TEXT_OPTIONS, Card, Kind, Metric, Need, Progress, Scores
from core.metrics.perplexity import LanguageModelMetric, minus_mean_nll
from core.metrics.referenced import EMPTY_STORY
from core.stories import Story, normalise, sentences, word_count

if TYPE_CHECKING:
    from core.models.statistics import Rows

PAPER = "Perrella et al. (2024), Guardians of the machine translation meta-evaluation: sentinel metrics."
NO_PROMPT = "the story has no prompt"


class LengthSentinel(Metric):
    """A number of things that a story is made of: 1 or more."""

    kind = Kind.UNREFERENCED
    needs = frozenset()
    options = TEXT_OPTIONS
    sentinel = True

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Undefined for an empty story."""
        texts = [self.text(story.text) for story in stories]
        result = [float(self._length(text)) if text.strip() else EMPTY_STORY for text in texts]
        if on_progress:
            on_progress(len(stories))
        return Scores.collect(result)

    @staticmethod
    @abstractmethod
    def _length(text: str) -> int:
        """The length of a text that is not empty."""


class Words(LengthSentinel):
    """The number of words, separated by whitespace."""

    name = "words"
    card = Card(
        measures="A sentinel: how many words a story has, and nothing of what they say.",
        paper=PAPER,
        blind_spots="All but length. Where a metric agrees with people no more than this does, it may have learnt "
        "nothing but length, or people may have rated little else.",
    )

    @staticmethod
    def _length(text: str) -> int:
        return word_count(text)


class Sentences(LengthSentinel):
    """The number of sentences."""

    name = "sentences"
    card = Card(
        measures="A sentinel: how many sentences a story has, however long they are.",
        paper=PAPER,
        blind_spots="All but the number of sentences. Stories of a fixed number, such as ROCStories' five, it cannot "
        "tell apart; a line break ends a sentence too.",
    )

    @staticmethod
    def _length(text: str) -> int:
        return len(sentences(text))


class PromptOnly(LanguageModelMetric):
    """Minus the mean negative log-likelihood of the tokens of a story's prompt, in nats a token; below 0."""

    name = "prompt-only"
    sentinel = True
    needs = frozenset({Need.PROMPT, Need.MODEL})
    options = {key: LanguageModelMetric.options[key] for key in ("normalisation", "window", "stride")}
    card = Card(
        measures="A sentinel: how expected the prompt is to a language model, whatever the story: the mean "
        "log-likelihood of a token.",
        paper=PAPER,
        blind_spots="The story. All stories of a prompt have one number, so that it has no correlation within "
        "prompts; what it has over all stories, a metric has that knows only which prompts are easy.",
        number="mean log-probability of the prompt",
    )

    def _pair(self, story: Story) -> tuple[str, str]:
        return "", normalise(story.prompt, self.normalisation).strip()

    def _undefined(self, text: str) -> str:
        return NO_PROMPT

    @staticmethod
    def _number(rows: "Rows") -> float:
        return minus_mean_nll(rows)
