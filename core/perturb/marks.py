"""A negative as a reader should see it: which sentence each stretch comes from, and what was done to it on its way.

Edits say what became of each place; a sentence that moved takes along what was done to it before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.perturb.edits import Edit, Perturbed, Step
from core.perturb.negatives import Technique
from core.stories import sentences

_STOP = re.compile(r" ?\.$")
"""What a sentence gets that moves before another one."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of a text. `inside`: the techniques that changed these words ("" where they took words out); `whole`:
    those that brought the sentence here. `sentence`: its number in the original, None where it is of another story.
    """

    text: str
    sentence: int | None
    inside: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()


def marked(found: Perturbed) -> tuple[list[Mark], list[Mark]]:
    """The original and its negative as marks; those of the original say what became of each place."""
    original = _by_sentence(found.original)
    before = _cut(original, found.edits)
    after = original
    for step in found.steps:
        after = _stepped(after, step)
    return list(_joined(before)), list(_joined(after))


def _by_sentence(text: str) -> list[Mark]:
    marks, reached = [], 0
    for number, (start, end) in enumerate(sentences(text)):
        marks += [Mark(text[reached:start], None), Mark(text[start:end], number)]
        reached = end
    return [*marks, Mark(text[reached:], None)]


def _cut(marks: Sequence[Mark], edits: Iterable[Edit]) -> list[Mark]:
    cut, reached = [], 0
    for edit in edits:
        cut += _between(marks, reached, edit.start)
        there = _between(marks, edit.start, edit.end) or [replace(_at(marks, edit.start), text="")]
        cut += [replace(mark, inside=edit.techniques) for mark in there]
        reached = edit.end
    return cut + _between(marks, reached, sum(len(mark.text) for mark in marks))


def _between(marks: Sequence[Mark], start: int, end: int) -> list[Mark]:
    """The marks of a stretch; those without text count where they stand inside it."""
    found, position = [], 0
    for mark in marks:
        low, high = max(start, position), min(end, position + len(mark.text))
        if low < high or (not mark.text and start < position < end):
            found.append(replace(mark, text=mark.text[low - position : high - position]))
        position += len(mark.text)
    return found


def _at(marks: Sequence[Mark], place: int) -> Mark:
    """The mark that ends or goes on at this place."""
    position = 0
    for mark in marks:
        position += len(mark.text)
        if place <= position and mark.text:
            return mark
    return Mark("", None)


def _stepped(marks: Sequence[Mark], step: Step) -> list[Mark]:
    text = "".join(mark.text for mark in marks)
    made, reached = [], 0
    for edit in step.edits:
        made += [*_between(marks, reached, edit.start), *_put(marks, text, step, edit)]
        reached = edit.end
    return made + _between(marks, reached, len(text))


def _put(marks: Sequence[Mark], text: str, step: Step, edit: Edit) -> list[Mark]:
    """What an edit puts in its place."""
    name = step.technique
    span = _moved(text, step, edit)
    if span:
        brought = [replace(mark, whole=_with(mark.whole, name)) for mark in _between(marks, *span)]
        left = edit.after[span[1] - span[0] :]
        return [*brought, replace(brought[-1], text=left, inside=())] if left else brought
    if name == Technique.SUBSTITUTION and edit.before in {text[slice(*one)] for one in sentences(text)}:
        return [Mark(edit.after, None, (), (name,))]
    there = [mark for mark in _between(marks, edit.start, edit.end) if mark.sentence is not None]
    here = there[0] if there else _at(marks, edit.start)
    inside = tuple(dict.fromkeys([technique for mark in there for technique in mark.inside] + [name]))
    return [replace(here, text=edit.after, inside=inside)]


def _moved(text: str, step: Step, edit: Edit) -> tuple[int, int] | None:
    """Where in the text before the step the sentence stands that this edit brings to its place."""
    if not edit.before or step.technique not in (Technique.REORDERING, Technique.REPETITION):
        return None
    for sentence in (edit.after, _STOP.sub("", edit.after)):
        for start, end in sentences(text):
            if text[start:end] == sentence and start != edit.start:
                return start, end
    return None


def _with(techniques: tuple[str, ...], one: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*techniques, one]))


def _joined(marks: Iterable[Mark]) -> Iterable[Mark]:
    """Neighbours that are alike as one; a place where words went stands alone."""
    for (_, alike), group in groupby(enumerate(marks), lambda one: (one[1].text == "" and one[0], _like(one[1]))):
        text = "".join(mark.text for _, mark in group)
        if text or alike.inside:
            yield replace(alike, text=text)


def _like(mark: Mark) -> Mark:
    return replace(mark, text="")
