"""Negative stories for quality control: a coherent story, made visibly worse by one seeded perturbation.

A first, small set (OpenMEVA section 3.1 names repetition and shuffling); METRICS.md's other techniques come on top.
"""

import random
from collections.abc import Sequence
from itertools import pairwise

from core.errors import InputError
from core.stories import sentences


def _split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def repeat_sentence(text: str, rng: random.Random) -> str:
    """Put a copy of one sentence over all others but one (over the other, where there are two)."""
    parts = _split(text)
    if len(parts) < 2:
        raise InputError("Repeating a sentence needs a story of at least two sentences.")
    chosen = rng.randrange(len(parts))
    others = [i for i in range(len(parts)) if i != chosen]
    spared = rng.choice(others) if len(others) > 1 else None
    return " ".join(part if i == spared else parts[chosen] for i, part in enumerate(parts))


def reorder_sentences(text: str, rng: random.Random) -> str:
    """Shuffle the sentences into an order where no sentence still follows its old predecessor, if there is one."""
    parts = _split(text)
    if len(parts) < 2:
        raise InputError("Reordering needs a story of at least two sentences.")
    best = list(range(len(parts)))[::-1]
    for _ in range(50):
        order = rng.sample(range(len(parts)), len(parts))
        if not any(b == a + 1 for a, b in pairwise(order)):
            best = order
            break
    return " ".join(parts[i] for i in best)


def _usable(stories: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(prompt, text) for prompt, text in stories if len(set(_split(text))) >= 2]


def make_negatives(
    prompts: Sequence[str], human: Sequence[tuple[str, str]], others: Sequence[tuple[str, str]], seed: str
) -> dict[str, str]:
    """A negative story for each prompt, perturbed from a story of another prompt; the same seed gives the same texts.

    `human`, `others`: (prompt, text). The others serve where no human story has two different sentences. A prompt's own
    stories are used only where there are no others: they stand in the same panel and would give the negative away.
    Raises InputError where no story at all has two different sentences.
    """
    usable = _usable(human) or _usable(others)
    if not usable:
        raise InputError(
            "Negative stories are made from human stories (the references) or, failing these, from the systems' "
            "stories, and none of them has two different sentences. Import longer human stories, or negative stories "
            "of your own: rows whose source is negative."
        )
    several = len({prompt for prompt, _ in usable}) > 1
    negatives = {}
    for prompt in prompts:
        rng = random.Random(f"{seed}/{prompt}")
        owner, text = rng.choice(usable)
        while several and owner == prompt:
            owner, text = rng.choice(usable)
        negatives[prompt] = rng.choice([repeat_sentence, reorder_sentences])(text, rng)
    return negatives
