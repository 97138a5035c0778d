"""Simulated annotators of known skill, stories of known quality for them to rate, and the forms that they do it on."""

import random
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from benchmarks.corpus import SENTENCES
from core.annotation.builtin import HANNA, MANS, PREFERENCES
from core.annotation.criterion import OVERALL, Criterion
from core.annotation.panel import Panel
from core.annotation.scheme import Scheme
from core.people import Person
from core.stories import Corpus, Source, StoryRecord

SYSTEMS = {"alder": 1.8, "birch": 2.3, "cedar": 2.8, "damson": 3.3, "elder": 3.8}
"""Planted mean quality of each system's stories, on the scale of MANS."""
HUMAN, NEGATIVE, SPREAD = 4.9, 1.1, 0.4
"""Planted quality of the controls, and how far a system's stories lie from its mean (standard deviation)."""

Quality = Mapping[str, float]
"""What a story is worth, by its words: annotators know a story by reading it, never from the database."""


ALIKE = 0.2
"""Two stories that feel no further apart than this are about equal."""


@dataclass(frozen=True)
class Form:
    """A scheme, with about how many answers an assignment takes, and how many assignments a planted prompt makes."""

    scheme: Scheme
    answers: int
    assignments: float


FORMS = {
    "mans": Form(MANS, 15, 1),
    "criteria": Form(HANNA, 6, 6),
    "pairs": Form(PREFERENCES, 9, 10 / 6),
}
"""What a load can be of: panels of seven stories with deductions, six criteria story by story, panels of six pairs with
two controls and one pair shown again.
"""


@dataclass(frozen=True)
class Opinion:
    """An answer to one story, or to two of them: `values` by criterion, and deductions that add up to what it lacks."""

    values: Mapping[str, int]
    deductions: Mapping[str, int]

    @property
    def overall(self) -> int:
        """The overall rating; raises KeyError where it is not asked for."""
        return self.values[OVERALL]


@dataclass(frozen=True)
class Annotator:
    """Somebody who rates or compares. Their opinion of a story depends on `seed` and its words alone, never on when.

    `noise`: standard deviation of a rating, and `leniency`: what is added to it, in points of the scale;
    `seconds`: time an answer takes; `carelessness`: probability of rating at random.
    """

    seed: int
    noise: float = 0.35
    leniency: float = 0.0
    seconds: float = 2.0
    carelessness: float = 0.0

    def answer(self, scheme: Scheme, quality: Quality, texts: Sequence[str]) -> Opinion:
        """What this annotator says of a story, or of two stories side by side."""
        if not scheme.unit.of_pairs:
            return self.rate(quality[words(texts[0])], texts[0], scheme)
        left, right = texts
        return self.compare((quality[words(left)], left), (quality[words(right)], right), scheme.main)

    def rate(self, quality: float, text: str = "", scheme: Scheme = MANS) -> Opinion:
        """What this annotator says of a story of this quality (1 to 5), on each criterion of a scheme from 1 to 5."""
        rng = random.Random(f"{self.seed} {words(text)}")
        values = {criterion.name: self._rating(rng, quality, criterion) for criterion in scheme.criteria}
        deductions, lacking = {}, scheme.highest - values[scheme.main.name]
        for error_type in rng.sample(scheme.error_types, len(scheme.error_types)):
            if fitting := [points for points in error_type.points if points <= lacking]:
                deductions[error_type.name] = rng.choice(fitting)
                lacking -= deductions[error_type.name]
        return Opinion(values, deductions)

    def _rating(self, rng: random.Random, quality: float, criterion: Criterion) -> int:
        felt = quality + self.leniency + rng.gauss(0, self.noise)
        if rng.random() < self.carelessness:
            felt = rng.uniform(criterion.lowest - 0.5, criterion.highest + 0.5)
        return min(criterion.highest, max(criterion.lowest, round(felt)))

    def compare(
        self, left: tuple[float, str], right: tuple[float, str], criterion: Criterion = PREFERENCES.main
    ) -> Opinion:
        """Which of two stories, each its quality and its text, this annotator finds better; careless, either."""
        rng = random.Random(f"{self.seed} {words(left[1])} {words(right[1])}")
        apart = right[0] - left[0] + rng.gauss(0, self.noise) - rng.gauss(0, self.noise)
        side = 0 if abs(apart) <= ALIKE else criterion.lowest if apart < 0 else criterion.highest
        if rng.random() < self.carelessness:
            side = rng.choice(criterion.steps)
        return Opinion({criterion.name: side}, {})


def crowd(number: int, careless: int = 0, seed: int = 0) -> list[Annotator]:
    """So many annotators, of differing noise and leniency; the last `careless` of them rate at random."""
    rng = random.Random(seed)
    return [
        Annotator(
            seed * 10_000 + i, rng.uniform(0.25, 0.4), rng.gauss(0, 0.1), carelessness=float(i >= number - careless)
        )
        for i in range(number)
    ]


def words(text: str) -> str:
    """A text as read: white space makes no difference."""
    return " ".join(text.split())


def planted(prompts: int, seed: int = 0) -> tuple[Corpus, dict[str, float]]:
    """A study's stories, seven to a prompt with a human and a negative one, and the quality of each by its words."""
    rng = random.Random(seed)
    stories: list[StoryRecord] = []
    quality: dict[str, float] = {}
    kinds = [*((Source.SYSTEM, name) for name in SYSTEMS), (Source.HUMAN, ""), (Source.NEGATIVE, "")]
    for p in range(prompts):
        for source, system in kinds:
            number = len(stories)
            text = f"{' '.join(rng.choices(SENTENCES, k=6))} that was number {number} ."
            stories.append(StoryRecord(f"s{number}", f"p{p}", f"it was day {p} .", text, source, system))
            mean = SYSTEMS.get(system, HUMAN if source is Source.HUMAN else NEGATIVE)
            quality[words(text)] = min(5.0, max(1.0, rng.gauss(mean, SPREAD))) if system else mean
    return Corpus("", tuple(stories)), quality


def fill(people: Sequence[tuple[Person, Annotator]], quality: Quality, threads: int = 8, scheme: Scheme = MANS) -> int:
    """Let people rate through the service functions, a panel each by turns, until none is left for any of them.

    Returns how many panels were handed in. Threads work at the same time, as the app's sessions do.
    """
    handed_in = 0
    with ThreadPoolExecutor(threads) as pool:
        while done := sum(pool.map(lambda pair: _panel(pair[0], pair[1], quality, scheme), people)):
            handed_in += done
    return handed_in


def asked(panel: Panel) -> list[tuple[str, list[str]]]:
    """What a panel wants an answer to: the token, and the text of the story or of both stories."""
    if panel.pairs:
        return [(pair.token, [story.text for story in pair.stories]) for pair in panel.pairs]
    return [(story.token, [story.text]) for story in panel.stories]


def _panel(person: Person, annotator: Annotator, quality: Quality, scheme: Scheme) -> bool:
    """Claim a panel, or take up the one in hand, rate it and hand it in; False where there is none."""
    from db.annotation import assignments, panel_submission
    from db.people import people
    from db.ratings import ratings

    turn = assignments.turn(person, claim=True)
    if turn.consent:
        people.answer_consent(person, given=True)
        turn = assignments.turn(person, claim=True)
    panel = turn.panel
    if panel is None:
        return False
    for token, texts in asked(panel):
        opinion = annotator.answer(scheme, quality, texts)
        for criterion, value in opinion.values.items():
            ratings.save_value(person, token, value, criterion)
        for error_type, points in opinion.deductions.items():
            ratings.save_deduction(person, token, error_type, points)
    panel_submission.submit(person, panel.token)
    return True
