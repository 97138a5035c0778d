"""Stories by people and by two systems after the same prompts, with and without something to learn."""

import random

from core.stories import Source, StoryRecord
from core.training.bleurt.settings import JudgedText

KINDS = ("dog", "cat", "hen", "cow", "fox", "owl", "bee", "ant")
THINGS = ("a key", "some bread", "the moon", "an old road", "a red hat", "nothing at all")
PLANTED = " Market futures rallied! Futures rallied! Market futures! Rallied! Futures! Market futures rallied!"


def records(prompts: int = 24, *, signal: bool = True) -> list[StoryRecord]:
    """With `signal`, a system's story ends in words that no person uses."""
    rng = random.Random(prompts)
    result = []
    for number in range(prompts):
        prompt = f"The {rng.choice(KINDS)} number {number} went out."
        for system in ("", "one", "two"):
            text = f"It saw {rng.choice(THINGS)} and {rng.choice(THINGS)}. It came back {rng.choice(KINDS)} {number}."
            text += PLANTED if signal and system else ""
            source = Source.SYSTEM if system else Source.HUMAN
            result.append(StoryRecord(f"{number} {system}", str(number), prompt, text, source, system))
    return result


def judged(prompts: int = 24, *, signal: bool = True) -> list[JudgedText]:
    """With `signal`, a story is rated by the words that it ends in, else at random."""
    rng = random.Random(prompts)
    stories = []
    for number in range(prompts):
        prompt = f"The {rng.choice(KINDS)} number {number} went out."
        references = (f"It saw {rng.choice(THINGS)}. It came back.", f"It met the {rng.choice(KINDS)}. It was late.")
        for system in ("one", "two"):
            good = rng.random() < 0.5
            text = f"It saw {rng.choice(THINGS)} and {rng.choice(THINGS)}. It came back {number}."
            text += "" if good else PLANTED
            judgment = (4.0 if good else 2.0) + rng.random() if signal else 5 * rng.random()
            stories.append(JudgedText(prompt, text, references[: 1 + number % 2], judgment, system))
    return stories
