"""The settings of a UNION's training and what it costs; light, so that no model is loaded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.checkpoints.kinds import RANK, UNION, Tuning
from core.checkpoints.overlap import BYTES
from core.english.knowledge import WORDNET
from core.models.catalogue import DEFAULTS, MINILM, ModelRole
from core.models.shape import NARROW, Shape
from core.perturb.negatives.sampler import Mix, MixName, Technique
from core.settings import like, setting
from core.stories import DELEXICALISED, NORMALISATIONS, as_read
from core.training.engine.cost import BASE_READING, NEGATIVES, READING, TRAINING, Work
from core.training.engine.recipe import PAPER_BATCH, PAPER_RATE, PAPER_STEPS, Recipe, Way, paper_recipe
from core.training.engine.settings import TrainingSettings

LAMBDA = 0.1
"""Of the reconstruction's loss (UNION 2020, section 4.1)."""
USUAL_MIX = {Way.FABULA: MixName.FABULA, Way.PAPER: MixName.PAPER}
"""Whose negatives a recipe learns from, where nobody says otherwise."""
USUAL_NORMALISATION = {Way.FABULA: "recased", Way.PAPER: DELEXICALISED}
"""How a recipe's stories are written (UNION 2020, section 4.2, masks names)."""
USUAL = {
    Tuning.FROZEN: Recipe(epochs=8, learning_rate=1e-3, evaluate_every=100),
    Tuning.ADAPTER: Recipe(epochs=2, learning_rate=5e-4, evaluate_every=100),
    Tuning.FULL: Recipe(epochs=2, learning_rate=5e-5, evaluate_every=100),
}
"""Where nobody says otherwise."""
_GUESS = {NEGATIVES: 60_000, Tuning.FROZEN: 60_000, Tuning.ADAPTER: 1_200, Tuning.FULL: 900}
"""Characters a second on two cores, where this machine has not shown its speed yet."""
_MINILM_READING = 12_000
_HALF, _SINGLE = 2, 4
"""Bytes of a number of a matrix, and of any other."""


@dataclass(frozen=True)
class UnionSettings(TrainingSettings):
    """`reconstruction`: lambda, 0 for none. `mix`: whose negatives. `without`: techniques that are not used.
    `held_out`: share of the pairs. `precision`: of a frozen base.

    `recipe`: PAPER counts `steps`, and reads the last layer of a base all of which learns, [CLS] alone, and rebuilds
    every piece over the whole vocabulary; `epochs`, `layers` and `tuning` are the other's.
    """

    layers: tuple[int, ...] = like(
        TrainingSettings, "layers", "A layer of the base to read; may be repeated.", later=False
    )
    reconstruction: float = setting(LAMBDA, "Lambda of the reconstruction's loss; 0 for none.")
    mix: MixName = setting(
        MixName.FABULA,
        "How much a technique does: fabula, or paper, as UNION's authors have it.",
        depends=True,
        later=True,
    )
    without: tuple[Technique, ...] = setting((), "Leave a technique out; may be repeated.", depends=True)
    knowledge: str = setting(
        WORDNET, "wordnet, or ConceptNet: its assertions, conceptnet_antonym.txt, or the folder of UNION's authors."
    )
    normalisation: str = like(
        TrainingSettings,
        "normalisation",
        f"What is done to the stories first: {', '.join(NORMALISATIONS)}. recased, or delexicalised with "
        "--recipe paper.",
        choices=NORMALISATIONS,
        depends=True,
    )
    recipe: Way = like(
        TrainingSettings,
        "recipe",
        "fabula, or paper: UNION as published, over all of a BERT, in steps of ten stories, with the paper's "
        "mix and delexicalised stories unless --mix or --normalisation say otherwise.",
    )
    steps: int = like(TrainingSettings, "steps", f"With --recipe paper: how many steps; {PAPER_STEPS:,} as published.")
    tuning: Tuning = setting(
        Tuning.FROZEN,
        "What of the base learns: frozen (nothing, the default), adapter or full.",
        choices=tuple(Tuning),
        depends=True,
    )
    epochs: int = like(
        TrainingSettings,
        "epochs",
        "How often each story is seen: 8, or 2 where the base learns.",
        USUAL[Tuning.FROZEN].epochs,
    )
    learning_rate: float | None = like(TrainingSettings, "learning_rate", "1e-3; 5e-4 with adapters, 5e-5 with all.")
    seed: int = like(TrainingSettings, "seed", "Seed of negatives, of what is held out and of the training.")

    kind = UNION
    title = "UNION"
    called = "UNION"
    about = "It learns to tell people's stories from damaged copies of them, and needs no rating."
    purpose = "Teach UNION to tell human stories from negatives of them."
    trainer = "core.training.union.train:train_union"

    @classmethod
    def usual(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        recipe = given.get("recipe", Way.FABULA)
        return {
            "mix": USUAL_MIX[recipe],
            "normalisation": USUAL_NORMALISATION[recipe],
            "epochs": USUAL[given.get("tuning", Tuning.FROZEN)].epochs,
            **({"base": MINILM} if recipe is Way.PAPER else {}),
        }

    @property
    def learns(self) -> Tuning:
        """What of the base learns."""
        return Tuning.FULL if self.recipe is Way.PAPER else self.tuning

    @property
    def negatives(self) -> Mix:
        """How negatives are made. Raises InputError for a mix without techniques."""
        return Mix(name=self.mix).without(*self.without)

    @property
    def schedule(self) -> Recipe:
        """`precision` is the base's alone where that stays as it is."""
        if self.loop:
            return self.loop
        if self.recipe is Way.PAPER:
            rate = PAPER_RATE if self.learning_rate is None else self.learning_rate
            return paper_recipe(self.steps, rate, self.precision, self.seed)
        usual = USUAL[self.tuning]
        return replace(
            usual,
            epochs=self.epochs,
            learning_rate=self.learning_rate or usual.learning_rate,
            precision=usual.precision if self.tuning is Tuning.FROZEN else self.precision,
            seed=self.seed,
        )

    @property
    def step_size(self) -> int:
        return self.batch or (PAPER_BATCH if self.recipe is Way.PAPER else 32)

    def works(self, characters: int, pairs: int = 0) -> list[Work]:
        """`layers`: those that are read; none where the base is not known yet."""
        base = self.base or DEFAULTS[ModelRole.BASE]
        where = f"{base} {max(self.layers, default=0)} {self.device} {self.precision}"
        phases = [Work(NEGATIVES, "train negatives", characters, _GUESS[NEGATIVES])]
        if self.learns is Tuning.FROZEN:
            guess = _MINILM_READING if base == MINILM else BASE_READING
            phases.append(Work(READING, f"train reading {where}", 2 * characters, guess))
        heads = self.recipe if self.recipe is Way.PAPER else self.tuning
        key = f"train {heads} {'with' if self.reconstruction else 'without'} reconstruction {where}"
        return [*phases, Work(TRAINING, key, round(2 * characters * self.passes(pairs)), _GUESS[self.learns])]

    def passes(self, pairs: int) -> float:
        """How often each of the texts of so many pairs is learnt from."""
        return self.steps * PAPER_BATCH / max(1, 2 * pairs) if self.recipe is Way.PAPER else self.epochs

    def prepared(self, story: str) -> str:
        """A story as the base reads it."""
        return as_read(story, self.normalisation, self.words)


def checkpoint_bytes(settings: UnionSettings, shape: Shape, layers: Sequence[int], stories: int) -> int:
    """Estimate a checkpoint's bytes: of the heads, of what the base learns, and of what tells the stories again."""
    width, features = shape.width, (len(layers) + 1) * shape.width
    heads = _HALF * (2 * NARROW * width + features + 2 * NARROW) + _SINGLE * (2 * features + 3 * width + NARROW)
    learnt = 0
    if settings.recipe is Way.PAPER:
        rebuild = shape.vocabulary if settings.reconstruction else 0
        heads = _HALF * (1 + rebuild) * width + _SINGLE * (1 + rebuild)
    if settings.learns is Tuning.ADAPTER:
        learnt = max(layers) * 2 * 2 * RANK * width
    elif settings.learns is Tuning.FULL:
        wide = (3 if shape.causal else 2) * width * shape.inner
        learnt = shape.vocabulary * width + max(layers) * (4 * width * width + wide)
    return heads + _HALF * learnt + BYTES * stories
