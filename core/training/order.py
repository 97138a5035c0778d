"""A training as it is asked for: what a job's row keeps, from which any process does the same."""

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import StorageError
from core.home import home
from core.perturb.knowledge import WORDNET
from core.perturb.negatives import Mix, Technique
from core.training.card import check_name
from core.training.plan import LAMBDA, Plan, Tuning, recipe_of
from core.training.stories import StorySet


@dataclass(frozen=True)
class Order:
    """`base`: "" for the bundled one. `layers`: none for the usual ones. `without`: techniques that are not used.

    `overlap_allowed`: stories that people have rated are trained on all the same. Else see `Plan`.
    """

    name: str
    stories: tuple[StorySet, ...]
    base: str = ""
    layers: tuple[int, ...] = ()
    tuning: Tuning = Tuning.FROZEN
    reconstruction: float = LAMBDA
    without: tuple[Technique, ...] = ()
    words: int = 200
    epochs: int = 8
    seed: int = 0
    precision: str = "float32"
    device: str = "auto"
    knowledge: str = WORDNET
    overlap_allowed: bool = False
    kind: str = "union"

    def settings(self) -> dict[str, Any]:
        """As a job keeps it."""
        given: dict[str, Any] = json.loads(json.dumps(self.__dict__, default=lambda one: one.__dict__))
        return given

    @property
    def folder(self) -> Path:
        """Where the training keeps what is under way: the same for the same order, so that it goes on."""
        text = json.dumps(self.settings(), sort_keys=True)
        return home() / "training" / hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]

    def plan(self, layers: tuple[int, ...]) -> Plan:
        """With the layers that are read. Raises InputError, for a mix without techniques too."""
        return Plan(
            layers,
            words=self.words,
            mix=Mix().without(*self.without),
            reconstruction=self.reconstruction,
            precision=self.precision,
            tuning=self.tuning,
            recipe=recipe_of(self.tuning, self.epochs, None, self.precision, self.seed),
        )


def order_from(settings: Mapping[str, Any]) -> Order:
    """The order of a job's settings. Raises InputError for a name that is none."""
    return Order(
        **{
            **settings,
            "name": check_name(settings["name"]),
            "stories": tuple(StorySet(**one) for one in settings["stories"]),
            "layers": tuple(settings["layers"]),
            "tuning": Tuning(settings["tuning"]),
            "without": tuple(Technique(one) for one in settings["without"]),
        }
    )


def discard(order: Order) -> None:
    """Delete what is under way of a training that nobody runs. Raises StorageError."""
    try:
        shutil.rmtree(order.folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StorageError(f"{order.folder} cannot be deleted: {error.strerror}; delete it by hand.") from error
