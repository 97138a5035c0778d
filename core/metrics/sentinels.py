"""Numbers that cannot know how good a story is, after Perrella et al. (2024): its length, its prompt.

A metric that does not agree with people more than these do may have learnt nothing else. Longer stories score higher,
and so do those of the more usual prompts.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from core.metrics.base import TEXT_OPTIONS, Card, Kind, Metric, Need, Progress, Scores
from core.metrics.perplexity import LanguageModelMetric, minus_mean_nll
from core.metrics.referenced import EMPTY_STORY
from core.stories import Story, normalise, sentences, word_count

if TYPE_CHECKING:
    from core.models.statistics import Rows

PAPER = "Perrella et al. (2024), Guardians of the machine translation meta-evaluation: sentinel metrics."
NO_PROMPT = "the story has no prompt"


class Words(Metric):
    """The number of words, separated by whitespace: 1 or more."""

    name = "words"
    kind = Kind.UNREFERENCED
    needs = frozenset()
    options = TEXT_OPTIONS
    card = Card(
        measures="A sentinel: how many words a story has, and nothing of what they say.",
        paper=PAPER,
        blind_spots="All but length. Where a metric agrees with people no more than this does, it may have learnt "
        "nothing but length, or people may have rated little else.",
    )

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Undefined for an empty story."""
        return _counted(word_count, [self.text(story.text) for story in stories], on_progress)


class Sentences(Metric):
    """The number of sentences: 1 or more."""

    name = "sentences"
    kind = Kind.UNREFERENCED
    needs = frozenset()
    options = TEXT_OPTIONS
    card = Card(
        measures="A sentinel: how many sentences a story has, however long they are.",
        paper=PAPER,
        blind_spots="All but the number of sentences. Stories of a fixed number, such as ROCStories' five, it cannot "
        "tell apart; a line break ends a sentence too.",
    )

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Undefined for an empty story."""
        return _counted(lambda text: len(sentences(text)), [self.text(story.text) for story in stories], on_progress)


class PromptOnly(LanguageModelMetric):
    """Minus the mean negative log-likelihood of the tokens of a story's prompt, in nats a token; below 0."""

    name = "prompt-only"
    needs = frozenset({Need.PROMPT, Need.MODEL})
    options = {key: LanguageModelMetric.options[key] for key in ("normalisation", "window", "stride")}
    card = Card(
        measures="A sentinel: how expected the prompt is to a language model, whatever the story: minus the mean "
        "negative log-likelihood a token.",
        paper=PAPER,
        blind_spots="The story. All stories of a prompt have one number, so that it has no correlation within "
        "prompts; what it has over all stories, a metric has that knows only which prompts are easy.",
    )

    def _pair(self, story: Story) -> tuple[str, str]:
        return "", normalise(story.prompt, self.normalisation).strip()

    def _undefined(self, text: str) -> str:
        return NO_PROMPT

    @staticmethod
    def _number(rows: "Rows") -> float:
        return minus_mean_nll(rows)


def _counted(count: Callable[[str], int], texts: Sequence[str], on_progress: Progress | None) -> Scores:
    result = [float(count(text)) if text.strip() else EMPTY_STORY for text in texts]
    if on_progress:
        on_progress(len(texts))
    return Scores.collect(result)
