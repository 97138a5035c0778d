"""The settings of a fine-tuned language model; light, so that no model is loaded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.checkpoints.kinds import LANGUAGE_MODEL, RANK
from core.errors import InputError
from core.models.catalogue import DEFAULTS, ModelRole, ModelSource
from core.settings import like, setting
from core.stories import NORMALISATIONS, as_read
from core.training.engine.cost import TRAINING, Work
from core.training.engine.recipe import Recipe
from core.training.engine.settings import TrainingSettings

USUAL = Recipe(epochs=1, learning_rate=2e-3, evaluate_every=100)
"""Where nobody says otherwise."""
MOST_HELD_OUT = 500
"""Stories: they are read again at every evaluation."""
_GUESS = 1_000
"""Characters a second on two cores."""


@dataclass(frozen=True)
class LanguageModelSettings(TrainingSettings):
    """`rank`: of the adapters. `batch`: pieces at once, padding included. Raises InputError."""

    base: str = like(TrainingSettings, "base", "A causal language model: a bundled one, a folder or a hub name.")
    rank: int = setting(
        RANK,
        "Of the adapters: the more, the more is learnt, by heart too.",
        label="Rank of the adapters",
        least=1,
        most=256,
    )
    normalisation: str = like(TrainingSettings, "normalisation", "What is done to the stories first.")
    epochs: int = like(TrainingSettings, "epochs", "How often each story is seen: 1.")
    learning_rate: float | None = like(TrainingSettings, "learning_rate", "2e-3.")
    seed: int = like(TrainingSettings, "seed", "Seed of what is held out and of the training.")
    held_out: float = setting(0.05, later=True)

    kind = LANGUAGE_MODEL
    title = "Language model"
    called = "a language model"
    about = "It learns what people's stories are like, word by word, for the metric perplexity-finetuned."
    purpose = "Teach a language model what stories are like."
    trainer = "core.training.language_model.train:train_language_model"
    role = ModelRole.LANGUAGE

    def __post_init__(self) -> None:
        if self.normalisation not in NORMALISATIONS:
            raise InputError(
                f"There is no normalisation {self.normalisation!r}; choose one of {', '.join(NORMALISATIONS)}."
            )
        if not 1 <= self.rank <= 256:
            raise InputError(f"The rank of adapters is 1 to 256, not {self.rank}.")
        if self.words < 0:
            raise InputError(f"Stories are cut within 1 word or more, or (0) not at all, not within {self.words}.")

    @property
    def schedule(self) -> Recipe:
        rate = self.learning_rate or USUAL.learning_rate
        return self.loop or replace(
            USUAL, epochs=self.epochs, learning_rate=rate, precision=self.precision, seed=self.seed
        )

    @property
    def step_size(self) -> int:
        return self.batch or 1024

    def layers_of(self, base: ModelSource) -> tuple[int, ...]:
        """None: all of it is run."""
        del base
        return ()

    def works(self, characters: int, pairs: int = 0) -> list[Work]:
        key = f"train language-model {self.base or DEFAULTS[ModelRole.LANGUAGE]} {self.device} {self.precision}"
        return [Work(TRAINING, key, characters * self.epochs, _GUESS)]

    def checked_on(self, sizes: Sequence[int]) -> int:
        return min(super().checked_on(sizes), MOST_HELD_OUT)

    def prepared(self, story: str) -> str:
        """A story as the model reads it."""
        return as_read(story, self.normalisation, self.words)
