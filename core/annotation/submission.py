"""Handing in a panel: what is still missing, and what is asked once before."""

from collections.abc import Mapping, Sequence

from core.annotation.panel import Answer, Doubt
from core.annotation.quality import contradicts
from core.annotation.scheme import Scheme
from core.errors import InputError


def check_complete(scheme: Scheme, given: Mapping[str, Answer]) -> None:
    """Raise InputError naming the stories that have no rating, or no reason where the scheme wants one.

    `given`: by the letter of each story that is rated; of a pair there is one.
    """
    single = len(given) == 1
    if unrated := missing(given):
        raise InputError(
            "Please answer first." if single else f"Please give an overall rating to {_listed(unrated)} first."
        )
    bare = [
        letter
        for letter, answer in given.items()
        if scheme.reasons_for and scheme.takes_reasons(answer.overall) and not answer.deductions
    ]
    if bare:
        raise InputError("Please say what is wrong with " + ("it" if single else _listed(bare)) + ": choose a reason.")


def missing(given: Mapping[str, Answer]) -> list[str]:
    """Letters of the stories that have no rating yet."""
    return [letter for letter, answer in given.items() if answer.overall is None]


def doubts_about(scheme: Scheme, given: Mapping[str, Answer]) -> tuple[Doubt, ...]:
    """The stories whose rating does not go with their deductions (`quality.contradicts`)."""
    return tuple(
        Doubt(letter, answer.overall, sum(answer.deductions.values()))
        for letter, answer in given.items()
        if answer.overall is not None and contradicts(scheme, answer.overall, answer.deductions)
    )


def _listed(letters: Sequence[str]) -> str:
    if len(letters) == 1:
        return f"story {letters[0]}"
    return f"stories {', '.join(letters[:-1])} and {letters[-1]}"
