"""The settings of a DisScore's training; light, so that no model is loaded."""

from dataclasses import dataclass, replace

from core.checkpoints.kinds import DISSCORE
from core.settings import like
from core.stories import as_read, whole_story
from core.training.engine.cost import TRAINING, Work
from core.training.engine.recipe import PAPER_BATCH, PAPER_RATE, PAPER_STEPS, Recipe, Way, paper_recipe
from core.training.engine.settings import CrossFittedSettings, LearnsFrom

FEWEST = 10
"""Stories by people, and stories by systems, that each model learns from at least."""
USUAL = Recipe(epochs=8, learning_rate=1e-3, evaluate_every=50)
"""Where nobody says otherwise."""
_GUESS = 100_000
"""Characters a second of a head's training."""


@dataclass(frozen=True)
class DiscriminatorSettings(CrossFittedSettings):
    """Stories by people against stories by systems, of one study or more. `held_out`: share of the prompts that a model
    may learn from. `recipe`: under PAPER all of a BERT learns, and its [CLS] alone is read (UNION 2020, section 4.1).
    """

    recipe: Way = like(
        CrossFittedSettings,
        "recipe",
        "fabula, or paper: as published, over all of a BERT that learns, in steps of ten stories.",
    )
    steps: int = like(
        CrossFittedSettings, "steps", f"With --recipe paper: how many steps a model; {PAPER_STEPS:,} if left out."
    )
    epochs: int = like(CrossFittedSettings, "epochs", "How often each story is seen: 8.", USUAL.epochs)
    learning_rate: float | None = like(
        CrossFittedSettings, "learning_rate", "Of the heads: 1e-3; with --recipe paper of all, 5e-5."
    )
    seed: int = like(CrossFittedSettings, "seed", "Seed of the folds, of what is held out and of the training.")

    kind = DISSCORE
    title = "DisScore"
    called = "DisScore"
    about = "It learns to tell people's stories from systems', for the metric disscore."
    purpose = "Teach DisScore to tell people's stories from systems'."
    trainer = "core.training.disscore.train:train_discriminator"
    learns_from = LearnsFrom.STUDIES

    @property
    def schedule(self) -> Recipe:
        if self.loop:
            return self.loop
        usual = PAPER_RATE if self.recipe is Way.PAPER else USUAL.learning_rate
        rate = usual if self.learning_rate is None else self.learning_rate
        if self.recipe is Way.PAPER:
            return paper_recipe(self.steps, rate, self.precision, self.seed)
        return replace(USUAL, epochs=self.epochs, learning_rate=rate, seed=self.seed)

    @property
    def step_size(self) -> int:
        return self.batch or (PAPER_BATCH if self.recipe is Way.PAPER else 32)

    def works(self, characters: int, pairs: int = 0) -> list[Work]:
        if self.recipe is Way.PAPER:
            return [self.tuned_work(PAPER_BATCH)]
        heads = characters * self.epochs * self.folds
        return [self.reading(characters), Work(TRAINING, f"train discriminator {self.device}", heads, _GUESS)]

    def prepared(self, prompt: str, text: str) -> str:
        """A story with its prompt before it, as the base reads it."""
        return as_read(whole_story(prompt, text), self.normalisation, self.words)
