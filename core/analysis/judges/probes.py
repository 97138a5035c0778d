"""What a judge's biases are measured with: a sample of a study's stories, asked about again, in other words, and
changed, with each rating beside the one that the story has as it is.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from core.arrays import Floats, Ints
from core.english.knowledge import WORDNET, knowledge_named
from core.english.sentences import ParsedStory, Resources, Technique
from core.judges.asking import Backend
from core.judges.injections import INJECTIONS
from core.judges.judge import Question, judge
from core.judges.study import RepliesOf, ReplyStore
from core.judges.template import Template
from core.judges.wordings import other_wordings
from core.perturb.cases import kept_sentences
from core.perturb.negatives.sampler import Mix, Sampler
from core.perturb.negatives.sampler import Technique as Way
from core.perturb.techniques import consistency, relatedness, repetition
from core.perturb.test_sets.aspects import Change
from core.perturb.test_sets.discrimination import applied
from core.perturb.test_sets.generation import resources_for, split_usable
from core.perturb.test_sets.invariance import perturbed
from core.stories import Story, StoryRecord

STORIES, MOST_STORIES = 50, 1_000
"""Of a study that are drawn where nothing is said, and at most."""


class Check(StrEnum):
    """What is done to a story, or to the question about it: asked once more, in other wordings, with an instruction put
    into the story, with the story damaged, and with a change that should not matter.
    """

    REPEAT = "repeat"
    WORDING = "wording"
    INJECTION = "injection"
    DISCRIMINATION = "discrimination"
    INVARIANCE = "invariance"


SHUFFLED = "sentences shuffled"
DAMAGES: Mapping[str, Technique] = {
    "words repeated": repetition.repeat_words,
    "words replaced": relatedness.replace_at_random,
    "another story's sentence": relatedness.replace_sentence,
    "negation": consistency.deny,
}
"""Of the test of discrimination those that need no model, one technique each; `SHUFFLED` is a fifth."""
HARMLESS = (Change.SYNONYMS, Change.PUNCTUATION, Change.CONTRACTION, Change.TYPOS)
"""Of the test of invariance those that need no model."""


@dataclass(frozen=True)
class SampledStory:
    """A story of a study: its number, its prompt's key, its system, and what a judge reads of it. `content_hash`: what
    its replies are kept under, with its references.
    """

    number: int
    prompt: str
    system: str
    story: Story
    content_hash: str


@dataclass(frozen=True)
class Probe:
    """One question of a check: about a sampled story, as `story` and in the words of `template`. `variant`: which of
    the check's; `times`: how often the same has been asked before.
    """

    check: Check
    variant: str
    of: SampledStory
    story: Story
    template: Template
    times: int = 0


@dataclass(frozen=True)
class ProbeRatings:
    """What a judge rated on one check, one entry a probe: its variant, the number and the prompt of its story, the
    rating of the story as it is (`before`) and of the probe (`after`), NaN where there is none, for the reason given.
    """

    check: Check
    variants: tuple[str, ...]
    stories: Ints
    prompts: tuple[str, ...]
    before: Floats
    after: Floats
    reasons: tuple[str, ...]


def draw_stories(stories: Sequence[SampledStory], most: int = STORIES, *, seed: int = 0) -> list[SampledStory]:
    """So many at most, in their order: of as many prompts as there are, each as often as the others, and of each the
    story of the system that was drawn least so far. Empty stories are never drawn.
    """
    rng = random.Random(f"{seed}/judged stories")
    left: dict[str, list[SampledStory]] = {}
    for story in stories:
        if story.story.text.strip():
            left.setdefault(story.prompt, []).append(story)
    order = rng.sample(sorted(left), len(left))
    drawn: list[SampledStory] = []
    systems = Counter[str]()
    while len(drawn) < most and any(left.values()):
        for prompt in order:
            if left[prompt] and len(drawn) < most:
                fewest = min(systems[one.system] for one in left[prompt])
                chosen = rng.choice([one for one in left[prompt] if systems[one.system] == fewest])
                left[prompt].remove(chosen)
                systems[chosen.system] += 1
                drawn.append(chosen)
    places = {story.number: place for place, story in enumerate(stories)}
    return sorted(drawn, key=lambda story: places[story.number])


def probes_of(question: Question, sample: Sequence[SampledStory], *, seed: int = 0) -> list[Probe]:
    """All that is asked of a sample besides its stories as they are, check after check. A story that a change finds
    nothing in, or that is not in English, is left out of that change.
    """
    template, way = question.template, question.template.way
    probes = [Probe(Check.REPEAT, "", of, of.story, template, 1) for of in sample]
    probes += [
        Probe(Check.WORDING, other.title, of, of.story, other) for other in other_wordings(template) for of in sample
    ]
    for injection in INJECTIONS:
        for of in sample:
            text = injection.into(of.story.text, question.criterion, way)
            probes.append(Probe(Check.INJECTION, injection.name, of, replace(of.story, text=text), template))
    changed = [
        Probe(check, variant, of, replace(of.story, text=text), template)
        for check, variant, of, text in _changed(sample, seed)
    ]
    return probes + sorted(changed, key=lambda probe: list(Check).index(probe.check))


def _changed(sample: Sequence[SampledStory], seed: int) -> Iterator[tuple[Check, str, SampledStory, str]]:
    """The damaged and the harmlessly changed texts of the stories that can be changed."""
    by_key = {str(of.number): of for of in sample}
    records = [StoryRecord(key, of.prompt, of.story.prompt, of.story.text) for key, of in by_key.items()]
    usable, _ = split_usable(records)
    if not usable:
        return
    knowledge = knowledge_named(WORDNET)
    means = resources_for(usable, (), knowledge, seed)
    shuffles = Sampler([record.text for record in usable], knowledge, Mix({Way.REORDERING: 1.0}, (1.0,)))
    for record in usable:
        own, of = f"{seed}/{record.key}", by_key[record.key]
        kept = kept_sentences(record.prompt, record.text)
        reading = ParsedStory(record.text, kept)
        if shuffled := shuffles.negative(record.text, f"{own}/{SHUFFLED}", kept):
            yield Check.DISCRIMINATION, SHUFFLED, of, shuffled.text
        for name, technique in DAMAGES.items():
            if damaged := _by(technique, name, reading, means, own):
                yield Check.DISCRIMINATION, name, of, damaged
        for change in HARMLESS:
            if harmless := perturbed(reading, change, means, own):
                yield Check.INVARIANCE, change, of, harmless.text


def _by(technique: Technique, name: str, reading: ParsedStory, means: Resources, seed: str) -> str | None:
    made = applied(reading, [technique], means, random.Random(f"{seed}/{name}"))
    return made.text if made else None


def most_questions(question: Question) -> int:
    """How often a run asks about a story at most, as it is and changed."""
    changes = len(INJECTIONS) + len(DAMAGES) + 1 + len(HARMLESS)
    return 2 + len(other_wordings(question.template)) + changes


def measured(
    question: Question,
    backend: Backend,
    model: str,
    store: ReplyStore,
    sample: Sequence[SampledStory],
    probes: Sequence[Probe],
    on_progress: Callable[[float], None] | None = None,
) -> Iterator[ProbeRatings]:
    """Rate the sample and then every probe, check by check; a check's ratings come as soon as it is done.

    `backend`, `model`, `store`, `on_progress`: as `judge` takes them; replies are kept with the story that they are
    about in the end. Raises FabulaError where nothing can be asked.
    """
    hashes = {of.story.content_hash: of.content_hash for of in sample}
    hashes |= {probe.story.content_hash: probe.of.content_hash for probe in probes}
    kept = RepliesOf(store, hashes)

    def rated(stories: Sequence[Story], template: Template, times: int) -> list[float | str]:
        asked = replace(question, template=template)
        return judge(replace(asked, times=times), backend, model, kept, stories, on_progress)

    as_they_are = rated([of.story for of in sample], question.template, 0)
    before = {of.number: value for of, value in zip(sample, as_they_are, strict=True)}
    for check in Check:
        mine = [probe for probe in probes if probe.check is check]
        groups: dict[tuple[Template, int], list[int]] = {}
        for place, probe in enumerate(mine):
            groups.setdefault((probe.template, probe.times), []).append(place)
        after: dict[int, float | str] = {}
        for (template, times), places in groups.items():
            values = rated([mine[place].story for place in places], template, times)
            after |= dict(zip(places, values, strict=True))
        yield _beside(check, mine, before, [after[place] for place in range(len(mine))])


def _beside(
    check: Check, probes: Sequence[Probe], before: Mapping[int, float | str], after: Sequence[float | str]
) -> ProbeRatings:
    pairs = [(before[probe.of.number], value) for probe, value in zip(probes, after, strict=True)]
    reasons = [next((value for value in pair if isinstance(value, str)), "") for pair in pairs]
    numbers = np.array([[np.nan if isinstance(v, str) else v for v in pair] for pair in pairs], dtype=np.float64)
    numbers = numbers.reshape(-1, 2)
    return ProbeRatings(
        check,
        tuple(probe.variant for probe in probes),
        np.array([probe.of.number for probe in probes], dtype=np.intp),
        tuple(probe.of.prompt for probe in probes),
        numbers[:, 0],
        numbers[:, 1],
        tuple(reasons),
    )
