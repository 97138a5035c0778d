"""A study's form and practice in an annotator's language: what a built-in scheme says, word for word, is translated.

Names stay as they are, since answers are stored under them; `Words.ours` says how they are shown.
"""

from dataclasses import replace

from core.annotation.criterion import Criterion
from core.annotation.onboarding import PracticeStep
from core.annotation.scheme import ErrorType, Scheme
from core.languages.words import ENGLISH, Words


def localized_scheme(scheme: Scheme, words: Words) -> Scheme:
    """The scheme with its questions, labels, examples and explanations in this language."""
    if words.code == ENGLISH:
        return scheme
    return replace(
        scheme,
        criteria=tuple(_criterion(criterion, words) for criterion in scheme.criteria),
        error_types=tuple(_error_type(error_type, words) for error_type in scheme.error_types),
    )


def _criterion(criterion: Criterion, words: Words) -> Criterion:
    return replace(
        criterion,
        question=words.ours(criterion.question),
        scale=tuple((step, words.ours(label)) for step, label in criterion.scale),
        example=words.ours(criterion.example),
    )


def _error_type(error_type: ErrorType, words: Words) -> ErrorType:
    return replace(
        error_type,
        description=words.ours(error_type.description),
        example=words.ours(error_type.example),
        why=words.ours(error_type.why),
    )


def localized_step(step: PracticeStep, words: Words) -> PracticeStep:
    """The step with its explanation in this language. The stories stay: they are to be read as those of the study."""
    if step.reviewed is None:
        return step
    item = replace(step.reviewed.item, explanation=words.ours(step.reviewed.item.explanation))
    return replace(step, reviewed=replace(step.reviewed, item=item))
