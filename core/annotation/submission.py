"""Handing in a panel: what is still missing, and what is asked once before."""

from collections.abc import Mapping, Sequence

from core.annotation.criterion import OVERALL
from core.annotation.panel import Answer, Doubt
from core.annotation.quality import contradicts
from core.annotation.scheme import Scheme
from core.errors import InputError
from core.languages.words import Words, joined, told, worded

LONGEST_COMMENT = 2_000
ALL_NAMED, NAMED = 5, 3
"""Up to so many missing answers are all named; of more, their number and the first ones."""


def checked_comment(text: str) -> str:
    """An annotator's own words without blanks around them; raises InputError for what cannot be stored."""
    if len(text) > LONGEST_COMMENT or "\0" in text:
        raise told(InputError, "errors.reason_length", most=LONGEST_COMMENT, number=len(text))
    return text.strip()


def check_complete(scheme: Scheme, given: Mapping[str, Answer]) -> None:
    """Raise InputError naming the stories that lack a rating, or a reason where the scheme wants one.

    `given`: by the letter of each story that is rated; of pairs, by the number of each.
    """
    single = len(given) == 1
    if unrated := missing(scheme, given):
        raise worded(InputError, lambda words: _what_is_missing(words, scheme, unrated, single=single))
    bare = [
        letter
        for letter, answer in given.items()
        if scheme.reasons_for and scheme.takes_reasons_for(answer.values) and not answer.deductions
    ]
    if bare and single:
        raise told(InputError, "errors.reason")
    if bare:
        raise worded(InputError, lambda words: _of_several(words, "errors.reason", letters=bare))


def missing(scheme: Scheme, given: Mapping[str, Answer]) -> dict[str, list[str]]:
    """The criteria that each story has no rating on yet, by its letter; stories that have all are left out."""
    lacking = {
        letter: [name for name in scheme.form_at(place, len(given)).names if name not in answer.values]
        for place, (letter, answer) in enumerate(given.items())
    }
    return {letter: names for letter, names in lacking.items() if names}


def _what_is_missing(words: Words, scheme: Scheme, unrated: Mapping[str, Sequence[str]], *, single: bool) -> str:
    if len(scheme.criteria) == 1 and scheme.check is None:
        if single:
            return words.text("errors.answer_first")
        if scheme.unit.of_pairs:
            return _of_several(words, "errors.compare", numbers=list(unrated))
        if scheme.main.name == OVERALL:
            return _of_several(words, "errors.overall", letters=list(unrated))
        return _of_several(words, "errors.rating", letters=list(unrated), criterion=[scheme.main.name])
    left = [(letter, name) for letter, names in unrated.items() for name in names]
    many = len(left) > ALL_NAMED
    shown: dict[str, list[str]] = {}
    for letter, name in left[:NAMED] if many else left:
        shown.setdefault(letter, []).append(name)
    each = [
        _named(words, names) if single else words.text("errors.each", criteria=_named(words, names), letter=letter)
        for letter, names in shown.items()
    ]
    said = joined(words, each, "errors.each_and", "errors.each_and")
    if many:
        return words.text("errors.many_left", number=len(left), first=said)
    return words.text("errors.rate", criteria=said) if single else words.text("errors.rate_each", each=said)


def _of_several(words: Words, key: str, **listed: list[str]) -> str:
    """The text for one story or pair, or for several; what it names is listed."""
    one = all(len(parts) == 1 for parts in listed.values())
    return words.text(
        f"{key}_{'one' if one else 'several'}", **{name: _named(words, of) for name, of in listed.items()}
    )


def _named(words: Words, names: Sequence[str]) -> str:
    return words.listed([words.ours(name) for name in names])


def doubts_about(scheme: Scheme, given: Mapping[str, Answer]) -> tuple[Doubt, ...]:
    """The stories whose rating does not go with their deductions (`quality.contradicts`)."""
    return tuple(
        Doubt(letter, rated, sum(answer.deductions.values()))
        for letter, answer in given.items()
        if (rated := answer.values.get(scheme.main.name)) is not None and contradicts(scheme, rated, answer.deductions)
    )
