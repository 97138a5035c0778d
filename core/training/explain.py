"""Explaining a UNION's scores: sentences left out one at a time, edits undone one at a time, the second head read."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.analysis.proportion import wilson
from core.annotation.draws import Draws, Estimate, draw_prompts, estimate
from core.errors import InputError
from core.models.pieces import Pieces
from core.perturb.edits import Perturbed
from core.perturb.sets import Case
from core.pieces import spans
from core.stories import Story, whole_story
from core.training.explanation import (
    Explanation,
    Layout,
    Rebuilt,
    Search,
    Sentence,
    edits_by_sentence,
    originals,
    search,
)
from core.training.scorer import Scorer

MOST = 1_000_000
"""Characters of all variants of a story: some four minutes of reading."""
ROWS = 64
"""Pieces whose probabilities over the whole vocabulary are held at once."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Variants:
    """The texts that explain a story when they are scored together: the story, each sentence left out, each edited one
    put back, the human story. `read`: so many sentences the checkpoint reads, the others lie behind its cut.
    """

    layout: Layout
    read: int
    negative: Perturbed | None
    edits: tuple[tuple[bool, tuple[str, ...]], ...]
    texts: tuple[str, ...]

    def explained(self, logits: Sequence[float]) -> Explanation:
        """What the logits of `texts`, in their order, say."""
        left = iter(logits)
        logit = next(left)
        omitted = [next(left) if self._leaves(number) else None for number in range(len(self.layout.spans))]
        restored = [next(left) if self._restores(number) else None for number in range(len(self.layout.spans))]
        found = tuple(
            Sentence(*span, number < self.layout.fixed, omitted[number], *self.edits[number], restored[number])
            for number, span in enumerate(self.layout.spans)
        )
        return Explanation(logit, found, human=next(left) if self.negative else None)

    def _leaves(self, number: int) -> bool:
        return self.read > 1 and number < self.read

    def _restores(self, number: int) -> bool:
        return number < self.read and self.edits[number][0]


def variants(scorer: Scorer, story: Story, negative: Perturbed | None = None) -> Variants:
    """What is to be scored; `negative`: how `story` was made of a human one with the same prompt.

    Raises InputError for an empty story, one that would take too long, and a negative that has lost sentences.
    """
    layout = Layout.of(story)
    if not layout.spans:
        raise InputError("The story is empty: give it a few sentences.")
    read = _read(scorer, layout)
    offset = len(layout.spans)
    edits: list[tuple[bool, tuple[str, ...]]] = [(False, ())] * offset
    human: Sequence[str] = ()
    if negative:
        human, there = originals(negative), edits_by_sentence(negative)
        offset -= len(human)  # the prompt's
        edits[offset:] = there
    texts, last = [layout.text], layout.spans[read - 1][1]
    if read > 1:
        texts += [layout.without(number, read) for number in range(read)]
    for number, (start, end) in enumerate(layout.spans[:read]):
        if edits[number][0]:
            texts.append(layout.text[:start] + human[number - offset] + layout.text[end:last])
    if negative:
        texts.append(whole_story(story.prompt, negative.original))
    if sum(map(len, texts)) > MOST:
        raise InputError(
            f"Leaving out each of the {read:,} sentences would take too long: explain a part of the story, or choose a "
            f"checkpoint that cuts long ones."
        )
    return Variants(layout, read, negative, tuple(edits), tuple(texts))


def _read(scorer: Scorer, layout: Layout) -> int:
    """How many sentences there are in what the checkpoint reads, the last perhaps in part."""
    ends = [end for _, end in layout.spans]
    longest = len(scorer.prepared(layout.text))
    return min(len(ends), 1 + bisect_left(ends, longest, key=lambda end: len(scorer.prepared(layout.text[:end]))))


def explain(
    scorer: Scorer, story: Story, negative: Perturbed | None = None, told: Callable[[int, int], None] | None = None
) -> Explanation:
    """All about one score; `told` hears how many variants are read, and of how many. Raises as `variants` does."""
    wanted = variants(scorer, story, negative)
    read = 0

    def count(more: int) -> None:
        nonlocal read
        read += more
        if told:
            told(read, len(wanted.texts))

    found = wanted.explained(scorer.logits(wanted.texts, count).tolist())
    if not scorer.rebuilds:
        return found
    pieces, rebuilt = reconstruction(scorer, wanted.layout.text)
    return Explanation(found.logit, found.sentences, pieces, rebuilt, found.human)


def reconstruction(scorer: Scorer, story: str) -> tuple[int, tuple[Rebuilt, ...]]:
    """How many pieces the story has as it is read, and where the second head finds another one likelier."""
    text = scorer.prepared(story)
    (reading,) = scorer.trunk.read_once([text])
    tokenizer, names = scorer.trunk.tokenizer, Pieces(scorer.trunk.tokenizer)
    encoded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    places: list[tuple[int, int]] = encoded["offset_mapping"]
    if names.byte_level and (bytewise := spans(text, [names.bytes_of(int(one)) for one in reading.ids])):
        places = list(zip(bytewise[0].tolist(), bytewise[1].tolist(), strict=True))
    embeddings = scorer.trunk.model.get_input_embeddings().weight.detach().float().cpu()
    found = []
    with torch.inference_mode():
        narrow = scorer.heads(reading)[1]
        for begin in range(0, len(reading.ids), ROWS):
            standing = reading.ids[begin : begin + ROWS]
            chances = scorer.head.rebuilt(narrow[begin : begin + ROWS], embeddings).softmax(1)
            best = chances.max(1)
            for row in torch.nonzero(best.indices != standing)[:, 0].tolist():
                start, end = places[begin + row]
                instead, p = names.text(int(best.indices[row])), float(best.values[row])
                found.append(Rebuilt(start, end, instead, p, float(chances[row, standing[row]])))
    return len(reading.ids), tuple(found)


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
    told: Callable[[int], None] | None = None,
) -> EditsFound:
    """Explain every negative and look for its edits; `told` counts texts that were read. Raises as `variants` does."""
    if not cases:
        raise InputError("There is no negative whose edits could be looked for.")
    wanted = [variants(scorer, Story(case.perturbed.text, case.prompt), case.perturbed) for case in cases]
    logits = iter(scorer.logits([text for one in wanted for text in one.texts], told).tolist())
    explained = [one.explained([next(logits) for _ in one.texts]) for one in wanted]
    draws = draw_prompts([str(number) for number in range(len(cases))], seed=seed, resamples=resamples)
    columns = draws.of([str(number) for number in range(len(cases))])
    lower = sum(one.human is not None and one.logit < one.human for one in explained) / len(cases)
    names = sorted({name for one in explained for sentence in one.sentences for name in sentence.techniques})
    return EditsFound(
        len(cases),
        Estimate(lower, *wilson(lower, len(cases))),
        _found_by(ANY, [search(one) for one in explained], draws, columns),
        tuple(_found_by(name, [search(one, name) for one in explained], draws, columns) for name in names),
    )


def _found_by(name: str, found: Sequence[Search], draws: Draws, columns: NDArray[np.intp]) -> FoundBy:
    values = [one.auc for one in found]
    return FoundBy(name, sum(value is not None for value in values), _mean(values, draws, columns))


def _mean(values: Sequence[float | None], draws: Draws, columns: NDArray[np.intp]) -> Estimate:
    """Over the stories that have a value, drawn from all stories."""
    there = np.array([value is not None for value in values])
    if not there.any():
        return Estimate(None, undefined="no negative has both edited and unedited sentences that are read")
    known = np.array([0.0 if value is None else value for value in values])
    sums = draws.sums(np.column_stack([known, there]), columns)
    drawn = np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0)
    return estimate(float(known[there].mean()), drawn, columns[there])
