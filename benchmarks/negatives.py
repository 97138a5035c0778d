"""Negatives against the same rules over plain NLTK: every word tagged and looked up whenever somebody asks."""

from collections.abc import Sequence
from contextlib import ExitStack
from unittest import mock

from nltk.tag.perceptron import PerceptronTagger

from benchmarks.corpus import MANS, stories
from benchmarks.timing import Row, compare
from core.english import knowledge, negation, substitution, tagger
from core.english import words as word_module
from core.english.wordnet import wordnet
from core.english.words import words
from core.perturb.negatives import sampler
from core.perturb.negatives.sampler import Sampler
from core.perturb.negatives.sets import NegativeSet, negative_set
from core.stories import Source, StoryRecord
from db.transfer.demonstration import demonstration

STORIES, ROUNDS = 400, 3
REMEMBERED = (words, knowledge.lemma_of, knowledge.inflected)
"""What ours remembers; it begins every round with nothing in mind."""


class Plain:
    """WordNet through NLTK's reader, nothing remembered."""

    name = "plain"

    def knows(self, lemma: str, pos: str) -> bool:
        return bool(wordnet().lemmas(lemma, pos))

    def antonyms(self, lemma: str, pos: str) -> tuple[str, ...]:
        for sense in wordnet().lemmas(lemma, pos):
            opposites = [antonym.name() for antonym in sense.antonyms() if "_" not in antonym.name()]
            if opposites:
                return tuple(opposites)
        return ()


class PlainTagger:
    """What `nltk.pos_tag` does, with the model loaded once."""

    def __init__(self, read: PerceptronTagger) -> None:
        self._read = read

    def tags(self, tokens: Sequence[str]) -> list[str]:
        return [tag for _, tag in self._read.tag(tokens)]


def plain_tagger() -> PlainTagger:
    """Of the weights that ours has."""
    with mock.patch.object(tagger, "Tagger", PlainTagger):
        return tagger.tagger.__wrapped__()


def human_records() -> tuple[list[StoryRecord], str]:
    """At most `STORIES` of them, and what they are."""
    if MANS.is_file():
        texts, what = [story.text for story in stories()[0]], "MANS-ROC"
    else:
        texts, what = [story.text for story in demonstration().stories], "the demonstration's stories"
    chosen = texts[:STORIES]
    return [StoryRecord(str(i), str(i), "", text, Source.HUMAN) for i, text in enumerate(chosen)], what


def _made(records: list[StoryRecord], known: knowledge.Knowledge) -> NegativeSet:
    return negative_set(records, Sampler([record.text for record in records], known), 0)


def _look_ups(records: list[StoryRecord], what: str) -> Row:
    """Whether each word is a keyword and what its opposites are, in the order in which the stories have them."""
    words_of_text = [word for record in records for word in words(record.text)]
    asked = [
        (knowledge.lemma_of(word.text, pos), pos)
        for word in words_of_text
        if (pos := knowledge.pos_of(word.text, word.tag))
    ]

    def looked_up(known: knowledge.Knowledge) -> list[tuple[bool, tuple[str, ...]]]:
        return [(known.knows(*part), known.antonyms(*part)) for part in asked]

    known = knowledge.WordNet()

    def ours() -> list[tuple[bool, tuple[str, ...]]]:
        known.antonyms.cache_clear()
        return looked_up(known)

    same = ours() == looked_up(Plain())
    return compare(
        f"keywords and antonyms of {len(asked):,} words ({what})",
        "NLTK's reader",
        ours,
        lambda: looked_up(Plain()),
        rounds=ROUNDS,
        units=len(asked),
        unit="words",
        remark="equal" if same else "UNEQUAL",
    )


def run() -> list[Row]:
    """Counting the keywords and making a negative of each story; and the look-ups alone."""
    records, what = human_records()

    def ours() -> NegativeSet:
        for remembered in REMEMBERED:
            remembered.cache_clear()
        return _made(records, knowledge.WordNet())

    usual = plain_tagger()
    plain = [
        *((module, "words", words.__wrapped__) for module in (negation, sampler, substitution)),
        *((module, "lemma_of", knowledge.lemma_of.__wrapped__) for module in (negation, substitution)),
        (substitution, "inflected", knowledge.inflected.__wrapped__),
        (word_module, "tagger", lambda: usual),
    ]

    def peer() -> NegativeSet:
        with ExitStack() as patched:
            for module, name, instead in plain:
                patched.enter_context(mock.patch.object(module, name, instead))
            return _made(records, Plain())

    same = [case.perturbed.text for case in ours().cases] == [case.perturbed.text for case in peer().cases]
    row = compare(
        f"negatives of {len(records)} stories ({what})",
        "the same rules over plain NLTK",
        ours,
        peer,
        rounds=ROUNDS,
        units=len(records),
        unit="stories",
        remark="the same texts" if same else "OTHER TEXTS",
    )
    return [row, _look_ups(records, what)]
