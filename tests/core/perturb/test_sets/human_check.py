"""What several tests of human check share."""

from core.perturb.cases import Case
from core.perturb.edits import Draft
from core.perturb.test_sets.aspects import Aspect
from core.perturb.test_sets.generation import unchanged

TEXT = "It was late. He ran home."


def case(aspect: str, label: int, story: str, acceptable: float | None = None) -> Case:
    draft = Draft(TEXT)
    draft.step("a technique", "in a way", [(13, 15, "We")])
    perturbed = unchanged(TEXT) if label else draft.done()
    return Case(f"{story}/{aspect}", aspect, label, "", perturbed, story, acceptable=acceptable)


CASES = [case(aspect, label, f"s{i}") for aspect in Aspect for label in (0, 1) for i in range(40)]
