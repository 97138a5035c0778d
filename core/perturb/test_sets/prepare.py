"""What test sets are made with, got ready: words that stories lend, relations, paraphrases, weakly related stories."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from core.english.frames import frames
from core.english.knowledge import Knowledge
from core.english.relations import relations_of
from core.english.sentences import Means
from core.english.substitution import Vocabulary
from core.perturb.negatives.sets import kept_sentences
from core.perturb.paraphrases.similarity import UNRELATED, weakly_related
from core.perturb.paraphrases.sources import Paraphrases, Translated, accepted
from core.perturb.techniques.commonsense import seen_in
from core.perturb.test_sets.aspects import Aspect, Change
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
) -> Means:
    """All that the `wanted` aspects or changes need of these stories. Raises ModelMissing and InputError."""
    tell: Told = told or (lambda what, done, number: None)
    texts = [record.text for record in records]
    lenders = random.Random(f"{seed}/lenders").sample(texts, min(LENDERS, len(texts)))
    vocabulary = Vocabulary.of(_sentences(lenders, tell), knowledge)
    close = bool({Aspect.SEMANTIC_REPETITION, Change.PARAPHRASES} & set(wanted)) and paraphrases is not None
    weak = _weakly_related(texts, device, tell) if Aspect.RELATEDNESS in wanted else frozenset()
    return Means(
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
