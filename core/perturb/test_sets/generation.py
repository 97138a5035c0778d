"""Makes a test set: its settings as a form, a command or a job gives them, its resources, and the work."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from core.checks.language import ENGLISH, SURE_OF_ANOTHER, language
from core.english.frames import frames
from core.english.knowledge import WORDNET, Knowledge, knowledge_named
from core.english.relations import relations_of
from core.english.sentences import ParsedStory, Resources
from core.english.substitution import Vocabulary
from core.errors import InputError
from core.perturb.cases import Case, Of, kept_sentences
from core.perturb.edits import Perturbed
from core.perturb.negatives.sets import EMPTY, SINGLE
from core.perturb.paraphrases.rules import RuleParaphrases
from core.perturb.paraphrases.similarity import UNRELATED, weakly_related
from core.perturb.paraphrases.sources import PairsFile, Paraphrases, Translated, accepted
from core.perturb.techniques.commonsense import seen_in
from core.perturb.test_sets.aspects import Aspect, Change, Techniques, Test
from core.perturb.test_sets.discrimination import coherent, incoherent
from core.perturb.test_sets.grammar import SHIPPED, Reads, classifier_named, judge_cases
from core.perturb.test_sets.invariance import perturbed
from core.perturb.test_sets.test_set import SetDescription, TestSet, lengths
from core.stories import StoryRecord, sentences

LENDERS = 2_000
"""Stories that lend their words and sentences: more give no other words, and keep whoever waits."""
SENTENCES_PARAPHRASED = 2
"""Of a story, at random, where each takes a translation there and back; a file is asked for all."""
FIRST_SENTENCES = 8
"""Of a story are related first: two of them are alike in nearly every longer one."""
OnProgress = Callable[[str, int, int], None]
"""Called with what is being done, and how many of how many are through: sentences where it says so, else stories."""


def resources_for(
    records: Sequence[StoryRecord],
    wanted: Sequence[str],
    knowledge: Knowledge,
    seed: int,
    *,
    paraphrases: Paraphrases | None = None,
    device: str = "auto",
    on_progress: OnProgress | None = None,
) -> Resources:
    """All that the `wanted` aspects or changes need of these stories. Raises ModelMissing and InputError."""
    tell: OnProgress = on_progress or _silent
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


def _weakly_related(texts: Sequence[str], device: str, tell: OnProgress) -> frozenset[str]:
    """The stories of which no two sentences are alike. Most are known by their first sentences: only what is left of a
    long story is read to its end.
    """
    split = {text: [text[start:end] for start, end in sentences(text)] for text in texts}
    for most in (FIRST_SENTENCES, None):
        read = [text for text, parts in split.items() if most or len(parts) > FIRST_SENTENCES]
        done = _counting("looking for weakly related stories", len(read), tell)
        known = weakly_related([split[text][:most] for text in read], UNRELATED, device=device, done=done)
        alike = {text for text, weak in zip(read, known, strict=True) if not weak}
        split = {text: parts for text, parts in split.items() if text not in alike}
    return frozenset(split)


def _sentences(stories: Sequence[str], tell: OnProgress) -> Iterator[str]:
    for number, story in enumerate(stories, start=1):
        yield from (story[start:end] for start, end in sentences(story))
        tell("counting words", number, len(stories))


def _paraphrased(
    records: Sequence[StoryRecord], source: Paraphrases, seed: int, device: str, tell: OnProgress
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
    return {sentence: paraphrase.text for sentence, paraphrase in accepted(source, list(asked), done, device).items()}


def _counting(what: str, number: int, tell: OnProgress) -> Callable[[int], None]:
    so_far = 0

    def done(more: int) -> None:
        nonlocal so_far
        so_far += more
        tell(what, min(so_far, number), number)

    return done


PARAPHRASED = (Aspect.SEMANTIC_REPETITION, Change.PARAPHRASES)


@dataclass(frozen=True)
class TestSetSettings:
    """What is wanted: the `aspects` of a test (or its changes), of at most `most` stories.

    `paraphrases`: a file; `translation`: two models, there and back; without either Fabula's rules make them.
    `filter`: the classifier of grammaticality: `shipped`, `language-model`, `none`, or a model's name; `filter_reads`:
    what it is given of a case. `techniques`: ours, or as the paper prints them.
    """

    __test__ = False  # no class of tests, whatever pytest takes its name for

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
        """Return the settings that a job keeps."""
        return asdict(self)


def settings_from(settings: Mapping[str, Any]) -> TestSetSettings:
    """Read the settings from a job's, which may hold other things too."""
    names = {field.name for field in fields(TestSetSettings)}
    kept = {name: value for name, value in settings.items() if name in names}
    forth, back = kept.pop("translation")
    kept["filter_reads"] = Reads(kept.get("filter_reads", Reads.NEW))
    techniques = Techniques(kept.pop("techniques", Techniques.OURS))  # jobs of before there was a choice
    return TestSetSettings(
        **{**kept, "test": Test(kept["test"]), "aspects": tuple(kept["aspects"]), "translation": (forth, back)},
        techniques=techniques,
    )


def generate(records: Sequence[StoryRecord], order: TestSetSettings, on_progress: OnProgress | None = None) -> TestSet:
    """The test set of these human stories. `on_progress`: see `OnProgress`.

    Raises InputError where nothing can be made of them, or a file or model is none; ModelMissing where one is missing.
    """
    tell = on_progress or _silent
    paraphrases, classifier = _paraphrases(order), classifier_named(order.filter, order.device)
    knowledge = knowledge_named(order.knowledge)
    chosen = sample_stories(records, order.most, order.seed)
    kept, left_out = split_usable(chosen)
    if not kept:
        reasons = ", ".join(dict.fromkeys(reason for _, reason in left_out)) or "there is none"
        raise InputError(f"No story can be tested with: {reasons}.")
    means = resources_for(
        kept, order.aspects, knowledge, order.seed, paraphrases=paraphrases, device=order.device, on_progress=tell
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
    """Progress that nobody wants to hear of."""


def _paraphrases(order: TestSetSettings) -> Paraphrases | None:
    forth, back = order.translation
    if order.paraphrases and (forth or back):
        raise InputError("Paraphrases come from a file or from translation models: name one of them, not both.")
    if bool(forth) != bool(back):
        raise InputError("A translation there and back takes two models: name both.")
    if order.paraphrases:
        return PairsFile(order.paraphrases)
    if forth:
        return Translated(forth, back, order.device)
    return RuleParaphrases(order.device) if set(PARAPHRASED) & set(order.aspects) else None


def split_usable(records: Sequence[StoryRecord]) -> tuple[list[StoryRecord], list[tuple[str, str]]]:
    """The stories that can be tested with, and the others: (id, reason)."""
    kept, left_out = [], []
    for record in records:
        reason = _why_not(record)
        if reason:
            left_out.append((record.key, reason))
        else:
            kept.append(record)
    return kept, left_out


def _why_not(record: StoryRecord) -> str | None:
    number = len(sentences(record.text))
    if not number:
        return EMPTY
    if number <= kept_sentences(record.prompt, record.text):
        return SINGLE
    result = language(record.text)
    if result.code not in ("", ENGLISH) and result.probability >= SURE_OF_ANOTHER:
        return f"it is in {result.name}, and the aspects are of English"
    return None


def sample_stories(records: Sequence[StoryRecord], most: int | None, seed: int) -> list[StoryRecord]:
    """Return at most so many stories, drawn at random, in their order."""
    if most is None or most >= len(records):
        return list(records)
    places = random.Random(f"{seed}/stories").sample(range(len(records)), most)
    return [records[place] for place in sorted(places)]


def discrimination_cases(
    records: Sequence[StoryRecord],
    aspects: Sequence[Aspect],
    means: Resources,
    seed: int,
    done: Callable[[int], None] | None = None,
    by: Techniques = Techniques.OURS,
) -> Iterator[Case]:
    """Coherent and incoherent examples of usable stories; `done` is told how many stories are through."""
    for number, record in enumerate(records, start=1):
        reading = ParsedStory(record.text, kept_sentences(record.prompt, record.text))
        for aspect in aspects:
            if coherent(reading, aspect, means, by):
                yield Case(record.key, aspect, 1, record.prompt, unchanged(record.text))
            altered = incoherent(reading, aspect, means, f"{seed}/{record.key}", by)
            if altered:
                yield Case(record.key, aspect, 0, record.prompt, altered)
        if done:
            done(number)


def invariance_cases(
    records: Sequence[StoryRecord],
    changes: Sequence[Change],
    means: Resources,
    seed: int,
    done: Callable[[int], None] | None = None,
    by: Techniques = Techniques.OURS,
) -> Iterator[Case]:
    """Originals and changed ones, of usable stories and of an incoherent example of each: of an aspect drawn from those
    that find something to change in it.
    """
    for number, record in enumerate(records, start=1):
        kept = kept_sentences(record.prompt, record.text)
        own = f"{seed}/{record.key}"
        reading = ParsedStory(record.text, kept)
        for change in changes:
            yield from _pair(record, record.key, change, Of.HUMAN, perturbed(reading, change, means, own, by))
        aspect, worse = _incoherent(reading, means, own, by)
        if worse:
            reading = ParsedStory(worse.text, kept)
            for change in changes:
                altered = perturbed(reading, change, means, f"{own}/{aspect}", by)
                yield from _pair(record, f"{record.key}/{aspect}", change, Of.INCOHERENT, altered)
        if done:
            done(number)


def _pair(record: StoryRecord, key: str, change: Change, of: Of, altered: Perturbed | None) -> Iterator[Case]:
    if altered:
        story = "" if key == record.key else record.key
        yield Case(key, change, 1, record.prompt, unchanged(altered.original), story, of)
        yield Case(key, change, 0, record.prompt, altered, story, of)


def _incoherent(
    reading: ParsedStory, means: Resources, seed: str, by: Techniques
) -> tuple[Aspect | None, Perturbed | None]:
    """An incoherent example, never of semantic repetition: whether there are paraphrases must change nothing else."""
    aspects = [aspect for aspect in Aspect if aspect is not Aspect.SEMANTIC_REPETITION]
    for aspect in random.Random(f"{seed}/incoherent").sample(aspects, len(aspects)):
        altered = incoherent(reading, aspect, means, seed, by)
        if altered:
            return aspect, altered
    return None, None


def unchanged(text: str) -> Perturbed:
    """A text to which nothing was done."""
    return Perturbed(text, text, (), ())


def description_of(result: TestSet, order: TestSetSettings, of: str, group: str) -> SetDescription:
    """Describe a set that was made here."""
    return SetDescription(
        stories=result.stories,
        aspects=[str(aspect) for aspect in order.aspects],
        lengths=lengths(result.cases),
        of=of,
        group=group,
        seed=result.seed,
        left_out=result.reasons,
        made_with=dict(result.made_with),
    )
