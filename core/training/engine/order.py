"""A training as it is asked for: what a job's row keeps, from which any process does the same."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from core.checkpoints.card import check_name
from core.models.catalogue import Role
from core.training.engine.stories import StorySet
from core.training.engine.under_way import UnderWay


@dataclass(frozen=True)
class Order(UnderWay):
    """What all trainings have in common; each kind of metric adds its own.

    `name`: of the checkpoint. `base`: "" for the bundled one. `overlap_allowed`: stories that people have rated are
    trained on all the same.
    """

    name: str
    stories: tuple[StorySet, ...] = ()
    base: str = ""
    epochs: int = 1
    seed: int = 0
    precision: str = "float32"
    device: str = "auto"
    overlap_allowed: bool = False
    kind: ClassVar[str]
    """Of the checkpoint's card."""
    called: ClassVar[str]
    """In a sentence on what is trained."""
    role: ClassVar[Role] = Role.BASE
    """What its base is."""
    of_ratings: ClassVar[bool] = False
    """Whether it learns ratings, of which more may come in."""

    def settings(self) -> dict[str, Any]:
        """As a job keeps it."""
        given: dict[str, Any] = json.loads(json.dumps(self.__dict__, default=lambda one: one.__dict__))
        return {**given, "kind": self.kind}

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Self:
        """The order that a job keeps. Raises InputError for a name that is none."""
        given: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in settings.items()
        }
        given["name"] = check_name(settings["name"])
        given["stories"] = tuple(StorySet(**one) for one in settings["stories"])
        return cls(**given)
