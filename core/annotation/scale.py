"""Scales in writing: by two ends, such as `0-5`, or by steps with labels."""

import re

from core.annotation.criterion import MOST_STEPS
from core.errors import InputError

_STEP = re.compile(r"([-+−]?\d{1,6})[.:)=]?\s*(.*)", re.DOTALL)
_ENDS = re.compile(r"\s*([-+−]?\d{1,6})\s*(?:-|–|−|to|\.\.|:)\s*([-+−]?\d{1,6})\s*")


def scale_between(text: str) -> tuple[tuple[int, str], ...]:
    """The steps and labels of a scale written as `0-5`, `-2..2` or `0 to 100`.

    Every whole number is a step; of a longer scale as many as the form can show, evenly spaced from end to end (11 of
    0 to 100). Raises InputError for what is no scale.
    """
    match = _ENDS.fullmatch(text)
    if match is None:
        raise InputError(f"A scale is its lowest and its highest rating in whole numbers, such as 0-5; not {text!r}.")
    lowest, highest = (int(end.replace("−", "-")) for end in match.groups())
    if lowest >= highest:
        raise InputError(f"A scale goes from its lowest to its highest rating, such as 0-5; not {text.strip()}.")
    gaps = next(number for number in range(MOST_STEPS - 1, 0, -1) if (highest - lowest) % number == 0)
    steps = range(lowest, highest + 1, (highest - lowest) // gaps)
    return tuple((step, _label(step, lowest, highest)) for step in steps)


def fine_step(lowest: int, highest: int) -> float:
    """By how much a number of points on this scale is changed at a press: 1, 2 or 5 of a decimal place, the most of
    which 40 go into the scale (0.1 on 1 to 5, 2 on 0 to 100).
    """
    width = highest - lowest
    steps = (unit * 10.0**place for place in range(-2, 6) for unit in (1, 2, 5))
    return max(step for step in steps if round(40 * step, 6) <= width)


def _label(step: int, lowest: int, highest: int) -> str:
    end = {lowest: " (worst)", highest: " (best)"}.get(step, "")
    return f"{step}{end}"


def is_bare(scale: tuple[tuple[int, str], ...]) -> bool:
    """Whether the labels are the steps' numbers, and say no more than which end is which."""
    lowest, highest = scale[0][0], scale[-1][0]
    return all(label in (str(step), _label(step, lowest, highest)) for step, label in scale)


def step_words(step: int, label: str) -> str:
    """What a label says besides the number of its step: of `1 (worst)` what stands behind it, of `2` nothing."""
    return label.removeprefix(str(step)).strip() if label.split(" ")[0] == str(step) else label


def step_text(step: int, label: str) -> str:
    """A step with its label, which may say the number itself: `1 Poor`, `1 (worst)`, `2`."""
    return f"{step} {step_words(step, label)}".rstrip()


def scale_text(scale: tuple[tuple[int, str], ...]) -> str:
    """A scale as it is written by hand: `1 Poor; 2 Fair; 3 Good`."""
    return "; ".join(f"{step} {label}" for step, label in scale)


def scale_from(text: str) -> tuple[tuple[int, str], ...]:
    """The scale that is written so, or by its ends alone (see `scale_between`), the lowest step first.

    Raises InputError for a step without a number; a step without a label is labelled by its number.
    """
    if _ENDS.fullmatch(text):
        return scale_between(text)
    steps = []
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        match = _STEP.fullmatch(part)
        if match is None:
            raise InputError(
                f"A scale is written as its steps with their labels, such as 1 Poor; 2 Fair; 3 Good. Here is no whole "
                f"number: {part[:40]!r}."
            )
        number, label = match.groups()
        steps.append((int(number.replace("−", "-")), label or number))
    return tuple(sorted(steps))
