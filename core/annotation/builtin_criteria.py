"""Schemes of several criteria, with questions in our words; and the scheme for criteria that somebody else asked about.

HANNA's six: Chhun et al. (2022), "Of Human Criteria and Automatic Metrics", section 3. TheNextChapter's five: Xie et
al. (2023), "The Next Chapter: A Study of Large Language Models in Storytelling", section 4.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.annotation.criterion import OVERALL, Criterion
from core.annotation.scale import scale_between
from core.annotation.scheme import Scheme
from core.annotation.unit import PromptKind, Unit
from core.stories import Source

_AMOUNT = ((1, "Not at all"), (2, "A little"), (3, "Somewhat"), (4, "Mostly"), (5, "Fully"))
_DEGREE = ((1, "Not at all"), (2, "A little"), (3, "Moderately"), (4, "Very"), (5, "Extremely"))


def _of_five(name: str, question: str, scale: tuple[tuple[int, str], ...], example: str) -> Criterion:
    return Criterion(name, question, scale, "ordinal", example)


HANNA = Scheme(
    key="hanna",
    title="HANNA",
    criteria=(
        _of_five(
            "relevance",
            "Does the story fit its prompt?",
            _AMOUNT,
            "Prompt: a baker finds a coin in the dough. A story about the coin is a 5; one about a baker without any "
            "coin is a 3; one about a space battle is a 1.",
        ),
        _of_five(
            "coherence",
            "Does the story make sense?",
            _AMOUNT,
            "A 5 can be retold from beginning to end. A 1 changes who, where and when without a reason.",
        ),
        _of_five(
            "empathy",
            "Do you understand what the characters feel?",
            _AMOUNT,
            "“He sat down” is a 1. “He sat down, because his legs would not carry the news” is a 4 or a 5.",
        ),
        _of_five(
            "surprise",
            "How surprising is the way the story ends?",
            _DEGREE,
            "An end that everybody sees coming is a 1, and so is a story that just stops. One that you did not expect, "
            "and that fits all the same, is a 5.",
        ),
        _of_five(
            "engagement",
            "How much did you want to read on?",
            _DEGREE,
            "If you would have stopped after two sentences, choose 1; if you forgot that this is a task, 5.",
        ),
        _of_five(
            "complexity",
            "How elaborate is the story?",
            _DEGREE,
            "One event and one person is a 1. Several people with aims of their own, whose doings meet, is a 5.",
        ),
    ),
    error_types=(),
    unit=Unit.STORY,
    sources=(Source.SYSTEM, Source.HUMAN),
    prompt_kind=PromptKind.TASK,
    wanted=3,
)

NEXT_CHAPTER = Scheme(
    key="nextchapter",
    title="TheNextChapter",
    criteria=(
        _of_five(
            "fluency",
            "Is the text well written?",
            _AMOUNT,
            "Mistakes of grammar and odd words lower it, whatever is told. “She goed at home” is a 1 or a 2.",
        ),
        _of_five(
            "coherence",
            "Do the sentences belong together?",
            _AMOUNT,
            "A 5 goes from one sentence to the next without a gap. In a 1 each could be from another text.",
        ),
        _of_five(
            "relatedness",
            "Does the story go on from its opening?",
            _AMOUNT,
            "A story that keeps the people and the matter of the opening is a 5; one that has left both is a 1.",
        ),
        _of_five(
            "logicality",
            "Does what happens agree with common sense?",
            _AMOUNT,
            "“He drowned, and then he drove home” is a 1. What could happen so, in the world of the story, is a 5.",
        ),
        _of_five(
            "interestingness",
            "How interesting is the story?",
            _DEGREE,
            "A list of what anybody does every day is a 1; a story that you would tell a friend is a 5.",
        ),
    ),
    error_types=(),
    unit=Unit.STORY,
    wanted=3,
)

CRITERIA = Scheme(
    key="criteria",
    title="Your own criteria",
    criteria=(
        _of_five("quality", "How good is this story?", _DEGREE, ""),
        _of_five("coherence", "Does the story make sense?", _AMOUNT, ""),
        _of_five("interest", "How interesting is the story?", _DEGREE, ""),
    ),
    error_types=(),
    unit=Unit.STORY,
    wanted=3,
)

KNOWN = {criterion.name: criterion for scheme in (NEXT_CHAPTER, HANNA) for criterion in scheme.criteria}
"""By name, the criteria that a file of ratings may have without saying so."""


USUAL_SCALE = "1-5"


def scheme_for(names: Sequence[str], scale: tuple[tuple[int, str], ...] = ()) -> Scheme:
    """The scheme that ratings on these criteria came from: a built-in one, or one with a question for each name.

    `scale`: where it is not the usual one.
    """
    steps = tuple(step for step, _ in scale)
    usual = tuple(step for step, _ in scale_between(USUAL_SCALE))
    if steps in ((), usual):
        for scheme in (HANNA, NEXT_CHAPTER):
            if set(names) == set(scheme.names):
                return scheme
    return replace(CRITERIA, criteria=tuple(_criterion(name, scale if steps != usual else ()) for name in names))


def as_numbers(scheme: Scheme) -> Scheme:
    """The scheme without the words of a scale that it has by a criterion's name alone: where all ratings came with a
    file that did not say what its raters read, the steps are numbers.
    """
    if scheme.key != CRITERIA.key:
        return scheme
    return replace(scheme, criteria=tuple(_as_numbers(criterion) for criterion in scheme.criteria))


def _as_numbers(criterion: Criterion) -> Criterion:
    known = KNOWN.get(criterion.name)
    if known is None or known.scale != criterion.scale:  # somebody has worded it, or it has no words
        return criterion
    return criterion.with_scale(tuple((step, str(step)) for step in criterion.steps))


def _criterion(name: str, scale: tuple[tuple[int, str], ...]) -> Criterion:
    if name in KNOWN:
        return KNOWN[name].with_scale(scale) if scale else KNOWN[name]
    if name != OVERALL:
        question = f"How would you rate its {name}?"
    elif tuple(step for step, _ in scale) == (0, 1):
        question = "Is this a good story?"
    else:
        question = "How good is this story as a whole?"
    return Criterion(name, question, scale or scale_between(USUAL_SCALE), "interval")
