"""A language model as a judge: it reads the question that people answer, and the story, and rates it.

`judge` is asked about the main criterion of the study's form, `judge:CRITERION` about another one.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import ClassVar

from core.annotation.criterion import LONGEST_NAME
from core.judges.asking import Backend, Message
from core.judges.backends.cost import Estimate, Spent, estimate_stories
from core.judges.backends.endpoint import Endpoint, EndpointBackend
from core.judges.backends.key import judge_key
from core.judges.judge import TOKENS_OF_REPLY, Question, draw_shots, judge
from core.judges.template import STANDARD, Way, template_of
from core.metrics.base import Card, Kind, Metric, Need, Option, Progress, Scores, Settings
from core.metrics.referenced import EMPTY_STORY
from core.models.catalogue import ModelRole
from core.stories import Story

NAME = "judge"


class Judge(Metric):
    """The rating that a language model gives on the scale that people have: between its lowest and its highest step."""

    name = NAME
    kind = Kind.UNREFERENCED
    needs = frozenset({Need.MODEL})
    role = ModelRole.LANGUAGE
    speed = 500
    apart = True
    criterion_name: ClassVar[str] = ""
    """Of the study's form; "" for its main one."""
    options = {
        "way": Option(
            tuple(way.value for way in Way),
            "asked for a number, for numbers on all criteria in one reply, or for the errors that it finds and quotes, "
            "from which a rating follows as from people's",
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
            ("usual", "0", "0.7", "1"),
            "of replies in words: 0 takes the likeliest word each time; usually 0, and 1 for several samples",
            r"[01](\.[0-9]{1,2})?|2",
            "a number up to 2",
        ),
        "seed": Option(("0",), "of the samples and of the stories that are shown", "[0-9]{1,9}", "a whole number"),
    }
    card = Card(
        measures="How a language model that is told the question people answer rates the story: by the probabilities "
        "of the scale's answers (their expected value), or by its reply in words.",
        paper="G-Eval (Liu et al. 2023), section 2.3, for the expected value; the question and the scale are the "
        "study's own.",
        blind_spots="The bundled model, of 135 million parameters, is a bad judge, worth next to nothing: on 1,000 "
        "stories of MANS-ROC its Pearson's r with people is .07 (.01 to .13), far below plain perplexity's, and all of "
        "its ratings lie between 1.9 and 2.7. It is here so that a judge can be tried without any other model. A large "
        "one may still prefer long stories, its own family's and its own wording, and change its mind with the words "
        "of the question. Hold it against people before you believe it.",
    )

    def __init__(self, settings: Settings | None = None) -> None:
        """Raises InputError also where the study has no such template or criterion, or options do not go together."""
        super().__init__(settings)
        self._without_shots = self._question()

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Undefined for an empty story, and where a reply cannot be read twice."""
        asked = [story for story in stories if story.text.strip()]
        if on_progress and len(asked) < len(stories):
            on_progress(len(stories) - len(asked))
        given = iter(
            judge(self.question, self.backend, self.asked_model, self.settings.judged.replies, asked, on_progress)
        )
        return Scores.collect(next(given) if story.text.strip() else EMPTY_STORY for story in stories)

    def model_parts(self) -> list[str]:
        """Of a model on a server nobody here knows the number format."""
        endpoint = self.settings.endpoint
        return [f"model:{endpoint.name}"] if endpoint else super().model_parts()

    def option_parts(self) -> dict[str, str]:
        """The template carries the hash of the whole prompt, with the study's wording and the examples."""
        return {**self.chosen, "template": f"{self.question.template.title}@{self.question.prompt_hash}"}

    def prompt(self, story: Story) -> tuple[Message, ...]:
        """All that the judge is told about a story."""
        return self.question.messages(story)

    def estimate(self, endpoint: Endpoint, stories: int, characters: int) -> Estimate:
        """What so many stories of so many characters together would take there, if none is asked twice."""
        return estimate_stories(
            stories,
            characters,
            times=self.question.samples,
            instructions=sum(len(message.text) for message in self.prompt(Story("", ""))),
            prices=endpoint.prices,
            most_tokens=endpoint.most_tokens,
        )

    @property
    def spent(self) -> Spent | None:
        """What the replies of an endpoint have cost so far; None on this machine."""
        return self.backend.spent if self.settings.endpoint and isinstance(self.backend, EndpointBackend) else None

    @property
    def asked_model(self) -> str:
        """All that says where its replies come from, as they are kept."""
        model = self.backend.model
        return model if self.settings.endpoint else f"{model} {self.settings.precision}"

    @cached_property
    def backend(self) -> Backend:
        """Where the model runs; nothing is loaded, or asked, before there is a question."""
        if self.settings.endpoint:
            # How replies are drawn is an option of the judge's, here as on this machine.
            endpoint = replace(self.settings.endpoint, temperature=self.question.temperature)
            return EndpointBackend(endpoint, judge_key(endpoint.address))
        from core.judges.backends.local import LocalBackend  # torch: the pages import this file and must stay light

        return LocalBackend(
            self.source,
            self.settings.device,
            self.settings.precision,
            temperature=self.question.temperature,
            most_tokens=TOKENS_OF_REPLY[Way(self.chosen["way"])],
        )

    @cached_property
    def question(self) -> Question:
        """What is asked of every story alike."""
        usual, number = self._without_shots, int(self.chosen["few_shot"])
        if not number:
            return usual
        names = usual.scheme.names if usual.template.way is Way.CRITERIA else (usual.criterion.name,)
        return replace(usual, shots=draw_shots(self.settings.judged.rated(), names, number, seed=usual.seed))

    def _question(self) -> Question:
        judged = self.settings.judged
        criterion = judged.criterion(self.criterion_name)
        way, samples = Way(self.chosen["way"]), int(self.chosen["samples"])
        usual = 0.0 if samples == 1 else 1.0
        temperature = self.chosen["temperature"]
        return Question(
            template_of(self.chosen["template"], way, judged.templates),
            judged.form(criterion),
            criterion,
            samples=samples,
            temperature=usual if temperature == "usual" else float(temperature),
            seed=int(self.chosen["seed"]),
        )


@lru_cache(maxsize=256)
def judge_of(name: str) -> type[Judge] | None:
    """The class of `judge:CRITERION`; None for another name."""
    family, colon, criterion = name.partition(":")
    if family != NAME or not colon or criterion != criterion.strip() or not 1 <= len(criterion) <= LONGEST_NAME:
        return None
    return type("JudgeOfCriterion", (Judge,), {"name": name, "criterion_name": criterion})
