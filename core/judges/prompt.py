"""The prompt of a judge, made from a study's own form: question, scale, error types, worked examples, and the story.

The story is data: it stands between marks of which it can hold none itself.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.annotation.criterion import Criterion
from core.annotation.scale import is_bare
from core.annotation.scheme import Scheme
from core.judges.asking import Message
from core.judges.pair import StoryPair, choices
from core.judges.template import FIRST, SECOND, STORY_BLOCK, STORY_BLOCK_OF_TASKS, Template, Way, filled
from core.stories import Story

_MARK = re.compile(r"<(?=[\s/]*(?:opening|story(?:_[ab])?)\b)", re.IGNORECASE)
_MARK_OF_TASKS = re.compile(r"<(?=[\s/]*(?:prompt|story(?:_[ab])?)\b)", re.IGNORECASE)
NO_OPENING = "(none)"


@dataclass(frozen=True)
class Shot:
    """A story that people rated, shown to a judge as an example: its prompt, its text, its ratings by criterion.
    `held_out`: its prompt is of the half on which wordings of the study's own are reported.
    """

    prompt: str
    text: str
    ratings: Mapping[str, float]
    held_out: bool = False


def escaped(text: str, *, of_tasks: bool = False) -> str:
    """A text that can close no mark of the judge's prompt, nor open one: `<` of such a mark is written `&lt;`.
    `of_tasks`: the marks are those of a template of tasks.
    """
    return (_MARK_OF_TASKS if of_tasks else _MARK).sub("&lt;", text)


def messages(
    template: Template, scheme: Scheme, criterion: Criterion, shots: Sequence[Shot], story: Story
) -> tuple[Message, ...]:
    """What a judge is asked about one story."""
    by_name = template.way is Way.CRITERIA
    values = {
        **_texts(template, story.prompt, story.text),
        **_question(criterion),
        "scale": scale_lines(criterion),
        "criteria": "\n\n".join(_asked(one) for one in scheme.criteria),
        "errors": "\n".join(_errors(scheme)),
        "rated": _rated(template, shots, scheme.criteria if by_name else [criterion], by_name=by_name),
    }
    return _filled(template, values)


def pair_messages(template: Template, criterion: Criterion, pair: StoryPair) -> tuple[Message, ...]:
    """What a judge is asked about two stories."""
    return _filled(
        template,
        {
            "opening": escaped(pair.opening.strip(), of_tasks=template.of_tasks) or NO_OPENING,
            FIRST: escaped(pair.first.strip(), of_tasks=template.of_tasks),
            SECOND: escaped(pair.second.strip(), of_tasks=template.of_tasks),
            **_question(criterion),
            "scale": "\n".join(f"{letter}: {label}" for letter, (_, label) in choices(criterion).items()),
        },
    )


def _question(criterion: Criterion) -> dict[str, str]:
    example = f"{criterion.example}\n" if criterion.example else ""
    return {"question": criterion.question, "criterion": criterion.name, "example": example}


def _filled(template: Template, values: Mapping[str, str]) -> tuple[Message, ...]:
    system, user = filled(template.system, values).strip(), filled(template.user, values).strip()
    asked = Message("user", user)
    return (Message("system", system), asked) if system else (asked,)


def scale_lines(criterion: Criterion) -> str:
    """The steps of a scale with their labels, a line each, the lowest first; in one line where these merely repeat the
    steps' numbers.
    """
    if is_bare(criterion.scale):
        return " ".join(label for _, label in criterion.scale)
    return "\n".join(f"{step}: {label}" for step, label in criterion.scale)


def _asked(criterion: Criterion) -> str:
    lines = [f"{criterion.name}: {criterion.question}", scale_lines(criterion), criterion.example]
    return "\n".join(filter(None, lines))


def _errors(scheme: Scheme) -> list[str]:
    lines = []
    for error in scheme.error_types:
        points = " or ".join(map(str, error.points))
        lines.append(f"- {error.name} ({points} {'point' if points == '1' else 'points'}): {error.description}")
        lines.append(f"  For example: {error.example} {error.why}".rstrip())
    return lines


def _rated(template: Template, shots: Sequence[Shot], asked: Sequence[Criterion], *, by_name: bool) -> str:
    """Examples with their ratings, each brought to the nearest step of its scale, written as the answer is wanted."""
    block = STORY_BLOCK_OF_TASKS if template.of_tasks else STORY_BLOCK
    parts = []
    for shot in shots:
        given = {one.name: _nearest(one, shot.ratings[one.name]) for one in asked}
        answer = json.dumps(given, ensure_ascii=False) if by_name else ", ".join(map(str, given.values()))
        parts.append(filled(f"{block}{answer}", _texts(template, shot.prompt, shot.text)))
    return "Stories that people have rated, with their answers:\n" + "\n\n".join(parts) + "\n\n" if parts else ""


def _texts(template: Template, prompt: str, text: str) -> dict[str, str]:
    opening, story = (escaped(each.strip(), of_tasks=template.of_tasks) for each in (prompt, text))
    return {"opening": opening or NO_OPENING, "story": story}


def _nearest(criterion: Criterion, rating: float) -> int:
    return min(criterion.steps, key=lambda step: (abs(step - rating), step))
