"""Whether people see what a test set intends: a sample of its cases as the stories of a study.

Each case is a story of its own, of a system that is called by its aspect and side, so that all that a study shows by
system is shown by aspect.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from core.annotation.builtin import UNION
from core.annotation.criterion import OVERALL, Criterion
from core.annotation.scheme import ErrorType, Scheme
from core.annotation.unit import Unit
from core.errors import InputError
from core.perturb.cases import Case, Of
from core.perturb.test_sets.grammar import passes
from core.stories import Corpus, StoryRecord

BAD_ENGLISH = "bad English"
MAKES_SENSE, MAKES_NONE = 1, 0
COHERENT, CHANGED = "coherent", "changed"
_BETWEEN = ": "
FORM = Scheme(
    key=UNION.key,
    title="Coherence",
    criteria=(
        Criterion(
            OVERALL,
            "Does this story make sense?",
            ((MAKES_NONE, "No, something in it does not fit"), (MAKES_SENSE, "Yes")),
            "nominal",
        ),
    ),
    error_types=(
        ErrorType(
            BAD_ENGLISH,
            (),
            "A sentence that nobody would write so, whatever the story says.",
            "Nora opened shop the. She sell two loaf.",
            "The words are in disorder, and the forms are wrong. Whether the story makes sense is another question.",
        ),
    ),
    unit=Unit.STORY,
    wanted=3,
)
"""Two questions: is it coherent, is it grammatical."""


def is_check(scheme: Scheme) -> bool:
    """Whether a study of this scheme is a human check, so that its stories are cases of a test set."""
    return scheme.question == FORM.question


def sample(cases: Sequence[Case], number: int, seed: int) -> list[Case]:
    """At most so many cases that pass the filter, every aspect and both sides alike, each human story once.

    Of invariance those of human stories: of one that made no sense before, nobody can say that it still does. Fewer
    where stories run out. Raises InputError where there is nothing to choose from.
    """
    rng = random.Random(f"{seed}/people")
    groups: dict[tuple[str, int], list[Case]] = {}
    for case in rng.sample(cases, len(cases)):
        if passes(case) and case.of is Of.HUMAN:
            groups.setdefault((case.aspect, case.label), []).append(case)
    if number < 1 or not groups:
        raise InputError(
            "A human check takes one case or more, of a test set that has some, of human stories, that pass its filter."
        )
    taken: list[Case] = []
    seen: set[str] = set()
    order = sorted(groups)
    while groups and len(taken) < number:
        for key in order:
            left = groups.get(key, [])
            while left and left[-1].source in seen:
                left.pop()
            if left and len(taken) < number:
                taken.append(left.pop())
                seen.add(taken[-1].source)
            elif not left:
                groups.pop(key, None)
    return rng.sample(taken, len(taken))


def corpus(cases: Sequence[Case]) -> Corpus:
    """The cases as a study's stories: one a prompt, so that nobody sees a story beside what was made of it."""
    stories = [
        StoryRecord(f"{number}", f"{number}", case.prompt, case.perturbed.text, system=system_of(case))
        for number, case in enumerate(cases, start=1)
    ]
    return Corpus(UNION.key, tuple(stories))


def system_of(case: Case) -> str:
    """What a case's story is summarised under."""
    return f"{case.aspect}{_BETWEEN}{COHERENT if case.label else CHANGED}"


def side_of(system: str) -> tuple[str, int] | None:
    """The aspect and the label behind such a name; None for any other system."""
    aspect, _, side = system.rpartition(_BETWEEN)
    return (aspect, int(side == COHERENT)) if aspect and side in (COHERENT, CHANGED) else None
