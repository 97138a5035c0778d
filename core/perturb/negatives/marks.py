"""A negative for its readers: which sentence each stretch comes from, and what was done to it.

Edits say what became of each place; a sentence that moved takes along what was done to it before.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby

from core.perturb.edits import Edit, EditStep, Perturbed
from core.perturb.negatives.sampler import Technique
from core.stories import sentences

_STOP = re.compile(r" ?\.$")
"""What a sentence gets that moves before another one."""


@dataclass(frozen=True, slots=True)
class ChangeMark:
    """A stretch of a text. `inside`: the techniques that changed these words ("" where they took words out); `whole`:
    those that brought the sentence here. `sentence`: its number in the original, None where it is of another story.
    """

    text: str
    sentence: int | None
    inside: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()


def marked(perturbed: Perturbed) -> tuple[list[ChangeMark], list[ChangeMark]]:
    """The original and its negative as marks; those of the original say what became of each place."""
    original = _by_sentence(perturbed.original)
    before = _cut(_Row(original), perturbed.edits)
    after = original
    for step in perturbed.steps:
        after = _stepped(_Row(after), step)
    return list(_joined(before)), list(_joined(after))


def _by_sentence(text: str) -> list[ChangeMark]:
    marks, reached = [], 0
    for number, (start, end) in enumerate(sentences(text)):
        marks += [ChangeMark(text[reached:start], None), ChangeMark(text[start:end], number)]
        reached = end
    return [*marks, ChangeMark(text[reached:], None)]


class _Row:
    """Marks in a row, found by where they stand."""

    def __init__(self, marks: Sequence[ChangeMark]) -> None:
        self._marks = marks
        self._starts = list(accumulate((len(mark.text) for mark in marks), initial=0))
        self.length = self._starts[-1]

    def between(self, start: int, end: int) -> list[ChangeMark]:
        """The marks of a stretch; those without text count where they stand inside it."""
        result = []
        place = max(0, bisect_right(self._starts, start, hi=len(self._marks)) - 1)
        while place < len(self._marks) and (position := self._starts[place]) < end:
            mark = self._marks[place]
            low, high = max(start, position), min(end, position + len(mark.text))
            if low < high or (not mark.text and start < position):
                result.append(replace(mark, text=mark.text[low - position : high - position]))
            place += 1
        return result

    def at(self, place: int) -> ChangeMark:
        """The mark that ends or goes on at this place."""
        return next(iter(self.between(max(0, place - 1), max(1, place))), ChangeMark("", None))


def _cut(row: _Row, edits: Iterable[Edit]) -> list[ChangeMark]:
    cut, reached = [], 0
    for edit in edits:
        cut += row.between(reached, edit.start)
        change_marks = row.between(edit.start, edit.end) or [replace(row.at(edit.start), text="")]
        cut += [replace(mark, inside=edit.techniques) for mark in change_marks]
        reached = edit.end
    return cut + row.between(reached, row.length)


def _stepped(row: _Row, step: EditStep) -> list[ChangeMark]:
    text = "".join(mark.text for mark in row.between(0, row.length))
    places = {text[start:end]: (start, end) for start, end in reversed(sentences(text))}
    change_marks, reached = [], 0
    for edit in step.edits:
        change_marks += [*row.between(reached, edit.start), *_put(row, places, step.technique, edit)]
        reached = edit.end
    return change_marks + row.between(reached, row.length)


def _put(row: _Row, places: Mapping[str, tuple[int, int]], name: str, edit: Edit) -> list[ChangeMark]:
    """What an edit puts in its place; `places`: where each sentence stands before the step."""
    brings = bool(edit.before) and name in (Technique.REORDERING, Technique.REPETITION)
    span = places.get(edit.after) or places.get(_STOP.sub("", edit.after)) if brings else None
    if span:
        brought = [replace(mark, whole=_with(mark.whole, name)) for mark in row.between(*span)]
        left = edit.after[span[1] - span[0] :]
        return [*brought, replace(brought[-1], text=left, inside=())] if left else brought
    if name == Technique.SUBSTITUTION and edit.before in places:
        return [ChangeMark(edit.after, None, (), (name,))]
    change_marks = [mark for mark in row.between(edit.start, edit.end) if mark.sentence is not None]
    here = change_marks[0] if change_marks else row.at(edit.start)
    inside = tuple(dict.fromkeys([technique for mark in change_marks for technique in mark.inside] + [name]))
    return [replace(here, text=edit.after, inside=inside)]


def _with(techniques: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*techniques, name]))


def _joined(marks: Iterable[ChangeMark]) -> Iterable[ChangeMark]:
    """Neighbours that are alike as one; a place where words went stands alone."""
    for (_, alike), group in groupby(enumerate(marks), lambda part: (part[1].text == "" and part[0], _like(part[1]))):
        text = "".join(mark.text for _, mark in group)
        if text or alike.inside:
            yield replace(alike, text=text)


def _like(mark: ChangeMark) -> ChangeMark:
    return replace(mark, text="")
