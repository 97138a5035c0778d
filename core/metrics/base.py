"""The contract that every metric keeps.

A metric gives one number per story: float64, raw (never normalised over the set), in input order, higher is better,
NaN with a reason where it is undefined. Its signature names all that the number depends on.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.errors import FabulaError, InputError
from core.judges.backends.cost import Estimate, Spent
from core.judges.backends.endpoint import Endpoint
from core.judges.study import JudgedStudy
from core.models.catalogue import VLLM, ModelRole, ModelSource, locate, vllm_engine
from core.stories import NORMALISATIONS, Story, first_words, normalise, read_as

Progress = Callable[[float], None]
"""Called with the number of stories finished since the last call; parts of one where a story takes long."""

PRECISIONS = ("float32", "bfloat16")
DEVICES = ("auto", "cpu", "cuda")


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
    """What a user should know before trusting a metric. `number`: what one score is, in a few words that fit an axis,
    where the metric's name says another thing. `negated`: whether that is minus what the name says.
    """

    measures: str
    paper: str
    blind_spots: str
    number: str = ""
    negated: bool = False


@dataclass(frozen=True)
class Option:
    """A setting of a metric: the values it offers (the first is the default) and what it does.

    `pattern` is a regular expression of further values that are allowed, and `further` says in words what they are.
    `default`: what the first value comes to, where its name does not say it. `title`: what a form calls the setting,
    where its key alone does not say it.
    """

    values: tuple[str, ...]
    description: str
    pattern: str = ""
    further: str = ""
    default: str = ""
    title: str = ""

    def titled(self, value: str) -> str:
        """A value as a form shows it."""
        return f"{value}: {self.default}" if self.default and value == self.values[0] else value

    def allows(self, value: str) -> bool:
        """Whether `value` is offered or fits the pattern."""
        return value in self.values or bool(self.pattern and re.fullmatch(self.pattern, value))


@dataclass(frozen=True)
class Settings:
    """Where and with what a metric runs; `options` are the metric's own, by key.

    `corpus` gives the texts that a table of word frequencies is fitted on: the references of the study. `judged`: what
    judges are given of it; `endpoint`: where judges and language models run, None for here.
    """

    model: str | None = None
    device: str = "auto"
    precision: str = "float32"
    options: Mapping[str, str] | None = None
    corpus: Callable[[], Iterable[str]] = tuple
    judged: JudgedStudy = field(default_factory=JudgedStudy)
    endpoint: Endpoint | None = None


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


@dataclass(frozen=True)
class Derivation:
    """Stored scores from which a metric's own follow. `signature`: theirs; `of`: the score of a story from the stored
    one, None where it does not follow and the story has to be read; `mostly`: whether that is an exception.
    """

    signature: str
    of: Callable[[Story, float], float | None]
    mostly: bool = True


TEXT_OPTIONS = {
    "normalisation": Option(NORMALISATIONS, "what is done to the texts first: see docs/normalisation.md"),
    "first_words": Option(
        ("all", "200", "250"),
        "long stories are cut at the last sentence end within so many words (UNION used about 200, OpenMEVA 250)",
        "[1-9][0-9]{0,4}",
        "a number of words",
    ),
}
"""What every metric can do to a text before it looks at it. Stories and references are cut, prompts are not."""


class Metric(ABC):
    """Base of all metrics. A family is one file; a registered name is one number per story."""

    name: ClassVar[str]
    kind: ClassVar[Kind]
    needs: ClassVar[frozenset[Need]]
    card: ClassVar[Card]
    sentinel: ClassVar[bool] = False
    """Whether it reads nothing of what a story says: a baseline that a good metric must beat."""
    version: ClassVar[int] = 1
    """Raised only when the metric's numbers change, never by a release."""
    options: ClassVar[Mapping[str, Option]] = {}
    file_hash: ClassVar[str] = ""
    """Of the Python file of a metric of the user's own."""
    role: ClassVar[ModelRole | None] = None
    """Which kind of model it runs on, if any."""
    speed: ClassVar[int] = 1_000_000
    """Characters a second on two cores with the bundled model: a first guess until this machine has run it."""
    apart: ClassVar[bool] = False
    """Whether it is a step of its own though others have its model, since its pace says nothing of theirs."""
    served: ClassVar[bool] = False
    """Whether its model may run on a server."""
    in_vllm: ClassVar[bool] = False
    """Whether its model may run in vLLM."""

    def __init__(self, settings: Settings | None = None) -> None:
        """Raises InputError for an option, a value or a precision that this metric does not have, and for vLLM where it
        does not run there; ModelMissing where vLLM is asked for and not installed.
        """
        self.settings = settings or Settings()
        given = dict(self.settings.options or {})
        for key, value in given.items():
            if key not in self.options:
                known = ", ".join(self.options) or "none"
                raise InputError(f"The metric {self.name} has no option {key!r}; its options are: {known}.")
            option = self.options[key]
            if not option.allows(value):
                allowed = ", ".join(option.values) + (f" or {option.further}" if option.further else "")
                raise InputError(f"The option {self.name}.{key} cannot be {value!r}; choose one of {allowed}.")
        for what, wanted, offered in (
            ("precision", self.settings.precision, PRECISIONS),
            ("device", self.settings.device, DEVICES),
        ):
            if wanted not in offered:
                raise InputError(f"There is no {what} {wanted!r}; choose one of {', '.join(offered)}.")
        self.chosen = {key: given.get(key, option.values[0]) for key, option in self.options.items()}
        if self.role and self.settings.model and self.settings.model.startswith(VLLM):
            if not self.in_vllm:
                raise InputError(f"The metric {self.name} does not run in vLLM: leave {VLLM} out of its model's name.")
            vllm_engine(self.settings.model, self.role)

    @classmethod
    def paced_by(cls, options: Mapping[str, str]) -> str:
        """What of these options its pace depends on, in a few words; "" where they change little."""
        del options
        return ""

    @classmethod
    def guessed_speed(cls, options: Mapping[str, str]) -> float:
        """Characters a second with these options, as `speed` is."""
        del options
        return cls.speed

    @abstractmethod
    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Score the stories. Pure: the same stories give the same numbers whatever stands beside them."""

    def derivations(self) -> tuple[Derivation, ...]:
        """Stored scores of which this metric's are made where they are there; what is undefined there is so here."""
        return ()

    def fitted(self) -> Any:
        """What the metric has fitted on its corpus, to be had elsewhere by `use_fitted`; None where it fits nothing."""
        return None

    def use_fitted(self, fitted: Any) -> None:
        """Take what another process has fitted, in the place of a corpus. Raises FabulaError for what is not its."""
        if fitted is not None:
            raise FabulaError(f"The metric {self.name} fits nothing.")

    @cached_property
    def source(self) -> ModelSource:
        """The model of the metric's role, found once: what is scored with is what the signature names."""
        if self.role is None:
            raise InputError(f"The metric {self.name} runs on no model.")
        return locate(self.settings.model, self.role)

    @property
    def endpoint(self) -> Endpoint | None:
        """The server that the model runs on; None for this machine."""
        return self.settings.endpoint if self.served else None

    def estimate(self, endpoint: Endpoint, stories: int, characters: int) -> Estimate | None:
        """What so many stories of so many characters together would take on a server; None where nothing is asked."""
        return None

    @property
    def spent(self) -> Spent | None:
        """What a server's replies have cost so far; None on this machine."""
        return None

    def model_revision(self) -> str | None:
        """Name and revision of the model the numbers depend on, or None."""
        return self.source.at_revision if self.role else None

    def model_parts(self) -> list[str]:
        """The model and its number format as the signature names them; nothing for a metric without one. Of a model on
        a server nobody here knows the number format.
        """
        if self.endpoint:
            return [f"model:{self.endpoint.name}"]
        model = self.model_revision()
        engine = [f"engine:{self.source.engine}"] if self.in_vllm and self.source.engine else []
        return [f"model:{model}", *engine, f"dtype:{self.settings.precision}"] if model else []

    def option_parts(self) -> dict[str, str]:
        """The options as the signature names them; a family that reads a table or a file adds its hash here."""
        return {key: read_as(value) if key == "normalisation" else value for key, value in self.chosen.items()}

    @classmethod
    def unsaid(cls, parts: Mapping[str, str]) -> Mapping[str, str]:
        """Options that a signature leaves out because scores were stored before there was a choice, and their values.

        `parts`: the options that it names.
        """
        return {}

    @property
    def signature(self) -> str:
        """All that the numbers depend on, in the manner of sacrebleu: `perplexity|model:…|of:prompt|v:1`."""
        parts = [self.name]
        if self.file_hash:
            parts.append(f"file:{self.file_hash}")
        parts += self.model_parts()
        parts += [f"{key}:{value}" for key, value in sorted(self.option_parts().items())]
        return "|".join([*parts, f"v:{self.version}"])

    @property
    def normalisation(self) -> str:
        """What is done to texts first."""
        return self.chosen["normalisation"]

    def text(self, text: str) -> str:
        """A story or a reference as this metric sees it: normalised, then cut."""
        text = normalise(text, self.normalisation)
        words = self.chosen["first_words"]
        return text if words == "all" else first_words(text, int(words))
