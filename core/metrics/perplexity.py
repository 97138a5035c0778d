"""How expected a story is to a causal language model: perplexity, and the fraction of GLTR. Higher is better."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.metrics.base import TEXT_OPTIONS, Card, Kind, Metric, Need, Option, Progress, Scores
from core.metrics.referenced import EMPTY_STORY
from core.models.catalogue import Role
from core.stories import Story, normalise

if TYPE_CHECKING:
    from core.models.language import Likelihood

OF = ("story-given-prompt", "story-alone", "prompt-and-story")
OF_DESCRIPTION = "which tokens count, and what the model has read before them"


class LanguageModelMetric(Metric):
    """A number made of the likelihoods of a story's tokens; one pass serves the whole family."""

    kind = Kind.UNREFERENCED
    needs = frozenset({Need.MODEL})
    role = Role.LANGUAGE
    speed = 5_000
    options = {
        "of": Option(OF, OF_DESCRIPTION),
        "window": Option(
            ("model", "512", "256"),
            "tokens read at once: as many as the model can, or fewer, which is quicker for long stories",
            "[2-9]|[1-9][0-9]{1,5}",
            "a number of tokens from 2 on",
        ),
        "stride": Option(
            ("half", "quarter"),
            "how far apart windows begin: half a window, or a quarter, which leaves each token more to look back on",
            "[1-9][0-9]{0,5}",
            "a number of tokens",
        ),
        **TEXT_OPTIONS,
    }

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Undefined for an empty story."""
        from core.models.runtime import language_model  # torch: the pages import this file and must stay light

        model = language_model(self.source, self.settings.device, self.settings.precision)
        size = model.window if self.chosen["window"] == "model" else min(int(self.chosen["window"]), model.window)
        parts = {"half": 2, "quarter": 4}.get(self.chosen["stride"])
        stride = max(1, size // parts) if parts else int(self.chosen["stride"])
        found = model.likelihoods([self._pair(story) for story in stories], on_progress, size, stride)
        return Scores.collect(self._number(one) if one.tokens else EMPTY_STORY for one in found)

    def _pair(self, story: Story) -> tuple[str, str]:
        """What the model reads first, and what is scored."""
        text = self.text(story.text).strip()
        prompt = normalise(story.prompt, self.chosen["normalisation"]).strip()
        match self.chosen["of"]:
            case "story-alone":
                return "", text
            case "prompt-and-story":
                return "", f"{prompt} {text}".strip() if text else ""
            case _:
                return prompt, text

    @staticmethod
    @abstractmethod
    def _number(one: "Likelihood") -> float:
        """The metric's number of a story with at least one token."""


class Perplexity(LanguageModelMetric):
    """Minus the mean negative log-likelihood of a story's tokens, in nats a token; below 0."""

    name = "perplexity"
    card = Card(
        measures="How expected a story's words are to a language model that has read its prompt: minus the mean "
        "negative log-likelihood a token.",
        paper="OpenMEVA (2021), section 4.1, PPL (P); UNION (2020), section 4.1.",
        blind_spots="Repetition is easy to predict, so repeating a sentence raises the score; it sees fluency far "
        "better than plot, and rewards the ordinary.",
    )

    @staticmethod
    def _number(one: "Likelihood") -> float:
        return -one.nll / one.tokens


class ExponentialPerplexity(LanguageModelMetric):
    """Minus the perplexity itself; below -1."""

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


class Fraction(LanguageModelMetric):
    """Minus Fp, the mean of p / p_max over a story's tokens: -1 (the likeliest word every time) to 0."""

    name = "fp"
    card = Card(
        measures="How rarely a story takes the word the language model holds likeliest: minus the mean of p / p_max "
        "a token. Text sampled from a model scores low, human text higher.",
        paper="Naturalness paper, section 3 (Fp); after GLTR (Gehrmann et al. 2019).",
        blind_spots="Word salad looks natural to it: any unlikely word raises the score, and repetition lowers it. It "
        "judges how a text was written, not how good it is.",
    )
    options = {**LanguageModelMetric.options, "of": Option(("story-alone", OF[0], OF[2]), OF_DESCRIPTION)}

    @staticmethod
    def _number(one: "Likelihood") -> float:
        return -one.fraction / one.tokens
