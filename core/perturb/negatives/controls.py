"""Negative stories for quality control in MANS panels (OpenMEVA section 3.1): visibly worse than a human story."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.english.knowledge import shared_wordnet
from core.errors import InputError
from core.perturb.negatives.sampler import Mix, Sampler
from core.perturb.negatives.writing import Writing, usual, writing
from core.stories import sentences

VISIBLY = Mix(counts=(0, 0, 0.5, 0.5))
"""Three or four techniques: a control that a careful person might take for a fair story would accuse the careful."""
LENDERS = 200
"""Stories that lend their sentences and words: to count the words of all would keep whoever opens a study waiting."""


FEWEST_HUMAN = 20
"""Human stories that lend enough sentences: made of fewer, many negative stories have a sentence in common, by which
whoever reads several panels knows them.
"""
ATTEMPTS = 100
"""A step may undo another in a very short story; all of a hundred only where there is nothing to change."""


def _usable(stories: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(p, text) for p, text in stories if len({text[start:end] for start, end in sentences(text)}) >= 2]


def _alike(usable: list[tuple[str, str]], rated: Sequence[str]) -> list[tuple[str, str]]:
    """Those that are written as stories to rate are; where these are too few, as most of them are; failing that, all:
    a sentence that is written otherwise than those beside it gives a negative story away.
    """
    ways = [writing(text) for _, text in usable]
    for wanted in (*usual(rated), *(way for way, _ in Counter(ways).most_common(1))):
        alike = [lent for lent, way in zip(usable, ways, strict=True) if way == wanted]
        if len(alike) >= FEWEST_HUMAN and len({prompt for prompt, _ in alike}) > 1:
            return alike
    return usable


@dataclass(frozen=True, slots=True)
class Unlike:
    """Too few human stories are written as the stories to rate: of how many how many are, and how most to rate are."""

    human: int
    alike: int
    rated: Writing


def unlike(human: Iterable[tuple[str, str]], rated: Sequence[str]) -> Unlike | None:
    """Where negative stories made of these, (prompt, text), differ by their writing alone from those beside them;
    `human` is read only until enough are found.
    """
    ways, alike, lending = usual(rated), defaultdict[Writing, list[str]](list), 0
    for prompt, text in human:
        if not _usable([(prompt, text)]):
            continue
        lending += 1
        if (way := writing(text)) in ways:
            alike[way].append(prompt)
            if len(alike[way]) >= FEWEST_HUMAN and len(set(alike[way])) > 1:
                return None
    number = sum(map(len, alike.values()))
    return Unlike(lending, number, ways[0]) if ways and number < lending else None


def sharing(texts: Sequence[str]) -> int:
    """How many of these texts have a sentence that another of them has, too."""
    said = [{text[start:end] for start, end in sentences(text)} for text in texts]
    counts = Counter(sentence for own in said for sentence in own)
    return sum(any(counts[sentence] > 1 for sentence in own) for own in said)


def make_negatives(
    prompts: Sequence[str], human: Sequence[tuple[str, str]], others: Sequence[tuple[str, str]], seed: str
) -> dict[str, str]:
    """A negative story for each prompt, perturbed from a story of another prompt; the same seed gives the same texts.

    `human`, `others`: (prompt, text). The others serve where no human story has two different sentences. A prompt's own
    stories are used only where there are no others: they stand in the same panel and would give the negative away.
    So would stories that are written otherwise than the others, which are passed over where enough are left.
    Raises InputError where no story at all has two different sentences, and ModelMissing without WordNet.
    """
    usable = _alike(_usable(human) or _usable(others), [text for _, text in others])
    texts = [text for _, text in usable]
    if not usable:
        raise InputError(
            "Negative stories are made from human stories (the references) or, failing these, from the systems' "
            "stories, and none of them has two different sentences. Import longer human stories, or negative stories "
            "of your own: rows whose source is negative."
        )
    lenders = random.Random(seed).sample(texts, min(LENDERS, len(texts)))
    sampler = Sampler(lenders, shared_wordnet(), VISIBLY)
    several = len({prompt for prompt, _ in usable}) > 1
    negatives = {}
    for prompt in prompts:
        negatives[prompt] = _negative(usable, prompt if several else None, sampler, f"{seed}/{prompt}")
    return negatives


def _negative(stories: Sequence[tuple[str, str]], but: str | None, sampler: Sampler, seed: str) -> str:
    rng = random.Random(seed)
    for attempt in range(ATTEMPTS):
        owner, text = rng.choice(stories)
        while owner == but:
            owner, text = rng.choice(stories)
        perturbed = sampler.negative(text, f"{seed}/{attempt}")
        if perturbed:
            return perturbed.text
    raise InputError("No human story can be made worse: their sentences hold no words. Import other human stories.")
