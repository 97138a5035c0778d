"""What several tests of autos share."""

from core.perturb.cases import Case, Of
from core.perturb.edits import Draft, Perturbed


def fields_of(case: Case) -> tuple[object, ...]:
    return case.aspect, case.label, case.source, case.of, case.prompt, case.perturbed.text


def changed_case(
    text: str, aspect: str, *, key: str = "h", prompt: str = "", of: Of = Of.HUMAN, start: int = 0
) -> Case:
    """The text with a word put in."""
    draft = Draft(text)
    draft.step("insertion", "a word", [(start, start, "so ")])
    return Case(f"{key}/{aspect}/{of}", aspect, 0, prompt, draft.done(), key, of, 0.25)


def kept_case(text: str, aspect: str, *, key: str = "h", prompt: str = "", of: Of = Of.HUMAN) -> Case:
    return Case(key if of is Of.HUMAN else f"{key}/{of}", aspect, 1, prompt, Perturbed(text, text, (), ()), key, of)
