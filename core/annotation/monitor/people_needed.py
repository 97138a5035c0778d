"""How many people a study's ratings take at least, to be known before they are invited."""

from collections.abc import Sequence

from core.annotation.unit import Unit
from core.wording import so_many


def fewest_people(wanted: Sequence[int], most: int) -> int:
    """The fewest people who can give all that is wanted, where each gives at most `most` and nobody two of the same.

    `wanted`: how many of each prompt (or panel of pairs). Whoever gives one gives no other of the same, so that there
    are as many people as the largest number; so many, or as many as the sum takes, are always enough (McNaughton's rule
    for machines that work side by side).
    """
    return max(-(-sum(wanted) // most), *wanted)


def said_of_people(unit: Unit, wanted: Sequence[int], most: int, *, begun: bool) -> str:
    """How much one person gets, and how many people it takes; "" where nothing is wanted. `begun`: some of it is there
    already.
    """
    if not most or not sum(wanted):
        return ""
    wording = unit.wording
    gets = f"one {wording.noun}" if most == 1 else f"{most:,} {wording.plural}"
    gets += ", never two of the same prompt" if unit.single and most > 1 else ""
    one, several = ("rating", "ratings") if unit.single else (wording.noun, wording.plural)
    number = sum(wanted)
    what = f"the one {one}" if number == 1 else f"the {number:,} {several}"
    what += " still wanted" if begun else " wanted"
    take = "takes" if number == 1 else "take"
    people = so_many(fewest_people(wanted, most), "person", "people")
    return f"One person gets at most {gets}, so {what} {take} at least {people}."
