"""The form's keys: what each does, written once for the form, its legend and the components."""

from collections.abc import Sequence

from core.annotation.criterion import Criterion
from core.annotation.scheme import Scheme
from pages.ui.annotating.answer_form import FEW_STEPS
from pages.ui.shared.annotators_words import named, say

_LETTERS = "qwtyuiophlzxs"
"""For error types, in their order. A to G are stories; B and N go on; J, K, M and V have a meaning on the form; R is
Streamlit's own."""


def letters(number: int) -> list[str]:
    """A letter for each of so many error types; "" for those beyond the alphabet."""
    return [_LETTERS[i] if i < len(_LETTERS) else "" for i in range(number)]


def digits(criterion: Criterion) -> list[str]:
    """The key of each step of the scale: its own digit where every step has one, else 1, 2, 3 … in their order."""
    steps = criterion.steps
    if all(0 <= step <= 9 for step in steps):
        return [str(step) for step in steps]
    return [str(place) if place <= 9 else "" for place in range(1, len(steps) + 1)]


def legend(scheme: Scheme, names: Sequence[str], *, marks: bool = True) -> list[tuple[str, str]]:
    """Key and meaning of what answers a story; `names`: the words of the main criterion's steps; `marks`: passages can
    be marked.
    """
    keys = digits(scheme.main)
    if len(scheme.criteria) > 1:
        every = sorted({key for criterion in scheme.criteria for key in digits(criterion) if key})
        rows = [(f"{every[0]} – {every[-1]}", say("keys.rate_next")), (", .", say("keys.question"))]
    elif len(keys) <= FEW_STEPS or scheme.unit.of_pairs:
        rows = list(zip(keys, names, strict=True))
    else:
        rows = [(f"{keys[0]} – {keys[-1]}", say("keys.rate"))]
    if scheme.error_types:
        rows += [
            (key.upper(), named(error_type.name))
            for key, error_type in zip(letters(len(scheme.error_types)), scheme.error_types, strict=True)
            if key
        ]
        rows += [("M", say("keys.mark"))] if marks else []
    return rows
