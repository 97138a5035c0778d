"""Evidence: the passages that annotators marked as errors, and how many of them marked the same."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np


@dataclass(frozen=True, slots=True)
class EvidenceMark:
    """One passage that a rating names as evidence of an error type: [start, end) in code points of the story."""

    rating: int
    error_type: str
    start: int
    end: int


@dataclass(frozen=True)
class MarkedStory:
    """A story with its marks. `key`: what it is called in its study or panel; `prompt`: its opening; `group`: its
    system or source; `ratings`: how many of its ratings count.
    """

    key: str
    prompt: str
    group: str
    text: str
    ratings: int
    marks: tuple[EvidenceMark, ...]


@dataclass(frozen=True)
class EvidencePiece:
    """A piece of a story, [start, end) in code points, that the same number of ratings mark throughout, possibly 0."""

    start: int
    end: int
    marked: int


@dataclass(frozen=True)
class Passage:
    """The most agreed part of a contiguous marked stretch, [start, end), and how many of all `ratings` mark it."""

    start: int
    end: int
    marked: int
    ratings: int


def pieces(story: MarkedStory, error_type: str | None = None) -> tuple[EvidencePiece, ...]:
    """The whole story, cut wherever the number of ratings that mark it changes; `error_type` None: any type.

    A rating counts once for a place, however often and for however many types it marks it. Marks that reach past the
    story are cut to it: its text may have been imported anew since.
    """
    size = len(story.text)
    change = np.zeros(size + 1, dtype=np.intp)
    for spans in _by_rating(story.marks, error_type).values():
        for start, end in _merged(spans, size):
            change[start] += 1
            change[end] -= 1
    cuts = np.flatnonzero(change)
    bounds = np.unique(np.concatenate([[0], cuts, [size]])).tolist()
    depth = np.cumsum(change)
    return tuple(EvidencePiece(start, end, int(depth[start])) for start, end in pairwise(bounds))


def passages(story: MarkedStory, error_type: str | None = None) -> tuple[Passage, ...]:
    """The most agreed part (the first of equals) of every contiguous marked stretch; most agreed first."""
    results: list[Passage] = []
    best: EvidencePiece | None = None
    for piece in (*pieces(story, error_type), EvidencePiece(0, 0, 0)):
        if piece.marked:
            best = piece if best is None or piece.marked > best.marked else best
        elif best is not None:
            results.append(Passage(best.start, best.end, best.marked, story.ratings))
            best = None
    return tuple(sorted(results, key=lambda passage: (-passage.marked, passage.start)))


def by_agreement(stories: Iterable[MarkedStory], error_type: str | None = None) -> list[MarkedStory]:
    """The stories with a mark of this type (None: any type), those with the most agreed passage first."""
    ranked = [(passages(story, error_type), number, story) for number, story in enumerate(stories)]
    marked = [(passages[0], number, story) for passages, number, story in ranked if passages]
    marked.sort(key=lambda part: (-part[0].marked, -part[0].marked / max(1, part[0].ratings), part[1]))
    return [story for _, _, story in marked]


def _by_rating(marks: Sequence[EvidenceMark], error_type: str | None) -> dict[int, list[tuple[int, int]]]:
    result: dict[int, list[tuple[int, int]]] = {}
    for mark in marks:
        if error_type is None or mark.error_type == error_type:
            result.setdefault(mark.rating, []).append((mark.start, mark.end))
    return result


def _merged(spans: Sequence[tuple[int, int]], size: int) -> list[tuple[int, int]]:
    """One rating's spans without overlaps, within a text of this size, without empty ones."""
    result: list[tuple[int, int]] = []
    for start, end in sorted((max(0, start), min(size, end)) for start, end in spans):
        if start >= end:
            continue
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], end))
        else:
            result.append((start, end))
    return result
