"""Annotation schemes as data: what annotators answer, on which scale, with which error types.

MANS: OpenMEVA (2021) section 3.1 and appendix A.2. UNION: UNION (2020) section 4.2.
"""

from dataclasses import asdict, dataclass
from typing import Any

from core.errors import InputError


@dataclass(frozen=True)
class ErrorType:
    """A reason to deduct. `points`: the deductions on offer; empty where the scheme takes none."""

    name: str
    points: tuple[int, ...]
    description: str
    example: str


@dataclass(frozen=True)
class Scheme:
    """Questions, scale and error types. `level`: the level of measurement agreement is reported at."""

    key: str
    title: str
    question: str
    scale: tuple[tuple[int, str], ...]
    error_types: tuple[ErrorType, ...]
    level: str
    annotatable: bool
    catch_all: str = ""
    """The error type for whatever has no type of its own; left out where types are counted."""

    @property
    def lowest(self) -> int:
        """Lowest rating of the scale."""
        return self.scale[0][0]

    @property
    def highest(self) -> int:
        """Highest rating of the scale."""
        return self.scale[-1][0]

    def error_type(self, name: str) -> ErrorType:
        """The error type of this name; raises InputError naming those there are."""
        for error_type in self.error_types:
            if error_type.name == name:
                return error_type
        known = ", ".join(e.name for e in self.error_types)
        raise InputError(f"There is no error type {name!r} under the {self.title} scheme; there are {known}.")

    def check_overall(self, value: float) -> None:
        """Raise InputError unless `value` is a step of the scale."""
        if value not in {step for step, _ in self.scale}:
            raise InputError(f"A rating of {value:g} is outside the scale {self.lowest} to {self.highest}.")

    def check_deductions(self, deductions: dict[str, int]) -> None:
        """Raise InputError for a type or a number of points that the scheme does not offer."""
        for name, points in deductions.items():
            allowed = self.error_type(name).points or (0,)
            if points not in allowed:
                raise InputError(
                    f"{points} points for {name} are not on offer; it takes {' or '.join(map(str, allowed))}."
                )

    def implied_rating(self, deductions: dict[str, int]) -> int:
        """The rating that the deductions add up to: the top of the scale minus the points, at least the lowest."""
        return max(self.lowest, self.highest - sum(deductions.values()))


MANS = Scheme(
    key="mans",
    title="MANS",
    question="How good is this story as a whole?",
    scale=((1, "Very poor"), (2, "Poor"), (3, "Fair"), (4, "Good"), (5, "Very good")),
    error_types=(
        ErrorType(
            "repetitive plots",
            (1, 2),
            "The same event or sentence comes back without adding anything.",
            "Nora opened the shop. She opened the shop again. Then Nora opened the shop.",
        ),
        ErrorType(
            "unrelated events",
            (1, 2),
            "Something happens that has nothing to do with the opening or with the rest of the story.",
            "Nora opened the shop at nine. A volcano on another planet went quiet. She sold two loaves.",
        ),
        ErrorType(
            "conflicting logic",
            (1, 2),
            "Two parts contradict each other, or an effect does not follow from its cause.",
            "Nora had never learned to read. She spent the whole evening reading the newspaper.",
        ),
        ErrorType(
            "chaotic scenes",
            (2,),
            "The story as a whole cannot be followed: places, people and times change without a thread.",
            "The shop was the sea and he was Monday. They ate her in the train of two winters before the bread.",
        ),
    ),
    level="interval",
    annotatable=True,
)

UNION = Scheme(
    key="union",
    title="UNION",
    question="Is this a reasonable story?",
    scale=((0, "Unreasonable"), (1, "Reasonable")),
    error_types=(
        ErrorType("repeated plot", (), "The same plot comes back.", ""),
        ErrorType("poor coherence", (), "Sentences do not belong together or to the opening.", ""),
        ErrorType("conflicting logic", (), "Causes and effects, or facts, contradict each other.", ""),
        ErrorType("chaotic scene", (), "The whole cannot be followed.", ""),
        ErrorType("other", (), "Any other reason.", ""),
    ),
    level="nominal",
    annotatable=False,
    catch_all="other",
)

SCHEMES = {scheme.key: scheme for scheme in (MANS, UNION)}


def scheme_of(key: str) -> Scheme:
    """The scheme of this key; raises InputError naming those there are."""
    if key not in SCHEMES:
        raise InputError(f"There is no annotation scheme {key!r}; there are {', '.join(SCHEMES)}.")
    return SCHEMES[key]


@dataclass(frozen=True)
class Rules:
    """A study's quality rules (OpenMEVA section 3.1): what a panel must satisfy to be counted."""

    ratings_wanted: int = 5
    human_least: int = 4
    negative_most: int = 2
    show_implied: bool = False
    """Whether the form shows the rating that the deductions imply; the paper imposes no equality between the two."""

    def __post_init__(self) -> None:
        if not 1 <= self.ratings_wanted <= 100:
            raise InputError(f"The ratings wanted a story must lie between 1 and 100, not {self.ratings_wanted}.")

    def as_dict(self) -> dict[str, Any]:
        """For storage."""
        return asdict(self)
