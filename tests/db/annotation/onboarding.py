"""What several tests of onboarding share."""

from core.annotation.onboarding import Practice, PracticeStep
from core.annotation.onboarding_items import MANS_ITEMS
from core.people import Person
from db.annotation import assignments, onboarding

PRACTICE = Practice(MANS_ITEMS[:3], pass_mark=2, attempts=2)
WRONG: list[tuple[int, dict[str, int]]] = [(1, {}), (5, {}), (5, {})]


def step_of(someone: Person) -> PracticeStep:
    practice_step = assignments.turn(someone).practice
    assert practice_step is not None
    return practice_step


def give(someone: Person, answers: list[tuple[int, dict[str, int]]]) -> PracticeStep:
    """Answer the next items, one after the other; gives where that leads."""
    for overall, types in answers:
        step = step_of(someone)
        step = onboarding.answer_item(someone, step.attempt, step.token, overall, types)
    return step
