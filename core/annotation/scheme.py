"""Annotation schemes as data: what annotators are shown and answer, on which scale, with which error types.

The four that papers use are in `builtin.py`; a study may have its own question, scale and error types.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.annotation.criterion import MOST_CRITERIA, OVERALL, PREFERENCE, Criterion, check_wording, criterion_from
from core.annotation.pair_design import PairRules
from core.annotation.unit import PromptKind, Unit, Wording
from core.errors import InputError
from core.stories import Source

CHECK = "attention check"
LANGUAGE = re.compile(r"([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?")
MOST_TYPES = 20
MOST_POINTS = 20
STRONGEST = 3
"""The most degrees in which one story of a pair can be better."""


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
    """What is asked of a story: one or more criteria, and error types.

    Where one of the criteria is the overall rating it is the main one, which deductions, reasons and shares belong to;
    else the first is.
    """

    key: str
    title: str
    criteria: tuple[Criterion, ...]
    error_types: tuple[ErrorType, ...]
    unit: Unit
    sources: tuple[Source, ...] = (Source.SYSTEM,)
    """Whose stories are rated: wanted so many times, and analysed."""
    controls: bool = False
    """Whether a panel also holds a human and a negative story, whose ratings decide if it counts."""
    shows_prompt: bool = True
    prompt_kind: PromptKind = PromptKind.OPENING
    """What annotators are told that the prompt is."""
    reasons_for: tuple[int, ...] = ()
    """Ratings that need at least one error type, and alone may have any; empty: types go with any rating."""
    shares: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Figures of a system that are shares of its ratings: name, and the ratings that it counts."""
    catch_all: str = ""
    """The error type for whatever has no type of its own; left out where types are counted."""
    wanted: int = 5
    """Valid ratings a story, unless the study says otherwise."""
    comments: bool = False
    """Whether the form has a line for a reason, in the annotator's own words, below each story."""
    closing_question: str = ""
    """What annotators are asked once, in their own words, when they have finished; "" for nothing."""
    check: Criterion | None = None
    """A question that asks for one answer, `check_answer`, which whoever reads gives: once a panel, below its middle
    story, which is every story where they are rated one at a time. It is no judgment, and no analysis counts it."""
    check_answer: int = 0
    pairs: PairRules | None = None
    """Which stories are set beside each other, where a panel is made of pairs."""

    def __post_init__(self) -> None:
        self._check_criteria()
        if self.closing_question:
            check_wording("question at the end", self.closing_question)
        if self.check is not None:
            self._check_check(self.check)
        self._check_pairs()
        names = [e.name for e in self.error_types]
        if len(names) > MOST_TYPES or len(set(names)) < len(names):
            raise InputError(f"There are at most {MOST_TYPES} error types, each with a name of its own.")
        for error_type in self.error_types:
            check_wording("error type's name", error_type.name)
            if error_type.name in (OVERALL, "story", "comment", *(criterion.name for criterion in self.criteria)):
                raise InputError(f"An error type cannot be called “{error_type.name}”: the form uses that word itself.")
            if any(not 1 <= points <= MOST_POINTS for points in error_type.points):
                raise InputError(f"The points of {error_type.name!r} are whole numbers from 1 to {MOST_POINTS}.")
        if self.unit.of_pairs and names:
            raise InputError("A pair has one answer and no error types.")
        if self.reasons_for and not self.error_types:
            raise InputError("Ratings that need a reason need error types to choose from; add one.")

    def _check_criteria(self) -> None:
        names = [criterion.name.casefold() for criterion in self.criteria]
        if not 1 <= len([name for name in names if name != CHECK]) <= MOST_CRITERIA or len(set(names)) < len(names):
            raise InputError(f"A form asks for 1 to {MOST_CRITERIA} criteria, each with a name of its own.")

    def _check_pairs(self) -> None:
        if self.unit.of_pairs != (self.pairs is not None):
            raise InputError("A form asks about pairs that a design sets together, or about something else; not both.")
        if not self.unit.of_pairs:
            return
        if self.names != (PREFERENCE,):
            raise InputError(f"What is asked of pairs is one question, called {PREFERENCE!r}.")
        steps = self.main.steps
        if steps != tuple(-step for step in reversed(steps)) or steps[-1] > STRONGEST:
            raise InputError(
                f"The answers about a pair are as many on either side, from {-STRONGEST} (the first story is far "
                f"better) to {STRONGEST}, with or without 0 for equal; not {', '.join(map(str, steps))}."
            )

    def _check_check(self, check: Criterion) -> None:
        if check.name != CHECK or self.unit.of_pairs:
            raise InputError(f"An attention check is called {CHECK!r}, and a pair has none.")
        if self.check_answer not in check.steps:
            raise InputError(f"The answer that an attention check wants, {self.check_answer}, is no step of its scale.")

    def check_own(self) -> None:
        """Raise InputError for a form of a study's own with a criterion that is called like something else."""
        if any(name.casefold() == CHECK for name in self.names):
            raise InputError(f"A criterion cannot be called {CHECK!r}: that has a field of its own.")
        if not self.unit.of_pairs and any(name.casefold() == PREFERENCE for name in self.names):
            raise InputError(f"A criterion cannot be called {PREFERENCE!r}: only two stories side by side have one.")

    @property
    def wording(self) -> Wording:
        """What annotators are told of an assignment."""
        return self.unit.wording_of(self.prompt_kind)

    @property
    def of_tasks(self) -> bool:
        """Whether the prompt says what a story was to be about, and is no part of it."""
        return self.prompt_kind is PromptKind.TASK

    @property
    def of_people(self) -> str:
        """What the form asks about stories by people, beside those of systems: a clause."""
        if self.pairs is not None and self.pairs.against_human:
            return "each system's stories are compared with those by people"
        if Source.HUMAN in self.sources:
            return "those by people are rated too"
        if self.controls:
            control = "they stand in control pairs alone" if self.unit.of_pairs else "each panel has one as a control"
            return f"those by people are not rated for their own sake: {control}"
        return "nobody is asked to rate those by people"

    def with_check(self) -> "Scheme":
        """The form with its attention check as one more question."""
        return self if self.check is None else replace(self, criteria=(*self.criteria, self.check), check=None)

    def form_at(self, place: int, size: int) -> "Scheme":
        """What is asked of the story in a place of a panel, from 0; its middle one has the attention check."""
        return self.with_check() if place == size // 2 else replace(self, check=None)

    @property
    def main(self) -> Criterion:
        """The overall rating, else the first criterion."""
        return next((criterion for criterion in self.criteria if criterion.name == OVERALL), self.criteria[0])

    @property
    def judging(self) -> Criterion:
        """The criterion by which controls are judged where the rules name none: a damaged story shows in the overall
        rating, else in its coherence; of pairs, in what is preferred to it.
        """
        if self.main.name == OVERALL:
            return self.main
        return next((criterion for criterion in self.criteria if criterion.name == "coherence"), self.main)

    @property
    def question(self) -> str:
        """Of the main criterion."""
        return self.main.question

    @property
    def scale(self) -> tuple[tuple[int, str], ...]:
        """Of the main criterion: steps and their labels, lowest first."""
        return self.main.scale

    @property
    def level(self) -> str:
        """Of the main criterion: the level of measurement agreement is reported at."""
        return self.main.level

    @property
    def lowest(self) -> int:
        """Lowest rating of the main criterion's scale."""
        return self.main.lowest

    @property
    def highest(self) -> int:
        """Highest rating of the main criterion's scale."""
        return self.main.highest

    @property
    def names(self) -> tuple[str, ...]:
        """The criteria's names, in the order in which they are asked."""
        return tuple(criterion.name for criterion in self.criteria)

    @property
    def summary(self) -> str:
        """What it asks, in a line: its question, or the names of its criteria."""
        return self.question if len(self.criteria) == 1 else ", ".join(self.names)

    def criterion(self, name: str) -> Criterion:
        """The criterion of this name, in whatever letters; raises InputError naming those there are."""
        wanted = name.strip().casefold()
        for criterion in self.criteria:
            if criterion.name.casefold() == wanted:
                return criterion
        raise InputError(f"There is no criterion {name[:60]!r} here; there are: {', '.join(self.names)}.")

    def asking(self, criterion: Criterion) -> "Scheme":
        """The scheme with this criterion alone; what belongs to the main one goes where that is another."""
        if criterion == self.main:
            return replace(self, criteria=(criterion,))
        if self.unit.of_pairs:  # as analyses see it: stories that have won or lost
            return replace(self, criteria=(criterion,), unit=Unit.STORY, pairs=None)
        return replace(self, criteria=(criterion,), error_types=(), reasons_for=(), shares=(), catch_all="")

    @property
    def deducts(self) -> bool:
        """Whether error types take points off."""
        return any(error_type.points for error_type in self.error_types)

    def in_words(self, questions: Mapping[str, str]) -> "Scheme":
        """The scheme with these questions, criterion -> its question; the others stay as they are."""
        criteria = (replace(one, question=questions.get(one.name, one.question)) for one in self.criteria)
        return replace(self, criteria=tuple(criteria))

    def with_scale(self, scale: tuple[tuple[int, str], ...]) -> "Scheme":
        """The same questions on another scale. What hangs on steps that are gone goes with them."""
        kept = {step for step, _ in scale}
        ordered = self.unit.single and self.error_types and len(scale) > 2
        return replace(
            self,
            criteria=tuple(
                replace(criterion, scale=scale, level="ordinal" if ordered else criterion.level)
                for criterion in self.criteria
            ),
            reasons_for=tuple(value for value in self.reasons_for if value in kept),
            shares=tuple((name, values) for name, values in self.shares if set(values) <= kept),
        )

    def label(self, value: float) -> str:
        """The label of a step of the main criterion's scale; raises KeyError for any other value."""
        return self.main.label(value)

    def error_type(self, name: str) -> ErrorType:
        """The error type of this name; raises InputError naming those there are."""
        for error_type in self.error_types:
            if error_type.name == name:
                return error_type
        known = ", ".join(e.name for e in self.error_types) or "none"
        raise InputError(f"There is no error type {name!r} under the {self.title} scheme; there are {known}.")

    def check_overall(self, value: float) -> None:
        """Raise InputError unless `value` is a step of the main criterion's scale."""
        self.main.check(value)

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

    def takes_reasons_for(self, values: Mapping[str, float]) -> bool:
        """Whether error types can be given with these ratings, by criterion: the main one decides."""
        main = values.get(self.main.name)
        return self.takes_reasons(None if main is None else int(main))

    def implied_rating(self, deductions: Mapping[str, int]) -> int:
        """The rating that the deductions add up to: the top of the scale minus the points, at least the lowest."""
        return max(self.lowest, self.highest - sum(deductions.values()))

    def as_dict(self) -> dict[str, Any]:
        """For storage."""
        return asdict(self)


def scheme_from(stored: Mapping[str, Any]) -> Scheme:
    """The scheme that `as_dict` stored. What was stored before there were criteria has one, the overall rating."""
    parts = dict(stored)
    if "criteria" in parts:
        criteria = tuple(criterion_from(criterion) for criterion in parts.pop("criteria"))
    else:
        before = {name: parts.pop(name) for name in ("question", "scale", "level")}
        criteria = (criterion_from({"name": OVERALL, **before}),)
    types = tuple(ErrorType(**{**e, "points": tuple(e["points"])}) for e in parts["error_types"])
    return Scheme(
        **{
            **parts,
            "criteria": criteria,
            "error_types": types,
            "check": criterion_from(parts["check"]) if parts.get("check") else None,
            "pairs": PairRules(**parts["pairs"]) if parts.get("pairs") else None,
            "unit": Unit(parts["unit"]),
            "prompt_kind": PromptKind(parts.get("prompt_kind", PromptKind.OPENING)),
            "sources": tuple(Source(source) for source in parts["sources"]),
            "reasons_for": tuple(parts["reasons_for"]),
            "shares": tuple((name, tuple(values)) for name, values in parts["shares"]),
        }
    )


@dataclass(frozen=True)
class QualityRules:
    """A study's quality rules (OpenMEVA section 3.1) and how much it asks of whom."""

    ratings_wanted: int = 5
    human_least: int = 4
    """The least that a human control is rated; of pairs, by how much a control's undamaged story is found better."""
    negative_most: int = 2
    show_implied: bool = False
    """Whether the form shows the rating that the deductions imply; the paper imposes no equality between the two."""
    lease_minutes: int = 60
    """How long a slot is held without any activity."""
    assignments_a_person: int = 0
    """How many panels (stories, pairs) one person may rate; 0: one of every prompt."""
    pause_after: int = 3
    """After how many rejected panels in a row an annotator gets no other; 0: nobody is paused."""
    judged_on: tuple[str, ...] = ()
    """The criteria by which the controls are judged, each by both thresholds; none: by the one that the scheme says."""
    language: str = ""
    """The code of the language in which annotators are spoken to; "": their browser's (`core.languages`)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "judged_on", tuple(self.judged_on))  # a list, as it was stored
        for what, value, least, most in (
            ("ratings wanted a story", self.ratings_wanted, 1, 100),
            ("minutes that a slot is held", self.lease_minutes, 1, 7 * 24 * 60),
            ("panels a person", self.assignments_a_person, 0, 100_000),
            ("rejected panels in a row that pause a person", self.pause_after, 0, 100),
        ):
            if not least <= value <= most:
                raise InputError(f"The {what} must lie between {least} and {most:,}, not {value}.")
        if not LANGUAGE.fullmatch(self.language):
            raise InputError(f"A language is named by its code, such as de, not {self.language[:20]!r}.")

    def check(self, scheme: Scheme) -> None:
        """Raise InputError where a threshold is no step of the scheme's scale, or every panel would be rejected."""
        if not scheme.controls:
            return
        for name in self.judging(scheme):
            steps = scheme.criterion(name).steps
            of = "" if name == OVERALL else f" of {name}"
            for what, value in (("human", self.human_least), ("negative", self.negative_most)):
                if value not in steps:
                    raise InputError(f"The threshold for the {what} story, {value}, is no step of the scale{of}.")

    def judging(self, scheme: Scheme) -> tuple[str, ...]:
        """The criteria by which the controls of this scheme are judged."""
        return self.judged_on or (scheme.judging.name,)

    def as_dict(self) -> dict[str, Any]:
        """For storage."""
        return asdict(self)


def default_rules(scheme: Scheme) -> QualityRules:
    """The paper's rules carried over to this scale: 4 and 2 of a scale from 1 to 5, the step before the end of another;
    the ends themselves where there are fewer than four, or a control in the middle would pass as both.
    """
    steps = scheme.judging.steps
    aside = 1 if len(steps) >= 4 else 0
    return QualityRules(ratings_wanted=scheme.wanted, human_least=steps[-1 - aside], negative_most=steps[aside])
