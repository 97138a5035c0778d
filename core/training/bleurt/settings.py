"""How people's ratings of a study are learnt, as pages and command line choose it: nothing here loads a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.checkpoints.folds import Folds
from core.errors import InputError
from core.stories import as_read, distinct_texts, whole_story
from core.training.engine.recipe import Recipe, Way, paper_recipe

FEWEST = 20
"""Judged stories with a reference."""
BLEURT_BATCH = 16
"""Pairs a step, where the paper's recipe is followed."""
BLEURT_RATE = 1e-5
"""The learning rate that the authors' code has for learning from ratings."""
BLEURT_STEPS = 25_000
"""As many as the authors' code takes where nothing is said."""


@dataclass(frozen=True, slots=True)
class JudgedText:
    """A system's story that people have rated, and the human stories of its prompt; `judgment`: the mean rating."""

    prompt: str
    text: str
    references: tuple[str, ...]
    judgment: float
    system: str = ""


@dataclass(frozen=True)
class BleurtPlan:
    """`layers`: of the base, 1 the lowest. `words`: stories and references are cut at a sentence's end within so many,
    0 for not at all. With a `recipe` (`paper_bleurt` makes such a plan) all of a BERT learns by it, in steps of `batch`
    pairs; `held_out`: share of the prompts that a model may learn from, by which its best weights are told.
    """

    layers: tuple[int, ...]
    normalisation: str = "recased"
    words: int = 200
    folds: Folds = field(default_factory=Folds)
    precision: str = "float32"
    recipe: Recipe | None = None
    batch: int = BLEURT_BATCH
    held_out: float = 0.1

    @property
    def way(self) -> Way:
        """Whose recipe it is."""
        return Way.PAPER if self.recipe else Way.FABULA

    def prepared(self, prompt: str, text: str) -> str:
        """A story or a reference with the prompt before it, as the base reads it."""
        return as_read(whole_story(prompt, text), self.normalisation, self.words)


def paper_bleurt(
    top: int,
    words: int = 200,
    folds: Folds | None = None,
    steps: int = BLEURT_STEPS,
    learning_rate: float = BLEURT_RATE,
    precision: str = "float32",
    seed: int = 0,
) -> BleurtPlan:
    """BLEURT as published (Sellam et al. 2020, section 2), so many steps a model. `top`: the base's last layer.

    Raises InputError for steps that are none.
    """
    recipe = paper_recipe(steps, learning_rate, precision, seed)
    return BleurtPlan((top,), words=words, folds=folds or Folds(seed=seed), precision=precision, recipe=recipe)


def usable(stories: Sequence[JudgedText], study: str) -> list[JudgedText]:
    """Those with a text and a reference. Raises InputError where there are too few, or all ratings are the same."""
    if not stories:
        raise InputError(f"The study {study} has no rated stories of systems: there is nothing to learn from.")
    told = [one for one in stories if one.text.strip()]
    found = [one for one in told if distinct_texts(one.references)]
    if not found:
        raise InputError(
            f"The study {study} has no human stories of the prompts that were rated: this metric compares with them; "
            "import them as references."
        )
    if len(found) < FEWEST:
        raise InputError(
            f"The study {study} has {len(found)} rated stories with a reference; {FEWEST} are needed to learn from."
        )
    if len({one.judgment for one in found}) == 1:
        raise InputError(f"All rated stories of the study {study} have the same mean rating: nothing can be learnt.")
    return found
