"""Negative stories for quality control in MANS panels (OpenMEVA section 3.1): visibly worse than a human story."""

import random
from collections.abc import Sequence

from core.errors import InputError
from core.perturb.knowledge import shared_wordnet
from core.perturb.negatives import Mix, Sampler
from core.stories import sentences

VISIBLY = Mix(counts=(0, 0, 0.5, 0.5))
"""Three or four techniques: a control that a careful person might take for a fair story would accuse the careful."""
LENDERS = 200
"""Stories that lend their sentences and words: to count the words of all would keep whoever opens a study waiting."""


def _usable(stories: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(p, text) for p, text in stories if len({text[start:end] for start, end in sentences(text)}) >= 2]


def make_negatives(
    prompts: Sequence[str], human: Sequence[tuple[str, str]], others: Sequence[tuple[str, str]], seed: str
) -> dict[str, str]:
    """A negative story for each prompt, perturbed from a story of another prompt; the same seed gives the same texts.

    `human`, `others`: (prompt, text). The others serve where no human story has two different sentences. A prompt's own
    stories are used only where there are no others: they stand in the same panel and would give the negative away.
    Raises InputError where no story at all has two different sentences, and ModelMissing without WordNet.
    """
    usable = _usable(human) or _usable(others)
    texts = [text for _, text in usable]
    if not usable:
        raise InputError(
            "Negative stories are made from human stories (the references) or, failing these, from the systems' "
            "stories, and none of them has two different sentences. Import longer human stories, or negative stories "
            "of your own: rows whose source is negative."
        )
    lenders = random.Random(seed).sample(texts, min(LENDERS, len(texts)))
    sampler = Sampler(lenders, shared_wordnet(), VISIBLY)
    return {prompt: _negative(prompt, usable, sampler, f"{seed}/{prompt}") for prompt in prompts}


def _negative(prompt: str, usable: Sequence[tuple[str, str]], sampler: Sampler, seed: str) -> str:
    rng = random.Random(seed)
    order = rng.sample(range(len(usable)), len(usable))
    for i in sorted(order, key=lambda i: usable[i][0] == prompt):  # its own stories last
        made = sampler.negative(usable[i][1], seed)
        if made:
            return made.text
    raise InputError("No human story can be made worse: their sentences hold no words. Import other human stories.")
