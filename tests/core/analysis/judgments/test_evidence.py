"""Marked passages, against counting characters one by one."""

from itertools import pairwise

import numpy as np
import pytest

from core.analysis.judgments.evidence import (
    EvidenceMark,
    EvidencePiece,
    MarkedStory,
    Passage,
    by_agreement,
    passages,
    pieces,
)

TEXT = "She ran. 👍🏽 She ran."


def story(*marks: tuple[int, str, int, int], text: str = TEXT, ratings: int = 5) -> MarkedStory:
    return MarkedStory("1", "Once.", "gpt", text, ratings, tuple(EvidenceMark(*mark) for mark in marks))


def test_pieces_by_hand() -> None:
    marked_story = story((1, "a", 0, 8), (2, "a", 4, 8), (2, "b", 0, 3), (3, "b", 9, 11))
    assert pieces(marked_story) == (
        EvidencePiece(0, 3, 2),
        EvidencePiece(3, 4, 1),
        EvidencePiece(4, 8, 2),
        EvidencePiece(8, 9, 0),
        EvidencePiece(9, 11, 1),
        EvidencePiece(11, 20, 0),
    )
    assert pieces(marked_story, "b") == (
        EvidencePiece(0, 3, 1),
        EvidencePiece(3, 9, 0),
        EvidencePiece(9, 11, 1),
        EvidencePiece(11, 20, 0),
    )
    assert TEXT[9:11] == "👍🏽"  # code points, as Python counts
    assert passages(marked_story) == (Passage(0, 3, 2, 5), Passage(9, 11, 1, 5))


def test_a_rating_counts_once_for_a_place() -> None:
    marked_story = story((1, "a", 0, 5), (1, "b", 2, 8), (1, "a", 5, 6))
    assert pieces(marked_story) == (EvidencePiece(0, 8, 1), EvidencePiece(8, 20, 0))
    assert passages(marked_story, "a") == (Passage(0, 6, 1, 5),)


def test_marks_beyond_the_story_are_cut_to_it() -> None:
    assert pieces(story((1, "a", 15, 99), (2, "a", 50, 60), (3, "a", -5, 1), (4, "a", 3, 3))) == (
        EvidencePiece(0, 1, 1),
        EvidencePiece(1, 15, 0),
        EvidencePiece(15, 20, 1),
    )
    assert pieces(story(text="")) == ()
    assert passages(story((1, "a", 0, 4), text="")) == ()


@pytest.mark.parametrize("seed", range(30))
def test_pieces_count_what_characters_count(seed: int) -> None:
    rng = np.random.default_rng(seed)
    marks = [
        (int(rng.integers(4)), str(rng.choice(["a", "b"])), *sorted(int(i) for i in rng.integers(0, 30, 2)))
        for _ in range(rng.integers(1, 9))
    ]
    marked_story = story(*marks, text="x" * 30)  # type: ignore[arg-type]
    counted = [len({r for r, _, start, end in marks if start <= place < end}) for place in range(30)]
    evidence_pieces = pieces(marked_story)
    assert [evidence_pieces[0].start, evidence_pieces[-1].end] == [0, 30]
    assert [piece.marked for piece in evidence_pieces for _ in range(piece.start, piece.end)] == counted
    assert all(a.end == b.start for a, b in pairwise(evidence_pieces))
    best = passages(marked_story)
    assert max(counted) == (best[0].marked if best else 0)


def test_the_most_agreed_story_comes_first() -> None:
    lone = story((1, "a", 0, 3), ratings=9)
    agreed = story((1, "a", 0, 3), (2, "a", 0, 3))
    sure = story((7, "b", 0, 3), ratings=1)
    nothing = story((1, "a", 5, 5))
    assert by_agreement([lone, nothing, sure, agreed]) == [agreed, sure, lone]
    assert by_agreement([lone, sure, agreed], "b") == [sure]
    assert by_agreement([]) == []
