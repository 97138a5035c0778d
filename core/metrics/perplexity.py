"""Perplexity of a story under a causal language model, negated so that higher is better."""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from core.metrics.base import NORMALISATION, Card, Kind, Metric, Need, Option, Progress, Scores
from core.models.catalogue import SMOLLM2, ModelSource, locate
from core.stories import Story, normalise

if TYPE_CHECKING:
    from core.models.language import Likelihood


class Perplexity(Metric):
    """Minus the mean negative log-likelihood of a story's tokens, in nats a token."""

    name = "perplexity"
    kind = Kind.UNREFERENCED
    needs = frozenset({Need.MODEL})
    card = Card(
        measures="How expected a story's words are to a language model that has read its prompt: minus the mean "
        "negative log-likelihood a token.",
        paper="OpenMEVA (2021), section 4.1, PPL (P); UNION (2020), section 4.1.",
        blind_spots="Repetition is easy to predict, so repeating a sentence raises the score; it sees fluency far "
        "better than plot, and rewards the ordinary.",
    )
    options = {
        "of": Option(
            ("story-given-prompt", "story-alone", "prompt-and-story"),
            "which tokens count, and what the model has read before them",
        ),
        "normalisation": NORMALISATION,
    }

    @cached_property
    def source(self) -> ModelSource:
        """The model, found once: what is scored with is what the signature names."""
        return locate(self.settings.model or SMOLLM2)

    def model_revision(self) -> str:
        """Name and revision of the causal language model."""
        return f"{self.source.name}@{self.source.revision}"

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Below 0, higher is better; undefined for an empty story."""
        from core.models.runtime import language_model  # torch: the pages import this file and must stay light

        model = language_model(self.source, self.settings.device)
        found = model.likelihoods([self._pair(story) for story in stories], on_progress)
        return Scores.collect(self._number(one) if one.tokens else "the story is empty" for one in found)

    def _pair(self, story: Story) -> tuple[str, str]:
        """What the model reads first, and what is scored."""
        how = self.chosen["normalisation"]
        prompt, text = normalise(story.prompt, how).strip(), normalise(story.text, how).strip()
        match self.chosen["of"]:
            case "story-alone":
                return "", text
            case "prompt-and-story":
                return "", f"{prompt} {text}".strip() if text else ""
            case _:
                return prompt, text

    @staticmethod
    def _number(one: "Likelihood") -> float:
        return -one.nll / one.tokens


class ExponentialPerplexity(Perplexity):
    """Minus the perplexity itself."""

    name = "perplexity-exp"
    card = Card(
        measures="Minus the perplexity: the number papers print, which a few unlikely words dominate.",
        paper=Perplexity.card.paper,
        blind_spots=Perplexity.card.blind_spots + " The exponential stretches bad stories apart, which usually "
        "lowers Pearson's r beside the plain mean.",
    )

    @staticmethod
    def _number(one: "Likelihood") -> float:
        return -math.exp(one.nll / one.tokens)
