"""The settings of a regression on a study's ratings; light, so that no model is loaded."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.checkpoints.kinds import BLEURT
from core.errors import InputError
from core.settings import like, setting
from core.stories import as_read, distinct_texts, whole_story
from core.training.engine.cost import Work
from core.training.engine.recipe import Recipe, Way, paper_recipe
from core.training.engine.settings import CrossFittedSettings, LearnsFrom

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
class BleurtSettings(CrossFittedSettings):
    """A study's ratings, from its stories and their references, which are cut alike. `target`: which ratings, "" for
    those usual under its scheme (see `core.annotation.target`). `recipe`: under PAPER all of a BERT learns (Sellam et
    al. 2020, section 2); `held_out`: share of the prompts that a model may learn from.
    """

    folds: int = like(CrossFittedSettings, "folds", "Regressions; each scores the prompts that it has not seen.")
    recipe: Way = like(
        CrossFittedSettings,
        "recipe",
        "fabula, or paper: as published, over all of a BERT that learns, in steps of 16 pairs.",
    )
    steps: int = like(
        CrossFittedSettings,
        "steps",
        f"With --recipe paper: how many steps a model; {BLEURT_STEPS:,} if left out.",
        BLEURT_STEPS,
    )
    learning_rate: float | None = like(CrossFittedSettings, "learning_rate", "With --recipe paper: of all, 1e-5.")
    seed: int = like(CrossFittedSettings, "seed", "Seed of the folds; with --recipe paper of all.")
    target: str = setting(
        "",
        "The judgment to learn: overall, a criterion, or mean:A,B; else the overall rating, or the first criterion.",
        later=True,
    )

    kind = BLEURT
    title = "Ratings"
    called = "a regression on ratings"
    about = (
        "It learns what people said of a study's stories, beside the human stories of the same prompts, for the metric "
        "bleurt-finetuned."
    )
    purpose = "Teach a regression what people said of a study's stories."
    trainer = "core.training.bleurt.train:train_bleurt"
    learns_from = LearnsFrom.RATINGS

    @property
    def schedule(self) -> Recipe:
        """Return the paper's recipe, the only one for which a loop runs."""
        rate = BLEURT_RATE if self.learning_rate is None else self.learning_rate
        return self.loop or paper_recipe(self.steps, rate, self.precision, self.seed)

    @property
    def step_size(self) -> int:
        return self.batch or BLEURT_BATCH

    def works(self, characters: int, pairs: int = 0) -> list[Work]:
        return [self.tuned_work(2 * BLEURT_BATCH) if self.recipe is Way.PAPER else self.reading(characters)]

    def prepared(self, prompt: str, text: str) -> str:
        """A story or a reference with the prompt before it, as the base reads it."""
        return as_read(whole_story(prompt, text), self.normalisation, self.words)


def usable_stories(stories: Sequence[JudgedText], study: str) -> list[JudgedText]:
    """Those with a text and a reference. Raises InputError where there are too few, or all ratings are the same."""
    if not stories:
        raise InputError(f"The study {study} has no rated stories of systems: there is nothing to learn from.")
    readable = [story for story in stories if story.text.strip()]
    result = [story for story in readable if distinct_texts(story.references)]
    if not result:
        raise InputError(
            f"The study {study} has no human stories of the prompts that were rated: this metric compares with them; "
            "import them as references."
        )
    if len(result) < FEWEST:
        raise InputError(
            f"The study {study} has {len(result)} rated stories with a reference; {FEWEST} are needed to learn from."
        )
    if len({story.judgment for story in result}) == 1:
        raise InputError(f"All rated stories of the study {study} have the same mean rating: nothing can be learnt.")
    return result
