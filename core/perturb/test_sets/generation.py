"""A test set is made: its settings as a form, a command or a job gives them, what it is made with, and the work."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from core.english.frames import frames
from core.english.knowledge import WORDNET, Knowledge, knowledge_named
from core.english.relations import relations_of
from core.english.sentences import Resources
from core.english.substitution import Vocabulary
from core.errors import InputError
from core.perturb.cases import kept_sentences
from core.perturb.paraphrases.rules import RuleParaphrases
from core.perturb.paraphrases.similarity import UNRELATED, weakly_related
from core.perturb.paraphrases.sources import PairsFile, Paraphrases, Translated, accepted
from core.perturb.techniques.commonsense import seen_in
from core.perturb.test_sets.aspects import Aspect, Change, Techniques, Test
from core.perturb.test_sets.grammar import (
    LANGUAGE_MODEL,
    NONE,
    SHIPPED,
    ByLanguageModel,
    GrammarClassifier,
    Model,
    Reads,
    Shipped,
    judge_cases,
)
from core.perturb.test_sets.test_set import TestSet, discrimination_cases, invariance_cases, sampled, usable
from core.stories import StoryRecord, sentences

LENDERS = 2_000
"""Stories that lend their words and sentences: more give no other words, and keep whoever waits."""
SENTENCES_PARAPHRASED = 2
"""Of a story, at random, where each takes a translation there and back; a file is asked for all."""
FIRST_SENTENCES = 8
"""Of a story are related first: two of them are alike in nearly every longer one."""
Told = Callable[[str, int, int], None]
"""Is told what is being done, and how many of how many are through: sentences where it says so, stories otherwise."""


def prepared(
    records: Sequence[StoryRecord],
    wanted: Sequence[str],
    knowledge: Knowledge,
    seed: int,
    *,
    paraphrases: Paraphrases | None = None,
    device: str = "auto",
    told: Told | None = None,
) -> Resources:
    """All that the `wanted` aspects or changes need of these stories. Raises ModelMissing and InputError."""
    tell: Told = told or (lambda what, done, number: None)
    texts = [record.text for record in records]
    lenders = random.Random(f"{seed}/lenders").sample(texts, min(LENDERS, len(texts)))
    vocabulary = Vocabulary.of(_sentences(lenders, tell), knowledge)
    close = bool({Aspect.SEMANTIC_REPETITION, Change.PARAPHRASES} & set(wanted)) and paraphrases is not None
    weak = _weakly_related(texts, device, tell) if Aspect.RELATEDNESS in wanted else frozenset()
    return Resources(
        relations_of(knowledge, vocabulary),
        lenders,
        vocabulary,
        frames(lenders),
        seen_in(lenders),
        _paraphrased(records, paraphrases, seed, device, tell) if close and paraphrases else {},
        weak,
    )


def _weakly_related(texts: Sequence[str], device: str, tell: Told) -> frozenset[str]:
    """The stories of which no two sentences are alike. Most are known by their first sentences: only what is left of a
    long story is read to its end.
    """
    split = {text: [text[start:end] for start, end in sentences(text)] for text in texts}
    for most in (FIRST_SENTENCES, None):
        read = [text for text, there in split.items() if most or len(there) > FIRST_SENTENCES]
        done = _counting("looking for weakly related stories", len(read), tell)
        known = weakly_related([split[text][:most] for text in read], UNRELATED, device=device, done=done)
        alike = {text for text, found in zip(read, known, strict=True) if not found}
        split = {text: there for text, there in split.items() if text not in alike}
    return frozenset(split)


def _sentences(stories: Sequence[str], tell: Told) -> Iterator[str]:
    for number, story in enumerate(stories, start=1):
        yield from (story[start:end] for start, end in sentences(story))
        tell("counting words", number, len(stories))


def _paraphrased(
    records: Sequence[StoryRecord], source: Paraphrases, seed: int, device: str, tell: Told
) -> dict[str, str]:
    """Accepted paraphrases by sentence: of some sentences of each story, those that may change."""
    asked: dict[str, None] = {}
    for record in records:
        free = sentences(record.text)[kept_sentences(record.prompt, record.text) :]
        if isinstance(source, Translated):
            rng = random.Random(f"{seed}/{record.key}/paraphrases")
            free = rng.sample(free, min(SENTENCES_PARAPHRASED, len(free)))
        asked |= {record.text[start:end]: None for start, end in free}
    done = _counting("paraphrasing sentences", len(asked), tell)
    return {sentence: found.text for sentence, found in accepted(source, list(asked), done, device).items()}


def _counting(what: str, number: int, tell: Told) -> Callable[[int], None]:
    so_far = 0

    def done(more: int) -> None:
        nonlocal so_far
        so_far += more
        tell(what, min(so_far, number), number)

    return done


PARAPHRASED = (Aspect.SEMANTIC_REPETITION, Change.PARAPHRASES)


@dataclass(frozen=True)
class Order:
    """What is wanted: the `aspects` of a test (or its changes), of at most `most` stories.

    `paraphrases`: a file; `translation`: two models, there and back; without either Fabula's rules make them.
    `filter`: the classifier of grammaticality: `shipped`, `language-model`, `none`, or a model's name; `filter_reads`:
    what it is given of a case. `techniques`: ours, or as the paper prints them.
    """

    test: Test
    aspects: Sequence[str]
    most: int | None = None
    seed: int = 0
    knowledge: str = WORDNET
    paraphrases: str = ""
    translation: tuple[str, str] = ("", "")
    filter: str = SHIPPED
    device: str = "auto"
    filter_reads: Reads = Reads.NEW
    techniques: Techniques = Techniques.OURS

    def settings(self) -> dict[str, Any]:
        """As a job keeps it."""
        return asdict(self)


def order_from(settings: Mapping[str, Any]) -> Order:
    """From a job's settings, which may hold other things too."""
    names = {field.name for field in fields(Order)}
    kept = {name: value for name, value in settings.items() if name in names}
    there, back = kept.pop("translation")
    kept["filter_reads"] = Reads(kept.get("filter_reads", Reads.NEW))
    techniques = Techniques(kept.pop("techniques", Techniques.OURS))  # jobs of before there was a choice
    return Order(
        **{**kept, "test": Test(kept["test"]), "aspects": tuple(kept["aspects"]), "translation": (there, back)},
        techniques=techniques,
    )


def made(records: Sequence[StoryRecord], order: Order, told: Callable[[str, int, int], None] | None = None) -> TestSet:
    """The test set of these human stories. `told`: what is being done, how many of how many are through.

    Raises InputError where nothing can be made of them, or a file or model is none; ModelMissing where one is missing.
    """
    tell = told or _silent
    paraphrases, classifier = _paraphrases(order), classifier_named(order.filter, order.device)
    knowledge = knowledge_named(order.knowledge)
    chosen = sampled(records, order.most, order.seed)
    kept, left_out = usable(chosen)
    if not kept:
        reasons = ", ".join(dict.fromkeys(reason for _, reason in left_out)) or "there is none"
        raise InputError(f"No story can be tested with: {reasons}.")
    means = prepared(
        kept, order.aspects, knowledge, order.seed, paraphrases=paraphrases, device=order.device, told=tell
    )

    def done(number: int) -> None:
        tell("making cases", number, len(kept))

    if order.test is Test.DISCRIMINATION:
        aspects = [Aspect(aspect) for aspect in order.aspects]
        cases = tuple(discrimination_cases(kept, aspects, means, order.seed, done, order.techniques))
    else:
        changes = [Change(aspect) for aspect in order.aspects]
        cases = tuple(invariance_cases(kept, changes, means, order.seed, done, order.techniques))
    if not any(not case.label for case in cases):
        raise InputError(
            "Nothing in these stories can be changed in the aspects chosen: choose others, or more stories."
        )
    if classifier:
        cases = judge_cases(
            cases, classifier, lambda number, of: tell("judging grammaticality", number, of), order.filter_reads
        )
    made_with = {
        "techniques": str(order.techniques),
        "lexicon": means.relations.name,
        "paraphrases": paraphrases.name if paraphrases else "none",
        "filter": classifier.name if classifier else "none",
    }
    if classifier and order.filter_reads is not Reads.NEW:
        made_with["filter reads"] = str(order.filter_reads)
    return TestSet(order.test, len(kept), cases, tuple(left_out), order.seed, made_with)


def _silent(what: str, done: int, number: int) -> None:
    """Nobody is told."""


def _paraphrases(order: Order) -> Paraphrases | None:
    there, back = order.translation
    if order.paraphrases and (there or back):
        raise InputError("Paraphrases come from a file or from translation models: name one of them, not both.")
    if bool(there) != bool(back):
        raise InputError("A translation there and back takes two models: name both.")
    if order.paraphrases:
        return PairsFile(order.paraphrases)
    if there:
        return Translated(there, back, order.device)
    return RuleParaphrases(order.device) if set(PARAPHRASED) & set(order.aspects) else None


def classifier_named(name: str, device: str = "auto") -> GrammarClassifier | None:
    """`shipped`, `language-model`, `none`, or a model. Raises ModelMissing."""
    if name == NONE:
        return None
    own: dict[str, Callable[[str], GrammarClassifier]] = {SHIPPED: Shipped, LANGUAGE_MODEL: ByLanguageModel}
    return own[name](device) if name in own else Model(name, device)
