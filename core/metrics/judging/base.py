"""What every judge among the metrics shares: its options, where its model runs, and what its signature names."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from core.judges.asking import Backend
from core.judges.backends.cost import Estimate, Spent
from core.judges.backends.endpoint import Endpoint, EndpointBackend
from core.judges.backends.key import judge_key
from core.judges.judge import TOKENS_OF_REPLY, Question
from core.judges.naming import HERE
from core.judges.pair_question import PairQuestion
from core.judges.template import STANDARD, Way
from core.metrics.base import Card, Kind, Metric, Need, Option
from core.models.catalogue import ModelRole

NAME = HERE
USUAL = "usual"
WRITTEN: Mapping[str, float] = {Way.CRITERIA: 130.0, Way.DEDUCTIONS: 14.0}
"""Characters of stories a second where the bundled model writes one reply to each, on two cores: errors and their
quotes are many words.
"""


class LanguageJudge(Metric):
    """A language model that is asked what people are asked."""

    name = NAME
    kind = Kind.UNREFERENCED
    needs = frozenset({Need.MODEL})
    role = ModelRole.LANGUAGE
    speed = 500
    apart = True
    served = True
    options = {
        "way": Option(
            (USUAL, *(way.value for way in Way)),
            "What the judge is asked for. points: a number. criteria: a number on each criterion, in one reply. "
            "deductions: the errors that it finds, with quotes, from which a rating follows as from people's. pairs: "
            "which of two stories is better, in both orders",
            default="points, or pairs where people compared pairs",
        ),
        "template": Option(
            (STANDARD,),
            "what the judge is told: the wording that comes with Fabula, or a template of the study's own",
            r"[\w-][\w -]{0,39}(\.[1-9][0-9]{0,4})?",
            "a template's name, NAME.VERSION for an older version",
        ),
        "samples": Option(
            ("1", "5", "20"),
            "1: the expected value over the probabilities of the scale's answers where the model tells them; more: the "
            "mean of so many replies in words",
            "[1-9][0-9]?",
            "a number up to 99",
        ),
        "few_shot": Option(
            ("0", "2", "4"),
            "how many stories of other openings the judge is shown with the ratings that people gave them",
            "[1-8]",
            "a number up to 8",
        ),
        "temperature": Option(
            (USUAL, "0", "0.7", "1"),
            "Of replies in words. 0 takes the likeliest word each time",
            r"[01](\.[0-9]{1,2})?|2",
            "a number up to 2",
            default="0, or 1 for several samples",
        ),
        "seed": Option(("0",), "of the samples and of the stories that are shown", "[0-9]{1,9}", "a whole number"),
    }
    card = Card(
        measures="How a language model that is told the question people answer rates the story: by the probabilities "
        "of the scale's answers (their expected value), or by its reply in words. Of pairs that people compared, which "
        "story it says is better in both orders.",
        paper="G-Eval (Liu et al. 2023), section 2.3, for the expected value; the question and the scale are the "
        "study's own.",
        blind_spots="The bundled model, of 135 million parameters, is a bad judge, worth next to nothing: on 1,000 "
        "stories of MANS-ROC its Pearson's r with people is .07 (.01 to .13), far below plain perplexity's, and all of "
        "its ratings lie between 1.9 and 2.7, and of two stories it always prefers the one shown first. It is here so "
        "that a judge can be tried without any other model. A large "
        "one may still prefer long stories, its own family's and its own wording, and change its mind with the words "
        "of the question. Hold it against people before you believe it.",
    )

    @classmethod
    def paced_by(cls, options: Mapping[str, str]) -> str:
        """How it is asked, where it writes its replies and does not only tell the probabilities of answers."""
        replies = _written(options)
        return f"{options.get('way', USUAL)} x {replies}" if replies else ""

    @classmethod
    def guessed_speed(cls, options: Mapping[str, str]) -> float:
        """See `Metric`."""
        replies = _written(options)
        return WRITTEN.get(options.get("way", USUAL), WRITTEN[Way.CRITERIA]) / replies if replies else cls.speed

    @property
    @abstractmethod
    def way(self) -> Way:
        """How it is asked."""

    @property
    @abstractmethod
    def wording(self) -> Question | PairQuestion:
        """What is asked, with all that a signature names of it."""

    @abstractmethod
    def estimate(self, endpoint: Endpoint, items: int, characters: int) -> Estimate:
        """What so many stories or pairs, of so many characters together, would take there, if none is asked twice."""

    def option_parts(self) -> dict[str, str]:
        """The template carries the hash of the whole prompt, with the study's wording and the examples."""
        template = f"{self.wording.template.title}@{self.wording.prompt_hash}"
        return {**self.chosen, "way": self.way, "template": template}

    @property
    def temperature(self) -> float:
        """Of replies in words."""
        usual = 0.0 if self.samples == 1 else 1.0
        return usual if self.chosen["temperature"] == USUAL else float(self.chosen["temperature"])

    @property
    def samples(self) -> int:
        """How many replies to a question."""
        return int(self.chosen["samples"])

    @property
    def called(self) -> str:
        """The model as replies are kept under it."""
        model = self.backend.model
        return model if self.settings.endpoint else f"{model} {self.settings.precision}"

    @property
    def spent(self) -> Spent | None:
        """What the replies of an endpoint have cost so far; None on this machine."""
        return self.backend.spent if self.settings.endpoint and isinstance(self.backend, EndpointBackend) else None

    @cached_property
    def backend(self) -> Backend:
        """Where the model runs; nothing is loaded, or asked, before there is a question."""
        if self.settings.endpoint:
            # How replies are drawn is an option of the judge's, here as on this machine.
            endpoint = replace(self.settings.endpoint, temperature=self.temperature)
            return EndpointBackend(endpoint, judge_key(endpoint.address))
        from core.judges.backends.local import LocalBackend  # torch: the pages import this file and must stay light

        return LocalBackend(
            self.source,
            self.settings.device,
            self.settings.precision,
            temperature=self.temperature,
            most_tokens=TOKENS_OF_REPLY[self.way],
        )


def _written(options: Mapping[str, str]) -> int:
    """How many replies in words the judge writes of a story; 0 where it tells the probabilities of answers instead."""
    samples = int(options.get("samples", "1"))
    writes = options.get("way") in WRITTEN or samples > 1
    return samples if writes else 0
