"""Explains a UNION's score: leaves out one sentence at a time, undoes one edit at a time, reads the second head."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import torch

from core.arrays import Floats, Ints
from core.errors import InputError
from core.explanation.results import (
    Explanation,
    Rebuilt,
    ScoredSentence,
    Search,
    Span,
    StoryLayout,
    edits_by_sentence,
    originals,
    search,
)
from core.metrics.trained.union_scorer import Scorer, mean
from core.models.tokens.pieces import Pieces
from core.perturb.cases import Case
from core.perturb.edits import Perturbed
from core.pieces import spans
from core.statistics.draws import Draws, draw_prompts
from core.statistics.intervals import Estimate, estimate, wilson
from core.stories import Story, sentences, whole_story
from core.windows import Long

MOST = 1_000_000
"""Characters of all variants of a story: some four minutes of reading."""
ROWS = 64
"""Pieces whose probabilities over the whole vocabulary are held at once."""
OPEN = 3
"""Characters that an open quotation may be longer than a closed one."""


@dataclass(frozen=True)
class Instead:
    """What is read of a story without a sentence, or with another in its place: by a window's number the number of the
    text that is read for it, None where nothing is left. Empty where the sentence is not read.
    """

    texts: Mapping[int, int | None]

    def logit(self, logits: Floats, windows: int) -> float | None:
        """The story's, as `windows` are read but for these; None where nothing is left, or nothing changed."""
        numbers = [self.texts.get(window, window) for window in range(windows)]
        left = [number for number in numbers if number is not None]
        return mean(logits[left]) if self.texts and left else None


@dataclass(frozen=True)
class Variants:
    """The texts that explain a story when they are scored together, each as it is read: first the `windows` windows of
    the story, then what they are without each sentence and with each edited one put back, then the human story's.
    """

    layout: StoryLayout
    windows: int
    edits: tuple[tuple[bool, tuple[str, ...]], ...]
    without: tuple[Instead, ...]
    restored: tuple[Instead, ...]
    human: int
    texts: tuple[str, ...]

    def explained(self, logits: Floats) -> Explanation:
        """What the logits of `texts`, in their order, say."""
        result = tuple(
            ScoredSentence(
                *span,
                number < self.layout.fixed,
                self.without[number].logit(logits, self.windows),
                *self.edits[number],
                self.restored[number].logit(logits, self.windows),
            )
            for number, span in enumerate(self.layout.spans)
        )
        human = mean(logits[-self.human :]) if self.human else None
        return Explanation(mean(logits[: self.windows]), result, human=human)


def variants(scorer: Scorer, story: Story, negative: Perturbed | None = None, long: Long = Long.WINDOWS) -> Variants:
    """What is to be scored; `negative`: how `story` was made of a human one with the same prompt. Windows stay where
    they are when a sentence is left out of them: a contribution is the sentence's, not that of others that move.

    Raises InputError for an empty story, one that would take too long, and a negative that has lost sentences.
    """
    layout = StoryLayout.of(story)
    if not layout.spans:
        raise InputError("The story is empty: give it a few sentences.")
    text = scorer.written(layout.text)
    windows = scorer.windows(text, long=long)
    texts = [text[start:end] for start, end in windows]
    if sum(len(name) * (1 + len(sentences(name))) for name in texts) > MOST:
        raise InputError("Leaving out each sentence would take too long: explain a part of the story, or cut it.")
    edits: list[tuple[bool, tuple[str, ...]]] = [(False, ())] * len(layout.spans)
    before: Sequence[str] = ()
    if negative:
        before, found = originals(negative), edits_by_sentence(negative)
        edits[len(edits) - len(before) :] = found  # the prompt's stand in front
    prompts = len(edits) - len(before)
    places = _places(scorer, layout, text)

    def instead(number: int, other: str) -> Instead:
        start, end = places[number]
        origins: dict[int, int | None] = {}
        for window, (first, last) in enumerate(windows):
            if max(start, first) < min(end, last):
                left = f"{text[first : max(start, first)].rstrip()} {other} {text[min(end, last) : last].lstrip()}"
                origins[window] = len(texts) if left.strip() else None
                texts.extend([scorer.written(left.strip())] if left.strip() else [])
        return Instead(origins)

    without = tuple(instead(number, "") for number in range(len(edits)))
    restored = tuple(
        instead(number, before[number - prompts]) if was else Instead({}) for number, (was, _) in enumerate(edits)
    )
    human = scorer.written(whole_story(story.prompt, negative.original)) if negative else ""
    of_human = scorer.windows(human, long=long) if negative else []
    texts += [human[start:end] for start, end in of_human]
    return Variants(layout, len(windows), tuple(edits), without, restored, len(of_human), tuple(texts))


def _places(scorer: Scorer, layout: StoryLayout, text: str) -> list[Span]:
    """Where the sentences of a story are in `text`, the story in the checkpoint's way of writing."""
    ends = [0]
    for _, end in layout.spans[:-1]:
        place = min(len(scorer.written(layout.text[:end])), len(text))
        # A quotation that is not closed yet may be written longer: the sentence ends at the space before.
        spaces = [near for near in range(place, max(ends[-1], place - OPEN) - 1, -1) if text[near : near + 1].isspace()]
        ends.append(max(ends[-1], spaces[0] if spaces else place))
    return list(pairwise([*ends, len(text)]))


def explain(
    scorer: Scorer,
    story: Story,
    negative: Perturbed | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    long: Long = Long.WINDOWS,
) -> Explanation:
    """All about one score. `on_progress` hears how many variants are read, and of how many.

    Raises as `variants` does.
    """
    wanted = variants(scorer, story, negative, long)
    read = 0

    def count(more: int) -> None:
        nonlocal read
        read += more
        if on_progress:
            on_progress(read, len(wanted.texts))

    explanation = wanted.explained(scorer.read(wanted.texts, count))
    if not scorer.rebuilds:
        return explanation
    pieces, rebuilt = reconstruction(scorer, wanted.layout.text, long)
    return Explanation(explanation.logit, explanation.sentences, pieces, rebuilt, explanation.human)


def reconstruction(scorer: Scorer, story: str, long: Long = Long.WINDOWS) -> tuple[int, tuple[Rebuilt, ...]]:
    """How many pieces the story has as it is read, and where the second head finds another one likelier. What stands in
    two windows is taken from the one with more in front of it.
    """
    text = scorer.written(story)
    pieces, stories_rebuilt, reached = 0, [], 0
    for start, end in scorer.windows(text, long=long):
        places, rebuilt = _rebuilt(scorer, text[start:end])
        pieces += sum(start + first >= reached for first, _ in places)
        stories_rebuilt += [
            replace(item, start=start + item.start, end=start + item.end)
            for item in rebuilt
            if start + item.start >= reached
        ]
        reached = end
    return pieces, tuple(stories_rebuilt)


def _rebuilt(scorer: Scorer, text: str) -> tuple[list[Span], list[Rebuilt]]:
    """Return where the pieces of a text are, and which ones the second head would write otherwise."""
    (reading,) = scorer.trunk.read_once([text])
    tokenizer, names = scorer.trunk.tokenizer, Pieces(scorer.trunk.tokenizer)
    encoded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    places: list[tuple[int, int]] = encoded["offset_mapping"]
    if names.byte_level and (bytewise := spans(text, [names.bytes_of(int(item)) for item in reading.ids])):
        places = list(zip(bytewise[0].tolist(), bytewise[1].tolist(), strict=True))
    embeddings = scorer.trunk.model.get_input_embeddings().weight.detach().float().cpu()
    results = []
    with torch.inference_mode():
        narrow = scorer.heads(reading)[1]
        for begin in range(0, len(reading.ids), ROWS):
            standing = reading.ids[begin : begin + ROWS]
            chances = scorer.head.rebuilt(narrow[begin : begin + ROWS], embeddings).softmax(1)
            best = chances.max(1)
            for row in torch.nonzero(best.indices != standing)[:, 0].tolist():
                start, end = places[begin + row]
                instead, p = names.text(int(best.indices[row])), float(best.values[row])
                results.append(Rebuilt(start, end, instead, p, float(chances[row, standing[row]])))
    return places, results


@dataclass(frozen=True)
class FoundBy:
    """Of so many negatives, in which both edited and unedited sentences are read: the mean chance that an edited one
    contributes less than an unedited one; .5 is chance. Intervals are of the bootstrap over stories.
    """

    technique: str
    stories: int
    auc: Estimate


@dataclass(frozen=True)
class EditsFound:
    """How well explanations of `stories` negatives find their edits. `lower`: the share that scores below its human
    story, with Wilson's interval. `all`: of edits by any technique.
    """

    stories: int
    lower: Estimate
    all: FoundBy
    techniques: tuple[FoundBy, ...]


ANY = "any"


def find_edits(
    scorer: Scorer,
    cases: Sequence[Case],
    *,
    seed: int = 0,
    resamples: int = 1000,
    on_progress: Callable[[int], None] | None = None,
    long: Long = Long.WINDOWS,
) -> EditsFound:
    """Explain every negative and look for its edits; `on_progress` counts texts that were read. Raises as `variants`
    does.
    """
    if not cases:
        raise InputError("There is no negative whose edits could be looked for.")
    wanted = [variants(scorer, Story(case.perturbed.text, case.prompt), case.perturbed, long) for case in cases]
    logits = scorer.read([text for item in wanted for text in item.texts], on_progress)
    ends = np.cumsum([len(item.texts) for item in wanted])
    explained = [item.explained(some) for item, some in zip(wanted, np.split(logits, ends[:-1]), strict=True)]
    draws = draw_prompts([str(number) for number in range(len(cases))], seed=seed, resamples=resamples)
    columns = draws.of([str(number) for number in range(len(cases))])
    lower = sum(
        explanation.human is not None and explanation.logit < explanation.human for explanation in explained
    ) / len(cases)
    names = sorted(
        {name for explanation in explained for sentence in explanation.sentences for name in sentence.techniques}
    )
    return EditsFound(
        len(cases),
        Estimate(lower, *wilson(lower, len(cases))),
        _found_by(ANY, [search(explanation) for explanation in explained], draws, columns),
        tuple(
            _found_by(name, [search(explanation, name) for explanation in explained], draws, columns) for name in names
        ),
    )


def _found_by(name: str, searches: Sequence[Search], draws: Draws, columns: Ints) -> FoundBy:
    values = [item.auc for item in searches]
    return FoundBy(name, sum(value is not None for value in values), _mean(values, draws, columns))


def _mean(values: Sequence[float | None], draws: Draws, columns: Ints) -> Estimate:
    """Return the mean over the stories that have a value; the interval's draws are from all stories."""
    defined = np.array([value is not None for value in values])
    if not defined.any():
        return Estimate(None, undefined="no negative has both edited and unedited sentences that are read")
    known = np.array([0.0 if value is None else value for value in values])
    sums = draws.sums(np.column_stack([known, defined]), columns)
    drawn = np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0)
    return estimate(float(known[defined].mean()), drawn, columns[defined])
