"""Test sets against the same rules over plain NLTK, and weakly related stories against every pair of sentences."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import combinations
from unittest import mock

from benchmarks.negatives import human_records, plain_tagger
from benchmarks.timing import Row, compare
from core.english import clauses, frames, knowledge, relations
from core.english import sentences as sentence_module
from core.english import words as word_module
from core.english.knowledge import WordNet
from core.english.sentences import Resources
from core.perturb.cases import Case
from core.perturb.paraphrases import similarity
from core.perturb.techniques import character, commonsense, consistency, order, relatedness, synonyms
from core.perturb.test_sets.aspects import Aspect, Change
from core.perturb.test_sets.generation import discrimination_cases, invariance_cases, resources_for
from core.stories import StoryRecord, sentences

STORIES, RELATED, ROUNDS = 200, 100, 3
_ASKED = (
    (word_module, "words"),
    (knowledge, "lemma_of"),
    (knowledge, "inflected"),
    (sentence_module, "is_word"),
    (consistency, "prefixed"),
    (consistency, "antonym"),
    (synonyms, "synonyms"),
    (relations, "_kinds"),
    (frames, "surely"),
    (character, "_kind"),
)
"""What ours remembers, and begins every round without; the peer asks again each time."""
_USERS = (
    character,
    clauses,
    commonsense,
    consistency,
    frames,
    order,
    sentence_module,
    relatedness,
    relations,
    synonyms,
)


def _cases(chosen: Sequence[StoryRecord], means: Resources) -> list[Case]:
    # Relations remember too: each round has new ones.
    fresh = replace(means, relations=relations.relations_of(WordNet(), means.vocabulary))
    return [
        *discrimination_cases(chosen, list(Aspect), fresh, 0),
        *invariance_cases(chosen, list(Change), fresh, 0),
    ]


def _made(chosen: Sequence[StoryRecord], what: str) -> Row:
    means = resources_for(chosen, [*Aspect], WordNet(), 0)
    remembering = [(module, name, getattr(module, name)) for module, name in _ASKED]
    usual = plain_tagger()

    def ours() -> list[Case]:
        for _, _, function in remembering:
            function.cache_clear()
        return _cases(chosen, means)

    def peer() -> list[Case]:
        with ExitStack() as patched:
            patched.enter_context(mock.patch.object(word_module, "tagger", return_value=usual))
            for module, name, function in remembering:
                for user in {module, *_USERS}:
                    if getattr(user, name, None) is function:
                        patched.enter_context(mock.patch.object(user, name, function.__wrapped__))
            return _cases(chosen, means)

    changed_cases = ours()
    return compare(
        f"both test sets of {len(chosen)} stories ({what})",
        "the same rules over plain NLTK",
        ours,
        peer,
        rounds=ROUNDS,
        units=len(changed_cases),
        unit="cases",
        remark="the same cases" if changed_cases == peer() else "OTHER CASES",
    )


def _related(chosen: Sequence[StoryRecord], what: str) -> Row:
    split = [[record.text[start:end] for start, end in sentences(record.text)] for record in chosen]
    below = similarity.UNRELATED

    def ours() -> list[bool]:
        return similarity.weakly_related(split, below)

    def peer() -> list[bool]:
        return [bool((similarity.similar(list(combinations(story, 2))) < below).all()) for story in split]

    return compare(
        f"weakly related among {len(chosen)} stories ({what})",
        "MoverScore of every pair of sentences",
        ours,
        peer,
        rounds=ROUNDS,
        units=len(chosen),
        unit="stories",
        remark="equal" if ours() == peer() else "UNEQUAL",
    )


def run() -> list[Row]:
    """All cases of all aspects and changes, the encoder's part apart; and the encoder's part alone."""
    chosen, what = human_records()
    return [_made(chosen[:STORIES], what), _related(chosen[:RELATED], what)]
