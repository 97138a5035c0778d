"""A language model as a judge of single stories: it reads the question that people answer, and the story, and rates it.

`judge` is asked about the main criterion of the study's form, `judge:CRITERION` about another one.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from core.errors import InputError
from core.judges.asking import Message
from core.judges.backends.cost import Estimate, estimate_stories
from core.judges.backends.endpoint import Endpoint
from core.judges.judge import Question, draw_shots, judge
from core.judges.template import Way, template_of
from core.metrics.base import Progress, Scores, Settings
from core.metrics.judging.base import USUAL, LanguageJudge
from core.metrics.referenced import EMPTY_STORY
from core.stories import Story


class Judge(LanguageJudge):
    """The rating that a language model gives on the scale that people have: between its lowest and its highest step."""

    criterion_name: ClassVar[str] = ""
    """Of the study's form; "" for its main one."""

    def __init__(self, settings: Settings | None = None) -> None:
        """Raises InputError also where the study has no such template or criterion, or options do not go together."""
        super().__init__(settings)
        self._without_shots = self._question()

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Undefined for an empty story, and where a reply cannot be read twice."""
        asked = [story for story in stories if story.text.strip()]
        if on_progress and len(asked) < len(stories):
            on_progress(len(stories) - len(asked))
        replies = self.settings.judged.replies
        given = iter(judge(self.question, self.backend, self.called, replies, asked, on_progress))
        return Scores.collect(next(given) if story.text.strip() else EMPTY_STORY for story in stories)

    @property
    def way(self) -> Way:
        """Points unless another is chosen. Raises InputError for pairs, which no single story is."""
        way = Way.POINTS if self.chosen["way"] == USUAL else Way(self.chosen["way"])
        if way is Way.PAIRS:
            raise InputError(
                f"{self.name} rates single stories. Two stories are compared in a study of pairs, by `judge` alone: "
                "make one of a study's ratings with `export --format preferences` and `import preferences`."
            )
        return way

    @property
    def wording(self) -> Question:
        """The question with its examples."""
        return self.question

    def prompt(self, story: Story) -> tuple[Message, ...]:
        """All that the judge is told about a story."""
        return self.question.messages(story)

    def estimate(self, endpoint: Endpoint, items: int, characters: int) -> Estimate:
        """What so many stories of so many characters together would take there, if none is asked twice."""
        return estimate_stories(
            items,
            characters,
            times=self.samples,
            instructions=sum(len(message.text) for message in self.prompt(Story("", ""))),
            prices=endpoint.prices,
            most_tokens=endpoint.most_tokens,
        )

    @cached_property
    def question(self) -> Question:
        """What is asked of every story alike."""
        usual, number = self._without_shots, int(self.chosen["few_shot"])
        if not number:
            return usual
        names = usual.scheme.names if usual.template.way is Way.CRITERIA else (usual.criterion.name,)
        rated = self.settings.judged.rated()
        if usual.template.version:  # the half that a study's own wording is reported on is not shown to it
            rated = [shot for shot in rated if not shot.held_out]
        return replace(usual, shots=draw_shots(rated, names, number, seed=usual.seed))

    def _question(self) -> Question:
        judged = self.settings.judged
        criterion = judged.criterion(self.criterion_name)
        return Question(
            template_of(self.chosen["template"], self.way, judged.scheme.prompt_kind, judged.templates),
            judged.form(criterion),
            criterion,
            samples=self.samples,
            temperature=self.temperature,
            seed=int(self.chosen["seed"]),
        )
