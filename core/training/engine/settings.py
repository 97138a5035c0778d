"""The settings that all trainings share, which a job's row keeps and any process can train by."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar, Self

from core.checkpoints.card import check_name
from core.checkpoints.folds import FEWEST, MOST, Folds
from core.models.catalogue import DEFAULTS, MINILM, ModelRole, ModelSource
from core.models.shape import check_layers, last_of_encoder, usual_layers
from core.settings import as_json, described, from_json, like, setting
from core.training.engine.cost import BASE_READING, READING, TRAINING, Work
from core.training.engine.held_out import held_out_of
from core.training.engine.recipe import PAPER_STEPS, PRECISIONS, Recipe, Way
from core.training.engine.stories import StorySet
from core.training.engine.working_folder import ResumableTraining

WORDS = 200
"""Within so many, texts are cut at a sentence's end."""
_ENCODER = 25_000
"""Characters a second of the bundled encoder's reading."""
_TUNED, _STORY = 900, 250
"""Characters a second of a base's training, and characters of a short story."""


class LearnsFrom(StrEnum):
    """What a kind of metric is trained on."""

    HUMAN_STORIES = "human stories"
    STUDIES = "studies' stories by people and by systems"
    RATINGS = "a study's ratings"


@dataclass(frozen=True)
class TrainingSettings(ResumableTraining):
    """Each kind of metric adds its own. `name`: of the checkpoint. `base`: "" for the bundled one. `overlap_allowed`:
    stories that people have rated are trained on all the same. `learning_rate`: None for the usual one. `layers`: of
    the base, 1 the lowest; none for the usual ones. `batch`: 0 for the usual one. `held_out`: share of what is learnt
    from, in 0..1, by which the best weights are told. `loop`: how the engine trains, where that does not follow from
    the other settings.
    """

    name: str = setting("", "The checkpoint's name; the folder's, if left out.")
    stories: tuple[StorySet, ...] = ()
    base: str = setting("", "What it stands on: a bundled model, a folder or a hub name.")
    epochs: int = setting(1, label="Epochs", least=1, most=1000, depends=True)
    seed: int = setting(0, label="Seed", least=0, most=2**31)
    precision: str = setting(
        PRECISIONS[0], "Of the base: float32, or bfloat16.", label="Precision", choices=tuple(PRECISIONS)
    )
    device: str = setting("auto", "auto, cpu or cuda.", label="Device", choices=("auto", "cpu", "cuda"))
    overlap_allowed: bool = setting(False, "Train on stories of rated studies too; the card says so.")
    words: int = setting(
        WORDS, "Stories are cut within so many words; 0 for never.", label="Words", least=0, most=10_000
    )
    learning_rate: float | None = setting(None, depends=True, later=True)
    normalisation: str = setting("recased", later=True)
    recipe: Way = setting(Way.FABULA, later=True)
    steps: int = setting(PAPER_STEPS, label="Steps", least=1, most=1_000_000, depends=True, later=True)
    layers: tuple[int, ...] = setting((), depends=True, later=True)
    batch: int = setting(0, later=True)
    held_out: float = setting(0.1, later=True)
    loop: Recipe | None = setting(None, later=True)

    kind: ClassVar[str]
    """Of the checkpoint's card, of jobs and of the command."""
    title: ClassVar[str]
    """On the page."""
    called: ClassVar[str]
    """In a sentence on what is trained."""
    about: ClassVar[str]
    """What it learns."""
    purpose: ClassVar[str]
    """What the command does."""
    trainer: ClassVar[str]
    """MODULE:FUNCTION that trains it; imported when there is such work, for it brings torch."""
    learns_from: ClassVar[LearnsFrom] = LearnsFrom.HUMAN_STORIES
    role: ClassVar[ModelRole] = ModelRole.BASE
    """What its base is."""

    @classmethod
    def usual(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """What follows from settings that are given, where nobody says otherwise."""
        del given
        return {}

    @property
    @abstractmethod
    def schedule(self) -> Recipe:
        """How the engine's loop trains. Raises InputError."""

    @property
    @abstractmethod
    def step_size(self) -> int:
        """How much a step takes in: `batch`, or the usual one."""

    @property
    def card_recipe(self) -> dict[str, Any]:
        """What a card says of how it was trained."""
        return {
            "recipe": self.recipe.value,
            **asdict(self.schedule),
            "batch": self.step_size,
            "held_out": self.held_out,
            "precision": self.precision,
        }

    @abstractmethod
    def works(self, characters: int, pairs: int = 0) -> list[Work]:
        """The phases of a training on texts of so many characters; `pairs`: stories that have a negative."""

    def checked_on(self, sizes: Sequence[int]) -> int:
        """About how many stories (of UNION pairs) are held out where the corpora have so many."""
        return held_out_of(sum(sizes), self.held_out)

    def fitted(self, base: ModelSource) -> Self:
        """Return the settings with the layers of the base that are read. Raises InputError where they do not fit it."""
        layers = self.layers_of(base)
        if layers:
            check_layers(base, layers)
        return replace(self, layers=layers)

    def layers_of(self, base: ModelSource) -> tuple[int, ...]:
        """The layers of a base that are read. Raises InputError where the recipe does not fit it."""
        return (last_of_encoder(base),) if self.recipe is Way.PAPER else self.layers or usual_layers(base)

    def reading(self, characters: int) -> Work:
        """A frozen base's reading of so many characters, for heads that stand on it."""
        base = self.base or DEFAULTS[ModelRole.BASE]
        guess = _ENCODER if base == MINILM else BASE_READING
        return Work(READING, f"train reading all of {base} {self.device} {self.precision}", characters, guess)

    def as_json(self) -> dict[str, Any]:
        """Return the settings that a job keeps."""
        values = {**as_json(self), "kind": self.kind}
        if self.recipe is Way.PAPER and described(type(self))["steps"][0].help:
            values["steps"] = self.steps
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The settings that a job keeps. Raises InputError for a name that is none."""
        return from_json(cls, {**values, "name": check_name(values["name"])})


@dataclass(frozen=True)
class CrossFittedSettings(TrainingSettings):
    """Of what learns from a study's own stories. `folds`: models, each of which scores the prompts that it has not
    seen. `stories`: of studies alone. `steps`: of each model, by the paper's recipe.
    """

    folds: int = setting(
        5,
        "Models; each scores the prompts that it has not seen.",
        label="Parts of the prompts",
        least=FEWEST,
        most=MOST,
    )
    overlap_allowed: bool = setting(False)
    layers: tuple[int, ...] = like(TrainingSettings, "layers", "A layer of the base to read; may be repeated.")

    @classmethod
    def usual(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        return {"base": MINILM} if given.get("recipe") is Way.PAPER else {}

    @property
    def cross_fit(self) -> Folds:
        """Which model scores which prompts. Raises InputError."""
        return Folds(self.folds, self.seed)

    def checked_on(self, sizes: Sequence[int]) -> int:
        """About how many stories each model scores that has not seen their prompts."""
        return round(sum(sizes) / self.folds)

    def tuned_work(self, texts: int) -> Work:
        """Training bases on so many texts a step: of a usual length, for how long these are is not known here."""
        key = f"train {self.kind} {self.recipe} {self.base} {self.device}"
        return Work(TRAINING, key, self.steps * texts * self.folds * _STORY, _TUNED)
