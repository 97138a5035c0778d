"""Whether ratings are such that a scheme, or the story that they are of, allows."""

import math
from collections.abc import Callable
from dataclasses import replace

from core.annotation.scheme import CHECK, Scheme
from core.errors import InputError
from core.formats.exports.restored import Restored, RestoredPanel, RestoredRating


class RatingCheck:
    """Looks at ratings of what was brought, one by one."""

    def __init__(self, brought: Restored, scheme: Scheme) -> None:
        self._brought, self._scheme = brought, scheme
        self._known = scheme.with_check()
        self._asked = {criterion.name: criterion for criterion in self._known.criteria}
        self._names: dict[str, str | None] = {}
        if brought.manifest is None and scheme.check is None:
            self._names[CHECK] = None

    def called(self, rating: RestoredRating) -> RestoredRating:
        """The rating with every criterion called as the scheme calls it; of a file of ratings alone without attention
        checks that the scheme has not. Raises InputError, naming the line, for a criterion that the scheme lacks.
        """
        if all(name == self._names.get(name) for name in rating.values):
            return rating
        values = {}
        for name, value in rating.values.items():
            called = self._called(rating, name)
            if called is not None:
                values[called] = value
        return replace(rating, values=values)

    def _called(self, rating: RestoredRating, name: str) -> str | None:
        if name not in self._names:
            try:
                self._names[name] = self._known.criterion(name).name
            except InputError as error:
                raise self._brought.sheet.problem(rating.number, self._brought.column_of(name), str(error)) from None
        return self._names[name]

    def check(self, rating: RestoredRating, panel: RestoredPanel, text_of: Callable[[str], str]) -> None:
        """Raise InputError, naming the line, for a rating, `called` so, that the scheme or the story does not allow.

        `text_of`: the text of a story whose rating has evidence, by id. Imported ratings may lie between two steps of
        the scale.
        """
        column, scheme, brought = "overall", self._scheme, self._brought
        if rating.raters > 1 and (scheme.shares or scheme.unit.of_pairs):
            what = f"the {scheme.title} scheme counts answers, which a mean of {rating.raters} raters hides."
            raise brought.sheet.problem(rating.number, "raters", what)
        try:
            between = panel.state == "imported" and not scheme.unit.of_pairs
            for name, value in rating.values.items():
                column = brought.column_of(name)
                criterion = self._asked[name]
                (criterion.check_between if between else criterion.check)(value)
            column = "deductions"
            scheme.check_deductions(rating.deductions)
            column = "evidence"
            if rating.evidence:
                _check_evidence(rating, text_of(rating.story_key))
        except InputError as error:
            of_scale = column not in ("deductions", "evidence")
            least, most = min(rating.values.values(), default=0.0), max(rating.values.values(), default=0.0)
            other = of_scale and brought.manifest is None and not brought.scale
            hint = f" Say which scale the ratings are on, such as {usual_scale(least, most)}." if other else ""
            raise brought.sheet.problem(rating.number, column, f"{error}{hint}") from None


def usual_scale(lowest: float, highest: float) -> str:
    """A usual scale that ratings from `lowest` to `highest` may be on, as it is written by hand; where none holds them
    the whole numbers around them.
    """
    usual = ((0, 1), (0, 5), (1, 7), (0, 10), (0, 100))
    fitting = next(((low, high) for low, high in usual if low <= lowest and highest <= high), None)
    return f"{fitting[0]}-{fitting[1]}" if fitting else f"{math.floor(lowest)}..{math.ceil(highest)}"


def _check_evidence(rating: RestoredRating, text: str) -> None:
    for error_type, spans in rating.evidence.items():
        if error_type not in rating.deductions:
            raise InputError(f"there is evidence of {error_type[:60]!r}, which is not deducted.")
        for start, end in spans:
            if not 0 <= start < end <= len(text):
                raise InputError(
                    f"the passage from {start} to {end} lies outside of the story of {len(text)} characters."
                )
    if rating.evidence_text is None:
        return
    quoted = {name: [text[start:end] for start, end in spans] for name, spans in rating.evidence.items()}
    if quoted != rating.evidence_text:
        raise InputError("evidence_text does not say what stands there; offsets count code points from 0.")
