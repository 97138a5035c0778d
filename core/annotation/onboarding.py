"""Practice: items that annotators answer before they rate, which answers are right, and who has passed.

What a browser may know of it is a `PracticeStep`: the right answers and the explanation of an item only once it has
been answered.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from core.annotation.scheme import Scheme
from core.errors import InputError
from core.languages.words import told

MOST_ITEMS = 20
MOST_ATTEMPTS = 5
LONGEST_TEXT = 5_000
LONGEST_EXPLANATION = 1_000


def asked(scheme: Scheme, criterion: str) -> Scheme:
    """The scheme as an item asks it: one criterion alone, "" for the main one."""
    return scheme.asking(scheme.criterion(criterion) if criterion else scheme.main)


@dataclass(frozen=True)
class PracticeItem:
    """One exercise. `prompt` is "" where the scheme shows none; `texts` are one, or the two of a pair.

    Right is any answer whose overall rating is `accepted` (of a pair as it is shown: -1 the first is better, 0 neither,
    1 the second), that gives all the error types `needed` and none of the `forbidden`; points are the annotator's own.
    `criterion`: what it asks about, "" for the form's main criterion.
    """

    prompt: str
    texts: tuple[str, ...]
    accepted: tuple[int, ...]
    explanation: str
    needed: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    criterion: str = ""

    @property
    def token(self) -> str:
        """Twelve signs that tell what is shown from what another item shows; they hold nothing of the right answer."""
        shown = "\0".join((self.prompt, *self.texts, *([self.criterion] if self.criterion else [])))
        return hashlib.sha256(shown.encode(errors="surrogatepass")).hexdigest()[:12]

    def is_right(self, overall: int, error_types: Mapping[str, int]) -> bool:
        """Whether this answer is a right one."""
        given = set(error_types)
        return overall in self.accepted and given >= set(self.needed) and not given & set(self.forbidden)

    def check(self, scheme: Scheme) -> None:
        """Raise InputError where this item does not fit the scheme, or no answer to it could be right."""
        scheme = asked(scheme, self.criterion)
        pair = scheme.unit.of_pairs
        if len(self.texts) != (2 if pair else 1):
            raise InputError("An example has two texts to compare." if pair else "An example has one text.")
        if scheme.shows_prompt:
            _check_text("opening", self.prompt, LONGEST_TEXT)
        elif self.prompt:
            raise InputError(f"Under the {scheme.title} scheme an example has no opening; leave it out.")
        for text in self.texts:
            _check_text("text", text, LONGEST_TEXT)
        _check_text("explanation", self.explanation, LONGEST_EXPLANATION)
        if not self.accepted:
            raise InputError("Name at least one rating that is right.")
        for step in self.accepted:
            scheme.check_overall(step)
        for name in (*self.needed, *self.forbidden):
            scheme.error_type(name)
        if both := set(self.needed) & set(self.forbidden):
            raise InputError(f"The error type {min(both)!r} cannot be both needed and wrong.")
        self._check_possible(scheme)

    def _check_possible(self, scheme: Scheme) -> None:
        with_types = [step for step in self.accepted if scheme.takes_reasons(step)]
        if self.needed and not with_types:
            raise InputError(f"The error type {self.needed[0]!r} cannot be given with the rating that is right.")
        one_needed = scheme.reasons_for and len(with_types) == len(self.accepted)
        if one_needed and {e.name for e in scheme.error_types} <= set(self.forbidden):
            raise InputError("The rating that is right needs an error type, but every type is wrong; allow one.")


def _check_text(what: str, text: str, longest: int) -> None:
    if not text.strip() or len(text) > longest or "\0" in text:
        raise InputError(f"The {what} has 1 to {longest:,} characters and no NUL byte.")


@dataclass(frozen=True)
class PracticeAnswer:
    """What somebody answered: `attempt` from 1, `item` from 0, the points of each error type (0 where it has none)."""

    attempt: int
    item: int
    overall: int
    error_types: Mapping[str, int] = field(default_factory=dict)
    correct: bool = False


class Outcome(StrEnum):
    """How practice ended."""

    PASSED = "passed"
    FAILED = "failed"


@dataclass(frozen=True)
class ReviewedItem:
    """An item after it was answered: the answer, what would have been right, and the attempt so far."""

    answer: PracticeAnswer
    item: PracticeItem
    right: int
    """Right answers of this attempt so far."""
    ends_attempt: bool


@dataclass(frozen=True)
class PracticeStep:
    """Where somebody stands: the next item as it is shown, nothing of what is right; or how it ended.

    `attempt` and `place` (of `size` items) count from 1; `reviewed` is the item answered last. With an `outcome` there
    is no next item: `token`, `prompt`, `texts` and `criterion` are empty.
    """

    attempt: int
    attempts: int
    place: int
    size: int
    pass_mark: int
    token: str = ""
    prompt: str = ""
    texts: tuple[str, ...] = ()
    reviewed: ReviewedItem | None = None
    outcome: Outcome | None = None
    criterion: str = ""


@dataclass(frozen=True)
class Practice:
    """What annotators go through first. `pass_mark`: how many items must be right; 0: practice, which nobody fails.

    `attempts`: how often somebody may go through the items, 1 to 5.
    """

    items: tuple[PracticeItem, ...]
    pass_mark: int = 0
    attempts: int = 1

    def __post_init__(self) -> None:
        if not 1 <= len(self.items) <= MOST_ITEMS:
            raise InputError(f"Practice has 1 to {MOST_ITEMS} examples; here are {len(self.items)}.")
        if not 0 <= self.pass_mark <= len(self.items):
            raise InputError(
                f"The examples to get right lie between 0 and {len(self.items)}, the examples there are; "
                f"not {self.pass_mark}."
            )
        if not 1 <= self.attempts <= MOST_ATTEMPTS:
            raise InputError(f"There are 1 to {MOST_ATTEMPTS} attempts, not {self.attempts}.")

    def check(self, scheme: Scheme) -> None:
        """Raise InputError naming the first item that does not fit the scheme."""
        tokens = set()
        for number, item in enumerate(self.items, 1):
            try:
                item.check(scheme)
            except InputError as error:
                raise InputError(f"Example {number}: {error}") from None
            if item.token in tokens:
                raise InputError(f"Example {number} shows the same as another; change or remove it.")
            tokens.add(item.token)

    def step(self, answers: Sequence[PracticeAnswer]) -> PracticeStep:
        """Where somebody stands who has given these answers to these items, the oldest first."""
        if not answers:
            return self._at(1, 0, None)
        last = answers[-1]
        right = sum(answer.correct for answer in answers if answer.attempt == last.attempt)
        ended = last.item + 1 == len(self.items)
        reviewed = ReviewedItem(last, self.items[last.item], right, ended)
        if not ended:
            return self._at(last.attempt, last.item + 1, reviewed)
        if right < self.pass_mark and last.attempt < self.attempts:
            return self._at(last.attempt + 1, 0, reviewed)
        outcome = Outcome.PASSED if right >= self.pass_mark else Outcome.FAILED
        size = len(self.items)
        return PracticeStep(last.attempt, self.attempts, size, size, self.pass_mark, reviewed=reviewed, outcome=outcome)

    def _at(self, attempt: int, index: int, reviewed: ReviewedItem | None) -> PracticeStep:
        item = self.items[index]
        return PracticeStep(
            attempt,
            self.attempts,
            index + 1,
            len(self.items),
            self.pass_mark,
            item.token,
            item.prompt,
            item.texts,
            reviewed,
            criterion=item.criterion,
        )

    def as_dict(self) -> dict[str, Any]:
        """For storage."""
        return asdict(self)


@dataclass(frozen=True)
class PracticeResults:
    """How many annotators have `passed` and `failed`, and how many are `under_way`; `tried`: whether the researcher
    who asks has answers of their own from trying it.
    """

    passed: int
    failed: int
    under_way: int
    tried: bool


def practice_from(stored: Mapping[str, Any]) -> Practice:
    """The practice that `as_dict` stored."""
    items = tuple(
        PracticeItem(
            item["prompt"],
            tuple(item["texts"]),
            tuple(item["accepted"]),
            item["explanation"],
            tuple(item["needed"]),
            tuple(item["forbidden"]),
            item.get("criterion", ""),
        )
        for item in stored["items"]
    )
    return Practice(items, stored["pass_mark"], stored["attempts"])


def check_answer(scheme: Scheme, overall: int | None, error_types: Mapping[str, int]) -> None:
    """Raise InputError for an answer that the scheme does not offer, or that is not complete."""
    if overall is None:
        raise told(InputError, "errors.question")
    scheme.check_overall(overall)
    scheme.check_deductions(error_types)
    if error_types and not scheme.takes_reasons(overall):
        raise told(InputError, "errors.no_reason_taken")
    if scheme.reasons_for and scheme.takes_reasons(overall) and not error_types:
        raise told(InputError, "errors.reason")
