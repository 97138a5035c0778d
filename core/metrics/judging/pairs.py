"""A language model as a judge of pairs: which of two stories that people compared is better, asked in both orders."""

from collections.abc import Sequence

from core.annotation.criterion import PREFERENCE
from core.errors import InputError
from core.judges.asking import Message
from core.judges.backends.cost import Estimate, estimate_stories
from core.judges.backends.endpoint import Endpoint
from core.judges.pair import StoryPair, Verdict
from core.judges.pair_question import PairQuestion, judge_pairs
from core.judges.template import Way, template_of
from core.metrics.base import Progress, Scores, Settings
from core.metrics.judging.base import NAME, USUAL, LanguageJudge
from core.metrics.referenced import EMPTY_STORY
from core.stories import Story

ALONE = "a judge of pairs says nothing of a story alone"


class PairJudge(LanguageJudge):
    """Which story is better, says the model in both orders; where it contradicts itself, both count as equal."""

    name = f"{NAME}:{PREFERENCE}"

    def __init__(self, settings: Settings | None = None) -> None:
        """Raises InputError also where people are asked about single stories, or options do not go together."""
        super().__init__(settings)
        self.question = self._question()

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Undefined: what it says is of pairs, by `verdicts`."""
        return Scores.collect(ALONE for _ in stories)

    def verdicts(self, pairs: Sequence[StoryPair], on_progress: Progress | None = None) -> list[Verdict]:
        """What it says of each pair; nothing where a story is empty, or a reply cannot be read twice."""
        asked = [pair for pair in pairs if pair.first.strip() and pair.second.strip()]
        if on_progress and len(asked) < len(pairs):
            on_progress(len(pairs) - len(asked))
        replies = self.settings.judged.replies
        given = iter(judge_pairs(self.question, self.backend, self.called, replies, asked, on_progress))
        empty = Verdict(None, None, EMPTY_STORY)
        return [next(given) if pair.first.strip() and pair.second.strip() else empty for pair in pairs]

    @property
    def way(self) -> Way:
        """Pairs. Raises InputError for any other."""
        if self.chosen["way"] not in (USUAL, Way.PAIRS):
            raise InputError(f"{self.name} compares two stories; `judge` rates single ones by {self.chosen['way']}.")
        return Way.PAIRS

    @property
    def wording(self) -> PairQuestion:
        """The question."""
        return self.question

    def prompt(self, pair: StoryPair) -> tuple[Message, ...]:
        """All that the judge is told about two stories in this order."""
        return self.question.messages(pair)

    def estimate(self, endpoint: Endpoint, items: int, characters: int) -> Estimate:
        """What so many pairs would take there, of so many characters together in both orders."""
        return estimate_stories(
            2 * items,
            characters,
            times=self.samples,
            instructions=sum(len(message.text) for message in self.prompt(StoryPair("", "", ""))),
            prices=endpoint.prices,
            most_tokens=endpoint.most_tokens,
        )

    def _question(self) -> PairQuestion:
        judged = self.settings.judged
        if self.chosen["few_shot"] != "0":
            raise InputError("Rated stories as examples go with points and criteria, not with pairs.")
        return PairQuestion(
            template_of(self.chosen["template"], self.way, judged.scheme.prompt_kind, judged.templates),
            judged.preference,
            samples=self.samples,
            temperature=self.temperature,
            seed=int(self.chosen["seed"]),
        )
