"""Annotation schemes as data: what annotators are shown and answer, on which scale, with which error types.

The four that papers use are in `builtin.py`; a study may have its own question, scale and error types.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.annotation.unit import Unit
from core.errors import InputError
from core.stories import Source

LONGEST_WORDING = 500
MOST_STEPS = 11
MOST_TYPES = 20
MOST_POINTS = 20


@dataclass(frozen=True)
class ErrorType:
    """A reason to deduct. `points`: the deductions on offer; empty where the scheme takes none.

    `example` shows the fault, `why` says where it lies in it.
    """

    name: str
    points: tuple[int, ...]
    description: str
    example: str
    why: str = ""

    @property
    def least(self) -> int:
        """The smallest deduction on offer, 0 where the type takes no points."""
        return min(self.points, default=0)


@dataclass(frozen=True)
class Scheme:
    """Questions, scale and error types. `level`: the level of measurement agreement is reported at."""

    key: str
    title: str
    question: str
    scale: tuple[tuple[int, str], ...]
    """Steps and their labels, lowest first. Of a pair: how the story compares with the human one, worse to better."""
    error_types: tuple[ErrorType, ...]
    level: str
    unit: Unit
    sources: tuple[Source, ...] = (Source.SYSTEM,)
    """Whose stories are rated: wanted so many times, and analysed."""
    controls: bool = False
    """Whether a panel also holds a human and a negative story, whose ratings decide if it counts."""
    shows_prompt: bool = True
    reasons_for: tuple[int, ...] = ()
    """Ratings that need at least one error type, and alone may have any; empty: types go with any rating."""
    shares: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Figures of a system that are shares of its ratings: name, and the ratings that it counts."""
    catch_all: str = ""
    """The error type for whatever has no type of its own; left out where types are counted."""
    wanted: int = 5
    """Valid ratings a story, unless the study says otherwise."""

    def __post_init__(self) -> None:
        _check_wording("question", self.question)
        steps = [step for step, _ in self.scale]
        if not 2 <= len(steps) <= MOST_STEPS or steps != sorted(set(steps)):
            raise InputError(
                f"A scale has 2 to {MOST_STEPS} different whole numbers, the lowest first; it has {steps}."
            )
        for step, label in self.scale:
            _check_wording(f"label of step {step}", label)
        if self.unit.compares and steps != [-1, 0, 1]:
            raise InputError("A pair is answered worse, equal or better (-1, 0, 1); only the question can change.")
        names = [e.name for e in self.error_types]
        if len(names) > MOST_TYPES or len(set(names)) < len(names):
            raise InputError(f"There are at most {MOST_TYPES} error types, each with a name of its own.")
        for error_type in self.error_types:
            _check_wording("error type's name", error_type.name)
            if error_type.name in ("overall", "story"):
                raise InputError(f"An error type cannot be called “{error_type.name}”: the form uses that word itself.")
            if any(not 1 <= points <= MOST_POINTS for points in error_type.points):
                raise InputError(f"The points of {error_type.name!r} are whole numbers from 1 to {MOST_POINTS}.")
        if self.unit.compares and names:
            raise InputError("A pair has one answer and no error types.")
        if self.reasons_for and not self.error_types:
            raise InputError("Ratings that need a reason need error types to choose from; add one.")

    @property
    def lowest(self) -> int:
        """Lowest rating of the scale."""
        return self.scale[0][0]

    @property
    def highest(self) -> int:
        """Highest rating of the scale."""
        return self.scale[-1][0]

    @property
    def deducts(self) -> bool:
        """Whether error types take points off."""
        return any(error_type.points for error_type in self.error_types)

    def with_scale(self, scale: tuple[tuple[int, str], ...]) -> "Scheme":
        """The same question on another scale. What hangs on steps that are gone goes with them."""
        kept = {step for step, _ in scale}
        ordered = self.unit.single and self.error_types and len(scale) > 2
        return replace(
            self,
            scale=scale,
            level="ordinal" if ordered else self.level,
            reasons_for=tuple(value for value in self.reasons_for if value in kept),
            shares=tuple((name, values) for name, values in self.shares if set(values) <= kept),
        )

    def label(self, value: float) -> str:
        """The label of a step of the scale; raises KeyError for any other value."""
        return dict(self.scale)[int(value)]

    def error_type(self, name: str) -> ErrorType:
        """The error type of this name; raises InputError naming those there are."""
        for error_type in self.error_types:
            if error_type.name == name:
                return error_type
        known = ", ".join(e.name for e in self.error_types) or "none"
        raise InputError(f"There is no error type {name!r} under the {self.title} scheme; there are {known}.")

    def check_overall(self, value: float) -> None:
        """Raise InputError unless `value` is a step of the scale."""
        if value not in {step for step, _ in self.scale}:
            raise InputError(f"A rating of {value:g} is outside the scale {self.lowest} to {self.highest}.")

    def check_deductions(self, deductions: Mapping[str, int]) -> None:
        """Raise InputError for a type or a number of points that the scheme does not offer."""
        for name, points in deductions.items():
            allowed = self.error_type(name).points or (0,)
            if points not in allowed:
                raise InputError(
                    f"{points} points for {name} are not on offer; it takes {' or '.join(map(str, allowed))}."
                )

    def takes_reasons(self, overall: int | None) -> bool:
        """Whether error types can be given with this rating."""
        return bool(self.error_types) and (not self.reasons_for or overall in self.reasons_for)

    def implied_rating(self, deductions: Mapping[str, int]) -> int:
        """The rating that the deductions add up to: the top of the scale minus the points, at least the lowest."""
        return max(self.lowest, self.highest - sum(deductions.values()))

    def as_dict(self) -> dict[str, Any]:
        """For storage."""
        return asdict(self)


def scheme_from(stored: Mapping[str, Any]) -> Scheme:
    """The scheme that `as_dict` stored."""
    types = tuple(ErrorType(**{**e, "points": tuple(e["points"])}) for e in stored["error_types"])
    return Scheme(
        **{
            **stored,
            "scale": tuple((step, label) for step, label in stored["scale"]),
            "error_types": types,
            "unit": Unit(stored["unit"]),
            "sources": tuple(Source(source) for source in stored["sources"]),
            "reasons_for": tuple(stored["reasons_for"]),
            "shares": tuple((name, tuple(values)) for name, values in stored["shares"]),
        }
    )


def _check_wording(what: str, text: str) -> None:
    if not text.strip() or len(text) > LONGEST_WORDING or "\0" in text:
        raise InputError(f"The {what} has 1 to {LONGEST_WORDING} characters and no NUL byte.")


@dataclass(frozen=True)
class QualityRules:
    """A study's quality rules (OpenMEVA section 3.1) and how much it asks of whom."""

    ratings_wanted: int = 5
    human_least: int = 4
    negative_most: int = 2
    show_implied: bool = False
    """Whether the form shows the rating that the deductions imply; the paper imposes no equality between the two."""
    lease_minutes: int = 60
    """How long a slot is held without any activity."""
    assignments_a_person: int = 0
    """How many panels (stories, pairs) one person may rate; 0: one of every prompt."""
    pause_after: int = 3
    """After how many rejected panels in a row an annotator gets no other; 0: nobody is paused."""

    def __post_init__(self) -> None:
        for what, value, least, most in (
            ("ratings wanted a story", self.ratings_wanted, 1, 100),
            ("minutes that a slot is held", self.lease_minutes, 1, 7 * 24 * 60),
            ("panels a person", self.assignments_a_person, 0, 100_000),
            ("rejected panels in a row that pause a person", self.pause_after, 0, 100),
        ):
            if not least <= value <= most:
                raise InputError(f"The {what} must lie between {least} and {most:,}, not {value}.")

    def check(self, scheme: Scheme) -> None:
        """Raise InputError where a threshold is no step of the scheme's scale, or every panel would be rejected."""
        if not scheme.controls:
            return
        steps = {step for step, _ in scheme.scale}
        for what, value in (("human", self.human_least), ("negative", self.negative_most)):
            if value not in steps:
                raise InputError(f"The threshold for the {what} story, {value}, is no step of the scale.")

    def as_dict(self) -> dict[str, Any]:
        """For storage."""
        return asdict(self)


def default_rules(scheme: Scheme) -> QualityRules:
    """The paper's rules carried over to this scale: 4 and 2 of a scale from 1 to 5, the step before the end of another;
    the ends themselves where there are fewer than four, or a control in the middle would pass as both.
    """
    steps = [step for step, _ in scheme.scale]
    aside = 1 if len(steps) >= 4 else 0
    return QualityRules(ratings_wanted=scheme.wanted, human_least=steps[-1 - aside], negative_most=steps[aside])
