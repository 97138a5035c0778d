"""Handing in a panel: what is still missing, and what is asked once before."""

from collections.abc import Mapping, Sequence

from core.annotation.criterion import OVERALL
from core.annotation.panel import Answer, Doubt
from core.annotation.quality import contradicts
from core.annotation.scheme import Scheme
from core.errors import InputError

LONGEST_COMMENT = 2_000


def checked_comment(text: str) -> str:
    """An annotator's own words without blanks around them; raises InputError for what cannot be stored."""
    if len(text) > LONGEST_COMMENT or "\0" in text:
        raise InputError(f"A reason has at most {LONGEST_COMMENT:,} characters; this one has {len(text):,}.")
    return text.strip()


def check_complete(scheme: Scheme, given: Mapping[str, Answer]) -> None:
    """Raise InputError naming the stories that lack a rating, or a reason where the scheme wants one.

    `given`: by the letter of each story that is rated; of pairs, by the number of each.
    """
    single = len(given) == 1
    if unrated := missing(scheme, given):
        raise InputError(_what_is_missing(scheme, unrated, single=single))
    bare = [
        letter
        for letter, answer in given.items()
        if scheme.reasons_for and scheme.takes_reasons_for(answer.values) and not answer.deductions
    ]
    if bare:
        raise InputError("Please say what is wrong with " + ("it" if single else _listed(bare)) + ": choose a reason.")


def missing(scheme: Scheme, given: Mapping[str, Answer]) -> dict[str, list[str]]:
    """The criteria that each story has no rating on yet, by its letter; stories that have all are left out."""
    lacking = {
        letter: [name for name in scheme.form_at(place, len(given)).names if name not in answer.values]
        for place, (letter, answer) in enumerate(given.items())
    }
    return {letter: names for letter, names in lacking.items() if names}


def _what_is_missing(scheme: Scheme, unrated: Mapping[str, Sequence[str]], *, single: bool) -> str:
    if len(scheme.criteria) == 1 and scheme.check is None:
        if single:
            return "Please answer first."
        if scheme.unit.of_pairs:
            return f"Please say which story is better in {_listed(list(unrated), 'pair', 'pairs')} first."
        rating = "an overall rating" if scheme.main.name == OVERALL else f"a rating of {scheme.main.name}"
        return f"Please give {rating} to {_listed(list(unrated))} first."
    if single:
        return f"Please rate {_named(next(iter(unrated.values())))} first."
    each = "; ".join(f"{_named(names)} of story {letter}" for letter, names in list(unrated.items())[:3])
    more = len(unrated) - 3
    others = f"; and {more} more {'story' if more == 1 else 'stories'}" if more > 0 else ""
    return f"Please rate first: {each}{others}."


def _named(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def doubts_about(scheme: Scheme, given: Mapping[str, Answer]) -> tuple[Doubt, ...]:
    """The stories whose rating does not go with their deductions (`quality.contradicts`)."""
    return tuple(
        Doubt(letter, rated, sum(answer.deductions.values()))
        for letter, answer in given.items()
        if (rated := answer.values.get(scheme.main.name)) is not None and contradicts(scheme, rated, answer.deductions)
    )


def _listed(letters: Sequence[str], one: str = "story", several: str = "stories") -> str:
    if len(letters) == 1:
        return f"{one} {letters[0]}"
    return f"{several} {', '.join(letters[:-1])} and {letters[-1]}"
