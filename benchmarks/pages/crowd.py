"""Simulated annotators of known skill, and stories of known quality for them to rate."""

import random
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from benchmarks.corpus import SENTENCES
from core.annotation.builtin import MANS
from core.people import Person
from core.stories import Corpus, Source, StoryRecord

SYSTEMS = {"alder": 1.8, "birch": 2.3, "cedar": 2.8, "damson": 3.3, "elder": 3.8}
"""Planted mean quality of each system's stories, on the scale of MANS."""
HUMAN, NEGATIVE, SPREAD = 4.9, 1.1, 0.4
"""Planted quality of the controls, and how far a system's stories lie from its mean (standard deviation)."""

Quality = Mapping[str, float]
"""What a story is worth, by its words: annotators know a story by reading it, never from the database."""


@dataclass(frozen=True)
class Opinion:
    """An answer to one story: the overall rating, and deductions that add up to what it lacks."""

    overall: int
    deductions: Mapping[str, int]


@dataclass(frozen=True)
class Annotator:
    """Somebody who rates under MANS. Their opinion of a story depends on `seed` and its words alone, never on when.

    `noise`: standard deviation of a rating, and `leniency`: what is added to it, in points of the scale;
    `seconds`: time an answer takes; `carelessness`: probability of rating at random.
    """

    seed: int
    noise: float = 0.35
    leniency: float = 0.0
    seconds: float = 2.0
    carelessness: float = 0.0

    def rate(self, quality: float, text: str = "") -> Opinion:
        """What this annotator says of a story of this quality (1 to 5)."""
        rng = random.Random(f"{self.seed} {words(text)}")
        felt = quality + self.leniency + rng.gauss(0, self.noise)
        if rng.random() < self.carelessness:
            felt = rng.uniform(MANS.lowest - 0.5, MANS.highest + 0.5)
        overall = min(MANS.highest, max(MANS.lowest, round(felt)))
        deductions, lacking = {}, MANS.highest - overall
        for error_type in rng.sample(MANS.error_types, len(MANS.error_types)):
            if fitting := [points for points in error_type.points if points <= lacking]:
                deductions[error_type.name] = rng.choice(fitting)
                lacking -= deductions[error_type.name]
        return Opinion(overall, deductions)


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


def fill(people: Sequence[tuple[Person, Annotator]], quality: Quality, threads: int = 8) -> int:
    """Let people rate through the service functions, a panel each by turns, until none is left for any of them.

    Returns how many panels were handed in. Threads work at the same time, as the app's sessions do.
    """
    handed_in = 0
    with ThreadPoolExecutor(threads) as pool:
        while done := sum(pool.map(lambda pair: _panel(pair[0], pair[1], quality), people)):
            handed_in += done
    return handed_in


def _panel(person: Person, annotator: Annotator, quality: Quality) -> bool:
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
    for story in panel.stories:
        opinion = annotator.rate(quality[words(story.text)], story.text)
        ratings.save_value(person, story.token, opinion.overall)
        for error_type, points in opinion.deductions.items():
            ratings.save_deduction(person, story.token, error_type, points)
    panel_submission.submit(person, panel.token)
    return True
