"""How expected a story is to a causal language model: perplexity. Higher is better."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import quote

from core.errors import InputError
from core.judges.backends.cost import Estimate, Spent
from core.judges.backends.endpoint import Endpoint
from core.judges.backends.key import judge_key
from core.judges.likelihood.served import ServedLanguageModel, estimate
from core.metrics.base import TEXT_OPTIONS, Card, Kind, Metric, Need, Option, Progress, Scores, Settings
from core.metrics.referenced import EMPTY_STORY
from core.models.catalogue import ModelRole
from core.stories import Story, normalise

if TYPE_CHECKING:
    from core.models.language import CausalModel
    from core.models.statistics import Rows

OF = ("story-given-prompt", "story-alone", "prompt-and-story")
OF_TITLE = "Tokens that count"
OF_DESCRIPTION = "which tokens count, and what the model has read before them"
TOO_FEW = "the endpoint does not tell enough of the likeliest tokens of each place for this number"


def reads_prompt(signature: str) -> bool:
    """Whether scores of a language model with this signature are of a story that it read after the prompt."""
    return any(part == f"of:{of}" for part in signature.split("|") for of in (OF[0], OF[2]))


def without_rows(text: str, first: int | None) -> str:
    """Why a text has no number."""
    return f"the story has fewer than {first} tokens" if text and first else EMPTY_STORY


def minus_mean_nll(rows: "Rows") -> float:
    """The mean log-likelihood of a token, in nats."""
    return -float(rows[:, 0].sum(dtype="float64")) / len(rows)


class LanguageModelMetric(Metric):
    """A number made of the statistics of a story's tokens; one pass serves the whole family."""

    kind = Kind.UNREFERENCED
    needs = frozenset({Need.MODEL})
    role = ModelRole.LANGUAGE
    speed = 2_000
    served = True
    in_vllm = True
    options = {
        "of": Option(OF, OF_DESCRIPTION, title=OF_TITLE),
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

    def __init__(self, settings: Settings | None = None) -> None:
        """Raises InputError also for a window of a model on a server, which reads a text whole."""
        super().__init__(settings)
        if self.endpoint and self.chosen["window"] != "model":
            raise InputError(f"A model on a server reads a text whole: leave {self.name}.window as it is.")

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Undefined for an empty story, and on a server for one that the model cannot read whole."""
        pairs = [self._pair(story) for story in stories]
        result: Sequence[Rows | str]
        if self.endpoint:
            hashes = [story.content_hash for story in stories]
            result = self._there.measures(pairs, hashes, on_progress, self._first())
        else:
            result = self._measured_here(pairs, on_progress)
        return Scores.collect(self._of(text, rows) for (_, text), rows in zip(pairs, result, strict=True))

    def _measured_here(self, pairs: Sequence[tuple[str, str]], on_progress: Progress | None) -> "list[Rows]":
        model = self._model()
        size = model.window if self.chosen["window"] == "model" else min(int(self.chosen["window"]), model.window)
        parts = {"half": 2, "quarter": 4}.get(self.chosen["stride"])
        stride = max(1, size // parts) if parts else int(self.chosen["stride"])
        return model.measures(pairs, on_progress, size, stride, self._first())

    def _of(self, text: str, rows: "Rows | str") -> float | str:
        """The number of a text, or why it has none."""
        if isinstance(rows, str):
            return rows
        if not len(rows):
            return self._undefined(text)
        number = self._number(rows)
        return TOO_FEW if math.isnan(number) else number

    @cached_property
    def _there(self) -> ServedLanguageModel:
        if self.endpoint is None:
            raise InputError(f"{self.name} runs on this machine.")
        key = judge_key(self.endpoint.address)
        return ServedLanguageModel(self.endpoint, key, self.settings.judged.replies)

    @property
    def spent(self) -> Spent | None:
        """What the answers of a server have cost so far; None on this machine."""
        return self._there.spent if self.endpoint else None

    def estimate(self, endpoint: Endpoint, stories: int, characters: int) -> Estimate:
        """What so many stories of so many characters together would take there, prompts apart."""
        return estimate(endpoint, stories, characters)

    def model_parts(self) -> list[str]:
        """On a server also what stands before a text, which here is the model's own token."""
        start = [f"start:{quote(self.endpoint.start, safe='<>') or 'server'}"] if self.endpoint else []
        return [*super().model_parts(), *start]

    def _model(self) -> "CausalModel":
        """Loaded once."""
        from core.models.causal.runtime import causal_model  # torch: the pages import this file and must stay light

        return causal_model(self.source, self.settings.device, self.settings.precision)

    def _first(self) -> int | None:
        """How many tokens of a story count; None for all of them."""
        return None

    def _undefined(self, text: str) -> str:
        """Why this text has no number."""
        return without_rows(text, self._first())

    def _pair(self, story: Story) -> tuple[str, str]:
        """What the model reads first, and what is scored."""
        text = self.text(story.text).strip()
        prompt = normalise(story.prompt, self.normalisation).strip()
        match self.chosen["of"]:
            case "story-alone":
                return "", text
            case "prompt-and-story":
                return "", f"{prompt} {text}".strip() if text else ""
            case _:
                return prompt, text

    @staticmethod
    @abstractmethod
    def _number(rows: "Rows") -> float:
        """The metric's number of a story with at least one token."""


class Perplexity(LanguageModelMetric):
    """The mean log-likelihood of a story's tokens, in nats a token; below 0."""

    name = "perplexity"
    card = Card(
        measures="How expected a story's words are to a language model that has read its prompt: the mean "
        "log-likelihood of a token.",
        paper="OpenMEVA (2021), section 4.1, PPL (P); UNION (2020), section 4.1.",
        blind_spots="Repetition is easy to predict, so repeating a sentence raises the score; it sees fluency far "
        "better than plot, and rewards the ordinary.",
        number="negated log-perplexity",
        negated=True,
    )

    @staticmethod
    def _number(rows: "Rows") -> float:
        return minus_mean_nll(rows)


class ExponentialPerplexity(LanguageModelMetric):
    """Minus the perplexity itself; below -1."""

    name = "perplexity-exp"
    card = Card(
        measures="Minus the perplexity: the number papers print, which a few unlikely words dominate.",
        paper=Perplexity.card.paper,
        blind_spots=Perplexity.card.blind_spots + " The exponential stretches bad stories apart, which usually "
        "lowers Pearson's r beside the plain mean.",
        number="negated perplexity",
        negated=True,
    )

    @staticmethod
    def _number(rows: "Rows") -> float:
        return -math.exp(-minus_mean_nll(rows))
