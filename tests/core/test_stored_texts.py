"""Texts that are read when they are looked at are those that a tuple has."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core import stored_texts
from core.arrays import Ints
from core.scores import ScoreTable
from core.stored_texts import StoredTexts, counted, strings_at
from core.stories import word_count

TEXTS = tuple(f"{'word ' * (number % 5)}story {number}" for number in range(23))


class Store:
    """Where they stand, and how often somebody has looked."""

    def __init__(self) -> None:
        self.looks: list[int] = []

    def read(self, places: Ints) -> list[str]:
        self.looks.append(len(places))
        return [TEXTS[place] for place in places.tolist()]

    def sequence(self) -> StoredTexts:
        return StoredTexts(np.arange(len(TEXTS)), self.read, lambda what, count: counted(TEXTS, what, count))


def test_it_is_a_sequence_like_the_tuple(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_texts, "BLOCK", 10)
    store = Store()
    texts = store.sequence()
    assert len(texts) == len(TEXTS)
    assert not store.looks
    assert tuple(texts) == TEXTS
    assert store.looks == [10, 10, 3]
    assert texts == TEXTS
    assert texts == Store().sequence()
    assert texts != TEXTS[1:]
    assert texts != (*TEXTS[:-1], "another")
    assert texts != list(TEXTS)
    assert (texts[3], texts[-1], tuple(texts[2:9:3]), next(reversed(texts))) == (
        TEXTS[3],
        TEXTS[-1],
        TEXTS[2:9:3],
        TEXTS[-1],
    )
    assert TEXTS[4] in texts
    with pytest.raises(IndexError):
        texts[len(TEXTS)]


def test_some_of_some_are_read_alone() -> None:
    store = Store()
    texts = store.sequence().take(np.array([5, 2, 2, 20])).take(np.array([3, 0]))
    assert not store.looks
    assert tuple(texts) == (TEXTS[20], TEXTS[5])
    assert store.looks == [2]
    assert tuple(strings_at(TEXTS, np.array([4, 1]))) == (TEXTS[4], TEXTS[1])


@pytest.mark.parametrize("stored", [True, False])
def test_words_and_parts_of_a_table(*, stored: bool) -> None:
    store = Store()
    texts: Sequence[str] = store.sequence() if stored else TEXTS
    names = tuple(map(str, range(len(TEXTS))))
    table = ScoreTable(names, names, names, texts, np.zeros(len(TEXTS)), ())
    rows = np.array([7, 0, 3])
    part = replace(table.take(rows))
    assert part.words.tolist() == [word_count(TEXTS[row]) for row in rows.tolist()]
    assert not store.looks
    assert tuple(part.texts) == tuple(TEXTS[row] for row in rows.tolist())
    assert table.words.dtype == np.intp
