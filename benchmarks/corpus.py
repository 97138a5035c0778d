"""The stories that metrics are timed on: MANS-ROC's 1,000 where the data is there, else made ones of like length."""

import json
import random
from pathlib import Path

from core.stories import Story

MANS = Path(__file__).resolve().parents[2] / "shared" / "data" / "mans-roc" / "mans_roc.json"
SENTENCES = (
    "Nora found an old key under the mat .",
    "she wondered which door it might open .",
    "her brother laughed and went back to his book .",
    "at noon the rain came down hard on the roof .",
    "they ran to the shed and tried the lock .",
    "nobody had been inside for many years .",
)


def stories() -> tuple[list[Story], str]:
    """1,000 stories, five to a prompt with one reference, and what they are."""
    if MANS.is_file():
        data = json.loads(MANS.read_text(encoding="utf-8"))
        corpus_stories = [
            Story(made["text"], row["prompt"], (row["gold_response"],))
            for row in data.values()
            for made in row["gen"].values()
        ]
        return corpus_stories, "MANS-ROC"
    rng = random.Random(0)

    def text(tag: str) -> str:
        return " ".join(rng.choices(SENTENCES, k=rng.choice((3, 4, 4, 5)))) + f" {tag}"

    new_stories = []
    for i in range(200):
        prompt, reference = f"it was day {i} .", text(f"r{i}")
        new_stories += [Story(text(f"s{i} {k}"), prompt, (reference,)) for k in range(5)]
    return new_stories, "made stories"


def many_stories(number: int) -> list[Story]:
    """So many different stories, evenly from the corpus; beyond its number, each behind other stories' prompts too."""
    every, _ = stories()
    if number <= len(every):
        return every[:: len(every) // number][:number]
    behind = [
        Story(f"{every[(i + 97 * turn) % len(every)].prompt} {story.text}", story.prompt, story.references)
        for turn in range(1, -(-number // len(every)))
        for i, story in enumerate(every)
    ]
    return [*every, *behind][:number]


def long_pairs(number: int, joined: int = 6) -> list[tuple[str, str]]:
    """Pairs of texts of about 250 tokens, five stories to a reference: several of the corpus in a row on both sides."""
    every, _ = stories()
    references = list(dict.fromkeys(story.references[0] for story in every))
    return [
        (
            " ".join(every[(i * 7 + k) % len(every)].text for k in range(joined)),
            " ".join(references[(i // 5 * 3 + k) % len(references)] for k in range(joined)),
        )
        for i in range(number)
    ]
