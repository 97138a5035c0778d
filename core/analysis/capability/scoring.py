"""Metrics at work on a test set: which can be tested on one and which a page offers, what they read of its cases, their
scores as columns.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.capability.examples import Cases, Scored
from core.arrays import Floats, Ints
from core.errors import ModelMissing
from core.metrics import METRICS, build, registered
from core.metrics.base import Kind, Metric
from core.metrics.batches import STORIES_A_BATCH, score_in_turns
from core.metrics.blend import Blend
from core.perturb.cases import Case
from core.perturb.test_sets.aspects import Test, test_of
from core.perturb.test_sets.grammar import passes
from core.scores import IMPORTED
from core.stories import Story, begins_with_prompt, sentences, without_prompt

SELF_REFERENCE = (
    "it compares a story with a human one, and a coherent example is its own reference (OpenMEVA 2021, note 8)"
)
A_BLEND = "it depends on a study's other stories, and a test set has none"


def why_not_applicable(metric: type[Metric]) -> str | None:
    """Why a metric cannot be tested on a test set; None where it can."""
    if metric.kind is not Kind.UNREFERENCED:
        return SELF_REFERENCE
    return A_BLEND if issubclass(metric, Blend) else None


def columns_of(cases: Sequence[Case]) -> Cases:
    """The cases as columns, the form that an analysis takes."""
    return Cases(
        [case.aspect for case in cases],
        np.array([case.label for case in cases], dtype=np.intp),
        [case.source for case in cases],
        [case.of for case in cases],
        np.array([passes(case) for case in cases], dtype=np.bool_),
    )


def stories_of(case: Case, whole: bool = False) -> tuple[Story, Story]:
    """What a metric reads: the changed text and its original, both with a prompt or both without.

    Texts that begin with their prompt are read without it, so that no metric reads it twice; where the change is in the
    prompt itself, both are read whole. Without a prompt the first sentence is one, as in ROCStories, if it is the same
    in both and something follows it; `whole`: never.
    """
    text, original, prompt = case.perturbed.text.strip(), case.perturbed.original.strip(), case.prompt.strip()
    if prompt and not begins_with_prompt(prompt, original):
        return Story(text, prompt), Story(original, prompt)
    if prompt and begins_with_prompt(prompt, text):
        return Story(without_prompt(prompt, text), prompt), Story(without_prompt(prompt, original), prompt)
    if not prompt and not whole:
        (first, rest), (own_first, own_rest) = _first_sentence(text), _first_sentence(original)
        if first == own_first and rest and own_rest:
            return Story(rest, first), Story(own_rest, first)
    return Story(text), Story(original)


def _first_sentence(text: str) -> tuple[str, str]:
    """Split a text into its first sentence and the rest."""
    start, end = next(iter(sentences(text)), (0, 0))
    return text[start:end], text[end:].strip()


@dataclass(frozen=True)
class TestSetTexts:
    """What is read of a test set. `stories`: each once, the longest first; `texts`, `originals`: the number of each
    case's among them. `notices`: where cases of an aspect are read differently.
    """

    stories: tuple[Story, ...]
    texts: Ints
    originals: Ints
    notices: tuple[str, ...]

    def column(self, metric: str, signature: str, values: Floats) -> Scored:
        """A metric's scores of the stories, laid out by case."""
        return Scored(metric, signature, values[self.texts], values[self.originals])


def lay_out(cases: Sequence[Case], whole: bool = False) -> TestSetTexts:
    """Collect `stories_of` all cases, each distinct story once."""
    read = [stories_of(case, whole) for case in cases]
    different = sorted(dict.fromkeys(story for pair in read for story in pair), key=lambda story: -len(story.text))
    places = {story: place for place, story in enumerate(different)}
    numbers = np.array([[places[story] for story in pair] for pair in read], dtype=np.intp).reshape(-1, 2)
    return TestSetTexts(tuple(different), numbers[:, 0], numbers[:, 1], tuple(_mixed(cases, read)))


def _mixed(cases: Sequence[Case], read: Sequence[tuple[Story, Story]]) -> Iterator[str]:
    """Aspects of discrimination in which some cases are read with a prompt and some without: metrics that read a story
    after its prompt could tell them apart by that alone. Pairs of invariance are always read alike.
    """
    every = Counter(case.aspect for case in cases if test_of(case.aspect) is Test.DISCRIMINATION)
    without = Counter(case.aspect for case, (story, _) in zip(cases, read, strict=True) if not story.prompt)
    for aspect, number in every.items():
        if 0 < without[aspect] < number:
            yield (
                f"{aspect}: {without[aspect]:,} of {number:,} stories are read without a prompt, as their beginning "
                "was changed or is all there is, and the others with one; `capability --whole-stories` reads all alike "
                "where cases have no prompt."
            )


def score_stories(
    metrics: Sequence[Metric],
    stories: Sequence[Story],
    size: int = STORIES_A_BATCH,
    done: Callable[[int], None] | None = None,
) -> tuple[list[Floats], list[str]]:
    """Each metric's scores, one per story, and sentences that say how many have none and why.

    Metrics that share a model take turns batch by batch, so that what it has read serves all. `done` is told how many
    scores there are. Raises FabulaError as `score_batch` does.
    """
    values = [np.full(len(stories), np.nan) for _ in metrics]
    reasons: list[Counter[str]] = [Counter() for _ in metrics]
    scored = 0
    numbered = list(enumerate(stories))
    rounds = ([numbered[begin : begin + size]] * len(metrics) for begin in range(0, len(stories), size))
    for turn in score_in_turns(metrics, rounds):
        values[turn.metric][list(turn.keys)] = turn.scores.values
        reasons[turn.metric].update(turn.scores.reasons.values())
        scored += len(turn.keys)
        if done:
            done(scored)
    undefined = [
        f"{metric.name} is undefined for {count:,} of {len(stories):,} texts: {reason}."
        for metric, why in zip(metrics, reasons, strict=True)
        for reason, count in why.most_common()
    ]
    return values, undefined


def offered() -> tuple[tuple[str, ...], Mapping[str, tuple[str, ...]]]:
    """Metrics that can run on test sets here, and the others by their reason."""
    ready: list[str] = []
    reasons: dict[str, list[str]] = {}
    for name, metric in METRICS.items():
        reason = why_not_applicable(metric) or _missing(name)
        if reason:
            reasons.setdefault(reason.rstrip("."), []).append(name)
        else:
            ready.append(name)
    return tuple(ready), {reason: tuple(names) for reason, names in reasons.items()}


def can_be_tested(name: str, signature: str) -> bool:
    """Whether the metric behind these scores can be tested: a registered one of the right kind, run here."""
    kind = registered(name)
    return kind is not None and not signature.startswith(IMPORTED) and why_not_applicable(kind) is None


def _missing(name: str) -> str | None:
    """What this metric lacks to run; None if it can."""
    try:
        build(name).model_revision()
    except ModelMissing as error:
        return str(error)
    return None
