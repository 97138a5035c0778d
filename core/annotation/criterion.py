"""Criteria: what a rating says of a story, each with a question, a scale and a level of measurement of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.errors import InputError

OVERALL = "overall"
"""The criterion that asks how good a story is as a whole."""
PREFERENCE = "preference"
"""What is asked of two stories side by side: which of them is better."""
LONGEST_WORDING = 500
LONGEST_NAME = 60
MOST_STEPS = 11
MOST_CRITERIA = 12
LEVELS = ("nominal", "ordinal", "interval")
_SIGNS = frozenset(":,=+|\0\n\r\t\"'")
_TAKEN = frozenset({"story", "mean", "saved", "comment", "reader"})


def check_wording(what: str, text: str) -> None:
    """Raise InputError for an empty, a too long or an unstorable text."""
    if not text.strip() or len(text) > LONGEST_WORDING or "\0" in text:
        raise InputError(f"The {what} has 1 to {LONGEST_WORDING} characters and no NUL byte.")


@dataclass(frozen=True)
class Criterion:
    """A question about a story and the scale of its answers.

    `scale`: steps and their labels, the lowest first; of a pair, how the one story compares with the other. `level`:
    the level of measurement at which agreement is reported. `example`: a worked example, "" for none.
    """

    name: str
    question: str
    scale: tuple[tuple[int, str], ...]
    level: str
    example: str = ""

    def __post_init__(self) -> None:
        if self.name != self.name.strip() or not 1 <= len(self.name) <= LONGEST_NAME or _SIGNS & set(self.name):
            raise InputError(
                f"A criterion's name has 1 to {LONGEST_NAME} characters and none of the signs : , = + | and quotes; "
                f"not {self.name[:LONGEST_NAME]!r}."
            )
        if self.name.casefold() in _TAKEN or self.name.casefold().startswith("story"):
            raise InputError(f"A criterion cannot be called {self.name!r}: the word has a meaning of its own here.")
        check_wording("question", self.question)
        if self.example:
            check_wording("worked example", self.example)
        steps = [step for step, _ in self.scale]
        if not 2 <= len(steps) <= MOST_STEPS or steps != sorted(set(steps)):
            raise InputError(
                f"A scale has 2 to {MOST_STEPS} different whole numbers, the lowest first; it has {steps}."
            )
        for step, label in self.scale:
            check_wording(f"label of step {step}", label)
        if self.level not in LEVELS:
            raise InputError(f"A level of measurement is {', '.join(LEVELS)}, not {self.level[:20]!r}.")

    @property
    def title(self) -> str:
        """The name as it stands at the beginning of a line."""
        return self.name[:1].upper() + self.name[1:]

    @property
    def steps(self) -> tuple[int, ...]:
        """The answers there are, the lowest first."""
        return tuple(step for step, _ in self.scale)

    @property
    def lowest(self) -> int:
        """Lowest rating of the scale."""
        return self.scale[0][0]

    @property
    def highest(self) -> int:
        """Highest rating of the scale."""
        return self.scale[-1][0]

    def label(self, value: float) -> str:
        """The label of a step of the scale; raises KeyError for any other value."""
        return dict(self.scale)[int(value)]

    def check(self, value: float) -> None:
        """Raise InputError unless `value` is a step of the scale."""
        if value not in self.steps:
            of = "" if self.name == OVERALL else f" of {self.name}"
            raise InputError(f"A rating{of} of {value:g} is outside the scale {self.lowest} to {self.highest}.")

    def check_between(self, value: float) -> None:
        """Raise InputError unless `value` lies within the scale: on a step, or between two."""
        if not self.lowest <= value <= self.highest:
            self.check(value)

    def with_scale(self, scale: tuple[tuple[int, str], ...]) -> "Criterion":
        """The same question on another scale."""
        return replace(self, scale=scale)


def criterion_from(stored: Mapping[str, Any]) -> Criterion:
    """The criterion that was stored as a dictionary."""
    return Criterion(**{**stored, "scale": tuple((step, label) for step, label in stored["scale"])})
