"""The contract every metric keeps.

A metric gives one number a story: float64, raw (never normalised over the set), in input order, higher is better,
NaN with a reason where it is undefined. Its signature names all that the number depends on.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.stories import NORMALISATIONS, Story

Progress = Callable[[int], None]
"""Called with the number of stories finished since the last call."""


class Kind(StrEnum):
    """What a metric looks at besides the story."""

    REFERENCED = "referenced"
    UNREFERENCED = "unreferenced"
    HYBRID = "hybrid"


class Need(StrEnum):
    """What must be there for a metric to be defined."""

    PROMPT = "prompt"
    REFERENCE = "reference"
    MODEL = "model"


@dataclass(frozen=True)
class Card:
    """What a user should know before trusting a metric."""

    measures: str
    paper: str
    blind_spots: str


@dataclass(frozen=True)
class Option:
    """A setting of a metric: its allowed values (the first is the default) and what it does."""

    values: tuple[str, ...]
    description: str


@dataclass(frozen=True)
class Settings:
    """Where and with what a metric runs; `options` are the metric's own, by key."""

    model: str | None = None
    device: str = "auto"
    options: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Scores:
    """`values`: float64, one a story, NaN where undefined; `reasons`: index -> why."""

    values: NDArray[np.float64]
    reasons: Mapping[int, str]

    @classmethod
    def collect(cls, results: Iterable[float | str]) -> "Scores":
        """Build from one number or one reason a story."""
        listed = list(results)
        values = np.array([np.nan if isinstance(r, str) else r for r in listed], dtype=np.float64)
        return cls(values, {i: r for i, r in enumerate(listed) if isinstance(r, str)})


NORMALISATION = Option(NORMALISATIONS, "what is done to the texts first: see docs/metrics.md")


class Metric(ABC):
    """Base of all metrics. A family is one file; a registered name is one number a story."""

    name: ClassVar[str]
    kind: ClassVar[Kind]
    needs: ClassVar[frozenset[Need]]
    card: ClassVar[Card]
    version: ClassVar[int] = 1
    """Raised only when the metric's numbers change, never by a release."""
    options: ClassVar[Mapping[str, Option]] = {}

    def __init__(self, settings: Settings | None = None) -> None:
        """Raises InputError for an option or a value that this metric does not have."""
        self.settings = settings or Settings()
        given = dict(self.settings.options or {})
        for key, value in given.items():
            if key not in self.options:
                known = ", ".join(self.options) or "none"
                raise InputError(f"The metric {self.name} has no option {key!r}; its options are: {known}.")
            if value not in self.options[key].values:
                allowed = ", ".join(self.options[key].values)
                raise InputError(f"The option {self.name}.{key} cannot be {value!r}; choose one of {allowed}.")
        self.chosen = {key: given.get(key, option.values[0]) for key, option in self.options.items()}

    @abstractmethod
    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Score the stories. Pure: the same stories give the same numbers whatever stands beside them."""

    def model_revision(self) -> str | None:
        """Name and revision of the model the numbers depend on, or None."""
        return None

    @property
    def signature(self) -> str:
        """All that the numbers depend on, in the manner of sacrebleu: `perplexity|model:…|given:prompt|v:1`."""
        parts = [self.name]
        model = self.model_revision()
        if model:
            parts += [f"model:{model}", "dtype:float32"]
        parts += [f"{key}:{value}" for key, value in sorted(self.chosen.items())]
        return "|".join([*parts, f"v:{self.version}"])
