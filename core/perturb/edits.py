"""The edits of a text: offsets into the original; exactly these edits give the changed text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.errors import InputError


@dataclass(frozen=True, slots=True)
class Edit:
    """`before`, the code points `start` to `end` of a text, became `after`; `techniques` say by what."""

    start: int
    end: int
    before: str
    after: str
    techniques: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EditStep:
    """One technique at work. The offsets of `edits` are into the text as the steps before have left it."""

    technique: str
    way: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A changed text: `edits` turn `original` into `text`, and so do the `steps`, one after another."""

    original: str
    text: str
    edits: tuple[Edit, ...]
    steps: tuple[EditStep, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """What the text is made of: code points `start` to `end` of the original, or (`start` is -1) something new."""

    start: int
    end: int
    new: str = ""
    techniques: tuple[str, ...] = ()

    @property
    def copied(self) -> bool:
        return self.start >= 0

    def __len__(self) -> int:
        return self.end - self.start if self.copied else len(self.new)

    def part(self, start: int, end: int) -> _Piece:
        if self.copied:
            return _Piece(self.start + start, self.start + end)
        return _Piece(-1, -1, self.new[start:end], self.techniques)


def apply(text: str, edits: Sequence[Edit]) -> str:
    """`text` with `edits` made. Raises InputError where they overlap or do not fit the text."""
    parts, reached = [], 0
    for edit in sorted(edits, key=lambda item: (item.start, item.end)):
        fits = edit.end - edit.start == len(edit.before) and text[edit.start : edit.end] == edit.before
        if edit.start < reached or not fits:
            raise InputError(f"The edit at {edit.start} does not fit the text: {edit.before!r} does not stand there.")
        parts += [text[reached : edit.start], edit.after]
        reached = edit.end
    return "".join([*parts, text[reached:]])


def changed(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """`text` with spans replaced; each change is (start, end, new text)."""
    return apply(text, [Edit(start, end, text[start:end], new) for start, end, new in changes])


class Draft:
    """A text under way: techniques edit it one after another, and it remembers what comes from where."""

    def __init__(self, original: str) -> None:
        self.original = self.text = original
        self.steps: list[EditStep] = []
        self._pieces = [_Piece(0, len(original))]

    def step(self, technique: str, way: str, changes: Iterable[tuple[int, int, str]]) -> None:
        """Replace spans of the text as it stands now; each change is (start, end, new text)."""
        edits = tuple(Edit(start, end, self.text[start:end], new, (technique,)) for start, end, new in sorted(changes))
        self.text = apply(self.text, edits)
        self.steps.append(EditStep(technique, way, edits))
        self._pieces = list(_spliced(self._pieces, edits))

    def done(self) -> Perturbed:
        """The text and all that was done to it."""
        return Perturbed(self.original, self.text, tuple(_edits(self.original, self._pieces)), tuple(self.steps))


def _spliced(pieces: Sequence[_Piece], edits: Sequence[Edit]) -> Iterable[_Piece]:
    left, position = list(reversed(pieces)), 0

    def take(until: int, keep: bool) -> Iterable[_Piece]:
        nonlocal position
        while left and position < until:
            piece = left.pop()
            size = min(len(piece), until - position)
            if size < len(piece):
                left.append(piece.part(size, len(piece)))
            position += size
            if keep:
                yield piece.part(0, size)
            elif not piece.copied:  # what an earlier step did here still counts
                yield _Piece(-1, -1, "", piece.techniques)

    for edit in edits:
        yield from take(edit.start, True)
        yield from take(edit.end, False)
        yield _Piece(-1, -1, edit.after, edit.techniques)
    while left:
        yield left.pop()


def _edits(original: str, pieces: Sequence[_Piece]) -> Iterable[Edit]:
    reached, new, techniques = 0, "", dict[str, None]()
    for piece in [*pieces, _Piece(len(original), len(original))]:
        if not piece.copied:
            new += piece.new
            techniques |= dict.fromkeys(piece.techniques)
            continue
        before = original[reached : piece.start]
        if before != new:
            yield Edit(reached, piece.start, before, new, tuple(techniques))
        new, techniques, reached = "", {}, piece.end
