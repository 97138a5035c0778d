"""What belongs together: by WordNet, by ConceptNet, and which of it may stand in another's place."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.english.knowledge import ConceptNet, shared_wordnet
from core.english.relations import ConceptNetRelations, WordNetRelations, common_words, relations_of
from core.english.substitution import Vocabulary

WORDS = (
    "The dogs and the cats saw a dog. The cat saw bears and a bear. They had dinner and lunch. A car and two cars. "
    "They bought a truck and two trucks. A lamp and two lamps. Lunch and dinner were good. "
    "She won and he lost. They lost, they won."
)


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.of([f"{name}." for name in WORDS.split(". ")], shared_wordnet())


def test_base_forms_are_counted(vocabulary: Vocabulary) -> None:
    result = common_words(vocabulary)
    assert (result["n"]["dog"], result["n"]["car"], result["v"]["win"]) == (2, 2, 2)


def test_wordnet(vocabulary: Vocabulary) -> None:
    known = relations_of(shared_wordnet(), vocabulary)
    assert isinstance(known, WordNetRelations)
    assert known.name == "wordnet-3.0"
    assert "dog" in known.relatives("puppy", "n")
    assert "wheel" in known.relatives("car", "n")
    assert known.relatives("zzzz", "n") == frozenset()
    assert known.neighbours("car", "n") == ("lamp",)  # a truck would often do as well
    assert known.neighbours("dog", "n") == ()  # so would a cat
    assert known.neighbours("win", "v") == ("lose",)
    assert "door" not in known.relatives("door", "n")  # of which one kind is a door too
    assert known.neighbours("idea", "n") == ()  # nothing to see or touch


def test_nobody_would_notice_a_kind_of_the_thing(vocabulary: Vocabulary) -> None:
    known = relations_of(shared_wordnet(), vocabulary)
    assert "lamp" not in known.neighbours("flashlight", "n")
    assert "lamp" not in known.neighbours("lamp", "n")


def test_conceptnet(vocabulary: Vocabulary, tmp_path: Path) -> None:
    file = tmp_path / "triples.txt"
    file.write_text(
        "dog /r/AtLocation car\ndog /r/Antonym cat\ndog /r/IsA animal\ndog /r/RelatedTo zebra\n"
        "car /r/RelatedTo truck\ncar /r/IsA dinner\nwin /r/Antonym lose\n"
    )
    known = relations_of(ConceptNet(file), vocabulary)
    assert isinstance(known, ConceptNetRelations)
    assert known.name.startswith("triples.txt@")
    assert known.relatives("dog", "n") == {"car", "cat", "animal", "zebra"}
    assert known.neighbours("dog", "n") == ("cat",)  # opposites first; no zebra is in the stories
    assert known.neighbours("car", "n") == ("truck",)  # what it is leaves its meaning
    assert known.neighbours("win", "v") == ("lose",)
    assert known.neighbours("win", "n") == ()


def test_real_triples(shared: Path, vocabulary: Vocabulary) -> None:
    known = relations_of(ConceptNet(shared / "lexicon" / "roc_vocab_triples.txt"), vocabulary)
    assert known.relatives("dog", "n")
    assert known.neighbours("dog", "n")


ORDERED = """
from core.english.relations import _kinds
print([[kind.name() for kind in kinds] for word in ("drawer", "kennel", "truck") for kinds in _kinds(word)])
"""


@pytest.mark.slow
def test_neighbours_come_in_one_order_in_every_process() -> None:
    both = [
        subprocess.Popen(
            [sys.executable, "-c", ORDERED],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    first, second = (process.communicate()[0] for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert "container" in first
    assert first == second
