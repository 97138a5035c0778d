"""The discrimination test (OpenMEVA section 3.2, Table 1): stories that are each wrong in one aspect of coherence.

The first sentence, or the prompt, never changes. Every case carries what was done to it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.english.sentences import ParsedStory, Resources, Technique
from core.perturb.edits import Draft, Perturbed
from core.perturb.techniques import character, commonsense, consistency, order, published, relatedness, repetition
from core.perturb.test_sets.aspects import Aspect, Techniques

Selects = Callable[[ParsedStory, Resources], bool]


@dataclass(frozen=True)
class AspectRecipe:
    """How an aspect is tested. `coherent`: which human stories stand for the coherent ones. `techniques`: each with its
    weight in the draw of which is tried first; the others serve where it finds nothing.
    """

    coherent: Selects
    techniques: tuple[tuple[Technique, float], ...]


def _no_repetition(reading: ParsedStory, means: Resources) -> bool:
    """Any human story but one that repeats itself as the incoherent ones do."""
    return not repetition.repeats(reading, means)


def _weakly_related(reading: ParsedStory, means: Resources) -> bool:
    """Whether its sentences have little to do with each other, by their words' vectors (footnote 4)."""
    return reading.text in means.weakly_related


RECIPES: Mapping[Aspect, AspectRecipe] = {
    Aspect.LEXICAL_REPETITION: AspectRecipe(
        _no_repetition, ((repetition.repeat_words, 0.5), (repetition.repeat_sentence, 0.5))
    ),
    Aspect.SEMANTIC_REPETITION: AspectRecipe(_no_repetition, ((repetition.repeat_meaning, 1.0),)),
    Aspect.CHARACTER: AspectRecipe(
        character.many_persons, ((character.exchange_pronoun, 0.5), (character.swap_roles, 0.5))
    ),
    Aspect.COMMON_SENSE: AspectRecipe(commonsense.has_relation, ((commonsense.replace_by_neighbours, 1.0),)),
    Aspect.CONSISTENCY: AspectRecipe(
        consistency.has_negation,
        ((consistency.turn_antonym, 0.15), (consistency.turn_prefix, 0.1), (consistency.deny, 0.75)),
    ),
    Aspect.RELATEDNESS: AspectRecipe(
        _weakly_related, ((relatedness.replace_at_random, 0.25), (relatedness.replace_sentence, 0.75))
    ),
    Aspect.CAUSAL: AspectRecipe(order.has_causes, ((order.swap_causes, 0.5), (order.oppose_causes, 0.5))),
    Aspect.TEMPORAL: AspectRecipe(order.has_times, ((order.swap_times, 0.4), (order.oppose_times, 0.6))),
}
PAPER: Mapping[Aspect, AspectRecipe] = {
    Aspect.LEXICAL_REPETITION: AspectRecipe(
        published.any_story, ((published.repeat_words, 0.5), (published.repeat_sentence, 0.5))
    ),
    Aspect.SEMANTIC_REPETITION: AspectRecipe(published.any_story, ((repetition.repeat_meaning, 1.0),)),
    Aspect.CHARACTER: AspectRecipe(
        character.many_persons, ((published.swap_roles, 0.5), (published.exchange_pronoun, 0.5))
    ),
    Aspect.COMMON_SENSE: AspectRecipe(published.has_triple, ((published.replace_by_neighbours, 1.0),)),
    Aspect.CONSISTENCY: AspectRecipe(consistency.has_negation, ((published.turn_antonym, 0.5), (published.deny, 0.5))),
    Aspect.RELATEDNESS: AspectRecipe(
        _weakly_related, ((published.replace_at_random, 0.5), (published.replace_sentence, 0.5))
    ),
    Aspect.CAUSAL: AspectRecipe(published.has_causes, ((published.swap_causes, 0.5), (published.oppose_causes, 0.5))),
    Aspect.TEMPORAL: AspectRecipe(published.has_times, ((published.swap_times, 0.5), (published.oppose_times, 0.5))),
}
"""As Table 1 prints them; it gives no shares of its techniques, so each is drawn as often as the other."""
_RECIPES = {Techniques.OURS: RECIPES, Techniques.PAPER: PAPER}


def coherent(reading: ParsedStory, aspect: Aspect, means: Resources, by: Techniques = Techniques.OURS) -> bool:
    """Whether a human story stands for the coherent ones of an aspect."""
    return _RECIPES[by][aspect].coherent(reading, means)


def incoherent(
    reading: ParsedStory, aspect: Aspect, means: Resources, seed: str, by: Techniques = Techniques.OURS
) -> Perturbed | None:
    """The story made wrong in an aspect; None where no technique finds anything. The same seed gives the same."""
    rng = random.Random(f"{seed}/{aspect}")
    return applied(reading, _drawn(_RECIPES[by][aspect].techniques, rng), means, rng)


def _drawn(techniques: tuple[tuple[Technique, float], ...], rng: random.Random) -> list[Technique]:
    """All of them, in an order drawn by their weights."""
    left = list(techniques)
    result = []
    while left:
        (chosen,) = rng.choices(left, [weight for _, weight in left])
        result.append(chosen[0])
        left.remove(chosen)
    return result


def applied(
    reading: ParsedStory, techniques: list[Technique], means: Resources, rng: random.Random
) -> Perturbed | None:
    """What the first technique makes of a story that finds something to change."""
    for technique in techniques:
        edit = technique(reading, means, rng)
        if edit:
            draft = Draft(reading.text)
            draft.step(technique.__name__.replace("_", " "), edit.way, edit.changes)
            if draft.text != reading.text:
                return draft.done()
    return None
