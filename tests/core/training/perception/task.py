"""What several tests of task share."""

import random

from core.stories import Source, StoryRecord

WHO = ("dog", "cat", "hen", "cow", "fox", "owl", "bee", "ant")
DID = ("ran home", "slept well", "ate bread", "sang a song", "saw the sea", "met a friend", "lost a shoe")


def corpus(planted: bool, prompts: int = 120) -> list[StoryRecord]:
    """Human stories and those of two systems, all drawn alike; the system `odd` says "zebra" where it is planted."""
    rng = random.Random(0)
    records = []
    for number in range(prompts):
        prompt = f"Once there was a {rng.choice(WHO)}."
        for system in ("", "odd", "even"):
            text = f"It {rng.choice(DID)}. Then it {rng.choice(DID)}, and the {rng.choice(WHO)} {rng.choice(DID)}."
            if system == "odd" and planted:
                text += " A zebra zebra came."
            source = Source.SYSTEM if system else Source.HUMAN
            records.append(StoryRecord(f"{system}{number}", str(number), prompt, text, source, system))
    return records
